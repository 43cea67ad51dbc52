import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from helpers.reference import crc8


async def check(dut, words):
    for number, word in enumerate(words):
        dut.start.value, dut.data.value = number == 0, word
        await FallingEdge(dut.clk)
    got, wanted = int(dut.value.value), crc8(words)
    assert got == wanted, f"crc of {len(words)} words"


@cocotb.test(timeout_time=10, timeout_unit="us")
async def random_words(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    await FallingEdge(dut.clk)
    await check(dut, [random.randrange(256) for _ in range(16)])


@cocotb.test(skip=True)
async def not_ready(dut):
    assert False
