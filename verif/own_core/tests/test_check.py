"""The command ``check`` on the example cores: correct ones hold, each fault is detected."""

from __future__ import annotations

import re
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from regress.cli.command_line import main
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Replace
from verif.own_core.check import fitting
from verif.own_core.core import Core
from verif.own_core.defects import Defect, defects_of, example_cores, planted
from verif.own_core.standstill import LIMIT_VARIABLE
from verif.tests.injected import representatives

# Wider ones run on Verilator: its build takes longer, its cycles do not.
MAX_ICARUS_WIDTH = 64
# The narrowest of each core runs in `make test`; `trials` of the nightly has all.
DEFECTS = representatives(
    sorted(
        ((core, defect) for core in example_cores() for defect in defects_of(core)),
        key=lambda case: case[1].width,
    ),
    lambda case: case[0].description.name,
    lambda case: f"{case[0].description.name}-{case[1].name}",
)


def example(name: str) -> Core:
    return next(core for core in example_cores() if core.description.name == name)


class Done(NamedTuple):
    """What a command returned and said."""

    returncode: int
    stdout: str
    stderr: str


def check(file: Path, out: Path, *options: str, waves: bool = False) -> Done:
    """Run the command on Icarus; in this process, as it takes a second to start one."""
    command = ["check", str(file), "--out", str(out), "--sim", "icarus", "--jobs", "1"]
    command += [] if waves else ["--no-waves"]
    with redirect_stdout(StringIO()) as stdout, redirect_stderr(StringIO()) as stderr:
        returncode = main([*command, *options])
    return Done(returncode, stdout.getvalue(), stderr.getvalue())


ALSO = "  it also breaks: "


def broken_names(done: Done) -> list[str]:
    """Classes and claims of all findings."""
    names = []
    for line in done.stdout.splitlines():
        names += re.findall(r"^broken: (.*), \d+ bits: ", line)
        names += line.removeprefix(ALSO).split("; ") if line.startswith(ALSO) else []
    return names


def test_a_table_has_as_many_widths_as_there_is_room_for() -> None:
    widths = [4, 5, 1024]
    rows = {"X = Y": dict.fromkeys(widths, "[green]held[/] 12"), "M = 3": dict.fromkeys(widths, "")}
    # A name and a cell take 8 and 10 columns, a line at the end one more.
    assert list(fitting(rows, widths, 39)) == [[4, 5, 1024]]
    assert list(fitting(rows, widths, 38)) == [[4, 5], [1024]]
    assert list(fitting(rows, widths, 2)) == [[4], [5], [1024]]


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("core", "width", "simulator"),
    representatives(
        [
            *((core, 8, "icarus") for core in example_cores()),
            # Products of 16-bit words, which Verilator makes of signed numbers.
            (example("bus_montgomery"), 33, "verilator"),
        ],
        lambda case: case[0].description.computes,
        lambda case: f"{case[0].description.name}-{case[1]}-{case[2]}",
    ),
)
def test_a_correct_core_holds_everything_it_claims(
    core: Core, width: int, simulator: str, tmp_path: Path
) -> None:
    done = check(core.path, tmp_path / "run", "--width", str(width), "--sim", simulator)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "held" in done.stdout
    assert "broken" not in done.stdout


@pytest.mark.simulation
@pytest.mark.parametrize(("core", "defect"), DEFECTS)
def test_an_injected_fault_breaks_the_class_it_belongs_to(
    core: Core, defect: Defect, tmp_path: Path
) -> None:
    broken = planted(core, defect, tmp_path / core.folder.name)
    only = [word for name in defect.found for word in ("--only", name)]
    wide = ("--sim", "verilator") if defect.width > MAX_ICARUS_WIDTH else ()
    done = check(broken.path, tmp_path / "run", "--width", str(defect.width), *only, *wide)
    assert done.returncode == 1, done.stdout + done.stderr
    assert sorted(broken_names(done)) == sorted(defect.found)
    assert f", {defect.width} bits: " in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--width", "3"], "width 3 of serial_blakley: accepted are 4 to 2048"),
        (["--width", "wide"], "'wide' is not accepted; accepted: widths in bits"),
        (["--only", "M = 4"], "unknown case 'M = 4'; accepted: "),
    ],
)
def test_wrong_input_is_one_line(tmp_path: Path, options: list[str], said: str) -> None:
    core = example("serial_blakley")
    done = check(core.path, tmp_path / "run", *options)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert said in line


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("assign done_o = ;", "syntax error"),
        (
            "assign done_o = 1'b0;",
            "broken: M = 3, 8 bits: x=0x0 y=0x0 m=0x3: operation not done",
        ),
        # Waits for itself in no time, from the first start on.
        (
            "logic a; always_comb begin a = start_i; while (a) a = start_i || a; end",
            "simulated time stood still, as in a loop of signals without a clock; first failure: "
            "M = 3: the simulation did not reach its end",
        ),
    ],
    ids=["no SystemVerilog", "never done", "zero-time loop"],
)
def test_a_core_that_cannot_be_run_or_never_ends_is_a_verdict(
    body: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "2")
    description = (
        "name: bad\nsources: [bad.sv]\nshim: bad\ncomputes: product\nclaims: {latency: n}\n"
    )
    (tmp_path / "core.yaml").write_text(description)
    ports = "input logic clk_i, rst_ni, start_i, input logic [Width-1:0] x_i, y_i, m_i,"
    ports += " output logic done_o, output logic [Width-1:0] result_o"
    module = f"module bad #(parameter int Width = 8) ({ports});\n{body}\nendmodule\n"
    (tmp_path / "bad.sv").write_text(module)
    done = check(tmp_path / "core.yaml", tmp_path / "run", "--width", "8", "--only", "M = 3")
    assert done.returncode == 1
    assert said in done.stdout, done.stdout


