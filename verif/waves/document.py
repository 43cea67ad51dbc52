"""Picture and save file of a finished job."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from regress.job import JOB_FILE
from regress.waves.fst import WaveError, WaveFile
from regress.waves.gtkw import write_save_file
from regress.waves.picture import Heading, Picture
from verif.config import BenchConfig
from verif.design import DesignError
from verif.job import RESULT_FILE, WAVES_FILE, Job, JobError, JobResult
from verif.waves.mismatch import find
from verif.waves.signals import state_names, state_signal, wave_signals

PICTURE_FILE = "wave.svg"
SAVE_FILE = "waves.gtkw"
NO_FAILURE = "no failure: the last operation"


@dataclass(frozen=True)
class WaveDocument:
    """What there is to see of a job.

    Attributes:
        picture: SVG around the moment.
        save_file: opens the waves in GTKWave at the moment.
        waves: the FST.
        moment_ns: simulated time of the first difference from the model, or of the failure.
        failure: the failure that it is about.
        finding: what is wrong at the moment; empty if the waves do not tell.
    """

    picture: Path
    save_file: Path
    waves: Path
    moment_ns: float
    failure: str
    finding: str


def document(folder: Path, failure: int = 0) -> WaveDocument:
    """Draw the waves of a finished job, and write a GTKWave save file, into its folder.

    Args:
        folder: has job.json, result.json and waves.fst.
        failure: which of the result's failures to look at; a job without any is shown at its end.

    Raises:
        WaveError: one of the files is missing or unreadable; the message is one line.
        OSError: the folder cannot be written.
    """
    try:
        job = Job.read(folder / JOB_FILE)
        result = JobResult.read(folder / RESULT_FILE)
        config = BenchConfig.from_job(job)
    except (JobError, DesignError, KeyError) as error:
        raise WaveError(str(error.args[0])) from None
    waves = WaveFile(folder / WAVES_FILE, config.design.toplevel)
    end = waves.signal("clk").end_ns
    message, time = NO_FAILURE, end
    if result.failures:
        failure = min(failure, len(result.failures) - 1)
        message = result.failures[failure]
        if failure < len(result.failure_times):
            # 0: the simulation died before it could say anything.
            time = result.failure_times[failure] or end
    finding = find(config, waves, message, min(time, end))
    signals = wave_signals(config)
    heading = Heading(_job_text(job), message)
    states = (state_signal(config), state_names(config))
    picture = folder / PICTURE_FILE
    picture.write_text(Picture(waves, signals, finding, states, heading).svg(), encoding="utf-8")
    save_file = folder / SAVE_FILE
    write_save_file(save_file, waves, signals, finding, f"{heading.job}: {finding.text or message}")
    return WaveDocument(picture, save_file, waves.path, finding.moment_ns, message, finding.text)


def _job_text(job: Job) -> str:
    parameters = "".join(f" {name}={value}" for name, value in job.parameters.items())
    return (
        f"{job.architecture} · {job.width} bits{parameters} · test {job.test} · seed {job.seed} "
        f"· {job.simulator}"
    )
