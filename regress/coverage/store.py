"""Reads the coverage of finished runs from their folders and merges it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from regress.core.archive import read_run
from regress.core.context import Context
from regress.core.errors import MissingFile, UsageError
from regress.core.formats.files import read_json
from regress.core.jobfile import CODE_COVERAGE_FILE, Job, JobResult
from regress.core.jobrecord import JobRecord
from regress.core.project import Project
from regress.core.runfile import JOBS_FOLDER, STATUS_FILE, Status
from regress.coverage.code import CodeCoverage, CodeCoverageReader, Sources
from regress.coverage.exclusions import Exclusions
from regress.coverage.functional import Coverage, add
from regress.simulators import SIMULATORS


@dataclass
class MergedCoverage:
    """Coverage of some jobs.

    Attributes:
        functional: coverage by subject and group, with exclusions applied.
    """

    functional: Coverage = field(default_factory=dict)
    code: dict[str, CodeCoverage] = field(default_factory=dict)

    @property
    def total_code(self) -> CodeCoverage | None:
        """Code coverage of all subjects together; None if no job measured it."""
        return CodeCoverage.merged(self.code.values()) if self.code else None

    def add(self, other: MergedCoverage) -> None:
        """Add the coverage of other jobs."""
        for subject, groups in other.functional.items():
            add(self.functional, subject, {n: group.as_dict() for n, group in groups.items()})
        for subject, code in other.code.items():
            self.code.setdefault(subject, CodeCoverage()).add(code)


@dataclass
class RunCoverage:
    """A run and its coverage.

    Attributes:
        sources: commit of the run; empty if unknown.
        design: source text of the design of the run.
        source: path of the list of the run; empty without a list.
        goals: kinds of code coverage that the run must complete.
        jobs: all jobs. A passed job has its result if the result can be read; no exclusions are
            applied.
        merged: coverage of the passed jobs.
    """

    folder: Path
    sources: str
    design: Sources
    source: str = ""
    goals: tuple[str, ...] = ()
    jobs: list[JobRecord] = field(default_factory=list)
    merged: MergedCoverage = field(default_factory=MergedCoverage)
    problems: list[str] = field(default_factory=list)

    def stale_exclusions(self, exclusions: Exclusions) -> list[str]:
        """Return the exclusions that this run proves unnecessary or wrong, one line each."""
        passed = [
            (record.planned.job.point, record.result) for record in self.jobs if record.result
        ]
        stale = exclusions.stale_bins(passed)
        code = self.merged.total_code
        return stale + (exclusions.stale_code(code, self.design, self.goals) if code else [])


def coverage_of_run(
    context: Context, folder: Path, exclusions: Exclusions, *, lenient: bool = False
) -> RunCoverage:
    """Read the coverage of a run.

    Args:
        context: context of the run.
        folder: folder of the run.
        exclusions: coverage that is not required.
        lenient: skip unreadable files and list them in ``problems``, for a report of the rest;
            otherwise the first unreadable file is an error.

    Raises:
        UsageError: the folder is not a run, a file is missing or corrupt, or no coverage exists.
    """
    try:
        noted = read_run(context, folder)
    except MissingFile as error:
        raise UsageError(f"{error}: {folder} is not a run") from None
    project = context.project
    plan = noted.plan
    sources = Sources(project, plan.hdl)
    commit = noted.tools.get("sources", "")
    run = RunCoverage(folder, commit, sources, plan.source, plan.code_goals)
    reader = CodeCoverageReader(sources)
    sizes: dict[tuple[Any, ...], tuple[int, Path]] = {}
    kept = (folder / JOBS_FOLDER).is_dir()
    records: Iterable[JobRecord] = noted.jobs
    if not records:  # the run was killed before it recorded any job
        ended = sorted((folder / JOBS_FOLDER).rglob(STATUS_FILE))
        records = [read_json(path, JobRecord, "the job") for path in ended]
    for record in records:
        job, result = record.planned.job, None
        if kept and record.status is Status.PASSED:
            try:
                result, code = _read(project, folder / record.folder, job, reader, sizes)
            except UsageError as error:
                if not lenient:
                    raise
                run.problems.extend(error.lines)
            else:
                counted = exclusions.applied(job.point, result).coverage
                add(run.merged.functional, job.subject, counted)
                if code:
                    run.merged.code.setdefault(job.subject, CodeCoverage()).add(code)
        run.jobs.append(replace(record, result=result))
    if not kept:  # the jobs' folders were deleted: use the coverage in run.json
        for subject, groups in noted.coverage.items():
            add(run.merged.functional, subject, groups)
    for code in run.merged.code.values():
        exclusions.exclude_code(code, sources)
    if not run.merged.functional and not lenient:
        raise UsageError(f"{folder}: no passed job has coverage, so nothing can be merged")
    return run


def merge_runs(context: Context, folders: Iterable[Path], exclusions: Exclusions) -> MergedCoverage:
    """Merge the coverage of runs.

    Raises:
        UsageError: no runs, an unreadable run, or code coverage of different sources.
    """
    merged = MergedCoverage()
    first: RunCoverage | None = None
    for folder in folders:
        run = coverage_of_run(context, folder, exclusions)
        if run.merged.code:
            first = first or run
            if first.sources != run.sources:
                raise UsageError(
                    f"{folder}: code coverage of {run.sources or 'unknown sources'} cannot be "
                    f"merged with that of {first.sources or 'unknown sources'} in {first.folder}"
                )
        merged.add(run.merged)
    if not merged.functional:
        raise UsageError("no run is given; accepted: one folder of a run or more")
    return merged


def _read(
    project: Project,
    folder: Path,
    job: Job,
    reader: CodeCoverageReader,
    sizes: dict[tuple[Any, ...], tuple[int, Path]],
) -> tuple[JobResult, CodeCoverage | None]:
    """Return a passed job's result, and its code coverage if it measured any."""
    result = project.result(folder)
    path = folder / CODE_COVERAGE_FILE
    measured = job.code_coverage and SIMULATORS[job.simulator].measures_code
    if not measured and not path.exists():
        return result, None
    code = reader.read(path)
    # A file truncated between two lines looks complete: compare its size with the same build's.
    build = (project.tests[job.test].top, job.point)
    size, other = sizes.setdefault(build, (len(code.hits), path))
    if size != len(code.hits):
        raise UsageError(
            f"{path}: {len(code.hits)} points, but {other} of the same build has {size}"
        )
    return result, code
