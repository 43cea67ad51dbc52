import logging
import os

import cocotb
from cocotb.clock import Clock
from cocotb.regression import TestFactory
from cocotb.triggers import FallingEdge, RisingEdge


class TB:
    def __init__(self, dut):
        self.dut = dut
        self.log = logging.getLogger("cocotb.tb")
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())

    async def check(self, sent, expected):
        self.dut.s_data.value = sent
        await RisingEdge(self.dut.clk)
        await FallingEdge(self.dut.clk)
        assert self.dut.m_data.value == expected


async def run_test(dut, payloads=None, gap=0):
    tb = TB(dut)
    mask = (1 << int(os.getenv("PARAM_DATA_WIDTH", "8"))) - 1
    for word in payloads():
        await tb.check(word & mask, word & mask)
        for _ in range(gap):
            await RisingEdge(dut.clk)


def counting():
    """Counts."""
    return range(20)


def walking():
    """One bit sequences."""
    return [1 << bit for bit in range(8)]


if getattr(cocotb, "top", None) is not None:
    factory = TestFactory(run_test)
    factory.add_option("payloads", [counting, walking])
    factory.add_option("gap", [0, 2] if len(cocotb.top.s_data) > 4 else [0])
    factory.generate_tests()

tests_dir = os.path.abspath(os.path.dirname(__file__))
