"""Properties derived from operations: k, moduli, operands, cycles; nothing is invented."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from regress.cli.command_line import main
from regress.core.cases import Case, CaseStatus
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.plan import Plan
from regress.core.point import Point
from verif.own_core import probing
from verif.own_core.config import BlackBoxConfig
from verif.own_core.core import Core
from verif.own_core.defects import example_cores
from verif.own_core.description import MAX_LATENCY, Claims, CoreDescription
from verif.own_core.draw import Operation
from verif.own_core.explain import Seen
from verif.own_core.fit import fitted, formula_among
from verif.own_core.probe import (
    EXPONENTS,
    EXTREMES,
    FULL,
    Analysis,
    Findings,
    probe_operations,
    probe_widths,
)
from verif.own_core.probing import TRIED, _add_tried, _bare
from verif.own_core.project import TEST
from verif.own_core.tests.styles import PRODUCT
from verif.own_core.tests.test_check import check

Model = Callable[[Operation, int], tuple[int, int]]
POWER = PRODUCT.model_copy(update={"computes": "exponentiation"})
BOUNDS = ("m", "2*m", "2**n")
WIDTHS = (4, 5, 8, 9, 15, 16, 17, 31, 32, 33)


def derived(
    model: Model, description: CoreDescription = PRODUCT, widths: Sequence[int] = WIDTHS
) -> Findings:
    """The findings about a core that a function stands for."""
    seen = {
        width: {
            name: [Seen(one, *model(one, width)) for one in some]
            for name, some in probe_operations(description, width, random.Random(1)).items()
        }
        for width in widths
    }
    return Analysis(description, seen).findings()


def montgomery(k: Callable[[int], int], more: int = 0) -> Model:
    """X*Y*2**-k mod M of an odd M, plus so many M; wrong for an even one."""

    def model(one: Operation, width: int) -> tuple[int, int]:
        x, y, m, _ = one
        if m % 2 == 0:
            return 0x55 % (1 << width), width
        scale = pow(2, -k(width), m) if m > 1 else 0
        return x * y * scale % m + more * m, width + 3

    return model


def plain(one: Operation, width: int) -> tuple[int, int]:
    return one.first * one.second % one.m, 4


@pytest.mark.parametrize(
    ("k", "formula"),
    [
        (lambda n: n, "n"),
        (lambda n: n + 2, "n + 2"),
        (lambda n: 8 * -(-(n + 1) // 8), "8 * ceil((n + 1)/8)"),
        (lambda n: 0, "0"),
    ],
)
def test_k_and_cycles_of_a_montgomery_core(k: Callable[[int], int], formula: str) -> None:
    found = derived(montgomery(k)).description
    assert found["k"] == formula
    assert found["modulus"] == {"parity": "odd", "minimum": 1, "top_bit": False}
    assert found["claims"] == {"reduced": True, "constant_time": True, "latency": "n + 3"}


def test_moduli_of_a_probe_are_within_the_bounds_of_the_file() -> None:
    bounds = {"maximum": "2**(n - 2) - 1", "one_modulo": "4"}
    description = CoreDescription.model_validate({**PRODUCT.model_dump(), "modulus": bounds})

    def model(one: Operation, width: int) -> tuple[int, int]:
        legal = one.m < 1 << (width - 2) and one.m % 4 == 1
        return (montgomery(lambda n: n)(one, width)[0] if legal else 1), width + 3

    found = derived(model, description, (8, 9, 16, 17)).description
    assert found["k"] == "n"
    assert found["modulus"]["top_bit"] is False


def test_a_probe_begins_with_the_operations_that_any_core_supports() -> None:
    kinds = {d.computes: list(probe_operations(d, 8, random.Random(1))) for d in (PRODUCT, POWER)}
    assert kinds["product"][:2] == [FULL, EXTREMES]
    assert kinds["exponentiation"][:3] == [FULL, EXTREMES, EXPONENTS]


def test_a_probe_supplies_constants_of_the_k_of_the_file() -> None:
    given = {**PRODUCT.model_dump(), "k": "n", "constants": ("r_squared",)}
    assert _bare(CoreDescription.model_validate(given)).k_at(8) == 8


def test_results_that_are_not_below_m() -> None:
    found = derived(montgomery(lambda n: n, more=1))
    assert found.description["claims"]["reduced"] is False
    assert "not below M, such as x=" in found.evidence["claims.reduced"]


def test_even_moduli_and_wide_operands_of_a_plain_core() -> None:
    found = derived(plain).description
    assert found["modulus"]["parity"] == "any"
    assert found["operands_below"] == "2**n"

    def narrow(one: Operation, width: int) -> tuple[int, int]:
        good = one.first < 2 * one.m and one.second < 2 * one.m
        return (one.first * one.second % one.m if good else one.m), 4

    assert derived(narrow).description["operands_below"] == "2*m"


def test_a_core_that_wants_the_top_bit() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        full = one.m >> (width - 1)
        return (one.first * one.second % one.m if full else (1 << width) - 1), 4

    assert derived(model).description["modulus"]["top_bit"] is True


def test_time_that_depends_on_operands_is_a_range() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        return one.first * one.second % one.m, 2 * width + one.second % 2

    claims = derived(model).description["claims"]
    assert claims["constant_time"] is False
    assert claims["latency"] == {"minimum": "2*n", "maximum": "2*n + 1"}


def test_a_core_that_computes_something_else_is_said_to() -> None:
    with pytest.raises(
        UsageError, match=r"no k explains the results at any width; the best over all"
    ):
        derived(lambda one, width: ((one.first * one.second + 1) % one.m, 4))
    with pytest.raises(UsageError, match="no formula for k was found"):
        derived(montgomery(lambda n: n + random.Random(n).randrange(20)))
    with pytest.raises(
        UsageError, match=r"results are base\^exponent mod M at no width; look at .* after 4 cycles"
    ):
        derived(plain, POWER)


def test_widths_without_an_explanation_are_named_and_left_out() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        good = width & (width - 1) == 0
        return (one.first * one.second % one.m if good else one.first), width

    for description, key in ((PRODUCT, "k"), (POWER, "widths")):
        power = description is POWER
        found = derived(lambda o, w, p=power: powers(o, w) if p else model(o, w), description)
        assert "right at 4, 8, 16, 32, wrong at 5, 9, 15, 17, 31, 33 bits: " in found.evidence[key]
        assert "cycles; 9 bits: " in found.evidence[key]
        assert found.description["claims"]["latency"] == "n"


def powers(one: Operation, width: int) -> tuple[int, int]:
    good = width & (width - 1) == 0
    return (pow(one.first, one.second, one.m) if good else one.m), width


def test_one_end_of_the_latency_has_a_formula_and_the_other_one_none() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        more = random.Random(width).randrange(1, 1000) if one.first > 1 else 0
        return one.first * one.second % one.m, 3 * width + 1 + more

    found = derived(model)
    assert found.description["claims"]["latency"] == {"minimum": "3*n + 1"}
    assert found.evidence["claims.latency"].endswith("no formula of the maximum was found")


@pytest.mark.parametrize(
    ("claimed", "measured", "seen"),
    [
        ("3 * n + 1", "3 * n + 1", "25 at 8, 28 at 9 bits, as the file says"),
        ({"maximum": "4*n"}, {"maximum": "4*n", "minimum": "0"}, "as the file says"),
        ("3 * n + 2", None, "25 at 8, 28 at 9 bits; a formula needs 4 widths or more"),
    ],
)
def test_a_claimed_latency_needs_no_formula_of_its_own(
    claimed: object, measured: object, seen: str
) -> None:
    description = CoreDescription.model_validate(
        {**PRODUCT.model_dump(), "claims": {"latency": claimed}}
    )
    found = derived(lambda one, n: (one.first * one.second % one.m, 3 * n + 1), description, (8, 9))
    assert found.description["claims"].get("latency") == measured
    assert found.evidence["claims.latency"].endswith(seen)


def test_the_latency_is_that_of_all_operands_that_are_proposed() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        x, y, m, _ = one
        legal = x < 2 * m and y < 2 * m
        return (x * y % m if legal else m), width + 3 + (x >= m)  # a subtraction takes a cycle

    found = derived(model).description
    assert found["operands_below"] == "2*m"
    assert found["claims"]["latency"] == {"minimum": "n + 3", "maximum": "n + 4"}
    assert found["claims"]["constant_time"] is False


def test_what_was_not_tried_is_not_proposed() -> None:
    seen = {w: {FULL: [Seen(one, *plain(one, w)) for one in some]} for w, some in full().items()}
    found = Analysis(PRODUCT, seen).findings()
    assert found.description["modulus"]["parity"] == "odd"
    assert found.description["operands_below"] == "m"
    assert found.evidence["modulus.parity"] == "not tried with M even"


def full() -> dict[int, list[Operation]]:
    return {w: probe_operations(PRODUCT, w, random.Random(1))[FULL] for w in (4, 5, 8)}


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ((CaseStatus.PASSED, CaseStatus.PASSED), "held at 4, 8 bits"),
        ((CaseStatus.PASSED, CaseStatus.NOT_RUN), "not tried to the end"),
        ((CaseStatus.PASSED,), "not tried to the end"),
        ((CaseStatus.PASSED, CaseStatus.FAILED), "what broke it"),
    ],
)
def test_a_claim_that_was_not_tried_to_the_end_is_not_proposed(
    statuses: tuple[CaseStatus, ...], said: str
) -> None:
    found = Findings()
    name, _ = TRIED["reset"]
    cases = [Case(name, s, "what broke it" * (s is CaseStatus.FAILED)) for s in statuses]
    _add_tried(found, {"reset": TRIED["reset"]}, cases, (4, 8))
    assert found.evidence["claims.reset"] == said
    assert bool(found.description) == said.startswith("held")


def test_a_claimed_latency_decides_when_an_operation_has_not_ended() -> None:
    job = Job(test=TEST, point=Point({"width": 8}), simulator="icarus", seed=1)
    config = BlackBoxConfig(job, PRODUCT, 8)
    assert config.last_limit > config.cycle_limit
    # Exponentiation cores of 1024 bits with 233 million cycles exist.
    for cycles in (300 * 8 + 2, 233_000_000, MAX_LATENCY - 1):
        claimed = PRODUCT.model_copy(update={"claims": Claims(latency=str(cycles))})
        config = BlackBoxConfig(job, claimed, 8)
        assert min(cycles + 1, MAX_LATENCY - 1) <= config.cycle_limit < MAX_LATENCY
        assert config.last_limit == config.cycle_limit


@pytest.mark.campaign  # test_the_facts_of_an_example_are_found_again probes a core
@pytest.mark.simulation
def test_a_core_slower_than_guessed_is_measured_and_a_second_start_found(tmp_path: Path) -> None:
    body = """
  logic [31:0] n_q;
  logic [Width-1:0] x_q, y_q, m_q;
  assign result_o = Width'(((2*Width)'(x_q) * y_q) % m_q);
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin n_q <= '0; done_o <= 1'b0; end
    else begin
      done_o <= n_q == 1;
      if (start_i) begin x_q <= x_i; y_q <= y_i; m_q <= m_i; n_q <= 600 * Width; end
      else if (n_q != 0) n_q <= n_q - 1;
    end
