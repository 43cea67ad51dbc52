"""Workers from a batch system, as a YAML file says."""

from __future__ import annotations

import importlib
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from distributed import LocalCluster
from jsonschema import Draft202012Validator

from regress.cluster.executor import CLOSE_SECONDS, LOST, DaskExecutor, NoWorkers, connect
from regress.errors import UsageError
from regress.lists import duration
from regress.processes import ProcessGroups
from regress.yaml_file import Problems, line_of, read_yaml
from verif.design import ROOT

LOCAL = "local"
# Class of dask-jobqueue, and the command that shows what waits.
SYSTEMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "htcondor": ("HTCondorCluster", ("condor_q",)),
    "lsf": ("LSFCluster", ("bjobs", "-w")),
    "moab": ("MoabCluster", ("showq",)),
    "oar": ("OARCluster", ("oarstat",)),
    "pbs": ("PBSCluster", ("qstat",)),
    "sge": ("SGECluster", ("qstat",)),
    "slurm": ("SLURMCluster", ("squeue", "--me", "--noheader", "--format=%i %T %r")),
}
# What the workers say.
LOG_FOLDER = ROOT / "build" / "cluster"
JOB_NAME = "regress-worker"
DEFAULT_PATIENCE = 300.0
# A worker whose batch job has ended is replaced after at most this time.
RENEW_SECONDS = "5s"
QUEUE_SECONDS = 10.0
MAX_QUEUE_LINES = 5
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["type", "workers", "cores", "memory"],
    "properties": {
        "type": {"enum": [LOCAL, *SYSTEMS]},
        "workers": {"type": "integer", "minimum": 1},
        "cores": {"type": "integer", "minimum": 1},
        "memory": {"type": "string", "minLength": 1},
        "walltime": {"type": "string", "minLength": 1},
        "patience": {"type": ["number", "string"]},
        "options": {"type": "object"},
    },
}


@dataclass(frozen=True)
class ClusterSettings:
    """Workers to start.

    Attributes:
        path: the file that says so.
        type: batch system, a key of :data:`SYSTEMS`, or ``local`` for processes of this machine.
        workers: batch jobs, each one worker.
        cores: of each worker; it takes as many of our jobs at once.
        memory: of each worker, for instance ``4GB``.
        walltime: of each batch job, as the batch system wants it; empty for its default.
        patience: seconds for which there may be no worker.
        options: further arguments of the class in dask-jobqueue.
        options_line: line of the file.
    """

    path: Path
    type: str
    workers: int
    cores: int
    memory: str
    walltime: str = ""
    patience: float = DEFAULT_PATIENCE
    options: Mapping[str, Any] = field(default_factory=dict)
    options_line: int = 1


def load_cluster(path: Path) -> ClusterSettings:
    """Read and check a file.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    data = read_yaml(path, "the cluster file", "'type', 'workers', 'cores' and 'memory'")
    problems = Problems(path, "the cluster file")
    for error in Draft202012Validator(SCHEMA).iter_errors(data):
        problems.add_schema_error(data, error)
    problems.stop_if_any()
    patience = DEFAULT_PATIENCE
    try:
        patience = duration(data.get("patience", DEFAULT_PATIENCE))
    except ValueError as error:
        problems.add(line_of(data, ["patience"]), f"patience: {error}")
    if data["type"] == LOCAL:
        for key in ("walltime", "options"):
            if key in data:
                problems.add(line_of(data, [key]), f"{key}: type 'local' has none")
    problems.stop_if_any()
    settings = ClusterSettings(
        path=path,
        type=str(data["type"]),
        workers=int(data["workers"]),
        cores=int(data["cores"]),
        memory=str(data["memory"]),
        walltime=str(data.get("walltime", "")),
        patience=patience,
        options=dict(data.get("options", {})),
        options_line=line_of(data, ["options"]) if "options" in data else 1,
    )
    try:
        _batch_arguments(settings)
    except (TypeError, ValueError) as error:
        line = settings.options_line if "argument" in str(error) else line_of(data, ["memory"])
        raise UsageError(f"{path}:{line}: {_first_line(error)}") from None
    return settings


def require_system(settings: ClusterSettings) -> None:
    """Make sure that jobs can be submitted from here.

    Raises:
        UsageError: the batch system's command is missing.
    """
    if settings.type == LOCAL:
        return
    submit = _cluster_class(settings.type).job_cls.submit_command.split()[0]
    if shutil.which(submit) is None:
        raise UsageError(
            f"{settings.path}: there is no {settings.type} on this machine: {submit} is not on PATH"
        )


def start_cluster(
    settings: ClusterSettings, groups: ProcessGroups, say: Callable[[str], None]
) -> DaskExecutor:
    """Ask for the workers; they come when the batch system lets them.

    Raises:
        OSError: no scheduler could be started.
    """
    cluster = _cluster(settings)
    try:
        if settings.type != LOCAL:
            # Jobs that were ended, by their walltime for instance, are replaced.
            cluster.adapt(
                minimum_jobs=settings.workers,
                maximum_jobs=settings.workers,
                interval=RENEW_SECONDS,
            )
            say(f"{settings.type}: asked for {settings.workers} workers")
        return DaskExecutor(
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
    """What the batch system says about the workers' jobs; empty if it has nothing to say."""
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


def _cluster(settings: ClusterSettings) -> Any:
    if settings.type == LOCAL:
        return LocalCluster(
            n_workers=settings.workers,
            threads_per_worker=settings.cores,
            memory_limit=settings.memory,
            dashboard_address=None,
        )
    arguments = _batch_arguments(settings)
    return _cluster_class(settings.type)(**arguments)


def _cluster_class(system: str) -> Any:
    """The class in dask-jobqueue, whose import takes Ctrl-C away from the run."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    module = importlib.import_module("dask_jobqueue")
    for number, handler in handlers.items():
        signal.signal(number, handler)
    return getattr(module, SYSTEMS[system][0])


def _batch_arguments(settings: ClusterSettings) -> dict[str, Any]:
    """Arguments of the class in dask-jobqueue.

    Raises:
        TypeError, ValueError: the options are not accepted.
    """
    if settings.type == LOCAL:
        return {}
    arguments: dict[str, Any] = {
        "cores": settings.cores,
        "memory": settings.memory,
        # One worker a job, with a thread for each core: threads only wait for simulators.
        "processes": 1,
        "job_name": JOB_NAME,
        "scheduler_options": {"dashboard_address": None},
        "log_directory": str(LOG_FOLDER),
        **settings.options,
    }
    if settings.walltime:
        arguments["walltime"] = settings.walltime
    cluster = {"scheduler_options", "n_workers", "silence_logs", "security", "protocol"}
    job = {key: value for key, value in arguments.items() if key not in cluster}
    # As the cluster would, but without starting a scheduler.
    _cluster_class(settings.type).job_cls("tcp://nowhere:1", name="check", **job)
    return arguments


def _close(cluster: Any) -> None:
    """Take the workers down."""
    with suppress(*LOST):
        cluster.close(CLOSE_SECONDS)


def _first_line(error: Exception) -> str:
    """Without the name of the method that Python puts in front of it."""
    return str(error).splitlines()[0].split("__init__() got an ")[-1]
