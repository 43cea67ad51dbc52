"""Decides whether a job passed. A process that exits with 0 proves nothing."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jsonschema import ValidationError, validate
from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped

from models.status import Status
from regress.job import RESULTS_XML, SIGNAL_BASE
from regress.processes import Ended
from verif.job import RESULT_FILE, Job, JobError, JobResult

MAX_MESSAGE = 400
# Signals that no simulator raises by itself.
OUTER_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
MAX_QUOTED = 100
LONG_NUMBER = re.compile(r"\b(0x[0-9a-f]{8})[0-9a-f]{5,}([0-9a-f]{4})\b")
ACCEPTED = (Status.OK.name, Status.RAW.name)
COVERAGE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["bins", "goal"],
    "properties": {
        "bins": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
        "goal": {"type": "array", "items": {"type": "string"}},
    },
}
RESULT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "operations": {"type": "integer", "minimum": 0},
        "failures": {"type": "array", "items": {"type": "string"}},
        "failure_times": {"type": "array", "items": {"type": "number"}},
        "coverage": {"type": "object", "additionalProperties": COVERAGE_SCHEMA},
        "clocks": {"type": "integer", "minimum": 0},
        "sim_time_ns": {"type": "number"},
        "wall_seconds": {"type": "number"},
        "outcomes": {"type": "array", "items": {"type": "object"}},
    },
}


@dataclass(frozen=True)
class Evidence:
    """What a job left behind.

    Attributes:
        ended: how its process ended.
        timeout: the limit it ran under, in seconds.
        results_xml: text of results.xml, None if missing.
        result: what the simulation reported, None if missing or unreadable.
        result_problem: why ``result`` is None.
        last_line: last line of the log that is not empty.
    """

    ended: Ended
    timeout: float
    results_xml: str | None
    result: JobResult | None
    result_problem: str = ""
    last_line: str = ""

    @classmethod
    def collect(cls, folder: Path, ended: Ended, timeout: float) -> Evidence:
        """Read what there is in a job's folder."""
        result, problem = None, ""
        try:
            found = JobResult.read(folder / RESULT_FILE)
            validate(asdict(found), RESULT_SCHEMA)
            result = found
        except JobError as error:
            problem = str(error).replace(f"{folder}/", "")
        except ValidationError as error:
            problem = f"{RESULT_FILE}: {error.json_path}: {error.message}"
        xml = folder / RESULTS_XML
        return cls(
            ended=ended,
            timeout=timeout,
            results_xml=xml.read_text(errors="replace") if xml.is_file() else None,
            result=result,
            result_problem=problem,
            last_line=_last_line(folder / "log.txt"),
        )


@dataclass(frozen=True)
class Verdict:
    """Whether a job passed, and in one line why not.

    Attributes:
        passed: it did.
        message: one line; empty if it passed.
        infrastructure: it failed by what surrounds it, so that a second attempt may pass.
    """

    passed: bool
    message: str = ""
    infrastructure: bool = False


def judge(job: Job, evidence: Evidence) -> Verdict:
    """The verdict on one job.

    It passed only if its process exited with 0, results.xml has at least one test case and none
    that failed or was skipped, and the simulation reports operations, no failure and, for the
    ``vectors`` test, one outcome for every vector.
    """
    problem = _problem(job, evidence)
    return Verdict(passed=not problem, message=_one_line(problem), infrastructure=_killed(evidence))


def _killed(evidence: Evidence) -> bool:
    """Somebody else ended the process: the system for want of memory, an operator, a scheduler."""
    if evidence.ended.timed_out or evidence.ended.cancelled:
        return False
    return _signal_number(evidence.ended.returncode) in OUTER_SIGNALS


def vector_problem(vector: Mapping[str, Any], result: JobResult | None) -> str:
    """What is wrong with the outcome of one vector of a job; empty if it is as expected."""
    found = [o for o in result.outcomes if o.get("name") == vector["name"]] if result else []
    if len(found) != 1:
        return f"{len(found)} outcomes, expected one" if found else "no outcome"
    outcome = found[0]
    if outcome.get("message") or not outcome.get("passed"):
        return str(outcome.get("message") or "failed")
    if vector["reject"] and outcome.get("status") in ACCEPTED:
        return f"accepted with status {outcome['status']}, expected to be rejected"
    return _combination_problem(vector, outcome, result) if result and "crt" in vector else ""


def _combination_problem(
    vector: Mapping[str, Any], outcome: Mapping[str, Any], result: JobResult
) -> str:
    """What is wrong with the result mod p*q; the vector's own is mod q, ``crt`` says the rest."""
    crt = vector["crt"]
    others = [o for o in result.outcomes if o.get("name") == crt["name"]]
    try:
        (mod_p,) = (int(o["result"], 16) for o in others)
        mod_q = int(outcome["result"], 16)
    except (KeyError, TypeError, ValueError):
        return f"cannot be combined with the result of {crt['name']}"
    p, q = int(crt["p"], 16), int(vector["modulus"], 16)
    # Garner: the only number below p*q with these remainders.
    combined = mod_q + q * ((mod_p - mod_q) * pow(q, -1, p) % p)
    expected = int(crt["result"], 16)
    return "" if combined == expected else f"combined {combined:#x}, expected {expected:#x}"


def _problem(job: Job, evidence: Evidence) -> str:
    result = evidence.result
    failures = result.failures if result else []
    first = f"; first failure: {failures[0]}" if failures else ""
    if evidence.ended.timed_out:
        return f"timed out after {evidence.timeout:g} s{first}"
    number = _signal_number(evidence.ended.returncode)
    if number:
        return f"simulator crashed with signal {number}{_signal_name(number)}{first}"
    xml_problem = _xml_problem(evidence)
    if failures:
        # An exception that ended the test says more than what was found until then; the test's
        # own verdict on its failures only repeats them.
        if xml_problem and failures[0][:MAX_QUOTED] not in xml_problem:
            return f"{xml_problem}{first}"
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        return f"{failures[0]}{more}"
    return (
        xml_problem
        or _result_problem(job, result, evidence.result_problem)
        or _exit_problem(evidence)
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
                kind = f"{outcome.type}: " if outcome.type not in (None, "AssertionError") else ""
                return f"{kind}{outcome.message}" if outcome.message else f"test {case.name} failed"
            if isinstance(outcome, Skipped):
                return f"test {case.name} was skipped"
    return ""


def _result_problem(job: Job, result: JobResult | None, unreadable: str) -> str:
    if result is None:
        return unreadable or f"missing {RESULT_FILE}"
    if result.operations < 1:
        return "no operation checked"
    for vector in job.vectors:
        problem = vector_problem(vector, result)
        if problem:
            return f"{vector['name']}: {problem}"
    return ""


def _exit_problem(evidence: Evidence) -> str:
    code = evidence.ended.returncode
    return f"simulator exited with code {code}" if code else ""


def _signal_number(returncode: int) -> int:
    if returncode < 0:
        return -returncode
    return returncode - SIGNAL_BASE if returncode > SIGNAL_BASE else 0


def _signal_name(number: int) -> str:
    try:
        return f" ({signal.Signals(number).name})"
    except ValueError:
        return ""


def _last_line(log: Path, tail: int = 4096) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - tail))
            lines: Sequence[str] = file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _one_line(text: str) -> str:
    """Of long operands only the ends: what is wrong stands behind them."""
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) > MAX_MESSAGE:
        text = LONG_NUMBER.sub(r"\1…\2", text)
    return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - 1] + "…"