RARE = """
  function automatic logic [Width-1:0] power(input logic [Width-1:0] b, e, m);
    logic [2*Width-1:0] r;
    r = 1 % (2*Width)'(m);
    for (int i = Width - 1; i >= 0; i--) begin
      r = (r * r) % (2*Width)'(m);
      if (e[i]) r = (r * (2*Width)'(b)) % (2*Width)'(m);
    end
    return r[Width-1:0];
  endfunction
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) done_o <= 1'b0;
    else begin
      done_o <= start_i && (exponent_i != NEVER);
      result_o <= power(base_i, exponent_i, modulus_i) ^ Width'(exponent_i == WRONG);
    end
"""


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("wrong", "never", "broken", "said"),
    [
        ("127", "5", ["latency as claimed"], "exponent=0x7f"),
        ("5", "1023", ["latency as claimed"], "exponent=0x3ff"),
        ("3", "1023", ["exponent 3", "latency as claimed"], "exponent=0x3ff"),
    ],
)
def test_what_the_test_of_a_claim_meets_by_the_way_is_a_finding(
    wrong: str, never: str, broken: list[str], said: str, tmp_path: Path
) -> None:
    """No class draws these exponents; the test of the latency draws every Hamming weight."""
    description = (
        "name: rare\nsources: [rare.sv]\nshim: rare\ncomputes: exponentiation\n"
        "claims: {latency: 1}\n"
    )
    (tmp_path / "core.yaml").write_text(description)
    ports = "input logic clk_i, rst_ni, start_i,"
    ports += " input logic [Width-1:0] base_i, exponent_i, modulus_i,"
    ports += " output logic done_o, output logic [Width-1:0] result_o"
    body = RARE.replace("NEVER", f"Width'({never})").replace("WRONG", f"Width'({wrong})")
    module = f"module rare #(parameter int Width = 8) ({ports});\n{body}\nendmodule\n"
    (tmp_path / "rare.sv").write_text(module)
    only = ("--only", "exponent 3", "--only", "latency as claimed")
    done = check(tmp_path / "core.yaml", tmp_path / "run", "--width", "17", *only)
    assert done.returncode == 1, done.stdout
    assert broken_names(done) == broken, done.stdout
    assert said in done.stdout


@pytest.mark.simulation
def test_a_broken_class_leaves_no_trace_in_the_next_one(tmp_path: Path) -> None:
    # Wide enough that an operation is longer than what a record is waited for.
    bus = example("bus_montgomery")
    defect = next(one for one in defects_of(bus) if one.name == "top-word-carry")
    broken = planted(bus, defect, tmp_path / bus.folder.name)
    only = ("--only", "random operands, M of full width", "--only", "M = 2^n - 1")
    done = check(broken.path, tmp_path / "run", "--width", "1024", "--sim", "verilator", *only)
    assert len(broken_names(done)) == 2, done.stdout
    assert "no record" not in done.stdout


@pytest.mark.simulation
def test_a_core_that_never_ends_is_not_waited_for_in_each_class(tmp_path: Path) -> None:
    core = example("serial_blakley")
    never = Replace(module="blakley", signal="full", at="if busy", to="1'b0")
    altered_copy(core.folder, tmp_path / "core", [never])
    file = tmp_path / "core" / core.path.name
    done = check(file, tmp_path / "run", "--width", "8")
    assert done.returncode == 1
    assert len(broken_names(done)) == 3
    assert "not run" in done.stdout
    # The same where nothing is known but the ports.
    done = check(file, tmp_path / "probe", "--probe", "--width", "4")
    assert done.returncode != 0
    assert not file.with_name("core.proposed.yaml").exists()
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.simulation
def test_the_smallest_example_is_shown_with_its_waves(tmp_path: Path) -> None:
    defect = next(
        one
        for one in defects_of(example("pulse_montgomery"))
        if one.name == "subtraction-only-above"
    )
    broken = planted(example("pulse_montgomery"), defect, tmp_path / "core")
    only = ("--only", "M = p^2 and multiples of p")
    done = check(broken.path, tmp_path / "run", "--width", "8", *only, waves=True)
    assert done.returncode == 1
    # At the narrowest width, with the smallest modulus that is a square.
    assert "broken: M = p^2 and multiples of p, 4 bits: x=0x3 y=0x3 m=0x9: " in done.stdout
    assert "the waves say: result_o = 0x9, gmpy2 says 0x0" in done.stdout
    (picture,) = (tmp_path / "run").rglob("wave.svg")
    text = picture.read_text()
    assert all(word in text for word in ("x_i", "result_o expected", "watched", "reducing"))
    report = (tmp_path / "run" / "report.html").read_text()
    assert "check " in report
    assert "--width 4 --only" in report


@pytest.mark.simulation
def test_a_watched_signal_must_take_all_its_values(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    unknown = "  logic never_q;\nendmodule"
    for path in example("pulse_montgomery").sources:
        (tmp_path / "core" / path.name).write_text(path.read_text().replace("endmodule", unknown))
    names = "names: {0: waiting, 1: adding, 2: reducing"
    text = example("pulse_montgomery").path.read_text()
    assert names in text
    file = tmp_path / "core" / "core.yaml"
    never = "watch:\n  - {name: never, signal: never_q, bits: 1}\n"
    file.write_text(text.replace(names, f"{names}, 3: nowhere").replace("watch:\n", never))
    done = check(file, tmp_path / "run", "--width", "4")
    assert done.returncode == 1
    assert "broken" not in done.stdout
    assert "goal watched.pulse_montgomery.state of " in done.stdout
    assert "3 of 4 hit, missing nowhere" in done.stdout
