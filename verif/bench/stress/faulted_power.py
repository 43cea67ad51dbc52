"""Injects one or two faults into the operands of an exponentiation; all others stay legal."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

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
from models.bus.start_defects import (
    ABOVE_WIDTH,
    BAD_EXPONENT,
    BAD_LENGTH,
    EVEN,
    HIGHEST_BIT,
    IGNORED,
    INCOMPLETE,
    INCONSISTENT,
    KEPT,
    LOW_WORD_RIGHT,
    LOW_WORD_WRONG,
    LOWEST_BIT,
    OVERWIDE,
    SPARE_LENGTH,
    TOO_LARGE,
    ZERO_LENGTH,
    ZERO_OR_ONE,
    Defect,
    address_of,
)


class FaultedPower:
    """Operands with the wanted faults. Operands that are legal already stay as they are.

    Attributes:
        values: operands to write, by address.
        part_of: address of the operand of which only some words shall be written.

    Args:
        model: the bus model in its present state.
        rng: source of every random choice.
        wanted: the faults to inject.
        modulus: function that returns a random modulus.
        short: preferred maximum of the length.
        spare_bit: see :meth:`verif.bench.stress.host.Host.spare_bit`.
        same_modulus: see :meth:`verif.bench.stress.host.Host.inject_fault`.
        supply: see :meth:`verif.bench.stress.host.Host.inject_fault`.
    """

    def __init__(
        self,
        model: ExponentiationBus,
        rng: random.Random,
        wanted: Sequence[Defect],
        modulus: Callable[[], int],
        short: int,
        spare_bit: Callable[[int, str], int],
        *,
        same_modulus: bool = False,
        supply: bool = False,
    ) -> None:
        self._model, self._rng, self._short = model, rng, short
        self._same_modulus, self._supply = same_modulus, supply
        self._top = (1 << model.description.width) - 1
        self._lines = {defect.line for defect in wanted}
        blamed = {address_of(model, defect): defect for defect in wanted}
        self._written = {s: d for s, d in blamed.items() if d.how not in (KEPT, IGNORED)}
        self._kept = {s: d for s, d in blamed.items() if s not in self._written}
        operands = model.operands
        self._now = {s: o.value & ((1 << o.bits) - 1) for s, o in operands.items()}
        values = self._now
        if MODULUS not in self._kept:
            values[MODULUS] = self._modulus(modulus)
        values[DATA] = self._data()
        values[LENGTH] = self._length(spare_bit)
        values[EXPONENT] = self._exponent(values[LENGTH], spare_bit)
        constants = self._constants()
        for address, defect in self._written.items():
            if defect.line == OVERWIDE:
                changed = constants if address in constants else values
                changed[address] |= spare_bit(address, defect.how)
        plain = {s: values[s] for s in (DATA, EXPONENT, MODULUS, LENGTH)}
        self.values = {
            address: value
            for address, value in plain.items()
            if address not in self._kept
            and (value != operands[address].value or address in self._written)
        } | constants
        parts = (s for s, d in self._written.items() if d.line == INCOMPLETE)
        self.part_of = next(parts, None)

    def _is(self, address: int, line: str) -> bool:
        """Return whether a fault of this line shall be written to the operand."""
        return address in self._written and self._written[address].line == line

    def _modulus(self, modulus: Callable[[], int]) -> int:
        rng, m, width = self._rng, self._now[MODULUS], self._model.description.width
        stays = self._same_modulus and m > 1 and m % 2 == 1
        if ZERO_OR_ONE in self._lines:
            return 1
        if DATA in self._kept and TOO_LARGE in self._lines and self._now[DATA] > 2:
            m = rng.randrange(1, self._now[DATA]) | 1
        elif INCONSISTENT in self._lines and not stays:  # large M: all kinds of quotients
            m = rng.getrandbits(width) | 1 << width - 1 | 1
        elif TOO_LARGE in self._lines and not stays:  # small M, so that R**2 + M fits
            m = rng.getrandbits(width - 1) | 1
        elif m < 3 or m % 2 == 0:
            m = modulus() | 1
        m = max(3, m)
        return m & ~1 if EVEN in self._lines else m

    def _data(self) -> int:
        rng, data, m = self._rng, self._now[DATA], self._now[MODULUS]
        if DATA in self._kept:
            return data
        if self._is(DATA, TOO_LARGE):
            return rng.randrange(m, self._top + 1)
        return rng.randrange(max(1, m)) if data >= m or ZERO_OR_ONE in self._lines else data

    def _length(self, spare_bit: Callable[[int, str], int]) -> int:
        rng, width, now = self._rng, self._model.description.width, self._model.length
        if LENGTH in self._kept:
            return now
        if EXPONENT in self._kept:
            bits = self._now[EXPONENT].bit_length()
            if self._kept[EXPONENT].operand == ABOVE_WIDTH:
                return max(1, bits)
            return rng.randrange(1, max(2, min(bits - 1, self._short) + 1))
        right = now if 0 < now <= self._short else rng.randrange(1, min(self._short, width) + 1)
        if not self._is(LENGTH, BAD_LENGTH):
            return right
        if self._written[LENGTH].operand == SPARE_LENGTH:
            return right | spare_bit(LENGTH, rng.choice((LOWEST_BIT, HIGHEST_BIT)))
        top = (1 << LENGTH_BITS) - 1
        long = rng.choice((width + 1, rng.randrange(width + 1, top + 1), top))
        return 0 if self._written[LENGTH].operand == ZERO_LENGTH else long

    def _exponent(self, length: int, spare_bit: Callable[[int, str], int]) -> int:
        rng, exponent, width = self._rng, self._now[EXPONENT], self._model.description.width
        if EXPONENT in self._kept:
            return exponent
        right = rng.getrandbits(min(length, width)) if exponent >> length else exponent
        if not self._is(EXPONENT, BAD_EXPONENT):
            return right
        if self._written[EXPONENT].operand == ABOVE_WIDTH:
            return right | spare_bit(EXPONENT, rng.choice((LOWEST_BIT, HIGHEST_BIT)))
        return right | 1 << min(length, width - 1)

    def _constants(self) -> dict[int, int]:
        """Return the constants to supply; a constant written earlier gets its legal value again."""
        description, operands, m = self._model.description, self._model.operands, self._now[MODULUS]
        wanted = {
            address
            for address in (R_SQUARED, M_PRIME)
            if address in self._written
            or ((operands[address].supplied or self._supply) and address not in self._kept)
        }
        odd = m % 2 == 1 and m > 1
        found = {}
        if R_SQUARED in wanted:
            found[R_SQUARED] = self._r_squared(description.r_squared(m) if odd else 0)
        if M_PRIME in wanted:
            right = description.m_prime(m) if odd and description.m_prime_bits else 0
            if self._is(M_PRIME, INCONSISTENT):
                bits, how = operands[M_PRIME].bits, self._written[M_PRIME].how
                ends = {LOWEST_BIT: 1, HIGHEST_BIT: 1 << bits - 1}
                right ^= ends.get(how, self._rng.randrange(1, 1 << bits))
            found[M_PRIME] = right
        return found

    def _r_squared(self, right: int) -> int:
        rng, m, bus_width = self._rng, self._now[MODULUS], self._model.bus_width
        if self._is(R_SQUARED, TOO_LARGE):
            return right + m
        if not self._is(R_SQUARED, INCONSISTENT):
            return right
        how, word = self._written[R_SQUARED].how, 1 << bus_width
        if how == LOW_WORD_RIGHT:
            quotient = 1 + word * rng.randrange(1, max(2, (m - 1) // word))
        elif how == LOW_WORD_WRONG:
            quotient = rng.choice((0, 1 ^ 1 << rng.randrange(bus_width), rng.randrange(2, word)))
        else:
            quotient = 1 ^ 1 << rng.randrange(m.bit_length())
        return right * quotient % m
