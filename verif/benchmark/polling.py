"""A test bench as most are begun: cocotb's clock, every cycle polled from Python, P checked."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

OPERANDS_VARIABLE = "BENCHMARK_OPERANDS"
RESULT_VARIABLE = "BENCHMARK_RESULT"


async def transfer(dut: Any, write: bool, address: int, data: int = 0) -> int:
    """One transfer on the loader bus; returns the word read."""
    dut.req_i.value = 1
    dut.write_i.value = int(write)
    dut.addr_i.value = address
    dut.wdata_i.value = data
    await RisingEdge(dut.clk_i)
    while not int(dut.ack_o.value):
        await RisingEdge(dut.clk_i)
    dut.req_i.value = 0
    answer = int(dut.rdata_o.value)
    await RisingEdge(dut.clk_i)
    return answer


@cocotb.test()
async def polling(dut: Any) -> None:
    """Multiply each operand pair of the file, one bus transfer at a time."""
    width, bus = int(dut.Width.value), int(dut.BusWidth.value)
    words, mask = -(-width // bus), (1 << bus) - 1
    lines = Path(os.environ[OPERANDS_VARIABLE]).read_text().splitlines()
    products = [tuple(int(field, 16) for field in line.split()) for line in lines]
    Clock(dut.clk_i, 10, "ns").start()
    dut.wait_i.value = 0
    dut.req_i.value = 0
    dut.rst_ni.value = 0
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    begin = time.perf_counter()
    for *operands, expected in products:
        for address, operand in enumerate(operands):
            for i in range(words):
                await transfer(dut, True, address, operand >> (i * bus) & mask)
        await transfer(dut, True, 3, 1)
        while not int(dut.done_o.value):
            await RisingEdge(dut.clk_i)
        assert await transfer(dut, False, 3) & 15 == 2
        for address in (1, 2):
            for _ in range(-(-(width + 2) // bus)):
                await transfer(dut, False, address)
        p = 0
        for i in range(words):
            p |= await transfer(dut, False, 0) << (i * bus)
        assert p == expected, f"P = {p:#x}, expected {expected:#x}"
        await transfer(dut, True, 3, 3)
    seconds = time.perf_counter() - begin
    Path(os.environ[RESULT_VARIABLE]).write_text(f"{len(products)} 0 {seconds:.6f}\n")
