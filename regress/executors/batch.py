"""Starts workers on a batch system, as a YAML file specifies."""

from __future__ import annotations

import importlib
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from distributed import LocalCluster
from pydantic import Field

from regress.core.errors import UsageError
from regress.core.formats.files import read_yaml
from regress.core.formats.model import Duration, Format, Positive, Text
from regress.core.processes import ProcessGroups
from regress.core.project import Project
from regress.core.terminal import plural
from regress.executors.cluster import CLOSE_SECONDS, DaskExecutor
from regress.executors.workers import LOST, NoWorkers, connect

LOCAL = "local"
# Class of dask-jobqueue, and the command that shows waiting jobs.
SYSTEMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "htcondor": ("HTCondorCluster", ("condor_q",)),
    "lsf": ("LSFCluster", ("bjobs", "-w")),
    "moab": ("MoabCluster", ("showq",)),
    "oar": ("OARCluster", ("oarstat",)),
    "pbs": ("PBSCluster", ("qstat",)),
    "sge": ("SGECluster", ("qstat",)),
    "slurm": ("SLURMCluster", ("squeue", "--me", "--noheader", "--format=%i %T %r")),
}
# Name of the workers' batch jobs.
JOB_NAME = "regress-worker"
# By default, Dask's web server uses port 8787 and warns if another cluster uses it.
NO_DASHBOARD = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
# A worker whose batch job has ended is replaced within this time.
RENEW_SECONDS = "5s"
QUEUE_SECONDS = 10.0
MAX_QUEUE_LINES = 5


class ClusterSettings(Format):
    """Workers to start for a run."""

    type: Literal[(LOCAL, *SYSTEMS)]
    """Batch system; `local` starts processes of this machine."""
    workers: Positive
    """Number of batch jobs with one worker each. A batch job that ends, for instance at its
    walltime, is replaced."""
    cores: Positive
    """Processors of each worker; the worker runs as many jobs at once."""
    memory: Text
    """Memory of each worker, for instance `4GB`."""
    walltime: Text | None = None
    """Limit of each batch job in the format of the batch system; default: that of the batch
    system."""
    patience: Duration = 300.0
    """Longest time without any worker: seconds, or for instance `10m`."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Further arguments of the class in [dask-jobqueue](https://jobqueue.dask.org): `queue`,
    `account`, `interface`, `python`, `job_extra_directives` …"""


def load_cluster(project: Project, path: Path) -> ClusterSettings:
    """Read and check a file.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    document = read_yaml(path, ClusterSettings, "the cluster file")
    settings = document.value
    if settings.type == LOCAL:
        for key in settings.model_fields_set & {"walltime", "options"}:
            document.complain((key,), f"type 'local' has no key {key!r}")
    else:
        try:
            _batch_arguments(project, settings)
        except (TypeError, ValueError) as error:
            key = "options" if "argument" in str(error) else "memory"
            # Remove the method name that Python puts at the start.
            document.complain((key,), str(error).splitlines()[0].split("__init__() got an ")[-1])
    document.stop_if_any()
    return settings


def require_system(settings: ClusterSettings, path: Path) -> None:
    """Check that jobs can be submitted from this machine.

    Raises:
        UsageError: the batch system's command is missing.
    """
    if settings.type == LOCAL:
        return
    submit = _cluster_class(settings.type).job_cls.submit_command.split()[0]
    if shutil.which(submit) is None:
        raise UsageError(
            f"{path}: {settings.type} is not installed on this machine: {submit} is not on PATH"
        )


def start_cluster(
    project: Project, settings: ClusterSettings, groups: ProcessGroups, say: Callable[[str], None]
) -> DaskExecutor:
    """Request the workers; the batch system starts them later.

    Raises:
        OSError: no scheduler could be started.
    """
    cluster = _cluster(project, settings)
    try:
        if settings.type != LOCAL:
            # Replace jobs that have ended, for instance because of their walltime.
            cluster.adapt(
                minimum_jobs=settings.workers,
                maximum_jobs=settings.workers,
                interval=RENEW_SECONDS,
            )
            say(f"{settings.type}: asked for {plural(settings.workers, 'worker', 'workers')}")
        return DaskExecutor(
            project,
            connect(cluster.scheduler_address),
            groups,
            NoWorkers(settings.patience, lambda: queue_says(settings.type)),
            say,
            lambda: _close(cluster),
        )
    except BaseException:
        _close(cluster)
        raise


def queue_says(system: str) -> str:
    """Return what the batch system reports about the workers' jobs; may be empty."""
    if system not in SYSTEMS:
        return ""
    command = SYSTEMS[system][1]
    if shutil.which(command[0]) is None:
        return f"{command[0]} is not installed"
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=QUEUE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}"
    lines = (done.stdout + done.stderr).strip().splitlines() or ["nothing"]
    return f"{command[0]} says: " + " | ".join(line.strip() for line in lines[:MAX_QUEUE_LINES])


def _cluster(project: Project, settings: ClusterSettings) -> Any:
    if settings.type == LOCAL:
        return LocalCluster(
            n_workers=settings.workers,
            threads_per_worker=settings.cores,
            memory_limit=settings.memory,
            scheduler_kwargs=NO_DASHBOARD,
        )
    return _cluster_class(settings.type)(**_batch_arguments(project, settings))


def _cluster_class(system: str) -> Any:
    """Return the class in dask-jobqueue. Its import would disable Ctrl-C for the run."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    module = importlib.import_module("dask_jobqueue")
    for number, handler in handlers.items():
        signal.signal(number, handler)
    return getattr(module, SYSTEMS[system][0])


def _batch_arguments(project: Project, settings: ClusterSettings) -> dict[str, Any]:
    """Return the arguments of the class in dask-jobqueue.

    Raises:
        TypeError, ValueError: the options are not accepted.
    """
    arguments: dict[str, Any] = {
        "cores": settings.cores,
        "memory": settings.memory,
        # One worker per job, with one thread per core: threads only wait for simulators.
        "processes": 1,
        "job_name": JOB_NAME,
        "scheduler_options": NO_DASHBOARD,
        "log_directory": str(project.root / "build" / "cluster"),
        **settings.options,
    }
    if settings.walltime:
        arguments["walltime"] = settings.walltime
    cluster = {"scheduler_options", "n_workers", "silence_logs", "security", "protocol"}
    job = {key: value for key, value in arguments.items() if key not in cluster}
    # Check the options as the cluster would, but without starting a scheduler.
    _cluster_class(settings.type).job_cls("tcp://nowhere:1", name="check", **job)
    return arguments


def _close(cluster: Any) -> None:
    with suppress(*LOST):
        cluster.close(CLOSE_SECONDS)
