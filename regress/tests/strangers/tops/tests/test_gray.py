import cocotb
from cocotb.triggers import Timer


@cocotb.test
async def basic(dut):
    last = None
    for number in range(16):
        dut.binary.value = number
        await Timer(1, "ns")
        code = int(dut.code.value)
        if last is not None:
            assert bin(last ^ code).count("1") == 1
        last = code
