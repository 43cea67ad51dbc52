"""The C driver compiles cleanly and does its operations on a model of a front's memory map."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import gmpy2
import pytest

from models.front_map import IDENTIFICATION, VERSION, FrontRegister, window
from models.status import BusError, Command, Status
from verif.bench.sequences.rsa_keys import RsaKey
from verif.soc.driver import (
    DRIVER,
    FAULT,
    FLAGS,
    TIMEOUT,
    Bus,
    Driver,
    Machine,
    Native,
    native_library,
)
from verif.soc.riscv import COMPILER, TARGET, Riscv, compiler_exists, riscv_program

MakeMachine = Callable[[Bus], Machine]


class Front:
    """A front with a core that ends each operation at once; the test can set how it ends."""

    def __init__(self, width: int, word_bytes: int, power: bool) -> None:
        self.width, self.word_bytes, self.power = width, word_bytes, power
        self.values: dict[int, int] = {}
        self.registers = {
            FrontRegister.IDENTIFICATION: IDENTIFICATION,
            FrontRegister.VERSION: VERSION,
            FrontRegister.CAPABILITIES: 2 << 24 | word_bytes << 16 | int(power),
            FrontRegister.WIDTHS: 16 << 16 | width,
            FrontRegister.RADIX: width + 2,
        }
        self.status, self.reason, self.length, self.powers = int(Status.IDLE), 0, 0, 0
        self.forced: int | None = None
        self.reject: int | None = None
        self.fault_in = 0

    def read(self, address: int) -> int:
        if address == FrontRegister.STATUS:
            return self.reason << 4 | self.status
        if address in self.registers:
            return self.registers[FrontRegister(address)]
        at, offset = address & ~0xFFF, address & 0xFFF
        return self.values.get(at, 0) >> 8 * offset & ((1 << 8 * self.word_bytes) - 1)

    def write(self, address: int, value: int) -> bool:
        if self.reject is not None:
            self.reason = self.reject
            return False
        if address == FrontRegister.COMMAND:
            self.command(value)
        elif address == FrontRegister.INTERRUPT_ENABLE:
            self.registers[FrontRegister.INTERRUPT_ENABLE] = value
        elif address == FrontRegister.LENGTH:
            self.length = value
        elif address >= window(0):
            at, offset = address & ~0xFFF, address & 0xFFF
            mask = (1 << 8 * self.word_bytes) - 1 << 8 * offset
            self.values[at] = self.values.get(at, 0) & ~mask | value << 8 * offset
        return True

    def command(self, code: int) -> None:
        self.reason = 0
        if code == Command.ZEROISE:
            self.values.clear()
            self.status = Status.IDLE
        elif code == Command.START:
            if self.forced is not None:
                self.status = self.forced
                return
            first, second, modulus = (self.values.get(window(at), 0) for at in range(3))
            if self.power:
                self.powers += 1
                result = int(gmpy2.powmod(first, second, modulus))
                if self.powers == self.fault_in:
                    result ^= 1
            else:
                result = first * second * pow(2, -self.width - 2, modulus) % modulus
            self.values[window(0)] = result
            self.status = Status.OK


def driver_of(machine: MakeMachine, front: Front, wait: Callable[[], bool] | None = None) -> Driver:
    """The compiled driver on a model of a front, initialised."""
    driver = Driver(machine(Bus(front.read, front.write, front.word_bytes, wait)))
    assert driver.initialise() == 0
    return driver


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> MakeMachine:
    library = native_library(tmp_path_factory.mktemp("driver"))
    return lambda bus: Native(library, bus)


@pytest.fixture(scope="module", params=["native", "riscv"])
def machine(
    request: pytest.FixtureRequest, native: MakeMachine, tmp_path_factory: pytest.TempPathFactory
) -> MakeMachine:
    if request.param == "native":
        return native
    if not compiler_exists():
        pytest.skip(f"{COMPILER} is not installed")
    program = riscv_program(tmp_path_factory.mktemp("riscv"))
    return lambda bus: Riscv(program, bus)


COMPILERS = (
    ("gcc", "-fanalyzer"),
    ("clang",),
    (COMPILER, "-fanalyzer"),
    (COMPILER, "-fanalyzer", *TARGET),
)


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda words: "_".join(words))
def test_the_driver_compiles_without_warnings(compiler: Sequence[str], tmp_path: Path) -> None:
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    command = [*compiler, *FLAGS, "-c", str(DRIVER / "modexp.c")]
    subprocess.run([*command, "-o", str(tmp_path / "modexp.o")], check=True)


@pytest.mark.parametrize("word_bytes", [4, 8])
def test_product_and_power(native: MakeMachine, word_bytes: int) -> None:
    driver = driver_of(native, Front(96, word_bytes, True))
    x, y, modulus = 3**50, 5**40, (1 << 96) - 17
    assert driver.power(x, y, modulus, 96) == (0, pow(x, y, modulus))
    driver = driver_of(native, Front(96, word_bytes, False))
    assert driver.product(x, y, modulus, 96) == (0, x * y * pow(2, -98, modulus) % modulus)


@pytest.mark.parametrize("bits", [64, 256, 512])
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("wide", [False, True])
def test_signature_and_fault(machine: MakeMachine, bits: int, swap: bool, wide: bool) -> None:
    p = int(gmpy2.next_prime(3 << bits // 2 - 2))
    q = int(gmpy2.next_prime(p + 1000))
    key = RsaKey(q, p) if swap else RsaKey(p, q)
    front = Front(bits if wide else bits // 2, 4, True)
    driver = driver_of(machine, front)
    message = p * q * 2 // 3
    code, signature = driver.private(message, key)
    assert (code, pow(signature, key.e, key.modulus)) == (0, message)
    assert not front.values, "the core keeps the key"
    for half in (1, 2):
        front.powers, front.fault_in = 0, half
        assert driver.private(message, key) == (FAULT, 0)


def test_errors(native: MakeMachine) -> None:
    front = Front(32, 4, True)
    driver = driver_of(native, front)
    for status in Status:
        expected = {Status.OK: 0, Status.BUSY: TIMEOUT}.get(status, 0x100 + status)
        front.forced = status
        assert driver.power(3, 5, 7, 32)[0] == expected
    front.forced = 15
    assert driver.power(3, 5, 7, 32)[0] == 9
    for reason, code in ((0, 2), (6, 10), *((at, 0x200 + at) for at in (1, 2, 3, 4, 5, 8, 9))):
        front.reject = reason
        assert driver.power(3, 5, 7, 32)[0] == code
    for register, code in ((FrontRegister.IDENTIFICATION, 3), (FrontRegister.VERSION, 4)):
        good, front.registers[register] = front.registers[register], 1 << 16
        assert driver.initialise() == code
        front.registers[register] = good


def test_volatile_accesses_find_the_reason_in_status(machine: MakeMachine) -> None:
    front = Front(32, 4, True)
    driver = driver_of(machine, front)
    assert driver.power(3, 5, 7, 32) == (0, 5)
    front.reject = BusError.BUSY
    assert driver.power(3, 5, 7, 32) == (0x200 + BusError.BUSY, 0)


class _Quiet(Front):
    """A front whose accesses report no bus error, as volatile accesses do not."""

    def __init__(self) -> None:
        super().__init__(32, 4, True)
        self.busy_writes = 0
        self.withholds = False

    def write(self, address: int, value: int) -> bool:
        if self.busy_writes and address != FrontRegister.COMMAND:
            self.busy_writes -= 1
            self.reason = BusError.BUSY
        else:
            super().write(address, value)
        return True

    def read(self, address: int) -> int:
        if self.withholds and address == window(0):
            self.reason, self.status = BusError.NO_RESULT, Status.INTEGRITY
        return super().read(address)


def test_a_key_that_the_core_rejects_is_not_used(native: MakeMachine) -> None:
    front = _Quiet()
    driver = driver_of(native, front)
    assert driver.power(3, 5, 7, 32) == (0, 5)
    front.busy_writes = 3  # modulus, exponent and Length; the base arrives
    assert driver.power(2, 4, 11, 32) == (0x200 + BusError.BUSY, 0)
    assert front.powers == 1


def test_a_word_that_the_core_withholds_is_no_result(native: MakeMachine) -> None:
    front = _Quiet()
    driver = driver_of(native, front)
    front.withholds = True
    assert driver.power(3, 5, 7, 32) == (0x100 + Status.INTEGRITY, 0)


def test_zeroise(machine: MakeMachine) -> None:
    front = Front(32, 4, True)
    driver = driver_of(machine, front)
    assert driver.power(3, 5, 7, 32) == (0, 5)
    assert driver.zeroise() == 0
    assert not front.values


@pytest.mark.parametrize("arrives", [True, False])
def test_interrupt_and_time_out(machine: MakeMachine, arrives: bool) -> None:
    front = Front(32, 4, True)
    enabled: list[int] = []

    def wait() -> bool:
        enabled.append(front.registers[FrontRegister.INTERRUPT_ENABLE])
        return arrives

    driver = driver_of(machine, front, wait)
    assert driver.power(3, 5, 7, 32) == ((0, 5) if arrives else (TIMEOUT, 0))
    assert enabled == [1]
    assert front.registers[FrontRegister.INTERRUPT_ENABLE] == 0
    assert bool(front.values) == arrives, "the driver zeroises the core after a time-out only"


def test_an_exception_of_an_access_reaches_the_caller(
    machine: MakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    front = Front(32, 4, True)
    driver = driver_of(machine, front)

    def command(_: int) -> None:
        raise OSError("no bus")

    monkeypatch.setattr(front, "command", command)
    with pytest.raises(OSError, match="no bus"):
        driver.power(3, 5, 7, 32)


def test_without_verification_a_fault_gets_out(tmp_path: Path) -> None:
    text = (DRIVER / "modexp.c").read_text()
    altered = text.replace("different |= power[i] ^", "different |= (power[i] ^ power[i]) & ")
    assert altered != text
    source = tmp_path / "modexp.c"
    source.write_text(altered)
    library = native_library(tmp_path, source)
    front = Front(64, 4, True)
    driver = driver_of(lambda bus: Native(library, bus), front)
    front.fault_in = 1
    key = RsaKey(int(gmpy2.next_prime(3 << 30)), int(gmpy2.next_prime(7 << 29)))
    code, signature = driver.private(12345, key)
    assert code == 0
    assert math.gcd(pow(signature, key.e, key.modulus) - 12345, key.modulus) == key.q
