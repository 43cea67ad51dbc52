"""Each test of a front finds its fault of the catalogue, and the page counts the faults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from verif.bench.configuration.design import ROOT
from verif.faults.catalogue import faults
from verif.formal.registry import proofs
from verif.library.edits.altered import altered_copy
from verif.tests.injected import representatives, run_list

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
# The stress test and its kin, which run through a front by a parameter.
THROUGH = """\
description: one job
jobs:
  - test: {test}
    architectures: [fast_montgomery]
    widths: [33]
    simulators: [icarus]
    operations: 60
    parameters: {{Front: {front}}}
    timeout: 300s
"""
# Fault, test, front and message.
FOUND_THROUGH = (
    ("front-order-not-checked", "stress", "apb4", "accepted, must not be|the core got"),
    ("front-axi-write-without-error", "stress", "axi4_lite", "accepted, must not be"),
    ("front-axi-write-at-read-address", "random", "axi4_lite", "the bus carried|answered with"),
)
# Fault, test and message of the check that finds it: a rejected access and a rule of a bus, then
# the others, which the nightly runs.
FOUND = (
    ("front-axi-write-without-error", "axi4_lite_rejected", ACCEPTED),
    ("front-wishbone-without-stall", "wishbone_powers", "Stall|Hold|Stable"),
)
OTHERS = (
    ("front-axi-write-at-read-address", "axi4_lite_driver", "initialise is|power is"),
    ("front-axi-decides-again-in-the-response", "axi4_lite_beside", "HoldTransfer|WasThere"),
    ("front-apb-always-ready", "apb4_powers", "Response"),
    ("front-axi-reads-wait-for-ever", "axi4_lite_beside", "GoOn"),
    ("front-axi-response-does-not-wait", "axi4_lite_powers", "HoldWriteResponse|WriteResponse"),
    ("front-order-not-checked", "apb4_rejected", f"reason is|{ACCEPTED}"),
    ("front-pin-without-enable", "apb4_powers", "without enable"),
    ("front-axi-address-of-the-next-access", "axi4_lite_beside", "HoldTransfer|last word"),
    ("front-event-of-an-end-at-once-lost", "apb4_rejected", "interrupt of an end in the first"),
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
    _assert_found(code, record, message)


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "test", "front", "message"),
    representatives(FOUND_THROUGH, lambda _: "through", lambda case: f"{case[0]}-{case[1]}"),
)
def test_a_job_through_a_front_finds_a_fault_of_the_front(
    fault: str, test: str, front: str, message: str, tmp_path: Path
) -> None:
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", faults()[fault].changes)
    path = tmp_path / "one.yaml"
    path.write_text(THROUGH.format(test=test, front=front))
    code, record = run_list(path, tmp_path, "--hdl", str(hdl), "--no-shrink", "--no-waves")
    _assert_found(code, record, message)


def _assert_found(code: int, record: Mapping[str, Any], message: str) -> None:
    assert code == 1
    (job,) = record["jobs"]
    assert job["status"] == "failed"
    assert re.search(message, job["message"])


# Row of a front in its page: module, and proof.
ROWS = {
    "AXI4-Lite": ("axi4_lite_front", "axi4_lite_front_rules"),
    "APB4": ("apb4_front", "apb4_front_rules"),
    "Wishbone B4": ("wishbone_front", "wishbone_front_rules"),
    "Register block, in each": ("register_block", "register_block_rules"),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_page_counts_the_faults_of_a_front(row: str) -> None:
    module, proof = ROWS[row]
    own = [name for name, one in faults().items() if one.changes[0].module == module]
    text = (ROOT / "hdl/docs/fronts.md").read_text()
    (shown,) = re.findall(rf"^\| {row} \|.*\| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert shown == (str(len(own)), str(len(proofs()[proof].injected)))
