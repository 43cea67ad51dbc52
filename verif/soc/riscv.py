"""The driver as a RISC-V program: unicorn executes it, its volatile accesses reach the bus."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unicorn import UC_ARCH_RISCV, UC_HOOK_BLOCK, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import UC_RISCV_REG_A0, UC_RISCV_REG_RA, UC_RISCV_REG_SP

from verif.soc.driver import DRIVER, FLAGS, Bus, Machine

TOOLS = "riscv64-unknown-elf-"
COMPILER = f"{TOOLS}gcc"
# No compressed instructions: the bytes of a block give their number.
TARGET = ("-march=rv32im", "-mabi=ilp32")
PROGRAM, MEMORY, FRONT = 0x1_0000, 0x10_0000, 0x4000_0000
PROGRAM_BYTES, MEMORY_BYTES, FRONT_BYTES = 0x1_0000, 0x10_0000, 0x1_0000
STOP = PROGRAM + PROGRAM_BYTES - 4
WORD_BYTES = 4
# A word after the front's map: a read waits for the interrupt pin. The driver's function wait is
# lui t0, 0x4000f; lw a0, 0(t0); ret.
WAIT_OFFSET = 0xF000
WAIT_PROGRAM = (0x4000_F2B7, 0x0002_A503, 0x0000_8067)


@dataclass(frozen=True)
class Block:
    """Words in the program's memory."""

    address: int
    words: int


@dataclass(frozen=True)
class Program:
    """The driver for a 32-bit RISC-V processor.

    Attributes:
        image: bytes from address ``PROGRAM``.
        functions: address of each function.
    """

    image: bytes
    functions: Mapping[str, int]


def compiler_exists() -> bool:
    """Return whether Debian's compiler for RISC-V is installed."""
    return shutil.which(COMPILER) is not None


def riscv_program(folder: Path) -> Program:
    """Compile and link the driver in a folder."""
    elf, image = folder / "modexp.elf", folder / "modexp.bin"
    linker = ("-nostdlib", "-Wl,--no-relax", f"-Wl,-Ttext={PROGRAM:#x}", "-Wl,-e,0")
    command = [COMPILER, *FLAGS, *TARGET, *linker, str(DRIVER / "modexp.c"), "-o", str(elf)]
    subprocess.run(command, check=True)
    subprocess.run([f"{TOOLS}objcopy", "-O", "binary", str(elf), str(image)], check=True)
    listed = subprocess.run([f"{TOOLS}nm", str(elf)], check=True, capture_output=True, text=True)
    symbols = (line.split() for line in listed.stdout.splitlines())
    return Program(
        image.read_bytes(), {name: int(at, 16) for at, kind, name in symbols if kind == "T"}
    )


class Riscv(Machine):
    """A 32-bit RISC-V processor with the front in its memory map.

    A rejected access is not an exception of this processor: the driver finds its reason in STATUS.

    Args:
        program: the driver.
        bus: what the driver accesses; its words have 32 bits.
    """

    def __init__(self, program: Program, bus: Bus) -> None:
        super().__init__()
        self._functions, self._bus, self._free = program.functions, bus, MEMORY
        self._processor = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
        self._processor.mem_map(PROGRAM, PROGRAM_BYTES)
        self._processor.mem_write(PROGRAM, program.image)
        self._processor.mem_map(MEMORY, MEMORY_BYTES)
        self._processor.mmio_map(FRONT, FRONT_BYTES, self._read, None, self._write, None)
        self._processor.hook_add(UC_HOOK_BLOCK, self._count)

    def _read(self, _: Uc, address: int, size: int, __: Any) -> int:
        assert size == WORD_BYTES, f"the driver reads {size} bytes at {address:#x}"
        if address == WAIT_OFFSET:
            assert self._bus.wait, "the driver waits for a pin that the bus does not have"
            return int(not self._bus.wait())
        return self._bus.read(address) or 0

    def _write(self, _: Uc, address: int, size: int, value: int, __: Any) -> None:
        assert size == WORD_BYTES, f"the driver writes {size} bytes at {address:#x}"
        self._bus.write(address, value)

    def _count(self, _: Uc, __: int, size: int, ___: Any) -> None:
        self.instructions += size // 4

    def words(self, values: Sequence[int]) -> Block:
        """See :class:`Machine`."""
        block = Block(self._free, len(values))
        self._processor.mem_write(block.address, struct.pack(f"<{len(values)}I", *values))
        self._free += WORD_BYTES * len(values)
        return block

    def values(self, block: Block) -> list[int]:
        """See :class:`Machine`."""
        data = self._processor.mem_read(block.address, WORD_BYTES * block.words)
        return list(struct.unpack(f"<{block.words}I", data))

    def structure(self, name: str, fields: Mapping[str, Any]) -> Block:
        """See :class:`Machine`; each member of the driver's structures is a word or a structure."""
        words: list[int] = []
        for field, described in self.types.typeof(f"struct {name}").fields:
            if described.type.kind == "struct":
                words += [0] * len(described.type.fields)
            else:
                words.append(_word(fields.get(field, 0)))
        return self.words(words)

    def bus(self) -> Block:
        """Machine whose driver uses volatile accesses; see :class:`Machine`."""
        fields = {"base": FRONT, "word_bytes": WORD_BYTES, "poll_limit": self._bus.poll_limit}
        if self._bus.wait:
            fields["wait"] = self.words(WAIT_PROGRAM).address
        return self.structure("modexp_bus", fields)

    def call(self, function: str, *arguments: Any) -> int:
        """See :class:`Machine`; the first eight arguments are in registers."""
        for at, argument in enumerate(arguments):
            self._processor.reg_write(UC_RISCV_REG_A0 + at, _word(argument))
        self._processor.reg_write(UC_RISCV_REG_RA, STOP)
        self._processor.reg_write(UC_RISCV_REG_SP, MEMORY + MEMORY_BYTES)
        self._processor.emu_start(self._functions[function], STOP)
        return int(self._processor.reg_read(UC_RISCV_REG_A0))


def _word(value: Block | int) -> int:
    return value.address if isinstance(value, Block) else value
