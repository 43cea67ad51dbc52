"""Prove that a mutant is equivalent: every output is equal in every cycle for every input.

Yosys connects both designs to the same inputs. ABC merges corresponding registers and signals (van
Eijk) and searches for an inductive invariant that keeps the outputs equal (PDR). Inputs are free.
Outputs are compared from the first reset on; further resets may come at any time. A register
without a reset starts with a free value, the same in both designs. With separate values, merging
would find nothing in common even between a design with memories and its copy. A register that has a
reset in only one design starts with a separate value. A value that the original leaves open (X)
is 0.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from verif.faults.mutants.aiger import join_inputs
from verif.faults.mutants.rtlil import yosys

ABC = "berkeley-abc"
# Additional limit for reading and merging; ABC itself limits the search.
EXTRA_SECONDS = 120.0
# Limit of the bounded model check for a difference, before the search.
BOUND_SECONDS = 2
INPUT = re.compile(r"(?m)^  wire (?:width (\d+) )?input \d+ \\(\w+)$")
# Registers without a reset, by all of their names, without the bench's own; their first value is
# free.
UNRESET = "t:$dff t:$dffe %u %co1:+[Q] w:* %i %a w:seen %d"
MAP, MERGED = "miter.map", "merged.aig"
# FIRST_VALUE: a line of the map with the input that is the first value of a bit of a register or of
# a memory word (the number at the end of a memory name has no meaning). REGISTER and MEMORY: their
# names in a netlist.
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
    """Result of an attempt.

    Attributes:
        proved: True if the mutant is equivalent.
        differs: number of cycles after power-on until an output differs; None if unknown.
        method: method in one line.
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
        gate: RTLIL of the mutant.
        top: name of both modules.
        folder: folder for files; it holds both RTLIL files.
        seconds: limit of the search.
        reset: name of the active-low reset; a design without it has no registers.
        clock: name of the clock.

    Raises:
        UsageError: Yosys is missing or cannot read the files.
    """
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
    # The folder may hold the result of another comparison.
    (folder / MERGED).unlink(missing_ok=True)
    merge = _abc("read_aiger miter.aig", "print_stats", "strash", "scorr", "dc2", "scorr -F 2",
                 f"write_aiger {MERGED}", "print_stats", f"bmc3 -T {BOUND_SECONDS}",
                 folder=folder)  # fmt: skip
    if found := DIFFERS.search(merge):
        return Proof(False, int(found[1]), f"an output differs after {found[1]} cycles")
    flops = FLOPS.findall(merge)
    if not flops or not (folder / MERGED).is_file():
        return Proof(False, None, "undecided: ABC did not merge the designs (scorr)")
    merged = f"{flops[0]} registers of both designs, {flops[-1]} after merging (ABC scorr)"
    search = _abc(f"read_aiger {MERGED}", f"pdr -T {int(seconds)}", folder=folder, seconds=seconds)
    if found := DIFFERS.search(search):
        return Proof(False, int(found[1]), f"an output differs after {found[1]} cycles")
    if "Property proved" in search:
        clauses = INVARIANT.search(search)
        return Proof(
            True, None, f"{merged}, invariant of {clauses[1] if clauses else 0} clauses (PDR)"
        )
    lines = [line for line in search.splitlines() if line.strip()]
    return Proof(False, None, f"undecided: {merged}: {lines[-1] if lines else 'no answer'}")


def _same_first_values(text: str, names: Mapping[str, set[str]]) -> dict[int, int]:
    """Map each input to the earlier input that is the first value of the same register.

    Args:
        text: text of the map. A register has a line for each of its names.
        names: names of the registers and memories of ``gold`` and ``gate``.
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
    """Run commands in ABC and return its output; empty on a timeout."""
    try:
        done = subprocess.run(
            [ABC, "-c", "; ".join(commands)], cwd=folder, capture_output=True, text=True,
            check=False, timeout=seconds + EXTRA_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def _bench(gold: str, reset: str, clock: str) -> str:
    """Return a module whose output is 1 if the designs' outputs differ after the first reset."""
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
