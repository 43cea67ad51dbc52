"""Runs many mutants of one simulation, a process each, without starting the simulator again.

The simulator imports this module before the test's. It forks here, at time zero: the child becomes
the simulation of one mutant, in that mutant's folder, the parent waits for it and never simulates.
Starting a simulator takes longer than most mutants live.

``python -m verif.mutation.forks FOLDER --build BUILD`` runs the plan in FOLDER.
"""

from __future__ import annotations

import argparse
import atexit
import ctypes
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from regress.job import RESULTS_XML, simulate
from regress.jobfile import JOB_FILE, JOB_VARIABLE, Job
from verif.testcases import design_of

PLAN_VARIABLE = "MUTATION_PLAN"
MUTANT_VARIABLE = "MUTANT"  # read by the package that mutated copies have
MUTANT_FILE = "mutant.txt"  # read by mutated netlists
LOG_FILE = "log.txt"
ENDED_FILE = "ended.json"
PLAN_FILE = "plan.json"
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class ForkPlan:
    """What one simulator process is to do.

    Attributes:
        mutants: (number of the mutant, its folder, which has the job).
        processes: mutants at once.
        cpu_seconds: processor time after which a mutant counts as hung.
        wall_seconds: wall-clock time after which it does.
    """

    mutants: tuple[tuple[int, str], ...]
    processes: int
    cpu_seconds: int
    wall_seconds: float

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(json.dumps(asdict(self)) + "\n")

    @classmethod
    def read(cls, path: Path) -> ForkPlan:
        """Read what :meth:`write` wrote."""
        data = json.loads(path.read_text())
        return cls(**{**data, "mutants": tuple((int(n), str(f)) for n, f in data["mutants"])})


class _Child:
    """A mutant that runs."""

    def __init__(self, process: int, folder: Path, plan: ForkPlan) -> None:
        self.process = process
        self.handle = os.pidfd_open(process)
        self._folder = folder
        self._start = time.monotonic()
        self.deadline = self._start + plan.wall_seconds

    def finish(self, killed: bool) -> None:
        """Collect it and write down how it ended."""
        _, status, usage = os.wait4(self.process, 0)
        os.close(self.handle)
        code = os.waitstatus_to_exitcode(status)
        ended = {
            "returncode": code,
            "timed_out": killed or code in (-signal.SIGXCPU, -signal.SIGKILL),
            "seconds": round(time.monotonic() - self._start, 4),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 4),
        }
        (self._folder / ENDED_FILE).write_text(json.dumps(ended) + "\n")


def serve(plan: ForkPlan) -> bool:
    """Fork a child for each mutant; True in a child, False in the parent when all have ended."""
    waiting = list(reversed(plan.mutants))
    running: dict[int, _Child] = {}
    poller = select.poll()
    while waiting or running:
        while waiting and len(running) < plan.processes:
            number, name = waiting.pop()
            folder = Path(name)
            process = os.fork()
            if not process:
                _become(number, folder, plan)
                return True
            child = _Child(process, folder, plan)
            running[child.handle] = child
            poller.register(child.handle, select.POLLIN)
        soonest = min(child.deadline for child in running.values())
        ready = [handle for handle, _ in poller.poll(max(0.0, soonest - time.monotonic()) * 1000)]
        for handle, child in list(running.items()):
            late = time.monotonic() > child.deadline
            if late:
                os.kill(child.process, signal.SIGKILL)
            if late or handle in ready:
                poller.unregister(handle)
                del running[handle]
                child.finish(killed=late)
    return False


def _become(number: int, folder: Path, plan: ForkPlan) -> None:
    """Turn this process into the simulation of one mutant, in a session of its own as any job."""
    os.setsid()
    # It must not outlive the parent, whose process group it has left.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    sys.stdout.flush()
    sys.stderr.flush()
    log = os.open(folder / LOG_FILE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.close(log)
    os.chdir(folder)
    (folder / MUTANT_FILE).write_text(f"{number}\n")
    os.environ[MUTANT_VARIABLE] = str(number)
    os.environ[JOB_VARIABLE] = str(folder / JOB_FILE)
    os.environ["COCOTB_RESULTS_FILE"] = str(folder / RESULTS_XML)
    # Threads are not inherited: the simulator would wait at its end for those of the parent.
    atexit.register(_leave)
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + plan.cpu_seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))


def _leave() -> None:
    """End at once; results.xml and result.json say what there is to say."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def main() -> int:
    """Run a plan; returns the simulator's exit code."""
    parser = argparse.ArgumentParser(prog="python -m verif.mutation.forks")
    parser.add_argument("folder", type=Path, help=f"folder with {PLAN_FILE} and {JOB_FILE}")
    parser.add_argument("--build", type=Path, required=True, help="folder with the simulation")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    return simulate(
        Job.read(folder / JOB_FILE),
        folder,
        arguments.build.resolve(),
        first_modules=("verif.mutation.forks",),
        environment={PLAN_VARIABLE: str(folder / PLAN_FILE)},
    )


def _inside_the_simulator() -> None:
    plan = ForkPlan.read(Path(os.environ[PLAN_VARIABLE]))
    job = Job.read(Path(os.environ[JOB_VARIABLE]))
    importlib.import_module(design_of(job.test).test_module)  # once, for all of them
    if not serve(plan):
        sys.stdout.flush()
        os._exit(0)  # the parent never simulates


if __name__ == "__main__":
    sys.exit(main())
if PLAN_VARIABLE in os.environ:
    _inside_the_simulator()
