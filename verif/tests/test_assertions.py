"""Each assertion of the design fails when its contract is violated, and holds otherwise."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from verif.bench.configuration.design import ROOT
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator, Replace

ASSERTION = re.compile(r"`ASSERT(?:_NEXT|_ALWAYS)?\((\w+),")
INPUT = re.compile(r"^\s*input\s(?:[^;,/]|/(?!/))*?\b(\w+),?(?:\s*//.*)?$", re.MULTILINE)
START = 8  # start of stream_control_t
REJECTED = 3 << 39  # start and incomplete of exp_request_t
WRITE_START = {"req_i": 1, "write_i": 1, "addr_i": 3, "wdata_i": 1}

LOST_EVENT = Replace(
    module="register_block", signal="state_q", reading="clear", to="(state_q & ~clear)"
)


@dataclass(frozen=True)
class Violation:
    """A violation of the contract that an assertion states.

    Attributes:
        module: module with the assertion.
        name: name of the assertion.
        steps: inputs of each cycle after the reset; an input keeps its value until the next one.
        legal: number of steps that violate nothing.
        faults: changes of the design without which the inputs alone violate nothing.
    """

    module: str
    name: str
    steps: Sequence[Mapping[str, int]]
    legal: int = 0
    faults: tuple[Operator, ...] = field(default=())


ILLEGAL = (
    ("bit_serial_iterations", "Unfolding", 5),
    ("digit_converter", "EveryCycle", 1),
    ("dual_radix", "UnitWidth", 1),
    ("montgomery_inverse", "Bits", 257),
    ("mwr2mm", "WordWidth", 34),
    ("mwr2mm", "Elements", 33),
    ("mwrkmm", "DigitWidth", 18),
    ("mwrkmm", "Latency", 7),
    ("mwrkmm", "Elements", 2),
    ("operand_bits", "WordWidth", 3),
    ("operand_loader", "AddressWidth", 1),
    ("operand_loader", "BusWidth", 7),
    ("register_block", "DataWidth", 16),
    ("register_block", "Width", 40000),
    ("quotient_pipelined", "WordWidth", 49),
    ("quotient_pipelined", "DigitWidth", 17),
    ("quotient_pipelined", "Stages", 2),
    ("quotient_pipelined", "Latency", 5),
    ("word_converter", "InWords", 3),
    ("word_memory", "Depth", 8192),
)


def v(
    module: str,
    name: str,
    *steps: Mapping[str, int],
    legal: int = 0,
    faults: Sequence[Operator] = (),
) -> Violation:
    return Violation(module, name, steps, legal, tuple(faults))


LOADER = "operand_loader"
TWICE = ({"start_i": 1}, {"start_i": 1})
APB, AXI, WISHBONE = "apb4_front", "axi4_lite_front", "wishbone_front"
CYCLE = {"cyc_i": 1, "stb_i": 1}
WRITE_ENABLE = {**CYCLE, "we_i": 1, "adr_i": 0x40, "sel_i": 15}
VIOLATIONS = (
    v(APB, "AccessAfterSetup", {"psel_i": 1}, {}, legal=1),
    v(APB, "ResponseAfterSetup", {}, {"pwrite_i": 1},
      faults=[Replace(module=APB, signal="pready_o", to="pwrite_i")]),
    v(APB, "OneResponse", {"psel_i": 1, "pwrite_i": 1}, {"penable_i": 1},
      faults=[Replace(module=APB, signal="pready_o", to="pwrite_i")]),
    v(APB, "ErrorWithResponse", {"pwrite_i": 1},
      faults=[Replace(module=APB, signal="pslverr_o", to="pwrite_i")]),
    v(AXI, "HoldWriteAddress", {"awvalid_i": 1}, {"awvalid_i": 0}, legal=1),
    v(AXI, "HoldWriteData", {"wvalid_i": 1}, {"wvalid_i": 0}, legal=1),
    v(AXI, "HoldReadAddress",
      {"awvalid_i": 1, "wvalid_i": 1, "arvalid_i": 1}, {"arvalid_i": 0}, legal=1),
    v(AXI, "HoldWriteResponse", {"awprot_i": 1}, {"awprot_i": 0}, legal=1,
      faults=[Replace(module=AXI, signal="bvalid_o", to="awprot_i[0]")]),
    v(AXI, "WriteResponseAfterWrite", {}, {"awprot_i": 1}, legal=1,
      faults=[Replace(module=AXI, signal="bvalid_o", to="awprot_i[0]")]),
    v(AXI, "HoldReadData", {"arprot_i": 1}, {"arprot_i": 0}, legal=1,
      faults=[Replace(module=AXI, signal="rvalid_o", to="arprot_i[0]")]),
    v(AXI, "ReadDataAfterRead", {}, {"arprot_i": 1}, legal=1,
      faults=[Replace(module=AXI, signal="rvalid_o", to="arprot_i[0]")]),
    v(AXI, "AddressWithData", {"wvalid_i": 1},
      faults=[Replace(module=AXI, signal="wready_o", to="wvalid_i")]),
    v(AXI, "OneResponse", {"awprot_i": 1},
      faults=[Replace(module=AXI, signal="bvalid_o", to="awprot_i[0]"),
              Replace(module=AXI, signal="rvalid_o", to="awprot_i[0]")]),
    v(WISHBONE, "HoldUntilResponse", CYCLE, {}, {"stb_i": 0},
      faults=[Replace(module=WISHBONE, signal="ack_o", to="1'b0")]),
    v(WISHBONE, "ResponseAfterRequest", {}, {"we_i": 1},
      faults=[Replace(module=WISHBONE, signal="ack_o", to="we_i")]),
    v(WISHBONE, "OneResponse", WRITE_ENABLE, {},
      faults=[Replace(module=WISHBONE, signal="ack_o", to="we_i")]),
    v(WISHBONE, "AckOrError", {**CYCLE, "we_i": 1}, {},
      faults=[Replace(module=WISHBONE, signal="ack_o", to="ack")]),
    v("register_block", "CoreAnswers", {"core_ack_i": 1}),
    v("register_block", "KeepDone", {"core_done_i": 1}, {}, faults=[LOST_EVENT]),
    v("register_block", "KeepError", {"req_i": 1, "write_i": 1}, {}, {}, faults=[LOST_EVENT]),
    v("register_block", "HoldRequest", {"req_i": 1}, {"req_i": 0}, legal=1),
    v("bit_serial_control", "StartWhileStarting", *TWICE, legal=1),
    v("bit_serial_dual", "StartAfterLoad", *TWICE, legal=1),
    v("digit_converter", "RestartTakesNothing", {"restart_i": 1}, {"next_i": 1}, legal=1),
    v("digit_converter", "DigitsApart", {"next_i": 1}, {"next_i": 1}, legal=1),
    v("dual_radix", "StartAfterReady", {"control_i": START}, {"control_i": START}, legal=1),
    v("exponentiation_control", "StartWhileIdle", {"request_i": REJECTED}, {}, legal=1),
    v("exponentiation_control", "PassWithStep", {"pass_i": 2}),
    v("interleaved_dual", "NeverSAlone", {"start_i": 2, "wipe_index_i": 9}),
    v("interleaved_dual", "WipeWhileIdle",
      {"start_i": 1, "wipe_index_i": 9}, {"start_i": 0}, {"wipe_index_i": 0}, legal=2),
    v("montgomery_inverse", "ModulusBeforeStart", {"valid_i": 1}, {"start_i": 1}, legal=1),
    v("operand_bits", "TakeOneToFour", {"take_i": 1}, {"take_i": 5}, legal=1),
    v("operand_bits", "BitsAreValid", {"take_i": 1}, {"next_i": 1}, legal=1),
    v(LOADER, "StartWhileIdle", {**WRITE_START, "busy_i": 1},
      faults=[Replace(module=LOADER, signal="start", to="command && is_start")]),
    v(LOADER, "NoReadWhileBusy", {"req_i": 1, "busy_i": 1, "status_i": 2},
      faults=[Replace(module=LOADER, signal="fetch", to="accept && delivered[addr_i]")]),
    v(LOADER, "OneWrite", {"req_i": 1, "write_i": 1}, {},
      faults=[Replace(module=LOADER, signal="write", at="gen_operand", to="granted && write_i")]),
    v(LOADER, "AckOneCycle", {"req_i": 1}, {}, {},
      faults=[Replace(module=LOADER, signal="accept", to="req_i")]),
    v(LOADER, "ErrorHolds", {"req_i": 1, "status_i": 2, "word_fault_i": 1}, {"req_i": 0}, {}, {},
      faults=[Replace(module=LOADER, signal="err_q", at="else accept / if withheld", to="1'b0")]),
    v("operand_memory", "WriteInside", {"write_i": 1}, {"write_index_i": 1}, legal=1,
      faults=[Replace(module="operand_memory", signal="write", to="write_i")]),
    v("operand_memory", "ReadInside", {"read_i": 1}, {"read_index_i": 1}, legal=1,
      faults=[Replace(module="operand_memory", signal="above", to="1'b0")]),
    v("operation_watchdog", "InTime",
      {"running_i": 0}, {"running_i": 1}, *[{}] * 63, legal=64),
    v("operation_watchdog", "NotLost", {"running_i": 1}, {"lost_i": 1}, legal=1),
    v("parallel_control", "StartWhileIdle", {"start_i": 1, "incomplete_i": 1}, {}, legal=1),
    v("parallel_control", "CoreOrAdder", {}, {"start_i": 1},
      faults=[Replace(module="parallel_control", signal="core_start_d", to="1'b1")]),
    v("ring_unit_control", "StartWhileIdle", {"start_i": 1, "incomplete_i": 1}, {}, legal=1),
    v("ring_unit_control", "OnePass", {"start_i": 1}, {"start_i": 0}, {},
      faults=[Replace(module="ring_unit_control", signal="core_o", to="load_o")]),
    v("stream_adder", "LastIsWord",
      {"valid_i": 1, "first_i": 1, "last_i": 1}, {"valid_i": 0}, legal=1),
    v("stream_adder", "FirstIsLowest", {"valid_i": 1, "first_i": 1}, {"index_i": 1}, legal=1),
    v("systolic_ring", "StartAfterReady",
      {"start_i": 1, "digits_i": 1}, {"start_i": 1}, legal=1),
    v("systolic_ring", "OtherLengthAfterDone",
      {"start_i": 1, "digits_i": 1}, {"start_i": 0}, {}, {}, {"start_i": 1, "short_i": 1}, legal=4),
    v("systolic_ring", "DigitsExist", {"start_i": 1}),
    v("word_converter", "RunUntilLast", {"run_i": 1}, {"run_i": 0}, legal=1),
    v("word_memory", "WriteInside", {"wipe_index_i": 3}, {"wipe_index_i": 4}, legal=1,
      faults=[Replace(module="word_memory", signal="write", to="1'b1")]),
    v("word_memory", "ReadInside",
      {"write_i": 1, "write_index_i": 1, "data_i": 9, "read_index_i": 1},
      {"write_i": 0, "wipe_index_i": 9}, {"read_index_i": 5}, {}, legal=2,
      faults=[Replace(module="word_memory", signal="data_o", to="word")]),
    v("word_splitter", "ValueAfterValue", {"valid_i": 1, "first_i": 1}, {}, legal=1),
    v("word_splitter", "WordsWithoutGap",
      {"valid_i": 1, "first_i": 1}, {"valid_i": 0, "first_i": 0}, {"valid_i": 1}, legal=2),
    v("word_stream_adder", "EarlyStartIsStart",
      {"start_i": 1, "early_start_i": 1}, {"start_i": 0}, legal=1),
    v("word_stream_adder", "Idle", {"start_i": 1, "idle_i": 1}, {"start_i": 0}, {}, legal=1),
    v("word_stream_adder", "StartWhileIdle", *TWICE, legal=1),
    v("word_stream_adder", "WipeWhileIdle",
      {"start_i": 1, "wipe_i": 1}, {"start_i": 0}, legal=1),
)  # fmt: skip


def source(module: str, hdl: Path = ROOT / "hdl") -> Path:
    return next(hdl.rglob(f"{module}.sv"))


def files(hdl: Path) -> list[str]:
    """Return the files of the design, packages first."""
    found = sorted(hdl.rglob("*.sv"), key=lambda path: not path.name.endswith("_pkg.sv"))
    return [str(path) for path in found]


def bench(module: str, steps: Sequence[Mapping[str, int]]) -> str:
    """Return a bench that applies the inputs of one step per cycle after a reset."""
    inputs = [name for name in INPUT.findall(source(module).read_text()) if name != "clk_i"]
    driven = {"rst_ni": 1, **{name: 0 for name in inputs if name != "rst_ni"}}
    lines = [f"  logic [127:0] {name} = {value};" for name, value in driven.items()]
    without_reset = {"rst_ni"} - set(inputs)
    connected = [name for name in ("clk_i", *driven) if name not in without_reset]
    ports = ", ".join(f".{name}({name})" for name in connected)
    first = {"rst_ni": 1, **(steps[0] if steps else {})}
    moves = [
        "".join(f" {name} = {value};" for name, value in step.items())
        for step in [first, *steps[1:]]
    ]
    cycles = "\n".join(f"   {move} #5 clk_i = 1; #5 clk_i = 0;" for move in moves)
    return "\n".join(
        [
            "module bench;", "  logic clk_i = 0;", *lines, f"  {module} u_dut ({ports});",
            "  initial begin", "    #1 rst_ni = 0; #1", cycles, "    $finish;",
            "  end", "endmodule", "",
        ]
    )  # fmt: skip


def simulated(case: Violation, steps: Sequence[Mapping[str, int]], folder: Path) -> str:
    """Return what Icarus prints about a module with these inputs."""
    folder.mkdir()
    hdl = altered_copy(ROOT / "hdl", folder / "hdl", case.faults) if case.faults else ROOT / "hdl"
    top = folder / "bench.sv"
    top.write_text(bench(case.module, steps))
    command = ["iverilog", "-g2012", "-s", "bench", "-o", str(folder / "bench.vvp")]
    subprocess.run([*command, *files(hdl), str(top)], check=True, capture_output=True)
    vvp = ["vvp", "-n", str(folder / "bench.vvp")]
    return subprocess.run(vvp, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("case", VIOLATIONS, ids=lambda case: f"{case.module}-{case.name}")
def test_an_assertion_fails(case: Violation, tmp_path: Path) -> None:
    assert "FATAL" not in simulated(case, case.steps[: case.legal], tmp_path / "legal")
    failures = re.findall(
        r"FATAL: [^\n]*: bench\.u_dut\S*: (\w+)", simulated(case, case.steps, tmp_path / "illegal")
    )
    assert case.name in failures


def test_every_assertion_is_seen_to_fail() -> None:
    asserted = [
        (path.stem, name)
        for path in (ROOT / "hdl").rglob("*.sv")
        if not path.stem.endswith("_pkg")
        for name in ASSERTION.findall(path.read_text())
    ]
    assert sorted(asserted) == sorted((case.module, case.name) for case in VIOLATIONS)


@pytest.mark.parametrize(("module", "parameter", "value"), ILLEGAL)
def test_illegal_parameters(module: str, parameter: str, value: int, tmp_path: Path) -> None:
    """One line names the module, the parameter and what is accepted."""
    made = str(tmp_path / "made.vvp")
    command = ["iverilog", "-g2012", "-s", module, f"-P{module}.{parameter}={value}", "-o", made]
    built = subprocess.run(
        [*command, *files(ROOT / "hdl")], capture_output=True, text=True, check=False
    )
    ran = subprocess.run(["vvp", "-n", made], capture_output=True, text=True, check=False)
    assert re.search(rf"{module}: .*{parameter}.* must be ", built.stderr + ran.stdout)
