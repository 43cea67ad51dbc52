"""Coverage of runs that are over, read from their folders and merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from regress.coverage.code import CodeCoverage, CodeCoverageReader, Sources
from regress.coverage.exclusions import Exclusions
from regress.coverage.functional import (
    Coverage,
    add,
    merge,
)
from regress.errors import MissingFile, UsageError
from regress.formats import taken
from regress.jobfile import CODE_COVERAGE_FILE, JOB_FILE, Job, JobResult
from regress.project import project, result_of
from regress.runfile import JOBS_FOLDER, RUN_FILE, STATUS_FILE, JobEntry, Status, read_job, read_run
from regress.simulators import SIMULATORS


@dataclass(frozen=True)
class StoredJob:
    """A job of a run that is over.

    Attributes:
        passed: only then its coverage counts.
        result: what it reported, exclusions not applied; None unless it passed.
    """

    id: str
    job: Job
    passed: bool
    seconds: float
    result: JobResult | None = None
    code: CodeCoverage | None = None


@dataclass
class MergedCoverage:
    """Coverage of some jobs.

    Attributes:
        functional: by subject and group, exclusions applied.
    """

    functional: Coverage = field(default_factory=dict)
    code: dict[str, CodeCoverage] = field(default_factory=dict)

    @property
    def total_code(self) -> CodeCoverage | None:
        """Code coverage of all subjects together; None if there is none."""
        return CodeCoverage.merged(self.code.values()) if self.code else None

    def add(self, other: MergedCoverage) -> None:
        """Add other jobs' coverage."""
        for subject, groups in other.functional.items():
            add(self.functional, subject, {n: group.as_dict() for n, group in groups.items()})
        for subject, code in other.code.items():
            self.code.setdefault(subject, CodeCoverage()).add(code)


@dataclass
class RunCoverage:
    """A run and its coverage.

    Attributes:
        sources: commit it ran on, empty if unknown.
        hdl: folder with the design it ran on, None for the project's own.
        merged: coverage of the jobs that passed.
    """

    folder: Path
    name: str
    started: datetime
    sources: str
    hdl: Path | None
    jobs: list[StoredJob]
    merged: MergedCoverage
    problems: list[str]

    def stale_exclusions(self, exclusions: Exclusions) -> list[str]:
        """Exclusions that this run shows to be needless or wrong, one line each."""
        passed = [
            (stored.job.point, stored.result) for stored in self.jobs if stored.result is not None
        ]
        stale = exclusions.stale_bins(passed)
        code = self.merged.total_code
        return stale + (exclusions.stale_code(code, Sources(self.hdl)) if code else [])


def coverage_of_run(
    folder: Path, exclusions: Exclusions, *, lenient: bool = False, with_code: bool = True
) -> RunCoverage:
    """Read the coverage of a run.

    Args:
        folder: of the run.
        exclusions: what is no goal.
        lenient: go on without what cannot be read and name it in ``problems``, for a report of
            what is left; otherwise the first such file is an error.
        with_code: read code coverage too where jobs have it.

    Raises:
        UsageError: no run, a file that is missing or corrupt, or no coverage at all.
    """
    try:
        noted = read_run(folder)
    except MissingFile as error:
        raise UsageError(f"{error}: {folder} is no run") from None
    hdl = Path(noted.options["hdl"]) if noted.options.get("hdl") else None
    run = taken(
        RunCoverage,
        noted,
        folder=folder,
        sources=noted.tools.get("sources", ""),
        hdl=hdl,
        jobs=[],
        merged=MergedCoverage(),
        problems=[],
    )
    entries = noted.jobs or _jobs_of_a_killed_run(folder)
    sources = Sources(hdl)
    reader = CodeCoverageReader(sources)
    sizes: dict[tuple[Any, ...], tuple[int, Path]] = {}
    kept = (folder / JOBS_FOLDER).is_dir()
    for entry in entries:
        try:
            stored = _stored(folder, entry, reader if with_code else None, sizes, kept)
        except UsageError as error:
            if not lenient:
                raise
            run.problems.extend(error.lines)
            stored = _stored(folder, entry, None, sizes, kept=False)
            stored = replace(stored, passed=False)
        run.jobs.append(stored)
        if stored.code:
            name = stored.job.subject
            run.merged.code.setdefault(name, CodeCoverage()).add(stored.code)
    run.merged.functional = merge(
        (stored.job.subject, exclusions.applied(stored.job.point, r))
        for stored in run.jobs
        if (r := stored.result) is not None
    )
    if not kept:  # the jobs were cleaned up: what the run itself wrote down is left
        for subject, groups in noted.coverage.items():
            add(run.merged.functional, subject, groups)
    for code in run.merged.code.values():
        exclusions.exclude_code(code, sources)
    if not run.merged.functional and not lenient:
        raise UsageError(f"{folder}: no job with coverage passed: there is nothing to merge")
    return run


