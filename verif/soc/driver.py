"""The compiled C driver: a machine runs it, and its accesses reach a bus of the caller."""

from __future__ import annotations

import re
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cffi

from verif.bench.configuration.design import ROOT
from verif.bench.sequences.rsa_keys import RsaKey

DRIVER = ROOT / "hdl/fronts/driver"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
FLAGS = ("-std=c99", "-ffreestanding", "-O2", *WARNINGS)
WORD_BITS = 32
WORKSPACE = 6
TIMEOUT = 7  # MODEXP_ERROR_TIMEOUT
FAULT = 8  # MODEXP_ERROR_FAULT


@dataclass(frozen=True)
class Bus:
    """Bus that the driver accesses.

    Attributes:
        read: reads the word at an address; None is a bus error.
        write: writes a word; returns whether the bus accepted it.
        word_bytes: 4 or 8.
        wait: waits for the interrupt pin and returns whether it came; None: the driver polls.
        poll_limit: most reads of STATUS for an operation.
    """

    read: Callable[[int], int | None]
    write: Callable[[int, int], bool]
    word_bytes: int
    wait: Callable[[], bool] | None = None
    poll_limit: int = 5


class Machine(ABC):
    """Runs the compiled driver.

    Attributes:
        types: parser of the driver's headers; it knows the structures.
        instructions: number of executed instructions; 0 if the machine does not count them.
    """

    def __init__(self) -> None:
        self.instructions = 0
        self.types = cffi.FFI()
        for header in (ROOT / "hdl/fronts/front_codes.h", DRIVER / "modexp.h"):
            self.types.cdef(re.sub(r"^#.*$", "", header.read_text(), flags=re.MULTILINE))

    @abstractmethod
    def words(self, values: Sequence[int]) -> Any:
        """Return a block of memory that has 32-bit words."""

    @abstractmethod
    def values(self, block: Any) -> list[int]:
        """Return the words of a block."""

    @abstractmethod
    def structure(self, name: str, fields: Mapping[str, Any]) -> Any:
        """Return a structure in memory; fields that are not given are 0."""

    @abstractmethod
    def bus(self) -> Any:
        """Return the ``struct modexp_bus`` through which the driver gets at the caller's bus."""

    @abstractmethod
    def call(self, function: str, *arguments: Any) -> int:
        """Call a function of the driver.

        Raises:
            Exception: an access of the caller's bus raised it.
        """


class Native(Machine):
    """This processor, by cffi.

    Args:
        library: the driver as a shared library, see :func:`native_library`.
        bus: what the driver accesses.
    """

    def __init__(self, library: Path, bus: Bus) -> None:
        super().__init__()
        self._c: Any = self.types.dlopen(str(library))
        self._bus = bus
        self._raised: list[BaseException] = []
        self._kept: list[Any] = []

    def words(self, values: Sequence[int]) -> Any:
        """See :class:`Machine`."""
        return self.types.new("uint32_t[]", list(values))

    def values(self, block: Any) -> list[int]:
        """See :class:`Machine`."""
        return [int(word) for word in block]

    def structure(self, name: str, fields: Mapping[str, Any]) -> Any:
        """See :class:`Machine`; the caller keeps the blocks that the structure points to."""
        return self.types.new(f"struct {name} *", dict(fields))

    def bus(self) -> Any:
        """See :class:`Machine`."""
        bus = self._bus

        def read(_: Any, address: int, value: Any) -> int:
            word = bus.read(address)
            value[0] = word or 0
            return int(word is None)

        def write(_: Any, address: int, value: int) -> int:
            return int(not bus.write(address, value))

        fields: dict[str, Any] = {
            "read": self._callback("int(void *, uint32_t, uint64_t *)", read),
            "write": self._callback("int(void *, uint32_t, uint64_t)", write),
            "word_bytes": bus.word_bytes,
            "poll_limit": bus.poll_limit,
        }
        if wait := bus.wait:
            fields["wait"] = self._callback("int(void *)", lambda _: int(not wait()))
        return self.structure("modexp_bus", fields)

    def _callback(self, signature: str, function: Callable[..., int]) -> Any:
        def failed(_: Any, exception: BaseException, __: Any) -> None:
            self._raised.append(exception)

        made = self.types.callback(signature, function, error=1, onerror=failed)
        self._kept.append(made)
        return made

    def call(self, function: str, *arguments: Any) -> int:
        """See :class:`Machine`."""
        code = int(getattr(self._c, function)(*arguments))
        if self._raised:
            raise self._raised.pop(0)
        return code


