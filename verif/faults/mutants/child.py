"""Process of a job with mutants: run each mutant and report which ones the job's test kills.

For a build with many mutants the simulator starts once, because starting it takes longer than most
mutants survive. It imports this module before the test's module and forks here, at time zero. The
child becomes the simulation of one mutant, in that mutant's folder. The parent waits for the child
and never simulates.
"""

from __future__ import annotations

import argparse
import atexit
import ctypes
import importlib
import json
import logging
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import JOB_FILE, JOB_VARIABLE, Job
from regress.core.loading import find_project
from regress.core.processes import Ended, ProcessGroups, clean_environment, end_with_parent
from regress.core.project import Project
from regress.executors.local import job_command
from regress.run.job import RESULTS_XML, simulate
from regress.run.judge import Evidence, Verdict, judge
from verif.faults.mutants.builds import makes_a_difference

PLAN_VARIABLE = "MUTATION_PLAN"  # in the simulator: path of the file with numbers and folders
MUTANT_VARIABLE = "MUTANT"  # the package in mutated copies reads it
# Environment of a job: the files whose mutants it may kill; it is the last job; the top of its
# mutant's own build; keep the folders of the simulations.
FILES_VARIABLE, LAST_VARIABLE = "MUTATION_FILES", "MUTATION_LAST"
ALONE_VARIABLE, KEEP_VARIABLE = "MUTATION_ALONE", "MUTATION_KEEP"
LOG_FILE = "log.txt"
ENDED_FILE = "ended.json"
FOLDER = "mutants"
PR_SET_PDEATHSIG = 1
# A mutant that exceeds a limit counts as hung.
CPU_SECONDS = 20
WALL_SECONDS = 120.0
BASELINE = 0


def run(project: Project, job: Job, folder: Path, build: Path) -> int:
    """Run the mutants of a job; return 1 if the test fails without a mutant.

    Each mutant becomes a case. It passes if the test kills the mutant. It stays open if the test
    does not kill it and another job follows. Otherwise it fails.
    """
    assert job.launch is not None
    asked = job.launch.environment
    plain = replace(job, cases=(), launch=replace(job.launch, program=""))
    files = asked[FILES_VARIABLE].split(":")
    mine = [case for case in job.cases if case["file"] in files]
    verdicts: dict[str, tuple[Verdict, float]] = {}
    if mine and ALONE_VARIABLE in asked:
        if makes_a_difference(project, plain, asked[ALONE_VARIABLE], build):
            verdict, ended = simulated(project, plain, folder / FOLDER, build)
            verdicts[mine[0]["name"]] = verdict, ended.seconds
    elif mine:
        found = _forked(
            project, plain, folder, build, [BASELINE, *(case["number"] for case in mine)]
        )
        sane, _ = found[BASELINE]
        if not sane.passed:
            for case in job.cases:
                _left(case, 0.0, False).append(folder)
            print(f"fails without a mutant: {sane.message}")
            return 1
        verdicts = {case["name"]: found[case["number"]] for case in mine}
    for case in job.cases:
        verdict, seconds = verdicts.get(case["name"], (Verdict(True), 0.0))
        seconds = round(case.get("seconds", 0.0) + seconds, 4)
        if verdict.passed:
            _left(case, seconds, LAST_VARIABLE in asked).append(folder)
        else:
            facts = {**case, "seconds": seconds, "found_by": job.test}
            note = f"{job.test}: {verdict.message}"
            Case(case["name"], CaseStatus.PASSED, note=note, facts=facts).append(folder)
    if KEEP_VARIABLE not in asked:
        shutil.rmtree(folder / FOLDER, ignore_errors=True)
    return 0


def _left(case: Mapping[str, Any], seconds: float, last: bool) -> Case:
    """Return the case of a mutant that the test did not kill."""
    facts = {**case, "seconds": seconds}
    if not last:
        return Case(case["name"], CaseStatus.OPEN, facts=facts)
    message = f"no job finds {case['operator']} in {case['file']}: {case['change']}"
    return Case(case["name"], CaseStatus.FAILED, message, facts=facts)


def simulated(
    project: Project,
    job: Job,
    folder: Path,
    build: Path,
    seconds: float = WALL_SECONDS,
    root: Path | None = None,
) -> tuple[Verdict, Ended]:
    """Run a normal simulation on a build of one mutant; return the verdict and how it ended.

    Args:
        project: project whose judge gives the verdict.
        job: job to run.
        folder: folder of the simulation; it is created.
        build: folder with the build.
        seconds: limit of wall-clock time.
        root: root of the project; None for the current folder.
    """
    folder.mkdir()
    job.write(folder / JOB_FILE)
    ended = ProcessGroups().run(
        job_command("regress.run.job", folder, build),
        cwd=root or Path.cwd(),
        env={**clean_environment(), **({"PYTHONPATH": str(root)} if root else {})},
        log=folder / LOG_FILE,
        timeout=seconds,
    )
    return judge(project, job, Evidence.collect(project, folder, ended, seconds)), ended


def _forked(
    project: Project, job: Job, folder: Path, build: Path, numbers: Sequence[int]
) -> dict[int, tuple[Verdict, float]]:
    """Run mutants in forks of one simulator; return verdict and processor time by number."""
    folders = {number: folder / FOLDER / str(number) for number in numbers}
    for child in folders.values():
        child.mkdir(parents=True)
        job.write(child / JOB_FILE)
    plan = folder / FOLDER / "plan.json"
    plan.write_text(json.dumps([(number, str(child)) for number, child in folders.items()]))
    # Ignore the result of the parent, which never simulates.
    simulate(
        job,
        folder,
        build,
        first_modules=("verif.faults.mutants.child",),
        environment={PLAN_VARIABLE: str(plan)},
    )
    return {number: _verdict(project, job, child) for number, child in folders.items()}


def _verdict(project: Project, job: Job, folder: Path) -> tuple[Verdict, float]:
    """Return the judge's verdict on a mutant's folder, and the mutant's processor time."""
    try:
        data = json.loads((folder / ENDED_FILE).read_text())
    except (OSError, ValueError):
        return Verdict(False, "its process was never collected"), 0.0
    ended = Ended(data["returncode"], data["timed_out"], False, data["seconds"])
    verdict = judge(project, job, Evidence.collect(project, folder, ended, WALL_SECONDS))
    return verdict, float(data["cpu_seconds"])


def serve(mutants: Sequence[tuple[int, str]]) -> bool:
    """Fork a child for each mutant in turn; return True in a child, False in the parent."""
    for number, name in mutants:
        folder, start = Path(name), time.monotonic()
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
            "timed_out": late or code in (-signal.SIGXCPU, -signal.SIGKILL),
            "seconds": round(time.monotonic() - start, 4),
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


def main() -> int:
    """Run as the job's process."""
    end_with_parent()
    parser = argparse.ArgumentParser(prog="python -m verif.faults.mutants.child")
    parser.add_argument("folder", type=Path, help=f"folder with {JOB_FILE}")
    parser.add_argument("--build", type=Path, required=True, help="folder with the simulation")
    arguments = parser.parse_args()
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    folder = arguments.folder.resolve()
    return run(find_project(), Job.read(folder / JOB_FILE), folder, arguments.build.resolve())


if __name__ == "__main__":
    sys.exit(main())
if PLAN_VARIABLE in os.environ:
    _inside_the_simulator()
