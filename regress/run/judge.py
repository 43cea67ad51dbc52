"""Decides whether a job passed. A process that exits with 0 proves nothing."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped

from regress.core.cases import Case, CaseStatus, completed, read_cases
from regress.core.errors import UsageError, clipped
from regress.core.jobfile import NOT_ENDED, RESULT_FILE, Job, JobResult
from regress.core.processes import Ended
from regress.core.project import Project
from regress.run.job import RESULTS_XML, SIGNAL_BASE

MAX_MESSAGE = 400
# Signals that no simulator raises by itself.
OUTER_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
# A test that sets an alarm of processor time anew as simulated time passes is ended by it when no
# more time passes: nothing else can end a loop of signals without a clock.
STANDSTILL_SIGNAL = signal.SIGVTALRM
MAX_QUOTED = 100
# How simulators begin a line about what ended a simulation.
COMPLAINT = re.compile(r"^(%Error|%Fatal|FATAL:|ERROR:).*", re.MULTILINE)
# What cocotb calls it when the simulator ended and cocotb did not.
ENDED_BY_ITSELF = "SimFailure"
LONG_NUMBER = re.compile(r"\b(0x[0-9a-f]{8})[0-9a-f]{5,}([0-9a-f]{4})\b")


@dataclass(frozen=True)
class Evidence:
    """What a job left behind.

    Attributes:
        results_xml: text of results.xml, None if missing.
        result: what the simulation reported, None if missing or unreadable.
        result_problem: why ``result`` is None.
        complaint: last line near its end in which the simulator complains; empty if none does.
    """

    ended: Ended
    timeout: float
    results_xml: str | None
    result: JobResult | None
    result_problem: str = ""
    last_line: str = ""
    complaint: str = ""
    cases: tuple[Case, ...] = ()

    @classmethod
    def collect(cls, project: Project, folder: Path, ended: Ended, timeout: float) -> Evidence:
        """Read what there is in a job's folder."""
        result, problem = None, ""
        try:
            result = JobResult.read(folder / RESULT_FILE)
        except UsageError as error:
            needed = project.counts_operations or (folder / RESULT_FILE).exists()
            problem = str(error).replace(f"{folder}/", "") if needed else ""
        xml, log = folder / RESULTS_XML, _end_of(folder / "log.txt")
        complaints = [found[0].strip() for found in COMPLAINT.finditer(log)]
        return cls(
            ended=ended,
            timeout=timeout,
            results_xml=xml.read_text(errors="replace") if xml.is_file() else None,
            result=result,
            result_problem=problem,
            last_line=next((s.strip() for s in reversed(log.splitlines()) if s.strip()), ""),
            complaint=complaints[-1] if complaints else "",
            cases=read_cases(folder),
        )


@dataclass(frozen=True)
class Verdict:
    """Whether a job passed, and in one line why not.

    Attributes:
        infrastructure: it failed by what surrounds it, so that a second attempt may pass.
        cases: one for each that the job was asked for.
    """

    passed: bool
    message: str = ""
    infrastructure: bool = False
    cases: tuple[Case, ...] = ()


def judge(project: Project, job: Job, evidence: Evidence) -> Verdict:
    """The verdict on one job.

    It passed only if its process exited with 0, results.xml has at least one test case and none
    that failed or was skipped, and the simulation reports operations (where the project counts
    them), no failure and one outcome for every case it was asked for; and the project finds no
    problem. What is no simulation must exit with 0 and have the cases.
    """
    cases = completed(job.case_names, evidence.cases)
    own, ended = bool(job.launch and job.launch.program), evidence.ended
    # Somebody else ended the process: the system for want of memory, an operator, a scheduler.
    killed = _signal_number(ended.returncode) in OUTER_SIGNALS and not (
        ended.timed_out or ended.cancelled
    )
    counted = project.counts_operations
    problem = _problem(cases, evidence, own, counted) or project.problem(job, evidence.result)
    return Verdict(
        passed=not problem,
        message=_one_line(problem),
        infrastructure=killed,
        cases=tuple(replace(case, message=_one_line(case.message)) for case in cases),
    )


def _problem(cases: Sequence[Case], evidence: Evidence, own: bool, counted: bool) -> str:
    result, code = evidence.result, evidence.ended.returncode
    # What is wrong with a case is among the failures, too, there with its operands.
    bad = [f"{case.name}: {case.message}" for case in cases if case.status is CaseStatus.FAILED]
    failures = bad or (result.failures if result else [])
    first = f"; first failure: {failures[0]}" if failures else ""
    if evidence.ended.timed_out:
        late = f"timed out after {evidence.timeout:g} s"
        # What failed before says more than that time was up, for instance while it was shrunk.
        own = next((text for text in failures if not text.endswith(NOT_ENDED)), "")
        return f"{own}; then {late}" if own else f"{late}{first}"
    number = _signal_number(code)
    if number == STANDSTILL_SIGNAL:
        return f"simulated time stood still, as in a loop of signals without a clock{first}"
    if number:
        return f"simulator crashed with signal {number}{_signal_name(number)}{first}"
    if own and code:
        return evidence.last_line or f"exit code {code}"
    xml_problem = "" if own else _xml_problem(evidence)
    if failures:
        # An exception that ended the test says more than what was found until then; the test's
        # own verdict on its failures only repeats them.
        first_failure = result.failures[0] if result and result.failures else ""
        if xml_problem and first_failure[:MAX_QUOTED] not in xml_problem:
            return f"{xml_problem}{first}"
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        return f"{failures[0]}{more}"
    return (
        xml_problem
        or ("" if own else _result_problem(evidence, counted))
        or next((f"{c.name}: no outcome" for c in cases if c.status is CaseStatus.NOT_RUN), "")
        or (f"simulator exited with code {code}" if code else "")
    )


def _xml_problem(evidence: Evidence) -> str:
    if evidence.results_xml is None:
        said = f"; the log ends with: {evidence.last_line}" if evidence.last_line else ""
        return f"missing {RESULTS_XML} (exit code {evidence.ended.returncode}){said}"
    try:
        cases = [
            case for suite in JUnitXml.fromstring(evidence.results_xml.encode()) for case in suite
        ]
    except (SyntaxError, JUnitXmlError):
        return f"{RESULTS_XML} is not readable"
    if not cases:
        return f"{RESULTS_XML} has no test case"
    for case in cases:
        for outcome in case.result:
            if isinstance(outcome, Failure | Error):
                if outcome.type == ENDED_BY_ITSELF and evidence.complaint:
                    return evidence.complaint
                kind = f"{outcome.type}: " if outcome.type not in (None, "AssertionError") else ""
                return f"{kind}{outcome.message}" if outcome.message else f"test {case.name} failed"
            if isinstance(outcome, Skipped):
                return f"test {case.name} was skipped"
    return ""


def _result_problem(evidence: Evidence, counted: bool) -> str:
    if evidence.result_problem or not counted:
        return evidence.result_problem
    return "" if evidence.result and evidence.result.operations else "no operation checked"


def _signal_number(returncode: int) -> int:
    if returncode < 0:
        return -returncode
    return returncode - SIGNAL_BASE if returncode > SIGNAL_BASE else 0


def _signal_name(number: int) -> str:
    try:
        return f" ({signal.Signals(number).name})"
    except ValueError:
        return ""


def _end_of(log: Path, tail: int = 8192) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - tail))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _one_line(text: str) -> str:
    """Of long operands only the ends: what is wrong stands behind them."""
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) > MAX_MESSAGE:
        text = LONG_NUMBER.sub(r"\1…\2", text)
    return clipped(text, MAX_MESSAGE)
