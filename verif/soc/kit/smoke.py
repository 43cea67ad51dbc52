"""Smoke test of the kit, with plain cocotb: one operation, and what the bus must reject.

``make`` in this folder runs it; ``make SIM=verilator`` on Verilator. ``kit.json`` has the
configuration.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

KIT = json.loads(Path(__file__).with_name("kit.json").read_text(encoding="utf-8"))
COMMAND, STATUS, LENGTH = 0x28, 0x30, 0x48
START, CLEAR = 1, 3
BUSY, OK = 1, 2
LOADER_COMMAND, LOADER_LENGTH = 3, 6
EXPONENT = 65537
BYTES = KIT["data_bytes"]
LANES = (1 << BYTES) - 1
PATIENCE_CYCLES = 10_000_000


def window(address: int) -> int:
    """Return the byte address of a window."""
    return (address + 1) * 4096


class Bus(ABC):
    """Drives the pins at falling edges, because every output changes at a rising edge."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut

    def set(self, **pins: int) -> None:
        """Drive inputs, without their suffix."""
        for name, value in pins.items():
            getattr(self.dut, f"{name}_i").value = value

    def get(self, name: str) -> int:
        """Read an output, without its suffix."""
        return int(getattr(self.dut, f"{name}_o").value)

    async def until(self, *names: str) -> None:
        """Wait until one of the outputs is high."""
        for _ in range(PATIENCE_CYCLES):
            if any(self.get(name) for name in names):
                return
            await FallingEdge(self.dut.clk_i)
        raise AssertionError(f"none of {', '.join(names)} came")

    async def cycle(self) -> None:
        """Wait for the next falling edge."""
        await FallingEdge(self.dut.clk_i)

    @abstractmethod
    async def transfer(self, address: int, value: int | None) -> tuple[bool, int]:
        """Write a value, or read; return whether the access was accepted, and the word."""

    async def command(self, code: int) -> None:
        """Write a command."""
        assert (await self.transfer(COMMAND, code))[0], f"command {code} is rejected"

    async def status(self) -> int:
        """Read the status."""
        return (await self.transfer(STATUS, None))[1] & 0xF

    async def length(self, bits: int) -> None:
        """Write the number of exponent bits."""
        assert (await self.transfer(LENGTH, bits))[0], "LENGTH is rejected"

    def address(self, operand: int, word: int) -> int:
        """Return the address of an operand's word."""
        return window(operand) + BYTES * word


class AxiLite(Bus):
    """AXI4-Lite."""

    inputs = "awvalid wvalid bready arvalid rready awprot arprot"

    async def transfer(self, address: int, value: int | None) -> tuple[bool, int]:
        """See :class:`Bus`."""
        if value is None:
            self.set(arvalid=1, araddr=address, rready=1)
            await self.until("arready")
            await self.cycle()
            self.set(arvalid=0)
            await self.until("rvalid")
            answer = self.get("rresp") == 0, self.get("rdata")
            await self.cycle()
            self.set(rready=0)
            return answer
        self.set(awvalid=1, awaddr=address, wvalid=1, wdata=value, wstrb=LANES, bready=1)
        await self.until("awready")
        await self.cycle()
        self.set(awvalid=0, wvalid=0)
        await self.until("bvalid")
        accepted = self.get("bresp") == 0
        await self.cycle()
        self.set(bready=0)
        return accepted, 0


class Apb(Bus):
    """APB4."""

    inputs = "psel penable pprot"

    async def transfer(self, address: int, value: int | None) -> tuple[bool, int]:
        """See :class:`Bus`."""
        self.set(psel=1, penable=0, paddr=address, pwrite=int(value is not None))
        self.set(pwdata=value or 0, pstrb=0 if value is None else LANES)
        await self.cycle()
        self.set(penable=1)
        await self.until("pready")
        answer = not self.get("pslverr"), self.get("prdata")
        await self.cycle()
        self.set(psel=0, penable=0)
        return answer


class Wishbone(Bus):
    """Wishbone B4, standard."""

    inputs = "cyc stb we"

    async def transfer(self, address: int, value: int | None) -> tuple[bool, int]:
        """See :class:`Bus`."""
        self.set(cyc=1, stb=1, we=int(value is not None), adr=address, sel=LANES, dat=value or 0)
        await self.until("ack", "err")
        answer = not self.get("err"), self.get("dat")
        await self.cycle()
        self.set(cyc=0, stb=0)
        return answer


class Loader(Bus):
    """The core's own bus."""

    inputs = "req write wait"

    async def transfer(self, address: int, value: int | None) -> tuple[bool, int]:
        """See :class:`Bus`."""
        address = {COMMAND: LOADER_COMMAND, STATUS: LOADER_COMMAND}.get(address, address)
        self.set(req=1, write=int(value is not None), addr=address, wdata=value or 0)
        await self.until("ack")
        answer = not self.get("err"), self.get("rdata")
        await self.cycle()
        self.set(req=0)
        return answer

    async def length(self, bits: int) -> None:
        """See :class:`Bus`."""
        assert (await self.transfer(LOADER_LENGTH, bits))[0], "LENGTH is rejected"

    def address(self, operand: int, word: int) -> int:
        """See :class:`Bus`; the words of an operand follow each other at one address."""
        return operand


BUSES = {"axi4_lite": AxiLite, "apb4": Apb, "wishbone": Wishbone, "none": Loader}


async def load(bus: Bus, operand: int, value: int) -> None:
    """Copy an operand."""
    for word in range(-(-KIT["width"] // (8 * BYTES))):
        part = value >> 8 * BYTES * word & (1 << 8 * BYTES) - 1
        accepted, _ = await bus.transfer(bus.address(operand, word), part)
        assert accepted, f"word {word} of operand {operand} is rejected"


async def fetch(bus: Bus) -> int:
    """Copy the result."""
    value = 0
    for word in range(-(-KIT["width"] // (8 * BYTES))):
        accepted, part = await bus.transfer(bus.address(0, word), None)
        assert accepted, f"word {word} of the result is rejected"
        value |= part << 8 * BYTES * word
    return value


@cocotb.test()
async def one_operation(dut: Any) -> None:
    """A product or an exponentiation of random operands; a result that does not exist."""
    bus = BUSES[KIT["front"]](dut)
    bus.set(**dict.fromkeys(bus.inputs.split(), 0))
    dut.rst_ni.value = 0
    Clock(dut.clk_i, 10, "step").start()  # whatever precision the simulation has
    for _ in range(3):
        await bus.cycle()
    dut.rst_ni.value = 1
    await bus.cycle()

    assert not (await bus.transfer(bus.address(0, 0), None))[0], "a result before any operation"
    draw = random.Random(1)
    modulus = draw.getrandbits(KIT["width"]) | 1 << KIT["width"] - 1 | 1
    first, second = draw.randrange(modulus), draw.randrange(modulus)
    if KIT["exponentiation"]:
        second = EXPONENT % (1 << KIT["width"])
        expected = pow(first, second, modulus)
    else:
        expected = first * second * pow(2, -KIT["radix_bits"], modulus) % modulus
    await bus.command(CLEAR)
    for operand, value in enumerate((first, second, modulus)):
        await load(bus, operand, value)
    if KIT["exponentiation"]:
        await bus.length(second.bit_length())
    await bus.command(START)
    status = await bus.status()
    while status == BUSY:
        status = await bus.status()
    assert status == OK, f"status {status}"
    assert await fetch(bus) == expected, "the result is wrong"
