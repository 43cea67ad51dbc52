"""Host of the protocol stress test of a multiplier."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from models.bus.multiplier_bus import M, MultiplierBus, P, X, Y, field_of
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
from verif.bench.stress.host import SEQUENCE_STEPS, Host
from verif.bench.stress.timeline import Timeline

# Steps of chains for each field of a core: enough for each pair of starts if operands are short.
# Limit of all chains of a job, as a multiple of the steps of its random sequences.
CHAIN_STEPS, MOST_SHARES = 400, 6


class Start(NamedTuple):
    """A start under a modulus that stays: the command, and whether X is too large for it."""

    command: str
    too_large: bool

    def keeps(self, kept: str) -> str:
        """Return the field of the constants kept after this start, if ``kept`` was before it."""
        rejected = self.too_large and self.command != "START_RAW"
        return kept if rejected else field_of(self.command)


# The field of the kept constants ("" for none), the start before (None for none), and a start.
Link = tuple[str, Start | None, Start]


class MultiplierHost(Host):
    """Rewrites a random subset of X, Y and M and keeps the others.

    Attributes:
        missing_links: links that no chain has had.
    """

    def __init__(self, config: BenchConfig, rng: random.Random) -> None:
        """Create a host for ``config``."""
        super().__init__(config, rng)
        self._generator = OperandGenerator(config.entry, config.width, rng)
        self.missing_links = self._links()

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

    def constant_chains(self, steps: int) -> Iterator[Timeline]:
        """Make chains of starts under one M, each command after each other, accepted or rejected.

        Constants of M are kept from start to start, for one field. A start that computes, replaces
        or loses them shows in the cycles and the result of the next starts.
        """
        fields = {field_of(one.command) for one in self._starts}
        steps = max(steps, min(len(fields) * CHAIN_STEPS, MOST_SHARES * steps))
        while steps > 0 and self.missing_links:
            self.begin()
            self.complete()
            last: Start | None = None
            while len(self.line.played) < SEQUENCE_STEPS:
                kept = self._kept
                now = self.rng.choice(self._next_starts(kept, last))
                self.missing_links.discard((kept, last, now))
                self._start(now)
                last = now
            steps -= len(self.line.played)
            yield self.line

    @property
    def _starts(self) -> list[Start]:
        """All starts of a chain."""
        commands = ("START", "START_RAW", *(("START_BINARY",) if self.config.entry.binary else ()))
        return [Start(*one) for one in product(commands, (False, True))]

    @property
    def _kept(self) -> str:
        """The field of the kept constants, as the model knows it."""
        model = self.line.model
        assert isinstance(model, MultiplierBus)
        return model.kept_field

    def _links(self) -> set[Link]:
        """Return all links of chains: kept constants, the start before, and the start."""
        found: set[Link] = set()
        states: list[tuple[str, Start | None]] = [("", None)]
        for kept, last in states:  # grows
            for one in self._starts:
                found.add((kept, last, one))
                if (one.keeps(kept), one) not in states:
                    states.append((one.keeps(kept), one))
        return found

    def _next_starts(self, kept: str, last: Start | None) -> list[Start]:
        """Return the starts that are missing in this state, or those after which one is missing."""
        missing = [one for one in self._starts if (kept, last, one) in self.missing_links]
        open_states = {link[:2] for link in self.missing_links}
        leading = [one for one in self._starts if (one.keeps(kept), one) in open_states]
        return missing or leading or self._starts

    def _start(self, one: Start) -> None:
        """Write X, start, and read P if there is one."""
        model, top = self.line.model, (1 << self.config.width) - 1
        m = model.operands[M].value
        limit = self._limit(m, one.command == "START_BINARY")
        values = {X: self.rng.randrange(m, top + 1) if one.too_large else self.rng.randrange(limit)}
        if model.operands[Y].value >= limit:
            values[Y] = self.rng.randrange(limit)
        self.load(values, alone=True)
        self.uninterrupted(one.command)
        if model.status(self.line.now) in model.results[P].after:
            for _ in range(model.results[P].words):
                self.step(write=False, address=P)

    def complete(self) -> str:
        """See :meth:`Host.complete`."""
        m = max(3, self._generator.modulus() | 1)
        values = {X: self.rng.randrange(m), Y: self.rng.randrange(m), M: m}
        self.load(values, alone=True)
        return "START"

    def inject_fault(
        self, wanted: Sequence[Defect], *, same_modulus: bool = False, supply: bool = False
    ) -> str:
        """See :meth:`Host.inject_fault`. Legal operands stay as they are, M too if possible."""
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
