"""Decides whether a job passed. Exit code 0 alone is not enough."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regress.core.cases import Case, CaseStatus, completed, read_cases
from regress.core.errors import UsageError, clipped
from regress.core.jobfile import NOT_ENDED, RESULT_FILE, RESULTS_XML, Job, JobResult
from regress.core.limits import time_text
from regress.core.processes import Ended
from regress.core.project import Project
from regress.core.results import TestOutcome, first_failure, parse_results
from regress.run.job import SIGNAL_BASE
from regress.run.standstill import where_it_stood

MAX_MESSAGE = 400
# Signals that a simulator never raises itself.
OUTER_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
# A test can set an alarm of processor time and renew it as simulated time passes. If simulated time
# stands still, the alarm ends the test. Nothing else can end a combinational loop of signals.
STANDSTILL_SIGNAL = signal.SIGVTALRM
MAX_QUOTED = 100
# Bytes of the end of a log in which its last lines are looked for.
MAX_TAIL = 8192
NO_OPERATION = "no operation checked"
# Start of the line in which a simulator states why a simulation ended.
COMPLAINT = re.compile(
    r"^(?:\[\d+\] )?"  # the time
    r"((?:%Error|%Fatal|FATAL:|ERROR:|\S+:error:|.*:\((?:assertion|report) failure\):"
    r"|\S+\.vvp:\d+:).*)",
    re.MULTILINE,
)
# Icarus compiles some legal code into a file that it then rejects.
UNREADABLE = re.compile(r"(?:\S*/)?([^/\s]+\.vvp:\d+: .*)")
# Verilator's line about a $stop. It also follows an error of the design, and that line says more.
STOPPED = ": Verilog $stop"
# The line in which a simulator reports $error, $fatal or an assertion of the design.
ERROR = re.compile(
    rb"(ERROR|FATAL): \S+:\d+: |(\[\d+\] )?%(Error|Fatal): \S+:\d+: |\*\* (Error|Fatal): "
    rb"|\w+: \*[EF],|\S+:\(?(assertion|report) (error|failure)\): "
)
# The line in which a simulator reports a call of $finish: file and line.
FINISH = re.compile(r"^(?:- )?(\S+?):(\d+):.*\$finish", re.MULTILINE)
# cocotb's name for the failure when the simulator ended before cocotb did.
ENDED_BY_ITSELF = "SimFailure"
# cocotb's name for the end of a limit of simulated time.
TIMEOUT = "SimTimeoutError"
LONG_NUMBER = re.compile(r"\b(0x[0-9a-f]{8})[0-9a-f]{5,}([0-9a-f]{4})\b")


@dataclass(frozen=True)
class Evidence:
    """The output of a job.

    Attributes:
        results_xml: text of results.xml; None if missing.
        result: result that the simulation reported; None if missing or unreadable.
        result_problem: why ``result`` is None.
        complaint: last error line of the simulator near the end of the log; may be empty.
        error: first error that the design reported in the log; may be empty.
        finish: file and line of the ``$finish`` that ended the simulation; may be empty.
        stood: where the test was when its time was over; may be empty.
        root: folder of the project; messages name files below it.
    """

    ended: Ended
    timeout: float
    results_xml: str | None
    result: JobResult | None
    result_problem: str = ""
    last_line: str = ""
    complaint: str = ""
    cases: tuple[Case, ...] = ()
    error: str = ""
    finish: str = ""
    stood: str = ""
    root: Path = Path()

    @property
    def outcomes(self) -> Sequence[TestOutcome]:
        """The tests of results.xml; empty if it is missing or unreadable."""
        return parse_results(self.results_xml or "") or ()

    @classmethod
    def collect(cls, project: Project, folder: Path, ended: Ended, timeout: float) -> Evidence:
        """Read the available files in a job's folder."""
        result, problem = None, ""
        try:
            result = JobResult.read(folder / RESULT_FILE)
        except UsageError as error:
            needed = project.counts_operations or (folder / RESULT_FILE).exists()
            problem = str(error).replace(f"{folder}/", "") if needed else ""
        xml, log = folder / RESULTS_XML, _end_of(folder / "log.txt")
        complaints = [found[1].strip() for found in COMPLAINT.finditer(log)]
        complaints = [line for line in complaints if not line.endswith(STOPPED)] or complaints
        finishes = [f"{Path(found[1]).name}:{found[2]}" for found in FINISH.finditer(log)]
        return cls(
            ended=ended,
            timeout=timeout,
            results_xml=xml.read_text(errors="replace") if xml.is_file() else None,
            result=result,
            result_problem=problem,
            last_line=next((s.strip() for s in reversed(log.splitlines()) if s.strip()), ""),
            complaint=complaints[-1] if complaints else "",
            cases=read_cases(folder),
            error=_first_error(folder / "log.txt").replace(f"{project.root}/", ""),
            finish=finishes[-1] if finishes else "",
            stood=where_it_stood(folder, project.root) if ended.timed_out else "",
            root=project.root,
        )


