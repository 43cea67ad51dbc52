"""cocotb tests of a front: what the core computes through it, and what the front rejects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import product
from typing import Any

import cocotb
import gmpy2
from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time

from models.exponentiation_core import exponentiation
from models.front_map import IDENTIFICATION, Event, FrontRegister, window
from models.status import Address, Command, ExponentiationAddress, Status
from verif.soc.host import PERIOD_NS, FrontHost, Interruption, nothing
from verif.soc.illegal import IllegalAccesses

# An access takes three cycles without pauses; a reset after more finds the port idle.
RESET_AFTER_CYCLES = range(6)
BESIDE_CYCLES = range(-4, 5)
# A clear begins so many cycles from the end of an operation: it takes effect before, with or after.
CLEAR_CYCLES = range(-10, 3)
AT_ONCE_CYCLES = 4  # from the answer to a start until the interrupt of its end
LOADER_CYCLES = 2  # of a transfer on the loader bus
MOST_CYCLES = 1.01
RESPONSES = ("bvalid_o", "rvalid_o", "pready_o", "ack_o", "err_o")


@cocotb.test()
async def products(_: object) -> None:
    """Products of random operands; S, C and P against gmpy2; then clears around an end."""
    host = FrontHost()
    await host.start()
    await host.check_registers()
    await _end_at_once(host, IllegalAccesses(host))
    for _job in range(host.job.operations):
        host.master.pause(host.random.random() < 0.5)
        await _product(host)
    await _clear_around_the_end(host)
    host.end()


async def _clear_around_the_end(host: FrontHost) -> None:
    """Clear the event of an end at each moment around it, with the operands of the last product."""
    host.master.pause(False)
    await host.put(FrontRegister.INTERRUPT_ENABLE, 1 << Event.DONE)
    await host.command(Command.START)
    started = get_sim_time("ns")
    await RisingEdge(host.dut.irq_o)
    duration = int((get_sim_time("ns") - started) // PERIOD_NS)
    left = []
    for cycles in CLEAR_CYCLES:
        await host.put(FrontRegister.INTERRUPT_STATE, 1 << Event.DONE)
        await host.command(Command.START)
        await host.cycles(duration + cycles)
        await host.put(FrontRegister.INTERRUPT_STATE, 1 << Event.DONE)
        await host.cycles(duration)
        left.append(await host.get(FrontRegister.INTERRUPT_STATE) >> Event.DONE & 1)
    before = left.count(1)
    host.check("events after a clear, from early to late", left, [1] * before + [0] * left.count(0))
    host.check("clears before and after the end", 0 < before < len(left), True)


@cocotb.test()
async def powers(_: object) -> None:
    """Exponentiations of random operands against gmpy2."""
    host = FrontHost()
    await host.start()
    await host.check_registers()
    await _end_at_once(host, IllegalAccesses(host))
    for _job in range(host.job.operations):
        host.master.pause(host.random.random() < 0.5)
        await _power(host)
    host.end()


@cocotb.test()
async def rejected(_: object) -> None:
    """Illegal accesses before each word of an exponentiation change nothing."""
    await _with_illegal_accesses(_power)


@cocotb.test()
async def rejected_product(_: object) -> None:
    """Illegal accesses before each word of a product change nothing."""
    await _with_illegal_accesses(_product)


@cocotb.test()
async def cycles(_: object) -> None:
    """From CLEAR to the last word of the result at most 1 % more cycles than on the loader bus."""
    host = FrontHost()
    await host.start()
    await host.put(FrontRegister.INTERRUPT_ENABLE, 1 << Event.DONE)
    base, _, modulus = _operands(host)
    exponent = host.random.randrange(1 << host.width - 1, 1 << host.width)
    host.accesses, begin = 0, get_sim_time("ns")
    await _load_power(host, base, exponent, modulus, nothing)
    await host.command(Command.START)
    started = get_sim_time("ns")
    await RisingEdge(host.dut.irq_o)
    busy = get_sim_time("ns") - started
    host.check("status", await host.status(), Status.OK)
    result = await host.fetch(ExponentiationAddress.DATA_RESULT, host.width)
    host.check("result", result, int(gmpy2.powmod(base, exponent, modulus)))
    taken = (get_sim_time("ns") - begin) // PERIOD_NS
    bare = busy // PERIOD_NS + LOADER_CYCLES * host.accesses
    text = f"{taken:.0f} cycles, {bare:.0f} on the loader bus"
    host.dut._log.info(f"{text}: {100 * (taken / bare - 1):.3f} % more")
    assert taken <= bare * MOST_CYCLES, f"{text}: more than 1 % above"
    host.operations += 1
    host.end()


@cocotb.test()
async def beside(_: object) -> None:
    """A read beside a write, either of them first: each gets its own answer, and takes effect."""
    host = FrontHost()
    await host.start()
    await _product(host)
    for number in range(host.job.operations):
        host.master.pause(number % 2 == 1)
        for lead in BESIDE_CYCLES:
            for legal_write, legal_read in product((True, False), repeat=2):
                await _beside(host, lead, legal_write, legal_read)
            await _write_beside_a_pass(host, lead)
        await _queued(host)
        host.operations += 1
    host.end()


async def _beside(host: FrontHost, lead: int, legal_write: bool, legal_read: bool) -> None:
    enables = host.random.randrange(1 << len(Event))
    written = FrontRegister.INTERRUPT_ENABLE if legal_write else FrontRegister.VERSION
    seen = FrontRegister.IDENTIFICATION if legal_read else FrontRegister.COMMAND
    before = await host.get(FrontRegister.INTERRUPT_ENABLE)
    if host.random.random() < 0.5:  # the last access decides which of two goes first
        await host.put(FrontRegister.INTERRUPT_ENABLE, before)
    read = cocotb.start_soon(_after(host, lead, lambda: host.master.read(seen)))
    write = cocotb.start_soon(_after(host, -lead, lambda: host.put(written, enables)))
    host.check(f"write beside a read, {lead} cycles before: accepted", await write, legal_write)
    accepted, value = await read
    host.check(f"read beside a write, {lead} cycles after: accepted", accepted, legal_read)
    if legal_read:
        host.check("word of the read", value, IDENTIFICATION)
    expected = enables if legal_write else before
    host.check("enables", await host.get(FrontRegister.INTERRUPT_ENABLE), expected)


async def _write_beside_a_pass(host: FrontHost, lead: int) -> None:
    """A write of a register beside a read of a result leaves the pass over the result as it is."""
    result = window(Address.X_P)
    host.check("first word: accepted", (await host.master.read(result))[0], True)
    last = result + host.word_bytes * (host.words(host.width) - 1)
    read = cocotb.start_soon(_after(host, lead, lambda: host.master.read(last)))
    write = cocotb.start_soon(
        _after(host, -lead, lambda: host.put(FrontRegister.INTERRUPT_ENABLE, 0))
    )
    host.check("write beside a pass: accepted", await write, True)
    host.check(f"last word, {lead} cycles after a write: accepted", (await read)[0], True)
    host.check("first word of the next pass: accepted", (await host.master.read(result))[0], True)
    host.check("last word of the next pass: accepted", (await host.master.read(last))[0], True)


async def _queued(host: FrontHost) -> None:
    """Queue reads and writes, so that both kinds wait all the time: the bus rules check turns.

    Every third access of a kind is rejected.
    """
    legal = [number % 3 != 1 for number in range(8)]
    seen, written = FrontRegister.IDENTIFICATION, FrontRegister.INTERRUPT_ENABLE
    reads = [host.master.read(seen if ok else FrontRegister.COMMAND) for ok in legal]
    writes = [host.put(written if ok else FrontRegister.VERSION, 1) for ok in legal]
    queued = [cocotb.start_soon(access) for access in (*reads, *writes)]
    for ok, access in zip(legal, queued[:8], strict=True):
        accepted, value = await access
        host.check("queued read: accepted", accepted, ok)
        if ok:
            host.check("word of a queued read", value, IDENTIFICATION)
    for ok, access in zip(legal, queued[8:], strict=True):
        host.check("queued write: accepted", await access, ok)


async def _after(host: FrontHost, cycles: int, access: Callable[[], Awaitable[Any]]) -> Any:
    await host.cycles(max(cycles, 0))
    return await access()


@cocotb.test()
async def reset(_: object) -> None:
    """A reset in each cycle of an access: no response comes, and the next job is right."""
    host = FrontHost()
    await host.start()
    word = host.random.randbytes(host.word_bytes)
    accesses: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: host.master.write(window(ExponentiationAddress.MODULUS), word),
        lambda: host.master.read(window(ExponentiationAddress.DATA_RESULT)),
        lambda: host.master.read(FrontRegister.STATUS),
        lambda: host.put(FrontRegister.COMMAND, Command.START),
    )
    for _round in range(max(1, host.job.operations)):
        for access in accesses:
            for cycles in RESET_AFTER_CYCLES:
                task = cocotb.start_soon(_ignoring(access))
                await host.cycles(cycles)
                await host.reset(task)
                _check_silent(host)
                host.check("status after reset", await host.status(), Status.IDLE)
                host.check("enable", await host.get(FrontRegister.INTERRUPT_ENABLE), 0)
            await _power(host)
    host.end()


@cocotb.test()
async def zeroise(_: object) -> None:
    """ZEROISE after each word and while busy: nothing stays, and the next job is right."""
    host = FrontHost()
    await host.start()
    illegal = IllegalAccesses(host)
    words = 3 * host.words(host.width)
    for after in [*range(words), words, words]:
        left = after
        ended = False

        async def stop_here() -> None:
            nonlocal left
            if left == 0:
                raise _Stop
            left -= 1

        try:
            await _load_power(host, *_operands(host), stop_here)
        except _Stop:
            ended = True
        host.check("operands are incomplete", ended, after < words)
        if not ended:
            await host.command(Command.START)
            await host.cycles(host.random.randrange(100))
        await host.command(Command.ZEROISE)
        host.at = (0, True, 0)
        host.check("status after ZEROISE", await host.status(), Status.IDLE)
        await illegal.check(illegal.no_result())
        await host.command(Command.START)
        host.check("status without operands", await host.finish(), Status.MODULUS_ZERO_OR_ONE)
        await _power(host)
    host.end()


class _Stop(Exception):
    """The host does not go on with its copy."""


async def _ignoring(access: Callable[[], Awaitable[object]]) -> None:
    """Start an access whose answer the reset takes away."""
    try:
        await access()
    except (AttributeError, AssertionError):
        # The master of AXI4-Lite answers None after a reset.
        return


def _check_silent(host: FrontHost) -> None:
    for name in RESPONSES:
        if hasattr(host.dut, name):
            host.check(f"{name} after a reset", int(getattr(host.dut, name).value), 0)


async def _with_illegal_accesses(
    job: Callable[[FrontHost, Interruption, Interruption], Awaitable[None]],
) -> None:
    host = FrontHost()
    await host.start()
    illegal = IllegalAccesses(host)

    async def busy() -> None:
        for access in illegal.while_busy():
            await illegal.check(access)

    await illegal.check(illegal.no_result())
    await _end_at_once(host, illegal)
    for number in range(host.job.operations):
        host.master.pause(number % 2 == 1)
        await job(host, illegal.draw, busy)
    host.end()


async def _end_at_once(host: FrontHost, illegal: IllegalAccesses) -> None:
    """A start without all words ends in its first cycle, and interrupts like any other."""
    if host.words(host.width) == 1:
        return
    await host.put(FrontRegister.INTERRUPT_ENABLE, 1 << Event.DONE)
    for before in ("nothing", "another operation"):
        await host.command(Command.CLEAR)
        await host.master.write(window(Address.X_P), bytes(host.word_bytes))
        await host.put(FrontRegister.INTERRUPT_STATE, 1 << Event.DONE)
        await host.command(Command.START)
        await host.cycles(AT_ONCE_CYCLES)
        what = f"interrupt of an end in the first cycle, after {before}"
        host.check(what, int(host.dut.irq_o.value), 1)
        host.check("status without all words", await host.status(), Status.OPERAND_INCOMPLETE)
    await host.put(FrontRegister.INTERRUPT_ENABLE, 0)
    await illegal.check(illegal.part_of_a_clear())
    events = await host.get(FrontRegister.INTERRUPT_STATE)
    host.check("events after a rejected clear", events >> Event.DONE & 1, 1)
    await host.put(FrontRegister.INTERRUPT_STATE, 1 << Event.DONE)


def _operands(host: FrontHost) -> tuple[int, int, int]:
    """Return two operands and a modulus that every core accepts."""
    top = 1 << host.width - 1
    modulus = host.random.randrange(top) | top | 1
    first = host.random.choice((0, 1, modulus - 1, *[host.random.randrange(modulus)] * 6))
    return first, host.random.randrange(modulus), modulus


async def _product(
    host: FrontHost, between: Interruption = nothing, _busy: Interruption = nothing
) -> None:
    # A product ends before an access that finds it busy.
    x, y, modulus = _operands(host)
    await host.command(Command.CLEAR)
    for address, value in zip(
        (Address.X_P, Address.Y_S, Address.M_C), (x, y, modulus), strict=True
    ):
        await host.load(address, value, host.width, between)
    await host.command(Command.START)
    host.check("status of a product", await host.finish(), Status.OK)
    inverse = gmpy2.invert(gmpy2.mpz(2) ** host.parameters["FrontRadixBits"], modulus)
    expected = int(x * y * inverse % modulus)
    wide = host.width + host.parameters["Guard"]
    found = await host.fetch(Address.X_P, host.width, between)
    host.check("product", found, expected)
    total = await host.fetch(Address.Y_S, wide, between)
    total += await host.fetch(Address.M_C, wide, between)
    host.check("S + C mod M", total % modulus, expected)
    host.operations += 1


async def _load_power(
    host: FrontHost, base: int, exponent: int, modulus: int, between: Interruption
) -> None:
    await host.command(Command.CLEAR)
    for address, value in (
        (ExponentiationAddress.DATA_RESULT, base),
        (ExponentiationAddress.EXPONENT, exponent),
        (ExponentiationAddress.MODULUS, modulus),
    ):
        await host.load(address, value, host.width, between)


async def _power(
    host: FrontHost, between: Interruption = nothing, busy: Interruption = nothing
) -> None:
    base, exponent, modulus = _operands(host)
    shortest = 1 if busy is nothing else host.width
    length = host.random.choice((host.width, host.random.randint(shortest, host.width)))
    exponent &= (1 << length) - 1
    await _load_power(host, base, exponent, modulus, between)
    model = exponentiation(host.core, host.width)
    if model.montgomery and host.random.random() < 0.5:
        value = model.r_squared(modulus)
        await host.load(ExponentiationAddress.R_SQUARED, value, host.width, between)
    host.check("LENGTH accepted", await host.put(FrontRegister.LENGTH, length), True)
    await host.command(Command.START)
    await busy()
    host.check("status of an exponentiation", await host.finish(), Status.OK)
    expected = int(gmpy2.powmod(base, exponent, modulus))
    address = ExponentiationAddress.DATA_RESULT
    found = await host.fetch(address, host.width, between)
    host.check(f"{base:#x}**{exponent:#x} mod {modulus:#x}", found, expected)
    host.operations += 1
