"""Cadence Xcelium, as found on PATH.

Written from cocotb's runner and tested only with a stand-in for ``xrun``, for lack of a licence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from typing_extensions import Self

from regress.simulators.base import Simulator

if TYPE_CHECKING:
    from cocotb_tools.runner import Runner


class Xcelium(Simulator):
    """Compiles the design; four-valued. Its waves are SHM: no picture in the report."""

    name = "xcelium"
    title = "Xcelium"
    programs = ("xrun",)
    runner = "xcelium"
    executable = "xrun_snapshot"
    install = "your EDA group (xrun on PATH, and a licence)"
    slowdown = 10

    @classmethod
    def find(cls) -> Self:
        """See :meth:`Simulator.find`."""
        return replace(super().find(), waves=False)

    @classmethod
    def cocotb_runner(cls) -> Runner:
        """See :meth:`Simulator.cocotb_runner`."""
        runner = super().cocotb_runner()
        # cocotb 2.1 reads the source lists even to run a simulation: it assumes it has just built.
        runner.sources, runner.vhdl_sources, runner.verilog_sources = [], [], []
        return runner
