import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def counts(dut):
    """Counts enabled cycles, however they are spread."""
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.enable.value = 0
    dut.rst_n.value = 0
    await FallingEdge(dut.clk)
    dut.rst_n.value = 1
    expected = 0
    for _ in range(50):
        dut.enable.value = enable = random.randrange(2)
        await FallingEdge(dut.clk)
        expected = (expected + enable) % 16
        assert dut.count.value == expected, f"count is {int(dut.count.value)}, expected {expected}"
