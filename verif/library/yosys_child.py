"""Runs Yosys passes: ``python yosys_child.py [-ql LOG] SCRIPT``.

SCRIPT has one pass per line. Four commands are not Yosys passes: ``@instances FILE`` writes the
hierarchy below the top, one ``path<tab>module`` per line; ``@registers`` names each flip-flop of
the flattened top after the signal that it drives, ``path.signal_reg_bit``; ``@cells FILE`` writes
every cell of the top, one ``type<tab>name`` per line; ``@run FILE`` calls ``run(design)`` of a
Python file in ``netlist/passes``. With ``-ql`` the output goes to the file LOG, and standard output
has only the lines with an error: SymbiYosys calls Yosys so. This file imports nothing of the
project, so that it starts in a tenth of a second.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys
from pathlib import Path
from typing import NoReturn

from pyosys import libyosys as ys

PR_SET_PDEATHSIG = 1
PASSES = Path(__file__).parent / "netlist" / "passes"


def plain(name: object) -> str:
    """Return a name as in the source, without Yosys' mark of public names."""
    return str(name).removeprefix("\\")


def write_instances(design: ys.Design, path: str) -> None:
    """Write every instance below the top and its module."""
    modules = {str(name): module for name, module in design.modules_.items()}
    lines = []

    def walk(module: ys.Module, prefix: str) -> None:
        for cell in module.cells_.values():
            kind = str(cell.type)
            if kind in modules:
                lines.append(f"{prefix}{plain(cell.name)}\t{plain(kind).split('$')[0]}")
                walk(modules[kind], f"{prefix}{plain(cell.name)}.")

    walk(design.top_module(), "")
    Path(path).write_text("".join(f"{line}\n" for line in sorted(lines)))


def name_registers(design: ys.Design) -> None:
    """Give flip-flops names that survive ABC, because ABC drops the names of signals."""
    top = design.top_module()
    output = ys.IdString("\\Q")
    for cell in list(top.cells_.values()):
        if not cell.hasPort(output):
            continue
        signal = cell.getPort(output)
        chunk = signal.as_chunk() if signal.is_chunk() else None
        if chunk is None or not chunk.is_wire() or not str(chunk.wire.name).startswith("\\"):
            continue
        name = f"{chunk.wire.name}_reg_{chunk.offset}"
        if ys.IdString(name) not in top.cells_:
            top.rename(cell, ys.IdString(name))


def write_cells(design: ys.Design, path: str) -> None:
    """Write type and name of every cell of the top."""
    with Path(path).open("w") as file:
        for cell in design.top_module().cells_.values():
            file.write(f"{plain(cell.type)}\t{plain(cell.name)}\n")


def run(script: str) -> NoReturn:
    """Run the passes; Yosys ends the process when a pass fails."""
    end_with_parent()
    design = ys.Design()
    for line in Path(script).read_text().splitlines():
        verb, _, rest = line.partition(" ")
        if verb == "@instances":
            write_instances(design, rest)
        elif verb == "@registers":
            name_registers(design)
        elif verb == "@cells":
            write_cells(design, rest)
        elif verb == "@run":
            runpy.run_path(str(PASSES / rest))["run"](design)
        elif line.strip():
            print(f"yosys> {line}", flush=True)
            ys.run_pass(line, design)
    sys.stdout.flush()
    os._exit(0)  # skip the destruction of the design, which takes seconds


def run_with_log(log: str, script: str) -> NoReturn:
    """Run the passes with their output in a file, and print the lines with an error."""
    end_with_parent()
    child = os.fork()
    if not child:
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), sys.stdout.fileno())
        run(script)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        lines = Path(log).read_text(errors="replace").splitlines()
        print(*(line for line in lines if "error:" in line.lower()), sep="\n")
    sys.exit(bool(code))


def end_with_parent() -> None:
    """End this process when its parent ends."""
    if hasattr(ctypes.CDLL(None), "prctl"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    if sys.argv[1] == "-ql":
        run_with_log(*sys.argv[2:])
    run(sys.argv[1])