"""
    ports = "input logic clk_i, rst_ni, start_i, input logic [Width-1:0] x_i, y_i, m_i,"
    ports += " output logic done_o, output logic [Width-1:0] result_o"
    module = f"module slow #(parameter int Width = 8) ({ports});{body}endmodule\n"
    (tmp_path / "slow.sv").write_text(module)
    file = tmp_path / "core.yaml"
    file.write_text("name: slow\nsources: [slow.sv]\nshim: slow\ncomputes: product\n")
    done = check(file, tmp_path / "run", "--probe", "--width", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 bits: the limit of 2032 cycles was raised: operations take up to 2401" in done.stdout
    found = Core.read(file.with_name("core.proposed.yaml")).description
    # It begins anew with each start, and samples its operands.
    assert found.claims.start_while_busy is None
    assert found.claims.operands == "sampled"


def test_a_core_that_explains_nothing_or_never_ends_is_one_line() -> None:
    for result, said in ((None, "mine: no operation ended"), (0, "no k explains the results")):
        seen = {8: {FULL: [Seen(one, result, 4) for one in full()[8] if one.first * one.second]}}
        with pytest.raises(UsageError, match=said):
            Analysis(PRODUCT, seen).findings()


def test_exponents_from_one_on() -> None:
    def model(one: Operation, width: int) -> tuple[int, int]:
        return (pow(one.first, one.second, one.m) if one.second else one.m - 1), width * width

    found = derived(model, POWER).description
    assert found["exponent_minimum"] == 1
    assert found["claims"]["latency"] == "n**2"


def test_formulas_need_more_numbers_than_coefficients() -> None:
    assert fitted([({"n": n}, n * n) for n in (4, 5, 6)]) is None
    assert fitted([({"n": n, "length": 3}, n + 3) for n in (4, 5, 6, 7)]) == "n + 3"
    two_words = [({"n": n}, 4 * -(-n // 8) + -(-(n + 2) // 2) + 2) for n in WIDTHS]
    assert fitted(two_words) == "ceil(n/2) + 4*ceil(n/8) + 3"
    assert formula_among({4: {1}, 5: {17}, 6: {3}}) is None


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("name", "widths"),
    # The nightly probes the others as well.
    [
        ("stream_power", "4,5,8"),
        pytest.param("pulse_montgomery", "4,5,8,17", marks=pytest.mark.campaign),
        pytest.param("bus_montgomery", "4,16,17,33,49", marks=pytest.mark.campaign),
        pytest.param("request_power", "4,5,8", marks=pytest.mark.campaign),
        pytest.param("serial_blakley", "4,5,8,17", marks=pytest.mark.campaign),
    ],
)
def test_the_facts_of_an_example_are_found_again(name: str, widths: str, tmp_path: Path) -> None:
    core = next(core for core in example_cores() if core.description.name == name)
    file = stripped(core, tmp_path)
    done = check(file, tmp_path / "run", "--probe", "--width", widths)
    assert done.returncode == 0, done.stdout + done.stderr
    found = Core.read(file.with_name("core.proposed.yaml")).description
    assert_same(found, core.description)
    # A file that the user wrote is not overwritten.
    file.with_name("core.proposed.yaml").write_text("name: mine\n")
    done = check(file, tmp_path / "again", "--probe", "--width", widths)
    assert done.returncode == 2
    assert done.stderr.rstrip().endswith("exists and is not a proposal; move it away")
    assert probe_widths(core.description)


def stripped(core: Core, folder: Path) -> Path:
    """A copy of a core whose file says no more than it must."""
    for source in core.sources:
        (folder / source.name).write_text(source.read_text())
    description = core.description
    kept = {
        "name": description.name, "sources": [path.name for path in core.sources],
        "shim": description.shim,
        "computes": description.computes, "length": description.length,
    }  # fmt: skip
    (folder / "core.yaml").write_text(yaml.safe_dump(kept))
    return folder / "core.yaml"


def assert_same(found: CoreDescription, right: CoreDescription) -> None:
    """What was measured says the same as what was written."""
    for width in (4, 15, 64, 1000, 1024):
        assert found.k_at(width) == right.k_at(width)
        for length in (1, width):
            if right.claims.latency:
                assert found.latency(width, length) == right.latency(width, length)
    assert found.modulus.parity == right.modulus.parity
    assert found.modulus.minimum <= right.modulus.minimum
    # A core may do more than its description claims.
    assert BOUNDS.index(found.operands_below) >= BOUNDS.index(right.operands_below)
    for claim in ("reduced", "constant_time", "reset", "start_while_busy", "operands"):
        assert getattr(found.claims, claim) == getattr(right.claims, claim), claim


def test_an_interrupted_probe_begins_no_other_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[str] = []

    def execute(asked: Plan, **_: object) -> SimpleNamespace:
        runs.append(asked.name)
        return SimpleNamespace(interrupted=True, stopped=False, passed=False, jobs=[])

    monkeypatch.setattr(probing, "execute", execute)
    for shown in ("show_problems", "show_end"):
        monkeypatch.setattr(probing, shown, lambda *_: None)
    core = next(one for one in example_cores() if one.description.name == "serial_blakley")
    shutil.copytree(core.folder, tmp_path / "core")
    file = tmp_path / "core" / core.path.name
    assert main(["check", str(file), "--probe", "--width", "4"]) != 0
    assert len(runs) == 1
