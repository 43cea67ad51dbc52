"""Host of the protocol stress test of a multiplier."""

from __future__ import annotations

import random
from collections.abc import Sequence

from models.bus.multiplier_bus import M, X, Y
from models.bus.start_defects import (
    EVEN,
    INCOMPLETE,
    KEPT,
    OVERWIDE,
    TOO_LARGE,
    ZERO_OR_ONE,
    Defect,
    address_of,
)
from verif.bench.configuration.config import BenchConfig
from verif.bench.sequences.operands import OperandGenerator
from verif.bench.stress.host import Host


class MultiplierHost(Host):
    """Rewrites a random subset of X, Y and M and keeps the others."""

    def __init__(self, config: BenchConfig, rng: random.Random) -> None:
        """Create a host for ``config``."""
        super().__init__(config, rng)
        self._generator = OperandGenerator(config.entry, config.width, rng)

    def prepare(self) -> str:
        """Write a random subset of the operands; the combination is mostly legal."""
        rng, operands = self.rng, self.line.model.operands
        binary = self.config.entry.binary is not None and self.chance(0.3)
        command = "START_BINARY" if binary else "START_RAW" if self.chance(0.4) else "START"
        if self.chance(0.1):
            return command  # keep all operands
        if self.chance(0.08):
            self.partial_write([M])  # makes the constants kept for M invalid
            return command
        chosen = {address for address in (X, Y, M) if rng.randrange(2)}
        values = {address: operands[address].value for address in (X, Y, M)}
        if M in chosen or (values[M] < 2 and self.chance(0.85)):
            chosen.add(M)
            values[M] = self._modulus(max(values[s] for s in (X, Y) if s not in chosen) + 1
                                      if {X, Y} - chosen else 0)  # fmt: skip
        limit = self._limit(values[M], binary)
        for address in (X, Y):
            fits = values[address] < limit
            if address in chosen or (not fits and self.chance(0.8)):
                chosen.add(address)
                values[address] = min(self._generator.operand(max(2, values[M])), limit - 1)
        if chosen and self.chance(0.2):
            address = rng.choice(sorted(chosen))
            values[address] = self._bad(address, values)
        if command == "START_RAW" and {X, Y} & chosen and self.chance(0.7):
            values[rng.choice(sorted({X, Y} & chosen))] = self._not_reduced(values[M])
        self.load({s: values[s] for s in sorted(chosen)}, part_of=self.part(sorted(chosen)))
        return command

    def complete(self) -> str:
        """See :meth:`Host.complete`."""
        m = max(3, self._generator.modulus() | 1)
        values = {X: self.rng.randrange(m), Y: self.rng.randrange(m), M: m}
        self.load(values, alone=True)
        return "START"

    def inject_fault(self, wanted: Sequence[Defect], *, same_modulus: bool = False) -> str:
        """See :meth:`Host.spoil`. Legal operands stay as they are, and M too if possible."""
        rng, operands = self.rng, self.line.model.operands
        top = (1 << self.config.width) - 1
        lines = {defect.line for defect in wanted}
        values = {address: operand.value & top for address, operand in operands.items()}
        blamed = {address_of(self.line.model, defect): defect for defect in wanted}
        written = {address: d for address, d in blamed.items() if d.how != KEPT}
        kept = set(blamed) - set(written)
        if M not in kept:
            too_large = [values[s] for s in kept if TOO_LARGE in lines]
            values[M] = self._faulted_modulus(values[M], lines, max(too_large, default=0))
        for address in (X, Y):
            if address in kept:
                continue
            if values[address] >= values[M] or ZERO_OR_ONE in lines:
                values[address] = rng.randrange(max(1, values[M]))
            if address in written and written[address].line == TOO_LARGE:
                values[address] = rng.randrange(values[M], top + 1)
        for address, defect in written.items():
            if defect.line == OVERWIDE:
                values[address] |= self.spare_bit(address, defect.how)
        changed = {s for s, value in values.items() if value != operands[s].value} - kept
        part_of = next((s for s, d in written.items() if d.line == INCOMPLETE), None)
        self.load(
            {s: values[s] for s in sorted(changed | set(written))}, part_of=part_of, alone=True
        )
        return "START_RAW" if lines == {ZERO_OR_ONE, EVEN} else "START"

    def _faulted_modulus(self, m: int, lines: set[str], too_large: int) -> int:
        """Return a modulus to which the lines apply, at most as large as a too large operand."""
        if ZERO_OR_ONE in lines:
            return 0 if EVEN in lines else 1
        if too_large > 2:
            m = max(3, self.rng.randrange(1, too_large) | 1)
        elif m < 3 or m % 2 == 0:
            m = max(3, self._generator.modulus() | 1)
        return m & ~1 if EVEN in lines else m

    @staticmethod
    def _limit(m: int, binary: bool) -> int:
        """Return the limit of reduced operands: they are below it."""
        return max(1, 1 << m.bit_length() - 1 if binary and m else m)

    def _modulus(self, least: int) -> int:
        """Return a modulus that is at least ``least``, if possible."""
        top = (1 << self.config.width) - 1
        if 1 < least < top and self.chance(0.8):
            m = self.rng.randrange(least, top + 1)
            return m | 1 if self.config.entry.montgomery else m
        return self._generator.modulus()

    def _bad(self, address: int, values: dict[int, int]) -> int:
        """Return a value that the hardware must reject, or accept only for a raw start."""
        rng, m = self.rng, values[M]
        kind = rng.randrange(4)
        if kind == 0:
            return self.spare_bits(address, values[address])
        if address == M:
            return rng.choice((0, 1, m & ~1, max(values[X], values[Y])))
        return self._not_reduced(m)

    def _not_reduced(self, m: int) -> int:
        top = (1 << self.config.width) - 1
        return self.rng.choice((m, top, self.rng.randrange(min(m, top), top + 1))) & top
