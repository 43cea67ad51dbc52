"""Draws the waves of a finished job."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.jobfile import JOB_FILE, RESULT_FILE, WAVES_FILE, Job, JobResult
from regress.core.point import PointError
from regress.core.project import Project
from regress.core.results import first_failure, read_results
from regress.waves.fst import WaveError, WaveFile
from regress.waves.picture import Picture
from regress.waves.view import Finding, WaveSignal, WaveView

PICTURE_FILE = "wave.svg"
NO_FAILURE = "no failure: the last operation"
# Maximum number of signals for a design without a wave view.
MOST_ROWS = 40
WINDOW_NS = 200.0


@dataclass(frozen=True)
class WaveDocument:
    """The picture of a job's waves and its files.

    Attributes:
        moment_ns: simulated time of the first difference from the model, or of the failure.
        finding: what is wrong at this time; empty if the waves do not show it.
    """

    picture: Path
    waves: Path
    moment_ns: float
    failure: str
    finding: str


def document(project: Project, folder: Path, failure: int = 0) -> WaveDocument:
    """Draw the waves of a finished job into its folder.

    The folder has job.json and waves.fst, and result.json if the simulation wrote one; otherwise
    results.xml states the failure and its time. ``failure`` is the number of the failure to show.
    A job without failure is shown at its end.

    Raises:
        WaveError: a file is missing or unreadable; the message is one line.
        OSError: the folder cannot be written.
    """
    try:
        job = Job.read(folder / JOB_FILE)
        # A test that fails by an exception writes no result.
        failed = first_failure(read_results(folder))
        without = failed and not (folder / RESULT_FILE).exists()
        result = JobResult() if without else project.result(folder)
        launch = job.launch or project.launch(job)
    except (UsageError, KeyError) as error:
        raise WaveError(" ".join(str(error.args[0]).split())) from None
    waves = WaveFile(folder / WAVES_FILE, launch.toplevel, project.clock)
    end = waves.signal(waves.clock).end_ns
    message, time = NO_FAILURE, end
    if result.failures:
        failure = min(failure, len(result.failures) - 1)
        message = result.failures[failure]
        if failure < len(result.failure_times):
            # Time 0: the simulation died before it could report a time.
            time = result.failure_times[failure] or end
    elif failed:
        message, time = failed.text(project.root), failed.end_ns or end
    try:
        view = project.wave_view(job, waves, message, min(time, end))
    except (PointError, KeyError) as error:
        raise WaveError(str(error.args[0])) from None
    view = view or plain_view(waves, min(time, end))
    picture = folder / PICTURE_FILE
    picture.write_text(
        Picture(waves, view, _job_text(project, job), message).svg(), encoding="utf-8"
    )
    finding = view.finding
    return WaveDocument(picture, waves.path, finding.moment_ns, message, finding.text)


def plain_view(waves: WaveFile, time_ns: float) -> WaveView:
    """Show the top's signals at the time of the failure, without knowledge of the design."""
    names = [name for name in waves.names if "." not in name][:MOST_ROWS]
    # The clock comes first, because readers count its cycles.
    names.sort(key=lambda name: name != waves.clock)
    rows = [WaveSignal(name, name, "signals") for name in names]
    return WaveView(rows, Finding(time_ns, "", max(0.0, time_ns - WINDOW_NS), time_ns))


def _job_text(project: Project, job: Job) -> str:
    point = [
        f"{value} {axis.unit}".strip()
        for axis in project.axes
        if not isinstance(value := job.point.get(axis.name), dict)
    ]
    point += [f"{name}={value}" for name, value in job.point.entries]
    return " · ".join([*point, f"test {job.test}", f"seed {job.seed}", job.simulator])
