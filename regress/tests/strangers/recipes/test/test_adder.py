import random

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def adds(dut):
    for _ in range(30):
        a, b = random.randrange(16), random.randrange(16)
        dut.a.value, dut.b.value = a, b
        await Timer(1, "ns")
        assert dut.y.value == a + b