def merge_runs(folders: Iterable[Path], exclusions: Exclusions) -> MergedCoverage:
    """Merge the coverage of runs.

    Raises:
        UsageError: no runs, one that cannot be read, or code coverage of different sources.
    """
    merged = MergedCoverage()
    first: RunCoverage | None = None
    for folder in folders:
        run = coverage_of_run(folder, exclusions)
        if run.merged.code:
            first = first or run
            if first.sources != run.sources:
                raise UsageError(
                    f"{folder}: code coverage of {run.sources or 'unknown sources'} cannot be "
                    f"merged with that of {first.sources or 'unknown sources'} in {first.folder}"
                )
        merged.add(run.merged)
    if not merged.functional:
        raise UsageError("no runs: there is nothing to merge")
    return merged


def _jobs_of_a_killed_run(folder: Path) -> list[JobEntry]:
    paths = sorted((folder / JOBS_FOLDER).rglob(STATUS_FILE))
    return [read_job(path) for path in paths]


def _stored(
    run: Path,
    entry: JobEntry,
    reader: CodeCoverageReader | None,
    sizes: dict[tuple[Any, ...], tuple[int, Path]],
    kept: bool,
) -> StoredJob:
    job = Job(entry.test, entry.point, entry.simulator, entry.seed)
    passed = entry.status is Status.PASSED
    stored = StoredJob(entry.id, job, passed, entry.seconds)
    if not passed or not kept:
        return stored
    folder = run / entry.folder
    result = result_of(folder)
    path = folder / CODE_COVERAGE_FILE
    code = None
    measured = _asked_for(folder / JOB_FILE) and SIMULATORS[job.simulator].measures_code
    if reader and (measured or path.exists()):
        code = reader.read(path)
        # One that was cut between two lines looks whole: compare it with one of the same build.
        build = (project().tests[job.test].top, job.point)
        size, other = sizes.setdefault(build, (len(code.hits), path))
        if size != len(code.hits):
            raise UsageError(
                f"{path}: {len(code.hits)} points, but {other} of the same build has {size}"
            )
    return replace(stored, result=result, code=code)


def _asked_for(path: Path) -> bool:
    """Whether a job's file asks for code coverage; a job that passed has read the file."""
    return path.exists() and Job.read(path).code_coverage


def find_run(name: str, runs: Path) -> Path:
    """The folder of a run given by path or by its name below ``runs``.

    Raises:
        UsageError: there is no such run.
    """
    for folder in (Path(name), runs / name):
        if (folder / RUN_FILE).is_file():
            return folder
    known: Sequence[str] = sorted(path.parent.name for path in runs.glob(f"*/{RUN_FILE}"))
    accepted = ", ".join(known[-5:]) or f"none below {runs}"
    raise UsageError(f"no run {name!r}; accepted: a folder with {RUN_FILE}, or {accepted}")
