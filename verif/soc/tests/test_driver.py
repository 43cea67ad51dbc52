"""The C driver compiles cleanly and does its operations on a model of a front's memory map."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import cffi
import gmpy2
import pytest

from models.front_map import IDENTIFICATION, VERSION, FrontRegister, window
from models.status import Command, Status
from verif.bench.configuration.design import ROOT

DRIVER = ROOT / "hdl/fronts/driver"
FLAGS = [
    "-std=c99",
    "-ffreestanding",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Werror",
    "-O2",
]
TIMEOUT = 7


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


class Driver:
    """The compiled driver on a front."""

    def __init__(self, library: Path, front: Front) -> None:
        self.ffi = cffi.FFI()
        for header in (ROOT / "hdl/fronts/front_codes.h", DRIVER / "modexp.h"):
            self.ffi.cdef(re.sub(r"^#.*$", "", header.read_text(), flags=re.MULTILINE))
        self.c: Any = self.ffi.dlopen(str(library))
        self.front = front
        self.device = self.ffi.new("struct modexp_device *")
        ffi = self.ffi

        @ffi.callback("int(void *, uint32_t, uint64_t *)")
        def read(_: Any, address: int, value: Any) -> int:
            value[0] = front.read(address)
            return 0

        @ffi.callback("int(void *, uint32_t, uint64_t)")
        def write(_: Any, address: int, value: int) -> int:
            return 0 if front.write(address, value) else 1

        self.kept = (read, write)
        self.bus = ffi.new("struct modexp_bus *")
        self.bus.read, self.bus.write = read, write
        self.bus.word_bytes, self.bus.poll_limit = front.word_bytes, 5

    def initialise(self) -> int:
        return int(self.c.modexp_initialise(self.device, self.bus))

    def number(self, value: int, words: int) -> Any:
        return self.ffi.new("uint32_t[]", [value >> 32 * i & 0xFFFFFFFF for i in range(words)])

    def value(self, number: Any) -> int:
        return sum(int(word) << 32 * at for at, word in enumerate(number))

    def power(self, base: int, exponent: int, modulus: int) -> tuple[int, int]:
        words = -(-self.front.width // 32)
        x, e, m = (self.number(value, words) for value in (base, exponent, modulus))
        out = self.number(0, words)
        code = self.c.modexp_power(self.device, out, x, m, words, e, self.front.width)
        return int(code), self.value(out)

    def sign(self, message: int, p: int, q: int) -> tuple[int, int]:
        n, e = p * q, 65537
        bits, half = n.bit_length(), max(p.bit_length(), q.bit_length())
        d = pow(e, -1, math.lcm(p - 1, q - 1))
        words, few = -(-bits // 32), -(-half // 32)
        parts = {"p": p, "q": q, "dp": d % (p - 1), "dq": d % (q - 1), "q_inverse": pow(q, -1, p)}
        numbers = {name: self.number(value, few) for name, value in parts.items()}
        numbers["n"] = self.number(n, words)
        key = self.ffi.new("struct modexp_rsa_key *", {"bits": bits, "half_bits": half, "e": e})
        for name, number in numbers.items():
            setattr(key, name, number)
        out, work = self.number(n - 1, words), self.number(0, 6 * few)
        given = self.number(message, words)
        code = self.c.modexp_rsa_private(self.device, out, given, key, work, 6 * few)
        assert self.value(work) == 0, "the work space keeps something"
        return int(code), self.value(out)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("driver") / "modexp.so"
    subprocess.run(
        ["gcc", *FLAGS, "-shared", "-fPIC", str(DRIVER / "modexp.c"), "-o", str(path)], check=True
    )
    return path


@pytest.mark.parametrize("compiler", ["gcc", "clang", "riscv64-unknown-elf-gcc"])
def test_the_driver_compiles_without_warnings(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    analyse = [] if compiler == "clang" else ["-fanalyzer"]
    command = [compiler, *FLAGS, *analyse, "-c", str(DRIVER / "modexp.c")]
    subprocess.run([*command, "-o", str(tmp_path / "modexp.o")], check=True)


@pytest.mark.parametrize("word_bytes", [4, 8])
def test_product_and_power(library: Path, word_bytes: int) -> None:
    driver = Driver(library, Front(96, word_bytes, True))
    assert driver.initialise() == 0
    modulus = (1 << 96) - 17
    assert driver.power(3**50, 5**40, modulus) == (0, pow(3**50, 5**40, modulus))
    driver = Driver(library, Front(96, word_bytes, False))
    assert driver.initialise() == 0
    x, y, m = (driver.number(value, 3) for value in (3**50, 5**40, modulus))
    out = driver.number(0, 3)
    assert driver.c.modexp_product(driver.device, out, x, y, m, 3) == 0
    assert driver.value(out) == 3**50 * 5**40 * pow(2, -98, modulus) % modulus


@pytest.mark.parametrize("bits", [64, 256, 512])
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("wide", [False, True])
def test_signature_and_fault(library: Path, bits: int, swap: bool, wide: bool) -> None:
    p = int(gmpy2.next_prime(3 << bits // 2 - 2))
    q = int(gmpy2.next_prime(p + 1000))
    p, q = (q, p) if swap else (p, q)
    front = Front(bits if wide else bits // 2, 4, True)
    driver = Driver(library, front)
    assert driver.initialise() == 0
    message = p * q * 2 // 3
    code, signature = driver.sign(message, p, q)
    assert (code, pow(signature, 65537, p * q)) == (0, message)
    assert not front.values, "the core keeps the key"
    for half in (1, 2):
        front.powers, front.fault_in = 0, half
        assert driver.sign(message, p, q) == (8, 0)


def test_errors(library: Path) -> None:
    front = Front(32, 4, True)
    driver = Driver(library, front)
    assert driver.initialise() == 0
    for status in Status:
        expected = {Status.OK: 0, Status.BUSY: TIMEOUT}.get(status, 0x100 + status)
        front.forced = status
        assert driver.power(3, 5, 7)[0] == expected
    front.forced = 15
    assert driver.power(3, 5, 7)[0] == 9
    for reason, code in ((0, 2), (6, 10), *((at, 0x200 + at) for at in (1, 2, 3, 4, 5, 8, 9))):
        front.reject = reason
        assert driver.power(3, 5, 7)[0] == code
    for register, code in ((FrontRegister.IDENTIFICATION, 3), (FrontRegister.VERSION, 4)):
        good, front.registers[register] = front.registers[register], 1 << 16
        assert driver.initialise() == code
        front.registers[register] = good


def test_zeroise(library: Path) -> None:
    front = Front(32, 4, True)
    driver = Driver(library, front)
    assert driver.initialise() == 0
    assert driver.power(3, 5, 7) == (0, 5)
    assert driver.c.modexp_zeroise(driver.device) == 0
    assert not front.values


@pytest.mark.parametrize("arrives", [True, False])
def test_interrupt_and_time_out(library: Path, arrives: bool) -> None:
    front = Front(32, 4, True)
    driver = Driver(library, front)
    enabled: list[int] = []

    @driver.ffi.callback("int(void *)")
    def wait(_: Any) -> int:
        enabled.append(front.registers[FrontRegister.INTERRUPT_ENABLE])
        return 0 if arrives else 1

    driver.bus.wait = wait
    assert driver.initialise() == 0
    assert driver.power(3, 5, 7) == ((0, 5) if arrives else (TIMEOUT, 0))
    assert enabled == [1]
    assert front.registers[FrontRegister.INTERRUPT_ENABLE] == 0
    assert bool(front.values) == arrives, "the driver zeroises the core after a time-out only"


def test_without_verification_a_fault_gets_out(tmp_path: Path) -> None:
    text = (DRIVER / "modexp.c").read_text()
    altered = text.replace("different |= power[i] ^ input[i];", "")
    assert altered != text
    source = tmp_path / "modexp.c"
    source.write_text(re.sub(r'"(\.\./)', f'"{DRIVER}/\\1', altered))
    path = tmp_path / "altered.so"
    include = f"-I{DRIVER}"
    command = ["gcc", "-std=c99", "-shared", "-fPIC", include, str(source), "-o", str(path)]
    subprocess.run(command, check=True)
    front = Front(64, 4, True)
    driver = Driver(path, front)
    assert driver.initialise() == 0
    front.fault_in = 1
    p, q = int(gmpy2.next_prime(3 << 30)), int(gmpy2.next_prime(7 << 29))
    code, signature = driver.sign(12345, p, q)
    assert code == 0
    assert math.gcd(pow(signature, 65537, p * q) - 12345, p * q) == q
