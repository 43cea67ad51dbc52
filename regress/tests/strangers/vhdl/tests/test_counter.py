import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def counts(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.reset.value, dut.enable.value = 1, 0
    await FallingEdge(dut.clk)
    dut.reset.value = 0
    expected = 0
    for _ in range(100):
        enable = random.randrange(2)
        dut.enable.value = enable
        await FallingEdge(dut.clk)
        expected = (expected + enable) % 2 ** int(os.environ["WIDTH"])
        assert int(dut.count.value) == expected
