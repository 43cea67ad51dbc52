"""cocotb tests of the C driver on a simulated front."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import cocotb
import gmpy2
from cocotb.task import bridge

from models.reference import modular_power
from models.status import Status
from regress.core.cases import Case, CaseStatus
from verif.bench.sequences.rsa_keys import RsaKey
from verif.soc.driver import FAULT, TIMEOUT, Bus, Driver, Native, native_library
from verif.soc.driver_bus import SimulatedBus
from verif.soc.host import FrontHost
from verif.soc.riscv import Riscv, riscv_program

# Status, base and modulus of an exponentiation that ends with it; the core has both as words.
REJECTED = (
    (Status.MODULUS_ZERO_OR_ONE, 0, 1),
    (Status.OPERAND_RANGE, 7, 7),
)
HALVES = (1, 2)
SIGNATURE_CYCLES = 50_000_000
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
    key = RsaKey.generate(2 * host.width, host.random)
    message = host.random.randrange(key.modulus)
    code, signature = tried.private(message, key)
    host.check("code of a signature", code, 0)
    host.check("signature", signature, modular_power(message, key.d, key.modulus))
    for half in HALVES:
        simulated.fault_in = simulated.starts + half
        host.check(f"fault in half {half}", tried.private(message, key), (FAULT, 0))


def _modulus(random: Random, width: int) -> int:
    return random.randrange(1 << width - 1, 1 << width) | 1


@cocotb.test()
async def signature(_: object) -> None:
    """Sign what the job's case has; then with a fault in a half, after which nothing comes out.

    The driver is a RISC-V program or runs natively, as the case says.
    """
    host = FrontHost()
    await host.start()
    case = host.job.cases[0]
    key, message = RsaKey(int(case["p"], 16), int(case["q"], 16)), int(case["message"], 16)
    simulated = SimulatedBus(host, SIGNATURE_CYCLES)
    with TemporaryDirectory() as folder:
        machine: Native | Riscv
        if case["riscv"]:
            machine = Riscv(riscv_program(Path(folder)), simulated.bus(interrupt=True))
        else:
            machine = Native(native_library(Path(folder)), simulated.bus(interrupt=True))
        tried = Driver(machine)
        host.check("initialise", await bridge(tried.initialise)(), 0)
        code, found = await bridge(tried.private)(message, key)
        facts = {
            "code": code,
            "signature": f"{found:#x}",
            "instructions": machine.instructions,
            "accesses": simulated.accesses,
            "bus_cycles": simulated.bus_cycles,
            "core_cycles": simulated.core_cycles,
        }
        simulated.fault_in = simulated.starts + case["fault_in"]
        faulted = await bridge(tried.private)(message, key)
    host.check("code of a signature", code, 0)
    host.check(f"fault in half {case['fault_in']}", faulted, (FAULT, 0))
    Case(case["name"], CaseStatus.PASSED, facts=facts).append(Path())
    host.operations += 2
    host.end()
