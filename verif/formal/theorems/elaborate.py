"""Elaborate a core to gates at one width: Yosys reads it with slang and does not optimise it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regress.core.processes import ProcessGroups
from verif.formal.theorems.netlist import Netlist, read_netlist
from verif.library.yosys import YOSYS

# No optimisation and no merging: cells become gates, and unused cells are removed.
PASSES = ("proc", "flatten", "opt_clean", "techmap", "opt_clean", "check -assert")
NETLIST_FILE, LOG_FILE, SCRIPT_FILE = "netlist.json", "yosys.txt", "elaborate.ys"
TIMEOUT = 1800.0


class ElaborationError(OSError):
    """Yosys cannot read the design; the message has its first error."""


@dataclass(frozen=True)
class Elaboration:
    """Settings of an elaboration.

    Attributes:
        sources: SystemVerilog files, packages first.
        top: name of the module.
        defines: macros.
        parameters: parameters of the module.
        clock, reset: names of its clock and reset ports.
    """

    sources: Sequence[Path]
    top: str
    defines: Mapping[str, str]
    parameters: Mapping[str, int]
    clock: str = "clk_i"
    reset: str = "rst_ni"


def elaborate(what: Elaboration, folder: Path, groups: ProcessGroups) -> Netlist:
    """Return the netlist of a module.

    Args:
        what: module and parameters.
        folder: folder for the tool's files and a copy of the sources.
        groups: runs the tool.

    Raises:
        ElaborationError: the design cannot be read.
        NetlistError: the design has something that the proof does not support.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in what.sources:
        shutil.copy(path, folder / path.name)
    (folder / SCRIPT_FILE).write_text(_script(what))
    ended = groups.run(
        [*YOSYS, SCRIPT_FILE],
        cwd=folder,
        env=os.environ,
        log=folder / LOG_FILE,
        timeout=TIMEOUT,
    )
    if ended.returncode:
        text = (folder / LOG_FILE).read_text(errors="replace").splitlines()
        errors = [line for line in text if "error" in line.lower()]
        raise ElaborationError(f"{what.top} cannot be elaborated: {(errors or ['no message'])[0]}")
    module = json.loads((folder / NETLIST_FILE).read_text())["modules"][what.top]
    return read_netlist(module, what.clock, what.reset)


def _script(what: Elaboration) -> str:
    options = [f"-D {name}={value}" for name, value in what.defines.items()]
    options += [f"-G {name}={value}" for name, value in what.parameters.items()]
    names = " ".join(path.name for path in what.sources)
    read = f"read_slang --single-unit --threads 1 {' '.join(options)} --top {what.top} {names}"
    return "\n".join([read, *PASSES, f"write_json {NETLIST_FILE}", ""])
