import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def selects(dut):
    for number in range(8):
        dut.select.value, dut.a.value, dut.b.value = number >> 2, number >> 1 & 1, number & 1
        await Timer(1, "ns")
        assert dut.y.value == (number & 1 if number >> 2 else number >> 1 & 1)
