"""The C driver as a RISC-V program: its accesses are transfers of the simulated front's bus."""

from __future__ import annotations

from pathlib import Path

import pytest

from verif.soc.riscv import COMPILER, compiler_exists
from verif.tests.injected import run_list

LIST = """\
description: one job
jobs:
  - test: axi4_lite_driver_riscv
    architectures: [mwrkmm]
    widths: [33]
    simulators: [icarus]
    operations: 1
"""
pytestmark = [
    pytest.mark.simulation,
    pytest.mark.slow,
    pytest.mark.skipif(not compiler_exists(), reason=f"{COMPILER} is not installed"),
]


def test_the_program_computes_on_the_simulated_core(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(LIST)
    code, record = run_list(path, tmp_path)
    (job,) = record["jobs"]
    assert code == 0, job["message"]
    assert job["result"]["operations"] == 1
