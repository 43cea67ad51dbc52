"""Host of the protocol stress test of an exponentiation core."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from models.bus.exponentiation_bus import (
    DATA,
    EXPONENT,
    LENGTH,
    LENGTH_BITS,
    M_PRIME,
    MODULUS,
    R_SQUARED,
    ExponentiationBus,
)
from models.bus.start_defects import Defect
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.constants import NOT_SUPPLIED, RIGHT, WRONG, Supply
from verif.bench.sequences.powers import ExponentiationGenerator
from verif.bench.stress.faulted_power import FaultedPower
from verif.bench.stress.host import SEQUENCE_STEPS, Host
from verif.bench.stress.timeline import Timeline

# Usual maximum of the exponent length: short, because the begin and end of an operation matter.
SHORT = 4
# Steps of a sequence with one M.
CHAIN_STEPS = 2 * SEQUENCE_STEPS


class ExponentiationHost(Host):
    """Rewrites a random subset of the operands; supplies correct and almost correct constants."""

    def __init__(self, config: BenchConfig, rng: random.Random) -> None:
        """Create a host for ``config``."""
        super().__init__(config, rng)
        self._powers = ExponentiationGenerator(config.entry, config.width, rng)

    @property
    def _model(self) -> ExponentiationBus:
        model = self.line.model
        assert isinstance(model, ExponentiationBus)
        return model

    def prepare(self) -> str:
        """Write a random subset of the operands; the combination is mostly legal."""
        rng, model = self.rng, self._model
        if self.chance(0.1):
            return "START"  # keep all operands
        if model.r_squared_kept and self.chance(0.15):
            return self.partial_write([MODULUS])  # makes the constants kept for M invalid
        values = {address: operand.value for address, operand in model.operands.items()}
        chosen = {s for s in (DATA, EXPONENT, MODULUS, LENGTH) if rng.randrange(2)}
        if model.r_squared_kept and self.chance(0.6):
            chosen.discard(MODULUS)
        length = model.length
        if LENGTH in chosen or (length > SHORT and self.chance(0.9)):
            chosen.add(LENGTH)
            length = values[LENGTH] = self._length()
        if MODULUS in chosen or (values[MODULUS] < 3 and self.chance(0.85)):
            chosen.add(MODULUS)
            values[MODULUS] = self._modulus(values[DATA], kept=DATA not in chosen)
        m = values[MODULUS]
        if DATA in chosen or (values[DATA] >= m and self.chance(0.85)):
            chosen.add(DATA)
            values[DATA] = self._powers.base(max(2, m))
        if EXPONENT in chosen or (values[EXPONENT] >> length and self.chance(0.85)):
            chosen.add(EXPONENT)
            values[EXPONENT] = rng.getrandbits(max(1, min(length, self.config.width)))
        if m > 1 and m % 2 and not m >> self.config.width:
            self._constants(chosen, values, m)
        if chosen and self.chance(0.15):
            address = rng.choice(sorted(chosen))
            values[address] = self._bad(address, values, length)
        self.load({s: values[s] for s in sorted(chosen)}, part_of=self.part(sorted(chosen)))
        return "START"

    def constant_chains(self, steps: int) -> Iterator[Timeline]:
        """Make chains of starts under one M, each followed by a supply not yet covered after it.

        The host reads each result, because the use of a wrong constant shows in the result.
        """
        constants = self.done.constants
        while steps > 0 and not constants.complete:
            self.begin()
            self.uninterrupted(self.complete())
            while len(self.line.played) < CHAIN_STEPS and not constants.complete:
                self._supply(self._next_supply())
                self.to_the_result("START")
            steps -= len(self.line.played)
            yield self.line

    def _next_supply(self) -> Supply:
        """Return a supply not yet covered after the last start, or one that leads to such."""
        constants, kept = self.done.constants, self._model.r_squared_kept
        missing = constants.missing_next(constants.way)
        if missing:
            # Prefer supplies without writes, which use the kept constants, then those that keep M,
            # which may use them.
            nothing = [supply for supply in missing if supply.nothing]
            same = [supply for supply in missing if not supply.modulus]
            return self.rng.choice((self.chance(0.6) and nothing) or same or missing)
        leading = [
            supply
            for supply in constants.supplies
            if constants.missing_next(supply.after(kept=kept and not supply.modulus))
        ]
        return self.rng.choice(leading or constants.supplies)

    def _supply(self, supply: Supply) -> None:
        """Write the constants for the next start, and M again if the supply says so."""
        description, m = self._model.description, self._model.operands[MODULUS].value
        values = {MODULUS: m} if supply.modulus else {}
        for kind, address, right, bits in (
            (supply.r_squared, R_SQUARED, description.r_squared(m), self.config.width),
            (supply.m_prime, M_PRIME, description.m_prime(m), max(1, description.m_prime_bits)),
        ):
            if kind == RIGHT:
                values[address] = right
            elif kind == WRONG:
                values[address] = right
                while values[address] == right:
                    wrong = self._nearly(address, right, bits, m) & ((1 << bits) - 1)
                    values[address] = wrong % m if address == R_SQUARED else wrong
        self.load(values, alone=True)

    def disturbed(self) -> float:
        """See :meth:`Host.disturbed`; often, if the exponent needs its second, rarely used word."""
        return 0.8 if self._model.length > self.config.bus_width else super().disturbed()

    def complete(self) -> str:
        """See :meth:`Host.complete`."""
        rng, description, width = self.rng, self._model.description, self.config.width
        m = max(3, rng.getrandbits(width) | 1)
        length = rng.randrange(1, min(SHORT, width) + 1)
        values = {
            DATA: rng.randrange(m), EXPONENT: rng.getrandbits(length), MODULUS: m, LENGTH: length,
            R_SQUARED: description.r_squared(m), M_PRIME: description.m_prime(m),
        }  # fmt: skip
        self.load(values, alone=True)
        return "START"

    def complete_long(self) -> str:
        """See :meth:`Host.complete_long`: an exponent of two words whose highest bit is 1."""
        command = self.complete()
        self.command("CLEAR")
        bits = min(self.config.width, self.config.bus_width + 2)
        self.load({EXPONENT: self.rng.getrandbits(bits) | 1 << bits - 1, LENGTH: bits}, alone=True)
        return command

    def shortened(self) -> Iterator[Timeline]:
        """See :meth:`Host.shortened`: the high words of the exponent are 0.

        Its highest bit is the highest of its low word. The host writes this word again, shorter.
        """
        bits = self.config.bus_width
        if self.config.width <= bits:
            return
        self.begin()
        command = self.complete()
        self.command("CLEAR")
        self.load({EXPONENT: self.rng.getrandbits(bits) | 1 << bits - 1, LENGTH: bits}, alone=True)
        self.to_the_result(command)
        length = self.rng.randrange(1, bits)
        self._write_low(EXPONENT, self.rng.getrandbits(length) | 1 << length - 1, 1)
        self.load({LENGTH: length}, alone=True)
        self.to_the_result(command)
        yield self.line

    def inject_fault(
        self, wanted: Sequence[Defect], *, same_modulus: bool = False, supply: bool = False
    ) -> str:
        """See :meth:`Host.inject_fault`. Legal operands stay as they are."""
        faulted = FaultedPower(
            self._model,
            self.rng,
            wanted,
            self._powers.modulus,
            SHORT,
            self.spare_bit,
            same_modulus=same_modulus,
            supply=supply,
        )
        self.load(faulted.values, part_of=faulted.part_of, alone=True)
        return "START"

    def _length(self) -> int:
        rng, width = self.rng, self.config.width
        if self.chance(0.12):  # around one bus word: the second word is just needed, or just not
            return min(width, self.config.bus_width + rng.randrange(5))
        return width if self.chance(0.05) else rng.randrange(1, min(SHORT, width) + 1)

    def _modulus(self, data: int, *, kept: bool) -> int:
        """Return a modulus; if the data are kept, one above the data if possible."""
        top = (1 << self.config.width) - 1
        if kept and 1 < data < top and self.chance(0.8):
            return self.rng.randrange(data + 1, top + 1) | 1
        return self._powers.modulus()

    def _constants(self, chosen: set[int], values: dict[int, int], m: int) -> None:
        """Choose for R**2 and m' whether to supply them, and whether correctly."""
        rng, description = self.rng, self._model.description
        kinds = [rng.choice((RIGHT, *2 * (WRONG,), *4 * (NOT_SUPPLIED,))) for _ in range(2)]
        missing = self.done.constants.missing_single(self._model)
        if missing and self.chance(0.5):
            supply = rng.choice(missing)
            kinds = [supply.r_squared, supply.m_prime]
        for kind, address, right, bits in (
            (kinds[0], R_SQUARED, description.r_squared(m), self.config.width),
            (kinds[1], M_PRIME, description.m_prime(m), max(1, description.m_prime_bits)),
        ):
            if kind != NOT_SUPPLIED:
                chosen.add(address)
                value = right if kind == RIGHT else self._nearly(address, right, bits, m)
                values[address] = value & ((1 << bits) - 1)

    def _nearly(self, address: int, right: int, bits: int, m: int) -> int:
        """Return an almost correct constant: wrong in one bit or word, by a factor or a modulus."""
        rng, description, width = self.rng, self._model.description, self.config.bus_width
        other = self._powers.modulus() | 1
        word = ((1 << width) - 1) << width * rng.randrange(-(-bits // width))
        one_word = right & ~word | rng.getrandbits(bits) & word
        if address == M_PRIME:
            others = (description.m_prime(other), -right, right + 1, 0)
        else:
            others = (
                description.r_squared(other), 2 * right % m, right * right % m, m - right,
                (right + 1) % m, right + m, m, 0, 1,
            )  # fmt: skip
        return rng.choice((right ^ 1 << rng.randrange(bits), one_word, *others))

    def _bad(self, address: int, values: dict[int, int], length: int) -> int:
        """Return a value that the hardware must reject."""
        rng, width = self.rng, self.config.width
        value, top = values[address], (1 << width) - 1
        if rng.randrange(3) == 0:
            return self.spare_bits(address, value)
        if address == MODULUS:
            return rng.choice((0, 1, value & ~1, values[DATA]))
        if address == LENGTH:
            return rng.choice((0, width + 1, rng.getrandbits(LENGTH_BITS)))
        if address == EXPONENT:
            return 1 << min(length, width - 1)
        if address == DATA:
            return rng.choice((values[MODULUS] & top, top))
        return value
