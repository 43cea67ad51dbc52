import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

DEPTH = int(os.environ["FIFO_DEPTH"])


async def reset(dut):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.push.value = dut.pop.value = dut.rst_n.value = dut.wdata.value = 0
    await FallingEdge(dut.clk)
    dut.rst_n.value = 1


@cocotb.test()
async def fills(dut):
    assert "verbose" in cocotb.plusargs
    await reset(dut)
    sent = [random.randrange(256) for _ in range(DEPTH)]
    dut.push.value = 1
    for word in sent:
        assert not dut.full.value
        dut.wdata.value = word
        await FallingEdge(dut.clk)
    assert dut.full.value
    dut.push.value, dut.pop.value = 0, 1
    for word in sent:
        assert dut.rdata.value == word
        await FallingEdge(dut.clk)
    assert dut.empty.value
