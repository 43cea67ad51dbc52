"""Verdict on a run that lost a worker: ``python -m ci.cluster_result RUN --lost N``.

Every job must have passed, and as many must have been started twice as were lost with a worker.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from regress.core.runfile import RUN_FILE, Status


def main(argv: Sequence[str] | None = None) -> int:
    """Print a summary; returns 0 if the run came through."""
    parser = argparse.ArgumentParser(prog="python -m ci.cluster_result", description=__doc__)
    parser.add_argument("run_folder", type=Path, metavar="RUN")
    parser.add_argument("--lost", type=int, required=True, help="jobs that ran on the lost worker")
    arguments = parser.parse_args(argv)
    jobs = json.loads((arguments.run_folder / RUN_FILE).read_text())["jobs"]
    passed = [job for job in jobs if job["status"] == Status.PASSED.value]
    again = [job for job in jobs if job["lost"]]
    for job in again:
        attempt = len(job["lost"]) + 1
        print(f"  {job['planned']['id']}: {job['status']} at attempt {attempt}, {job['lost'][0]}")
    print(
        f"  {len(passed)} of {len(jobs)} jobs passed, {len(again)} of them at the second attempt, "
        f"{arguments.lost} were lost with the worker"
    )
    repeated = sum(len(job["lost"]) for job in jobs)
    came_through = jobs and len(passed) == len(jobs) and len(again) == arguments.lost
    return 0 if came_through and repeated == arguments.lost else 1


if __name__ == "__main__":
    sys.exit(main())