def native_library(folder: Path, source: Path = DRIVER / "modexp.c") -> Path:
    """Compile the driver to a shared library in a folder."""
    path = folder / "modexp.so"
    include = f"-I{DRIVER}"
    command = ["gcc", *FLAGS, include, "-shared", "-fPIC", str(source), "-o", str(path)]
    subprocess.run(command, check=True)
    return path


class Driver:
    """The C driver and the device structure that it fills.

    Args:
        machine: runs the driver.

    Attributes:
        device: the structure that the driver fills.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._bus = machine.bus()
        self.device = machine.structure("modexp_device", {})

    def initialise(self) -> int:
        """Return the code of ``modexp_initialise``."""
        return self.machine.call("modexp_initialise", self.device, self._bus)

    def zeroise(self) -> int:
        """Return the code of ``modexp_zeroise``."""
        return self.machine.call("modexp_zeroise", self.device)

    def product(self, x: int, y: int, modulus: int, width: int) -> tuple[int, int]:
        """Return the code of ``modexp_product`` and the product."""
        words = words_of(width)
        out, *numbers = (self._number(value, words) for value in (0, x, y, modulus))
        code = self.machine.call("modexp_product", self.device, out, *numbers, words)
        return code, self._value(out)

    def power(self, base: int, exponent: int, modulus: int, width: int) -> tuple[int, int]:
        """Return the code of ``modexp_power`` and the power; ``width`` bits of each number."""
        words = words_of(width)
        out, x, e, m = (self._number(value, words) for value in (0, base, exponent, modulus))
        code = self.machine.call("modexp_power", self.device, out, x, m, words, e, width)
        return code, self._value(out)

    def private(self, message: int, key: RsaKey) -> tuple[int, int]:
        """Return the code of ``modexp_rsa_private`` and the result, which is 0 after any error.

        Raises:
            AssertionError: something of the key is left in the driver's work space.
        """
        p, q, n, d = key.p, key.q, key.modulus, key.d
        half_bits = max(p, q).bit_length()
        words, few = words_of(key.bits), words_of(half_bits)
        parts = {"p": p, "q": q, "dp": d % (p - 1), "dq": d % (q - 1), "q_inverse": pow(q, -1, p)}
        numbers = {name: self._number(value, few) for name, value in parts.items()}
        numbers["n"] = self._number(n, words)
        fields = {"bits": key.bits, "half_bits": half_bits, "e": key.e, **numbers}
        structure = self.machine.structure("modexp_rsa_key", fields)
        out, given = self._number(n - 1, words), self._number(message, words)
        size = WORKSPACE * few
        work = self._number(0, size)
        code = self.machine.call(
            "modexp_rsa_private", self.device, out, given, structure, work, size
        )
        assert self._value(work) == 0, "the work space of the driver keeps a part of the key"
        return code, self._value(out)

    def _number(self, value: int, words: int) -> Any:
        mask = (1 << WORD_BITS) - 1
        return self.machine.words([value >> WORD_BITS * at & mask for at in range(words)])

    def _value(self, block: Any) -> int:
        return sum(word << WORD_BITS * at for at, word in enumerate(self.machine.values(block)))


def words_of(bits: int) -> int:
    """Return the 32-bit words of a number."""
    return -(-bits // WORD_BITS)
