import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test
async def basic(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.level.value = 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.level.value = 1
    await cocotb.triggers.ReadOnly()
    assert dut.rise.value == 1
    await FallingEdge(dut.clk)
    assert dut.rise.value == 0
