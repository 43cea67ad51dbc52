"""Proves that a mutant is equivalent: the same at every output, in every clock, for every input.

Yosys puts both designs side by side on the same inputs, ABC merges registers and signals that
correspond (van Eijk) and looks for an inductive invariant that keeps the outputs equal (PDR).
Inputs are free. The outputs count from the first reset on; later ones may come at any time. A
register without a reset has any value before it is loaded, the same in both designs: with one of
its own in each, not even a design of memories and its copy have anything in common that merging
would find. One that has a reset in one design alone has a value of its own. A value that the
original leaves open (X) is 0.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regress.core.errors import UsageError
from verif.faults.mutants.aiger import join_inputs
from verif.faults.mutants.rtlil import yosys

ABC = "berkeley-abc"
# Beside the limit of the search, which ABC keeps: for reading and merging.
EXTRA_SECONDS = 120.0
# Before that a look for a difference from clock to clock.
BOUND_SECONDS = 2
INPUT = re.compile(r"(?m)^  wire (?:width (\d+) )?input \d+ \\(\w+)$")
# Registers without a reset, whose first value is free, by all of their names; not the bench's own.
UNRESET = "t:$dff t:$dffe %u %co1:+[Q] w:* %i %a w:seen %d"
MAP = "miter.map"
# A line of the map that says which input is the first value of a bit of a register, or of a word of
# a memory, whose name ends in a number of no meaning; and what both are called in a netlist.
FIRST_VALUE = re.compile(
    r"init (\d+) (\d+) (?:\$memory\\)?u_miter\.(gold|gate)\.(.+?)(\[\d+\])?(?:\$\d+)?"
)
REGISTER = re.compile(r"(?m)^    connect \\Q \\(\S+)(?: \[[\d:]+\])?$")
MEMORY = re.compile(r"(?m)^  memory .*\\(\S+)$")
SIDE_BY_SIDE = (
    "read_verilog bench.v", "hierarchy -top bench", "proc", "flatten", "memory_map", "opt_clean",
    "setundef -undriven -zero", f"setattr -set any_start 1 {UNRESET}", "async2sync", "dffunmap",
    "opt_expr", "opt_clean", "techmap", "opt_expr", "opt_clean", "dffunmap",
    "setundef -undriven -zero", "aigmap", "setundef -init -zero",
    "setattr -unset init a:any_start", f"write_aiger -zinit -vmap {MAP} miter.aig",
)  # fmt: skip
DIFFERS = re.compile(r"was asserted in frame (\d+)")
FLOPS = re.compile(r"lat\s*=\s*(\d+)")
INVARIANT = re.compile(r"invariant with (\d+) clauses")


@dataclass(frozen=True)
class Proof:
    """What became of an attempt.

    Attributes:
        proved: the mutant is equivalent.
        differs: it is not: an output differs so many clocks after power-on; None if not known.
        method: in one line.
    """

    proved: bool
    differs: int | None
    method: str


def prove(
    gold: Path, gate: Path, top: str, folder: Path, seconds: float, reset: str = "rst_ni",
    clock: str = "clk_i",
) -> Proof:  # fmt: skip
    """Try to prove that two designs are equivalent.

    Args:
        gold: RTLIL of the original, whose top is ``top``.
        gate: of the mutant.
        top: name of both modules.
        folder: for files; has both.
        seconds: limit of the search.
        reset: name of the active-low reset; a design without one has no registers.
        clock: of the clock.

    Raises:
        UsageError: a tool is missing or cannot read them.
    """
    if not shutil.which(ABC):
        raise UsageError(f"--prove: {ABC} not found; install with: apt-get install {ABC}")
    (folder / "bench.v").write_text(_bench(gold.read_text(), reset, clock))
    yosys(
        [
            f"read_rtlil {gold.relative_to(folder)}", f"rename {top} gold",
            f"read_rtlil {gate.relative_to(folder)}", f"rename {top} gate",
            "miter -equiv gold gate miter", *SIDE_BY_SIDE,
        ],
        folder,
    )  # fmt: skip
    names = {
        design: {*REGISTER.findall(text), *MEMORY.findall(text)}
        for design, text in (("gold", gold.read_text()), ("gate", gate.read_text()))
    }
    same = _same_first_values((folder / MAP).read_text(), names)
    join_inputs(folder / "miter.aig", same)
    merge = _abc("read_aiger miter.aig", "print_stats", "strash", "scorr", "dc2", "scorr -F 2",
                 "write_aiger merged.aig", "print_stats", f"bmc3 -T {BOUND_SECONDS}",
                 folder=folder)  # fmt: skip
    if found := DIFFERS.search(merge):
        return Proof(False, int(found[1]), f"an output differs after {found[1]} clocks")
    flops = FLOPS.findall(merge) or ["?"]
    merged = f"{flops[0]} registers of both designs, {flops[-1]} after merging (ABC scorr)"
    search = _abc("read_aiger merged.aig", f"pdr -T {int(seconds)}", folder=folder, seconds=seconds)
    if found := DIFFERS.search(search):
        return Proof(False, int(found[1]), f"an output differs after {found[1]} clocks")
    if "Property proved" in search:
        clauses = INVARIANT.search(search)
        return Proof(
            True, None, f"{merged}, invariant of {clauses[1] if clauses else 0} clauses (PDR)"
        )
    lines = [line for line in search.splitlines() if line.strip()]
    return Proof(False, None, f"undecided: {merged}: {lines[-1] if lines else 'no answer'}")


def _same_first_values(text: str, names: Mapping[str, set[str]]) -> dict[int, int]:
    """Which input of a map is to be which one before it: first values of the same register.

    Args:
        text: of the map. A register has a line for each of its names.
        names: of the registers and memories of ``gold`` and ``gate``.
    """
    inputs: dict[tuple[str, ...], int] = {}
    same: dict[int, int] = {}
    for line in text.splitlines():
        if not (found := FIRST_VALUE.fullmatch(line)):
            continue
        number, bit, design, name, index = found.groups("")
        if name + index in names[design]:
            name, index = name + index, ""
        if name not in names[design]:
            continue
        first = inputs.setdefault((bit, name, index), int(number))
        if first != int(number):
            same[max(first, int(number))] = min(first, int(number))
    return same


def _abc(*commands: str, folder: Path, seconds: float = 0.0) -> str:
    """What ABC says after some commands; nothing if it takes too long."""
    try:
        done = subprocess.run(
            [ABC, "-c", "; ".join(commands)], cwd=folder, capture_output=True, text=True,
            check=False, timeout=seconds + EXTRA_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def _bench(gold: str, reset: str, clock: str) -> str:
    """A module whose output says that outputs differ, once there was a reset."""
    ports = [(int(width or 1), name) for width, name in INPUT.findall(gold)]
    names = {name for _, name in ports}
    inputs = "".join(f"input [{width - 1}:0] {name}, " for width, name in ports)
    connections = "".join(f".in_{name}({name}), " for _, name in ports)
    seen = "  wire seen = 1'b1;\n"
    if {reset, clock} <= names:
        seen = f"  reg seen;\n  always @(posedge {clock}) if (!{reset}) seen <= 1'b1;\n"
        seen += "  initial seen = 1'b0;\n"
    return (
        f"module bench({inputs}output differs);\n{seen}  wire trigger;\n"
        f"  miter u_miter({connections}.trigger(trigger));\n"
        "  assign differs = seen && trigger;\nendmodule\n"
    )
