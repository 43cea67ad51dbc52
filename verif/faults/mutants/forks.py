"""Many mutants in one build: each is a fork of one simulation.

The simulator starts once, because starting it takes longer than most mutants survive. It imports
this module before the test's module and forks here, at time zero. The child becomes the simulation
of one mutant, in that mutant's folder. The parent waits for the child and never simulates.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib
import json
import os
import resource
import select
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from regress.core.jobfile import JOB_FILE, JOB_VARIABLE, Job
from regress.core.processes import Ended
from regress.run.job import RESULTS_XML, simulate
from regress.run.judge import Evidence, judge
from verif.faults.campaign.simulate import LOG_FILE, judged
from verif.faults.campaign.way import InvalidDesign, Process, State, Tried

PLAN_VARIABLE = "MUTATION_PLAN"  # in the simulator: path of the file with numbers and folders
MUTANT_VARIABLE = "MUTANT"  # the package in mutated copies reads it
ENDED_FILE = "ended.json"
FOLDER = "mutants"
PR_SET_PDEATHSIG = 1
# A mutant that exceeds the limit of processor time hangs; the wall clock decides nothing.
CPU_SECONDS = 20
WALL_SECONDS = 120.0
BASELINE = 0


def forked(process: Process, cases: Sequence[Mapping[str, Any]]) -> dict[str, Tried]:
    """Run mutants in forks of one simulator.

    Raises:
        InvalidDesign: the test fails without a mutant.
    """
    numbers = [BASELINE, *(case["number"] for case in cases)]
    folders = {number: process.folder / FOLDER / str(number) for number in numbers}
    for child in folders.values():
        child.mkdir(parents=True)
        process.job.write(child / JOB_FILE)
    plan = process.folder / FOLDER / "plan.json"
    plan.write_text(json.dumps([(number, str(child)) for number, child in folders.items()]))
    # Ignore the result of the parent, which never simulates.
    simulate(
        process.job,
        process.folder,
        process.build,
        first_modules=(__name__,),
        environment={PLAN_VARIABLE: str(plan)},
    )
    sane = _tried(process, folders[BASELINE])
    if sane.state is not State.MISSED:
        raise InvalidDesign(sane.message)
    found = {case["name"]: _tried(process, folders[case["number"]]) for case in cases}
    if not process.asked.keep:
        shutil.rmtree(process.folder / FOLDER, ignore_errors=True)
    return found


def _tried(process: Process, folder: Path) -> Tried:
    """Return the judge's verdict on a mutant's folder, with the mutant's processor time."""
    try:
        data = json.loads((folder / ENDED_FILE).read_text())
    except (OSError, ValueError):
        return Tried(State.UNDECIDED, "its process was never collected")
    code, cpu = data["returncode"], float(data["cpu_seconds"])
    if code in (-signal.SIGXCPU, -signal.SIGKILL) and cpu >= CPU_SECONDS:
        return Tried(State.DETECTED, f"no end within {CPU_SECONDS} s of processor time", cpu)
    ended = Ended(code, data["late"], False, cpu)
    evidence = Evidence.collect(process.project, folder, ended, WALL_SECONDS)
    verdict = judge(process.project, process.job, evidence)
    return judged(process.project, verdict, evidence)


def serve(mutants: Sequence[tuple[int, str]]) -> bool:
    """Fork a child for each mutant in turn; return True in a child, False in the parent."""
    for number, name in mutants:
        folder = Path(name)
        process = os.fork()
        if not process:
            _become(number, folder)
            return True
        handle = os.pidfd_open(process)
        poller = select.poll()
        poller.register(handle, select.POLLIN)
        late = not poller.poll(WALL_SECONDS * 1000)
        if late:
            os.kill(process, signal.SIGKILL)
        _, status, usage = os.wait4(process, 0)
        os.close(handle)
        code = os.waitstatus_to_exitcode(status)
        ended = {
            "returncode": code,
            "late": late,
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 4),
        }
        (folder / ENDED_FILE).write_text(json.dumps(ended) + "\n")
    return False


def _become(number: int, folder: Path) -> None:
    """Turn this process into the simulation of one mutant, in its own session like any job."""
    os.setsid()
    # Kill this process when the parent ends, because it has left the parent's process group.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    sys.stdout.flush()
    sys.stderr.flush()
    log = os.open(folder / LOG_FILE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.close(log)
    os.chdir(folder)
    os.environ[MUTANT_VARIABLE] = str(number)
    os.environ[JOB_VARIABLE] = str(folder / JOB_FILE)
    os.environ["COCOTB_RESULTS_FILE"] = str(folder / RESULTS_XML)
    # Exit at once: fork does not copy threads, but the simulator would wait for the parent's.
    atexit.register(_leave)
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))


def _leave() -> None:
    """End at once; results.xml and result.json have the results."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _inside_the_simulator() -> None:
    mutants = json.loads(Path(os.environ[PLAN_VARIABLE]).read_text())
    job = Job.read(Path(os.environ[JOB_VARIABLE]))
    assert job.launch is not None
    importlib.import_module(job.launch.module)  # imported once for all mutants
    if not serve(mutants):
        sys.stdout.flush()
        os._exit(0)  # the parent never simulates


if PLAN_VARIABLE in os.environ:
    _inside_the_simulator()
