"""cocotb tests of the C driver on a simulated front."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import cocotb
import gmpy2
from cocotb.task import bridge

from models.status import Status
from verif.soc.driver import FAULT, TIMEOUT, Bus, Driver, Key, Native, native_library
from verif.soc.driver_bus import SimulatedBus
from verif.soc.host import FrontHost
from verif.soc.riscv import Riscv, riscv_program

# Status, base and modulus of an exponentiation that ends with it; the core has both as words.
REJECTED = (
    (Status.MODULUS_ZERO_OR_ONE, 0, 1),
    (Status.OPERAND_RANGE, 7, 7),
)
HALVES = (1, 2)
MakeDriver = Callable[[Bus], Driver]


@cocotb.test()
async def driver(_: object) -> None:
    """The compiled driver: exponentiations, RSA with CRT, errors; by interrupt and by polling."""
    host = FrontHost()
    await host.start()
    with TemporaryDirectory() as folder:
        library = native_library(Path(folder))
        for number in range(host.job.operations):
            simulated = SimulatedBus(host)

            host.master.pause(number % 4 > 1)
            await bridge(_powers)(
                host,
                simulated,
                number % 2 == 1,
                lambda bus: Driver(Native(library, bus)),
            )
            host.operations += 1
    host.end()


@cocotb.test()
async def driver_riscv(_: object) -> None:
    """The driver as a RISC-V program, whose volatile accesses are bus transfers."""
    host = FrontHost()
    await host.start()
    with TemporaryDirectory() as folder:
        program = riscv_program(Path(folder))
        for _operation in range(host.job.operations):
            simulated = SimulatedBus(host)
            await bridge(_powers)(host, simulated, False, lambda bus: Driver(Riscv(program, bus)))
            host.operations += 1
    host.end()


@cocotb.test()
async def driver_product(_: object) -> None:
    """The compiled driver: products."""
    host = FrontHost()
    await host.start()
    with TemporaryDirectory() as folder:
        library = native_library(Path(folder))
        for number in range(host.job.operations):
            bus = SimulatedBus(host).bus(interrupt=number % 2 == 1)
            await bridge(_product)(host, Driver(Native(library, bus)))
            host.operations += 1
    host.end()


def _product(host: FrontHost, tried: Driver) -> None:
    host.check("initialise", tried.initialise(), 0)
    modulus = _modulus(host.random, host.width)
    x, y = host.random.randrange(modulus), host.random.randrange(modulus)
    inverse = gmpy2.invert(gmpy2.mpz(2) ** host.parameters["FrontRadixBits"], modulus)
    expected = int(x * y * inverse % modulus)
    host.check("code, product", tried.product(x, y, modulus, host.width), (0, expected))


def _powers(host: FrontHost, simulated: SimulatedBus, interrupt: bool, made: MakeDriver) -> None:
    tried = made(simulated.bus(interrupt))
    host.check("initialise", tried.initialise(), 0)
    modulus = _modulus(host.random, host.width)
    base, exponent = host.random.randrange(modulus), host.random.getrandbits(host.width)
    expected = int(gmpy2.powmod(base, exponent, modulus))
    host.check("power", tried.power(base, exponent, modulus, host.width), (0, expected))
    for status, bad_base, bad_modulus in REJECTED:
        found = tried.power(bad_base, exponent, bad_modulus, host.width)
        host.check(f"code of {status.name}", found[0], 0x100 + status)
    _signatures(host, simulated, tried)
    late = made(simulated.bus(interrupt=False, poll_limit=1))
    host.check("initialise", late.initialise(), 0)
    host.check("time-out", late.power(base, exponent, modulus, host.width), (TIMEOUT, 0))
    host.check("power after it", tried.power(base, exponent, modulus, host.width), (0, expected))


def _signatures(host: FrontHost, simulated: SimulatedBus, tried: Driver) -> None:
    key = _key(host.random, host.width)
    message = host.random.randrange(key.n)
    code, signature = tried.private(message, key)
    host.check("code of a signature", code, 0)
    host.check("signature", signature, int(gmpy2.powmod(message, key.d, key.n)))
    for half in HALVES:
        simulated.fault_in = simulated.starts + half
        host.check(f"fault in half {half}", tried.private(message, key), (FAULT, 0))


def _modulus(random: Random, width: int) -> int:
    return random.randrange(1 << width - 1, 1 << width) | 1


def _key(random: Random, width: int) -> Key:
    """Return a key whose primes have the core's width."""
    while True:
        p, q = (int(gmpy2.next_prime(random.randrange(3 << width - 2, 1 << width))) for _ in "pq")
        fits = max(p, q).bit_length() == width and p != q
        if fits and gmpy2.gcd((p - 1) * (q - 1), Key(p, q).e) == 1:
            return Key(p, q)