@dataclass(frozen=True)
class Verdict:
    """Whether a job passed; if not, the reason in one line.

    Attributes:
        infrastructure: the infrastructure caused the failure, so a second attempt may pass.
        cases: one result for each requested case.
        skipped: cocotb skipped the test; the message is the reason.
        details: the last lines of the traceback.
        failed_at_ns: simulated time of the failure, if cocotb's results state it.
        warning: an error of the design that fails no job of the project; may be empty.
    """

    passed: bool
    message: str = ""
    infrastructure: bool = False
    cases: tuple[Case, ...] = ()
    skipped: bool = False
    details: str = ""
    failed_at_ns: float | None = None
    warning: str = ""


def judge(project: Project, job: Job, evidence: Evidence) -> Verdict:
    """Return the verdict on one job.

    A simulation passed only if all of these hold:

    - its process exited with 0;
    - results.xml has at least one test case, and none that failed or was skipped;
    - the simulation reports no failure, and one outcome for every requested case;
    - it reports operations, if the project counts them;
    - the design reports no error, if errors fail in the project;
    - the project finds no problem.

    A job that is not a simulation must exit with 0 and have its cases.
    """
    cases = completed(job.case_names, evidence.cases)
    ended = evidence.ended
    # Killed from outside: by the system (out of memory), an operator or a scheduler.
    killed = _signal_number(ended.returncode) in OUTER_SIGNALS and not (
        ended.timed_out or ended.cancelled
    )
    counted = project.counts_operations
    skipped = _skipped(job, evidence)
    if skipped:
        return Verdict(passed=False, message=_one_line(skipped), skipped=True)
    failed = first_failure(evidence.outcomes)
    problem = (
        _problem(job, cases, evidence, counted)
        or project.problem(job, evidence.result)
        or (evidence.error if project.errors_fail else "")
    )
    return Verdict(
        passed=not problem,
        message=_one_line(problem),
        infrastructure=killed,
        cases=tuple(replace(case, message=_one_line(case.message)) for case in cases),
        details=failed.details() if failed else "",
        failed_at_ns=failed.end_ns if failed else None,
        warning="" if problem else _one_line(evidence.error),
    )


def _is_plain(job: Job) -> bool:
    return job.launch is not None and job.launch.plain


def _skipped(job: Job, evidence: Evidence) -> str:
    """Return why cocotb skipped the whole job; empty if it did not, or must not."""
    outcomes = evidence.outcomes
    if not _is_plain(job) or not outcomes or evidence.ended.timed_out:
        return ""
    if any(outcome.status != "skipped" for outcome in outcomes):
        return ""
    return f"skipped by cocotb: {outcomes[0].message}"


