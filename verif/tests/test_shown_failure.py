"""What a run shows of a failure in the end: simplest configuration, shortest sequence, a picture.

Whole runs on altered designs, with nothing left out between the list and the report.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verif.bench.configuration.design import ROOT
from verif.faults.catalogue import faults
from verif.library.edits.altered import altered_copy
from verif.tests.injected import SIMULATOR

# test_stress_faults.py shrinks a sequence, test_waves.py and test_samples.py have the pictures.
pytestmark = pytest.mark.campaign


def run(folder: Path, fault: str, row: str) -> dict[str, Any]:
    """The only bucket of a list with one row, run on a design with a fault of the catalogue."""
    hdl = altered_copy(ROOT / "hdl", folder / "hdl", faults()[fault].changes)
    path = folder / "one.yaml"
    path.write_text(f"description: one\njobs: [{{simulators: [{SIMULATOR}], {row}}}]\n")
    command(folder, "run", str(path), "--hdl", str(hdl), "--out", str(folder / "run"))
    (bucket,) = json.loads((folder / "run" / "run.json").read_text())["buckets"]
    return bucket


def command(folder: Path, *words: str) -> str:
    """A command that must find a failure."""
    done = subprocess.run(
        [sys.executable, "-m", "regress", *words, "--jobs", "1"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.simulation
def test_a_failed_walk_ends_as_a_picture_of_its_last_transfer(tmp_path: Path) -> None:
    bucket = run(
        tmp_path,
        "error-field-cleared-by-reading",
        "test: stress, architectures: [fast_montgomery], widths: [14], operations: 2000,"
        " parameters: {BusWidth: 8}",
    )
    assert bucket["reproducible"]
    # Width 4, 5 or 6 instead of 14: whether the sequence of a width or a bus fails in the same way
    # is up to its draws.
    shrunk = bucket["shrunk"]["configuration"]
    assert re.fullmatch(r"fast_montgomery [456]( BusWidth=8)?", shrunk)
    rerun = bucket["rerun"]
    assert "the model says" in rerun["finding"], rerun
    steps = rerun["message"].partition("in the fewest steps: ")[2].partition(" (and")[0]
    assert 2 <= len(steps.split(", ")) <= 4, steps
    transfer = steps.split(", ")[-1].partition(" [")[0]
    picture = (tmp_path / "run" / rerun["picture"]).read_text()
    assert transfer in rerun["finding"] and transfer in picture and 'class="wv-wanted"' in picture
    # The waves have this sequence and nothing else: no try before it, no shrinking.
    result = json.loads((tmp_path / "run" / rerun["folder"] / "result.json").read_text())
    assert result["sim_time_ns"] < 3000
    words = shlex.split(bucket["command"])
    assert "--replay" in words and words[2] == "regress"
    out = command(tmp_path, *words[3:], "--out", str(tmp_path / "again"))
    assert steps.partition(" [")[0] in out


@pytest.mark.simulation
def test_a_failing_configuration_is_shrunk_to_what_it_needs(tmp_path: Path) -> None:
    """Wrong where three iterations or more are done in a clock and two or more are left over."""
    bucket = run(
        tmp_path,
        "rest-of-an-unfolded-loop",
        "test: random, architectures: [unfolded_faster_montgomery], widths: [15], operations: 10,"
        " parameters: {BusWidth: 8, AddressWidth: 3, Unfolding: 4}",
    )
    shrunk = bucket["shrunk"]
    name, width, *parameters = shrunk["configuration"].split()
    assert (name, parameters) in (
        ("unfolded_faster_montgomery", ["Unfolding=3"]),
        ("unfolded_faster_montgomery", ["Unfolding=4"]),
    )
    # The narrowest widths that leave two iterations over, and have two cycles' worth of bits. On a
    # machine with much else to do the time for it may be over before the end.
    smallest = {"Unfolding=3": 8, "Unfolding=4": 10}[parameters[0]]
    assert int(width) == smallest or (not shrunk["finished"] and int(width) <= 15)
    assert "Unfolding=" in bucket["command"] and "BusWidth" not in bucket["command"]
    assert bucket["rerun"]["picture"]
