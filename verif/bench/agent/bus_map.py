"""Address map of a design's loader bus: the operand or result at each address.

Driver, monitor, checks and sequences use this map. The bench's top ``<design>_tb.sv`` defines the
same map for the hardware.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from models.status import Register, Status
from verif.bench.configuration.config import BenchConfig

# An operation counts as hung after this multiple of the longest operation's cycles.
PATIENCE = 2
SPARE_CYCLES = 1000


@dataclass(frozen=True)
class Operand:
    """A value that the host writes: name in items and records, address, width, bus words."""

    name: str
    address: int
    bits: int
    words: int


@dataclass(frozen=True)
class Result:
    """A value that the host reads: name, address, bus words, statuses that make it available."""

    name: str
    address: int
    words: int
    after: frozenset[Status]


@dataclass(frozen=True)
class BusMap:
    """One design's loader bus at one width.

    Attributes:
        bus_width: bits of a bus word.
        operands: operands in ascending order of addresses.
        results: results in ascending order of addresses.
        slot_words: number of words that the test bench stores for each address.
        cycle_limit: number of cycles after which a running operation counts as hung.
    """

    bus_width: int
    operands: tuple[Operand, ...]
    results: tuple[Result, ...]
    slot_words: int
    cycle_limit: int

    @property
    def write_addresses(self) -> int:
        """Number of addresses with a write slot in the test bench, the control address included."""
        return self.operands[-1].address + 1

    @property
    def read_addresses(self) -> int:
        """Number of addresses with a read slot in the test bench."""
        return self.results[-1].address + 1

    @property
    def slot_bits(self) -> int:
        """Number of bits of a slot."""
        return self.slot_words * self.bus_width

    def operand(self, name: str) -> Operand:
        """Return the operand of this name."""
        return next(operand for operand in self.operands if operand.name == name)

    def mask(self, *names: str) -> int:
        """Return the addresses of these operands as a mask, as in ``load`` and ``written``."""
        return sum(1 << self.operand(name).address for name in names)

    @property
    def everything(self) -> int:
        """Load mask of all operands."""
        return self.mask(*(operand.name for operand in self.operands))

    def words(self, value: int, count: int) -> list[int]:
        """Return ``value`` as ``count`` bus words, the lowest first; higher bits are dropped."""
        mask = (1 << self.bus_width) - 1
        return [value >> (i * self.bus_width) & mask for i in range(count)]


@singledispatch
def bus_map(config: BenchConfig) -> BusMap:
    """Return the loader bus of a job's design."""
    design, at = config.design, config.at
    operands, results = _fields(design.registers, at.bus_width, **design.register_widths(at))
    return BusMap(
        bus_width=at.bus_width,
        operands=operands,
        results=results,
        slot_words=max(value.words for value in (*operands, *results)),
        cycle_limit=PATIENCE * design.longest_operation(at) + SPARE_CYCLES,
    )


def _fields(
    registers: Sequence[Register], bus_width: int, **widths: int
) -> tuple[tuple[Operand, ...], tuple[Result, ...]]:
    def words(bits: int) -> int:
        return -(-bits // bus_width)

    operands = tuple(
        Operand(r.write.name, int(r.address), bits := r.write.width(**widths), words(bits))
        for r in registers
        if r.write
    )
    results = tuple(
        Result(r.read.name, int(r.address), words(r.read.width(**widths)), r.read.after)
        for r in registers
        if r.read
    )
    return operands, results