def _problem(job: Job, cases: Sequence[Case], evidence: Evidence, counted: bool) -> str:
    own = bool(job.launch and job.launch.program)
    result, code = evidence.result, evidence.ended.returncode
    # The result lists failed cases also as failures, with their operands.
    bad = [f"{case.name}: {case.message}" for case in cases if case.status is CaseStatus.FAILED]
    failures = bad or (result.failures if result else [])
    first = f"; first failure: {failures[0]}" if failures else ""
    if evidence.ended.timed_out:
        late = f"timed out after {evidence.timeout:g} s{evidence.stood}"
        # An earlier failure is more informative than the timeout, for instance during shrinking.
        earlier = next((text for text in failures if not text.endswith(NOT_ENDED)), "")
        return f"{earlier}; then {late}" if earlier else f"{late}{first}"
    number = _signal_number(code)
    if number == STANDSTILL_SIGNAL:
        return f"simulated time stood still, as in a loop of signals without a clock{first}"
    if number:
        return f"simulator crashed with signal {number}{_signal_name(number)}{first}"
    if own and code:
        return evidence.last_line or f"exit code {code}"
    xml_problem = "" if own else _xml_problem(job, evidence)
    if failures:
        # An exception that ended the test is more informative than the failures before it. The
        # test's own summary only repeats them.
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


def _xml_problem(job: Job, evidence: Evidence) -> str:
    if evidence.results_xml is None:
        return _no_results(evidence)
    outcomes = parse_results(evidence.results_xml)
    if outcomes is None:
        return f"{RESULTS_XML} is not readable"
    if not outcomes:
        return f"{RESULTS_XML} has no test case"
    for outcome in outcomes:
        if outcome.status == "failed":
            return _failure(job, evidence, outcome)
        # If a plain job has come here, other tests of it passed.
        if outcome.status == "skipped" and not _is_plain(job):
            return f"test {outcome.name} was skipped"
    return ""


def _failure(job: Job, evidence: Evidence, outcome: TestOutcome) -> str:
    """Return the failure of a test in one line."""
    plain = _is_plain(job)
    if outcome.kind == ENDED_BY_ITSELF:
        if evidence.complaint:
            return evidence.complaint.replace(f"{evidence.root}/", "")
        time = f" at {time_text(outcome.end_ns)}" if outcome.end_ns is not None else ""
        place = evidence.finish or outcome.where(evidence.root)
        test = f"{time}, before test {outcome.name} did ({place})"
        if evidence.finish or (plain and job.time_limit_ns):  # the limit is an event to come
            return f"$finish in the design ended the simulation{test}"
        return f"$finish or a lack of events ended the simulation{test}"
    if outcome.kind == TIMEOUT and plain and not outcome.message:
        limit = job.time_limit_ns
        at_limit = limit and outcome.end_ns is not None and outcome.end_ns >= limit
        what = "time_limit of the list" if at_limit else "timeout_time of the test"
        time = f" at {time_text(outcome.end_ns)}" if outcome.end_ns is not None else ""
        place = outcome.where(evidence.root)
        return f"{TIMEOUT}: {what} reached{time}, the test still waits ({place})"
    return outcome.text(evidence.root)


def _no_results(evidence: Evidence) -> str:
    """Return why a simulation left no results.xml."""
    code = evidence.ended.returncode
    if found := UNREADABLE.fullmatch(evidence.complaint):
        return f"{found[1]}: Icarus cannot read what it compiled; Verilator may run this code"
    if evidence.complaint:
        return evidence.complaint
    said = f"; the log ends with: {evidence.last_line}" if evidence.last_line else ""
    return f"missing {RESULTS_XML} (exit code {code}){said}"


def _result_problem(evidence: Evidence, counted: bool) -> str:
    if evidence.result_problem or not counted:
        return evidence.result_problem
    return "" if evidence.result and evidence.result.operations else NO_OPERATION


def _signal_number(returncode: int) -> int:
    if returncode < 0:
        return -returncode
    return returncode - SIGNAL_BASE if returncode > SIGNAL_BASE else 0


def _signal_name(number: int) -> str:
    try:
        return f" ({signal.Signals(number).name})"
    except ValueError:
        return ""


def _end_of(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - MAX_TAIL))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _first_error(log: Path) -> str:
    """Return the first error of the design in a log; empty if the log has none or is missing."""
    try:
        with log.open("rb") as lines:
            return next((s.decode(errors="replace").strip() for s in lines if ERROR.match(s)), "")
    except OSError:
        return ""


def _one_line(text: str) -> str:
    """Put a text in one line and shorten long operands: the error is stated after them."""
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) > MAX_MESSAGE:
        text = LONG_NUMBER.sub(r"\1…\2", text)
    return clipped(text, MAX_MESSAGE)
