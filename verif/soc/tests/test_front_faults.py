"""Each test of a front finds a fault of the catalogue with the check that is meant for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verif.bench.configuration.design import ROOT
from verif.faults.catalogue import faults
from verif.library.edits.altered import altered_copy
from verif.tests.injected import run_list

ACCEPTED = "accepted is True, expected False"
LIST = """\
description: one job
jobs:
  - test: {test}
    architectures: [mwrkmm]
    widths: [33]
    simulators: [icarus]
    operations: 12
    timeout: 120s
"""
# Fault, test and message of the check that finds it: one for each test and bus, then the others,
# which the nightly runs.
FOUND = (
    ("front-axi-write-at-read-address", "axi4_lite_driver", "initialise is|power is"),
    ("front-axi-write-without-error", "axi4_lite_rejected", ACCEPTED),
    ("front-axi-decides-again-in-the-response", "axi4_lite_beside", "HoldTransfer|WasThere"),
    ("front-apb-always-ready", "apb4_powers", "Response"),
    ("front-wishbone-without-stall", "wishbone_powers", "Stall|Hold|Stable"),
)
OTHERS = (
    ("front-axi-reads-wait-for-ever", "axi4_lite_beside", "GoOn"),
    ("front-axi-response-does-not-wait", "axi4_lite_powers", "HoldWriteResponse|WriteResponse"),
    ("front-order-not-checked", "apb4_rejected", f"reason is|{ACCEPTED}"),
    ("front-pin-without-enable", "apb4_powers", "without enable"),
)


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "test", "message"),
    [*FOUND, *(pytest.param(*other, marks=pytest.mark.campaign) for other in OTHERS)],
)
def test_a_fault_is_found(fault: str, test: str, message: str, tmp_path: Path) -> None:
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", faults()[fault].changes)
    path = tmp_path / "one.yaml"
    path.write_text(LIST.format(test=test))
    code, record = run_list(path, tmp_path, "--hdl", str(hdl))
    assert code == 1
    (job,) = record["jobs"]
    assert job["status"] == "failed"
    assert re.search(message, job["message"])
