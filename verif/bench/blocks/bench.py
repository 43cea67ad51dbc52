"""Common functions of the block benches: clock, reset, driving, checking and reporting."""

from __future__ import annotations

from random import Random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from regress.core.bench import report
from regress.core.jobfile import Job

PERIOD_NS = 10
SETTLE_NS = 1


class BlockBench:
    """A block with a clock and a reset.

    Inputs change at the falling edge of the clock, and outputs are read there.

    Attributes:
        dut: the block.
        random: the job's generator; the same seed gives the same stimulus.
        cycles: number of times that the test drives the block.
    """

    def __init__(self) -> None:
        """Read the job that this simulation runs."""
        job, _ = Job.current()
        self.dut = cocotb.top
        self.random = Random(job.seed)
        self.cycles = job.operations
        self._checked = 0

    def value(self, bits: int) -> int:
        """Return a random value; all zeros and all ones are frequent."""
        return self.random.choice((0, (1 << bits) - 1, *[self.random.getrandbits(bits)] * 4))

    def drive(self, **inputs: int) -> None:
        """Set inputs, named without their suffix."""
        for name, value in inputs.items():
            getattr(self.dut, f"{name}_i").value = value

    def output(self, name: str) -> int:
        """Return an output, named without its suffix."""
        return int(getattr(self.dut, f"{name}_o").value)

    def check(self, what: str, seen: int, expected: int) -> None:
        """Compare an output with its expected value."""
        self._checked += 1
        assert seen == expected, f"{what} is {seen:#x}, expected {expected:#x}"

    async def start(self, **inputs: int) -> None:
        """Reset the block with these inputs and start its clock."""
        self.drive(**inputs)
        if hasattr(self.dut, "rst_ni"):
            self.dut.rst_ni.value = 0
        Clock(self.dut.clk_i, PERIOD_NS, "ns", impl="gpi").start()
        await self.cycle()
        if hasattr(self.dut, "rst_ni"):
            self.dut.rst_ni.value = 1

    async def cycle(self) -> None:
        """Wait until the next falling edge of the clock."""
        await FallingEdge(self.dut.clk_i)

    async def settle(self) -> None:
        """Wait until combinational outputs follow the inputs."""
        await Timer(SETTLE_NS, "ns")

    def end(self) -> None:
        """Report the number of checks; a test without any check fails."""
        report(operations=self._checked)
