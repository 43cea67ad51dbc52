"""kill -9 of the runner in the middle of a real run, then ``--resume``; the tool is a stand-in."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from regress.tests.test_run import gone
from verif.implement.flow.plan import PLAN_FILE
from verif.implement.flow.record import IMPLEMENT_FILE
from verif.implement.tests.conftest import regress

IMPLEMENT = ("implement", "--jobs", "1")


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen")


def calls(folder: Path) -> list[tuple[str, int]]:
    """Netlist and process of each call of the tool so far."""
    path = folder / "calls"
    lines = path.read_text().splitlines() if path.is_file() else []
    return [(line.split()[0].rpartition("-")[0], int(line.split()[1])) for line in lines]


def test_nothing_finished_is_done_again_after_the_runner_was_killed(sample: Path) -> None:
    runner = regress(sample, *IMPLEMENT, "--out", "run")
    wait_for(lambda: len(calls(sample)) == 3)
    runner.kill()
    runner.communicate()
    assert gone(calls(sample)[2][1])
    answers = sorted((sample / "run").glob("jobs/*/measured.json"))
    assert [path.parent.name for path in answers] == ["counter-1-gates-s1", "counter-2-gates-s1"]
    assert (sample / "run" / PLAN_FILE).is_file()
    written = [path.stat().st_mtime_ns for path in answers]

    resumed = regress(sample, *IMPLEMENT, "--resume", "run")
    said, _ = resumed.communicate(timeout=60)
    assert resumed.returncode == 0
    assert "2 of 4 jobs have ended, going on with the others" in said
    assert [path.stat().st_mtime_ns for path in answers] == written
    one, two, three, four = list(dict.fromkeys(name for name, _ in calls(sample)))
    counts = Counter(name for name, _ in calls(sample))
    assert (counts[one], counts[two], counts[three], counts[four]) == (1, 1, 2, 1)
    points = json.loads((sample / "run" / IMPLEMENT_FILE).read_text())["points"]
    assert [point["status"] for point in points] == ["done"] * 4
    assert not list((sample / "build" / "implement").glob(".*"))

    # A new run finds all of it measured.
    again = regress(sample, *IMPLEMENT, "--out", "again")
    said, _ = again.communicate(timeout=60)
    assert said.count("CACHED") == 4
    assert len(calls(sample)) == 5
