import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

CYCLES = int(cocotb.plusargs["cycles"])


@cocotb.test()
@cocotb.parametrize(extra=list(range(CYCLES)))
async def delays(dut, extra):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.d.value = 0
    for _ in range(16):
        await FallingEdge(dut.clk)
    dut.d.value = 1
    for _ in range(CYCLES):
        assert dut.q.value == 0
        await FallingEdge(dut.clk)
    for _ in range(extra):
        await FallingEdge(dut.clk)
    assert dut.q.value == 1, "the edge does not arrive"
