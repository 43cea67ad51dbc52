"""The tests of the fronts find faults that are injected into a front."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from verif.bench.configuration.design import ROOT
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Operator, Replace
from verif.tests.injected import run_list

AXI, APB, WISHBONE, BLOCK = "axi4_lite_front", "apb4_front", "wishbone_front", "register_block"
ACCEPTED = "accepted is True, expected False"
OTHER_ANSWER = f"reason is|{ACCEPTED}"
LIST = """\
description: one job
jobs:
  - test: {test}
    architectures: [mwrkmm]
    widths: [33]
    simulators: [icarus]
    operations: 12
    timeout: 60s
"""


@dataclass(frozen=True)
class Fault:
    """A fault, the test that finds it, and what that reports."""

    name: str
    test: str
    message: str
    changes: Sequence[Operator]


def r(module: str, signal: str, to: str) -> Operator:
    return Replace(module=module, signal=signal, to=to)


FAULTS = (
    Fault("no error of a write", "axi4_lite_rejected", ACCEPTED, [r(AXI, "bresp_o", "RespOkay")]),
    Fault("no error of a read", "axi4_lite_rejected", ACCEPTED, [r(AXI, "rresp_o", "RespOkay")]),
    Fault("write into the address of a read", "axi4_lite_powers", "is False, expected True",
          [r(AXI, "address", "araddr_i")]),
    Fault("write response does not wait", "axi4_lite_powers", "HoldWriteResponse",
          [r(AXI, "bvalid_q", "ack && write")]),
    Fault("no PSLVERR", "apb4_rejected", ACCEPTED, [r(APB, "pslverr_o", "1'b0")]),
    Fault("always ready", "apb4_powers", "ResponseAfterSetup|OneResponse",
          [r(APB, "pready_o", "1'b1")]),
    Fault("strobes ignored", "apb4_rejected", OTHER_ANSWER, [r(APB, "full", "1'b1")]),
    Fault("acknowledge for an error", "wishbone_rejected", ACCEPTED,
          [r(WISHBONE, "ack_o", "ack"), r(WISHBONE, "err_o", "1'b0")]),
    Fault("no stall", "wishbone_powers", "Hold", [r(WISHBONE, "stall_o", "1'b0")]),
    Fault("selects ignored", "wishbone_rejected", OTHER_ANSWER,
          [r(WISHBONE, "full", "1'b1")]),
    Fault("order of words not checked", "apb4_rejected", OTHER_ANSWER,
          [r(BLOCK, "in_order", "1'b1")]),
    Fault("words after the last one", "apb4_rejected", OTHER_ANSWER,
          [r(BLOCK, "exists", "bits != 16'd0")]),
    Fault("interrupt without enable", "apb4_powers", "without enable",
          [r(BLOCK, "irq_o", "|state_q")]),
    Fault("unaligned accesses", "apb4_rejected", OTHER_ANSWER,
          [r(BLOCK, "aligned", "1'b1")]),
)  # fmt: skip


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_found(fault: Fault, tmp_path: Path) -> None:
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", fault.changes)
    path = tmp_path / "one.yaml"
    path.write_text(LIST.format(test=fault.test))
    code, record = run_list(path, tmp_path, "--hdl", str(hdl))
    assert code == 1
    (job,) = record["jobs"]
    assert job["status"] == "failed"
    assert re.search(fault.message, job["message"])
