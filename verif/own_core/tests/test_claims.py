"""Claims of a core from outside: for each one a core that breaks it, and the inputs that misled."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from regress.core.point import Point
from regress.simulators.icarus import Icarus
from verif.bench.configuration.design import ROOT
from verif.own_core import ports
from verif.own_core.core import Core
from verif.own_core.icarus_limits import lost_values
from verif.own_core.ports import check_ports
from verif.own_core.project import BlackBoxes
from verif.own_core.tests.styles import STYLES, style_file
from verif.own_core.tests.test_check import check
from verif.tests.injected import representatives

CLAIMS_FOLDER = Path(__file__).resolve().parent.parent / "cores" / "claims"
FACTS = {
    "name": "claimed",
    "sources": [str(CLAIMS_FOLDER / "claimed.sv")],
    "shim": "claimed_shim",
    "computes": "product",
    "modulus": {"parity": "any", "minimum": 2},
    "status": {"ok": 0, "rejected": [3]},
    "claims": {
        "latency": "n + 1",
        "constant_time": True,
        "reset": True,
        "start_while_busy": "ignored",
        "operands": "sampled",
    },
}
MU_OF_LESS = {"name": "mu", "bits": "n + 1", "value": "2**(2*n - 5) // m"}
BACK, RESET, BUSY = "back to back", "reset in mid-operation", "start while busy is ignored"
CHANGE = "operands may change after the start"
# A counter that goes on is over before the next operands are there, if it is short.
WIDTHS = {"COUNTER_NOT_RESET": 32}
# Macro of the core, and what it breaks.
BROKEN = {
    "SECOND_START_RESTARTS": (BUSY, "started again with other operands"),
    "SECOND_START_WAITS": (BUSY, "cycles, undisturbed it takes 9"),
    "REST_AFTER_DONE": (BACK, "operation not done"),
    "ONE_CYCLE_MORE": ("latency as claimed", "took 10 cycles, claimed are 9"),
    "ODD_TAKES_LONGER": ("constant time", "x=0x0 y=0x1 m=0x2 took 10: y decides"),
    "FIRST_TAKES_LONGER": (RESET, "took 10 cycles, undisturbed it takes 9"),
    "OPERAND_READ_LATE": (CHANGE, "operands changed after the start of"),
    "NOT_REDUCED": ("result below M", "gmpy2 says 0x0"),
    "NOTHING_REJECTED": ("M = 1 is rejected", "was not rejected"),
    "COUNTER_NOT_RESET": (RESET, "after a reset "),
}


def claimed(folder: Path, macro: str = "", **changes: object) -> Path:
    """A core description of ``claimed.sv``, broken by a macro."""
    path = folder / "claimed.yaml"
    defines = {macro: "1"} if macro else {}
    path.write_text(yaml.safe_dump({**FACTS, "defines": defines, **changes}))
    return path


@pytest.mark.simulation
@pytest.mark.parametrize("macro", representatives(BROKEN, lambda macro: BROKEN[macro][0], str))
def test_each_claim_is_broken_by_a_core_that_does_not_keep_it(macro: str, tmp_path: Path) -> None:
    case, said = BROKEN[macro]
    width = str(WIDTHS.get(macro, 8))
    done = check(claimed(tmp_path, macro), tmp_path / "run", "--width", width, "--only", case)
    assert done.returncode == 1
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("broken: "))
    assert line.startswith(f"broken: {case}, {width} bits: "), line
    assert said in line


@pytest.mark.simulation
def test_each_disturbed_operation_has_a_second_start_in_its_last_cycle(tmp_path: Path) -> None:
    # The operation that shares out this cycle with seed 2 has the result 0.
    options = ("--width", "8", "--seed", "2", "--only", BUSY)
    done = check(claimed(tmp_path, "LAST_CYCLE_CLEARS"), tmp_path / "run", *options)
    assert done.returncode == 1
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("broken: "))
    assert "started again with other operands 8 cycles into" in line
    assert "result = 0x0, gmpy2 says" in line


@pytest.mark.simulation
def test_a_start_comes_in_each_phase_of_a_divided_clock(tmp_path: Path) -> None:
    claims = {**FACTS["claims"], "latency": {"minimum": "n + 1", "maximum": "n + 2"}}
    file = claimed(tmp_path, "PHASE_TAKES_LONGER", claims=claims)
    done = check(file, tmp_path / "run", "--width", "8", "--only", "constant time")
    assert done.returncode == 1
    assert "or on the cycle of its start" in done.stdout


@pytest.mark.simulation
def test_one_missing_subtraction_is_one_finding(tmp_path: Path) -> None:
    names = ("M = 2^(n-1) + 1", "X or Y = 1", "result below M")
    only = [word for name in names for word in ("--only", name)]
    done = check(claimed(tmp_path, "NOT_REDUCED"), tmp_path / "run", "--width", "8", *only)
    assert done.returncode == 1
    assert "one cause: each wrong result is right modulo M, and not below M" in done.stdout
    lines = done.stdout.splitlines()
    first, *more = (line for line in lines if line.startswith("broken: "))
    assert first.endswith(", right modulo M") and more == []
    assert "  it also breaks: X or Y = 1; result below M" in lines


@pytest.mark.simulation
def test_a_core_that_keeps_all_claims_holds(tmp_path: Path) -> None:
    done = check(claimed(tmp_path), tmp_path / "run", "--width", "8")
    assert done.returncode == 0, done.stdout


@pytest.mark.simulation
def test_the_result_of_rejected_operands_may_have_unknown_bits(tmp_path: Path) -> None:
    only = ("--width", "8", "--only", "M = 1 is rejected")
    done = check(claimed(tmp_path, "UNKNOWN_IF_REJECTED"), tmp_path / "run", *only)
    assert done.returncode == 0, done.stdout


@pytest.mark.simulation
def test_a_second_start_is_not_given_to_an_operation_that_is_over(tmp_path: Path) -> None:
    # Its cycles depend on X, and in the cycle of done it takes the next start.
    file = style_file("early_end", tmp_path)
    only = ("--only", BUSY, "--only", RESET)
    for seed in ("1", "2", "3"):
        done = check(file, tmp_path / seed, "--width", "8", "--seed", seed, *only)
        assert done.returncode == 0, done.stdout


@pytest.mark.simulation
def test_a_second_start_with_a_done_of_its_own_is_not_ignored(tmp_path: Path) -> None:
    claims = {"start_while_busy": "ignored", "operands": "sampled"}
    more = {"shim": "queue_shim", "status": None, "claims": claims}
    file = claimed(tmp_path, sources=[str(CLAIMS_FOLDER / "queue.sv")], **more)
    done = check(file, tmp_path / "run", "--width", "8", "--only", BUSY, "--only", BACK)
    assert done.returncode == 1, done.stdout
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("broken: "))
    assert line.startswith(f"broken: {BUSY}, 8 bits: started again with other operands 2 cycles")
    assert "the next one, in the cycle after its done: result = " in line


@pytest.mark.campaign  # test_description.py evaluates the formulas
@pytest.mark.simulation
def test_a_core_gets_the_constants_that_its_description_has_formulas_for(tmp_path: Path) -> None:
    description = {
        "name": "constants",
        "sources": [str(CLAIMS_FOLDER / "constants.sv")],
        "shim": "constants_shim",
        "computes": "product",
        "k": "0",
        "modulus": {"minimum": 17, "maximum": "2**(n-2) - 1", "one_modulo": "2**4"},
        "constants": [
            "r_squared",  # of k = 0: 1
            {"name": "triple", "bits": "n + 2", "value": "3 * m"},
            {"name": "r", "bits": "n", "value": "2**n % m"},
            {"name": "full", "bits": "n", "value": "-inverse(m, 2**n) % 2**n"},
            {"name": "mu", "bits": "n + 1", "value": "2**(2*n - 4) // m"},
        ],
    }
    file = tmp_path / "core.yaml"
    only = ("--only", "random operands, M of full width", "--only", "back to back")
    for more, code in (({}, 0), ({"constants": [*description["constants"][:4], MU_OF_LESS]}, 1)):
        file.write_text(yaml.safe_dump({**description, **more}))
        done = check(file, tmp_path / f"run-{code}", "--width", "16", *only)
        assert done.returncode == code, done.stdout


@pytest.mark.simulation
def test_icarus_does_not_run_code_whose_values_it_loses(tmp_path: Path) -> None:
    description = {
        "name": "lost",
        "sources": [str(CLAIMS_FOLDER / "lost_values.sv")],
        "shim": "lost_shim",
        "computes": "product",
        "modulus": {"parity": "any", "minimum": 1},
    }
    file = tmp_path / "core.yaml"
    file.write_text(yaml.safe_dump(description))
    options = ("--sim", "verilator", "--width", "8", "--only", "back to back")
    assert check(file, tmp_path / "run", *options).returncode == 0
    for probe in ((), ("--probe",)):
        done = check(file, tmp_path / "icarus", "--sim", "icarus", "--width", "8", *probe)
        assert done.returncode == 2
        constant, array = done.stderr.splitlines()
        assert "Icarus 11 loses the package constant Started at port first_i" in constant
        assert "Icarus 11 loses the values of unpacked output count_o" in array
    # Code like it that Icarus simulates, in styles and in this design.
    for path in [*STYLES.glob("*.sv"), *(ROOT / "hdl").rglob("*.sv")]:
        file.write_text(yaml.safe_dump({**description, "sources": [str(path)]}))
        assert not lost_values(Core.read(file))


@pytest.mark.parametrize(
    ("core", "said"),
    [
        (
            "module shim (input logic [7:0] x_i",
            "port x_i of shim has 8 bits and no parameter Width",
        ),
        (
            "module shim #(parameter Width = 8) (input logic [7:0] x_i",
            "port x_i of shim has 8 bits;",
        ),
        ("module shim #(parameter Width = 8) (input logic [Width-1:0] a_i", "has no port x_i"),
        (
            "module shim #(parameter Width = 8) (input logic [15:0] length_i, input logic "
            "[Width-1:0] x_i",
            "port length_i of shim has no value without length: true",
        ),
        (
            "module other #(parameter Width = 8) (input logic [Width-1:0] x_i",
            "shim: no source has a module shim",
        ),
    ],
)
def test_a_shim_whose_ports_do_not_fit_is_rejected_in_one_line(
    core: str, said: str, tmp_path: Path
) -> None:
    width = "[Width-1:0]" if "Width" in core else "[15:0]"
    rest = f", input logic {width} y_i, m_i, input logic clk_i, rst_ni, start_i,"
    rest += f" output logic done_o, output logic {width} result_o); endmodule\n"
    (tmp_path / "shim.sv").write_text(core + rest)
    file = tmp_path / "core.yaml"
    file.write_text("name: mine\nsources: [shim.sv]\nshim: shim\ncomputes: product\n")
    for options in ((), ("--probe",)):
        done = check(file, tmp_path / "run", "--width", "16", *options)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert said in line


def test_a_failure_is_simplified_only_at_widths_that_the_ports_have(tmp_path: Path) -> None:
    text = (CLAIMS_FOLDER / "claimed.sv").read_text()
    (tmp_path / "fixed.sv").write_text(text.replace("parameter int Width", "localparam int Width"))
    fixed: dict[str, object] = {"sources": ["fixed.sv"]}
    few: dict[str, object] = {"widths": {"values": [8, 5, 4]}}
    for changes, widths in (({}, [4, 6, 7]), (fixed, []), (few, [4, 5])):
        core = Core.read(claimed(tmp_path, **changes))
        cores = BlackBoxes(tmp_path)
        values = {"architecture": cores.keep(core), "width": 8, "parameters": {}}
        assert [point["width"] for point in cores.simpler(Point(values))] == widths


def test_ports_inside_a_core_that_do_not_fit_are_warnings(tmp_path: Path) -> None:
    text = (CLAIMS_FOLDER / "claimed.sv").read_text()
    inside = "  narrow #(.N(Width - 1)) u_narrow (.a_i(x_i));\nendmodule\n"
    inside += "module narrow #(parameter int N = 8) (input logic [N-1:0] a_i); endmodule\n"
    (tmp_path / "core.sv").write_text(text.replace("endmodule\n", inside))
    core = Core.read(claimed(tmp_path, sources=["core.sv"]))
    (warning,) = check_ports(core, 8)
    assert warning.startswith(f"{tmp_path / 'core.sv'}:")
    assert "expects 7 bits" in warning
    assert not check_ports(Core.read(claimed(tmp_path)), 8)
    ports_more = "input logic clk_i, input logic enable_i, output logic spare_o,"
    (tmp_path / "core.sv").write_text(text.replace("input  logic             clk_i,", ports_more))
    (warning,) = check_ports(core, 8)
    assert warning == f"{core.path}: port enable_i of claimed_shim is not connected"


def test_ports_that_take_too_long_to_check_are_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "SECONDS", 0.0)
    (warning,) = check_ports(Core.read(claimed(tmp_path)), 8)
    assert "ports not checked: Verilator took over 0 s" in warning


@pytest.mark.simulation
def test_one_wrong_k_is_one_finding_with_the_right_one(tmp_path: Path) -> None:
    file = claimed(tmp_path, k="n", modulus={"parity": "odd"}, status=None)
    done = check(file, tmp_path / "run", "--width", "8,12")
    assert done.returncode == 1
    assert (
        "one cause: k is n, and results are right for k = 0 (0 at 8, 0 at 12 bits)" in done.stdout
    )
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("broken: "))
    assert "random operands, M of full width" in line
    assert line.endswith("right for k = 0")


@pytest.mark.simulation
def test_the_report_has_verdicts_the_description_and_both_operations(tmp_path: Path) -> None:
    only = ("--only", "constant time", "--only", "M = 3")
    file = claimed(tmp_path, "ODD_TAKES_LONGER")
    done = check(file, tmp_path / "run", "--width", "4", *only, waves=True)
    assert "the waves say: done_o comes 5 cycles and 6 cycles after start_i" in done.stdout
    report = (tmp_path / "run" / "report.html").read_text()
    assert "<h3>constant time: x=0x" in report
    for text in ("Verdicts and cycles of an operation", "broken 5–6", "claims.latency", "n + 1"):
        assert text in report
    (picture,) = (tmp_path / "run").rglob("wave.svg")
    text = picture.read_text()
    assert text.count("cycles") >= 2
    assert "wdata" not in text


def test_checks_of_one_core_at_a_time_share_its_copy(tmp_path: Path) -> None:
    # Each source is large, so the copies overlap.
    sources = [f"{number}.sv" for number in range(40)]
    for name in sources:
        (tmp_path / name).write_text("// a comment\n" * 20_000)
    core = Core.read(claimed(tmp_path, sources=sources))
    for folder in map(str, range(3)):
        cores = BlackBoxes(tmp_path / "kept" / folder)
        with ThreadPoolExecutor(4) as pool:
            (name,) = set(pool.map(cores.keep, [core] * 4))
        assert len(cores.core(name).sources) == len(sources)


def test_a_build_leaves_the_file_as_it_is_that_another_build_reads(tmp_path: Path) -> None:
    cores = BlackBoxes(tmp_path / "kept")
    values = {"architecture": "", "width": 8, "parameters": {}}
    values["architecture"] = cores.keep(Core.read(claimed(tmp_path)))
    module = next(
        path
        for path in cores.build(Point(values), Icarus, None, False).sources
        if path.name == "black_box_core.sv"
    )
    module.write_text("of an earlier version\n")
    with module.open() as reader:
        cores.build(Point(values), Icarus, None, False)
        assert reader.read() == "of an earlier version\n"
    assert "claimed_shim" in module.read_text()
