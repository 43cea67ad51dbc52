"""Illegal starts: which rule is violated, by which operand, and when that operand was written.

The status table of ``hdl/docs/interface.md`` has one line for each violation. The first line that
applies gives the status. Two kinds of starts reveal a wrong check: starts to which one line applies
because of one operand, and starts to which two lines apply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from models.bus.exponentiation_bus import (
    DATA,
    EXPONENT,
    LENGTH,
    M_PRIME,
    MODULUS,
    R_SQUARED,
    ExponentiationBus,
)
from models.bus.loader_bus import BusModel, Operand
from models.bus.multiplier_bus import M, MultiplierBus, X, Y

# Lines of the status table, in its order.
INCOMPLETE = "partly written"
BAD_LENGTH = "length"
BAD_EXPONENT = "exponent"
OVERWIDE = "over-wide"
ZERO_OR_ONE = "0 or 1"
EVEN = "even"
TOO_LARGE = "too large"
INCONSISTENT = "inconsistent"
# When the operand was written. WRITTEN: for this start. KEPT: for an earlier start, and this start
# checks it again. IGNORED: for an earlier start, and this start does not use it (not supplied).
WRITTEN, KEPT, IGNORED = "written", "kept", "not supplied"
# A wrong R**2 that a check of one part misses. The hardware checks the quotient of the supplied and
# the correct R**2, which is 1 if R**2 is correct.
LOW_WORD_RIGHT, LOW_WORD_WRONG = "low word of the quotient right", "low word of the quotient wrong"
# Which bit of m' is wrong, or which bit above an operand's width is 1.
LOWEST_BIT, HIGHEST_BIT = "in the lowest bit alone", "in the highest bit alone"
ZERO_LENGTH, LONG_LENGTH = "0", "above Width"
ABOVE_WIDTH = "Exponent above Width"
SPARE_LENGTH = "Length in its spare bits"
# Optional operands of a start; they are checked only if supplied.
CONSTANTS = ("R**2", "m'")
# Pairs of lines that cannot apply without a third: Data is never below a modulus of 0, and a
# modulus that is even, 0 or 1 has no correct constants.
IMPOSSIBLE_OF_POWERS = ((ZERO_OR_ONE, EVEN), (ZERO_OR_ONE, INCONSISTENT), (EVEN, INCONSISTENT))


@dataclass(frozen=True)
class Defect:
    """One violation at a start.

    Attributes:
        line: line of the status table that applies.
        operand: name of the operand that causes it.
        how: when the operand was written, or which part of it is wrong.
    """

    line: str
    operand: str
    how: str = WRITTEN

    def __str__(self) -> str:
        """Return the name of its coverage bin."""
        return f"{self.line}: {self.operand}, {self.how}"


Target = tuple[Defect, ...] | tuple[str, str]


def address_of(model: BusModel, defect: Defect) -> int:
    """Return the address of the operand that causes the defect."""
    names = {operand.name: address for address, operand in model.operands.items()}
    names |= dict.fromkeys((ZERO_LENGTH, LONG_LENGTH, SPARE_LENGTH), LENGTH)
    names[ABOVE_WIDTH] = EXPONENT
    return names[defect.operand]


def _since(operand: Operand) -> str:
    return WRITTEN if operand.supplied else KEPT


def _low_bits(operand: Operand) -> int:
    """Return the value without its over-wide bits, which have their own line in the table."""
    return operand.value & ((1 << operand.bits) - 1)


def spare_bits(operand: Operand, bus_width: int) -> int:
    """Return how many bits of the last word lie above the operand's width."""
    return operand.words * bus_width - operand.bits


def defects(model: BusModel, command: str) -> list[Defect]:
    """Return all defects of a start granted now, not only the one that its status reports.

    Raises:
        TypeError: the model is neither a multiplier nor an exponentiation.
    """
    if isinstance(model, MultiplierBus):
        return list(_of_product(model, raw=command == "START_RAW"))
    if isinstance(model, ExponentiationBus):
        return list(_of_power(model))
    raise TypeError(f"no defects are known of {type(model).__name__}")


def _of_all(model: BusModel) -> Iterator[Defect]:
    for operand in model.operands.values():
        if operand.partly_written:
            yield Defect(INCOMPLETE, operand.name)


def _of_modulus(operand: Operand, *, odd: bool) -> Iterator[Defect]:
    m = _low_bits(operand)
    if m < 2:
        yield Defect(ZERO_OR_ONE, operand.name, _since(operand))
    if odd and m % 2 == 0:
        yield Defect(EVEN, operand.name, _since(operand))


def _overwide(model: BusModel, operand: Operand, before: str = KEPT) -> Iterator[Defect]:
    above = operand.value >> operand.bits
    if above:
        bits = spare_bits(operand, model.bus_width)
        yield Defect(OVERWIDE, operand.name, _bit_kind(above, bits) if operand.supplied else before)


def _of_product(model: MultiplierBus, *, raw: bool) -> Iterator[Defect]:
    yield from _of_all(model)
    for operand in model.operands.values():
        yield from _overwide(model, operand)
    yield from _of_modulus(model.operands[M], odd=model.description.odd_modulus)
    for address in (X, Y):
        operand = model.operands[address]
        if not raw and _low_bits(operand) >= _low_bits(model.operands[M]):
            yield Defect(TOO_LARGE, operand.name, _since(operand))


def _of_power(model: ExponentiationBus) -> Iterator[Defect]:
    operands, description, length = model.operands, model.description, model.length
    yield from _of_all(model)
    if length == 0 or length > description.width:
        in_range = 0 < _low_bits(operands[LENGTH]) <= description.width
        name = SPARE_LENGTH if in_range else LONG_LENGTH if length else ZERO_LENGTH
        yield Defect(BAD_LENGTH, name, _since(operands[LENGTH]))
    exponent = operands[EXPONENT]
    if exponent.value >> length:
        seen = _low_bits(exponent) >> length
        yield Defect(BAD_EXPONENT, exponent.name if seen else ABOVE_WIDTH, _since(exponent))
    for address in (DATA, MODULUS):
        yield from _overwide(model, operands[address])
    for address in (R_SQUARED, M_PRIME):
        yield from _overwide(model, operands[address], IGNORED)
    yield from _of_modulus(operands[MODULUS], odd=description.montgomery)
    m, data = _low_bits(operands[MODULUS]), operands[DATA]
    if _low_bits(data) >= m:
        yield Defect(TOO_LARGE, data.name, _since(data))
    if description.montgomery:
        yield from _of_constants(model, m)


def _of_constants(model: ExponentiationBus, m: int) -> Iterator[Defect]:
    r_squared, m_prime = model.operands[R_SQUARED], model.operands[M_PRIME]
    if r_squared.supplied and _low_bits(r_squared) >= m:
        yield Defect(TOO_LARGE, r_squared.name)
    if m < 3 or m % 2 == 0:
        return
    if r_squared.supplied:
        quotient = _low_bits(r_squared) * pow(model.description.r_squared(m), -1, m) % m
        if quotient != 1:
            how = quotient_kind(quotient, model.bus_width, r_squared.words)
            yield Defect(INCONSISTENT, r_squared.name, how)
    if m_prime.supplied and model.description.m_prime_bits:
        wrong = _low_bits(m_prime) ^ model.description.m_prime(m)
        if wrong:
            yield Defect(INCONSISTENT, m_prime.name, _bit_kind(wrong, m_prime.bits))


def quotient_kind(quotient: int, bus_width: int, words: int) -> str:
    """Return which part of the quotient of a wrong R**2 is wrong."""
    if words == 1:
        return WRITTEN
    if not (quotient ^ 1) & ((1 << bus_width) - 1):
        return LOW_WORD_RIGHT
    return WRITTEN if quotient >> bus_width else LOW_WORD_WRONG


def _bit_kind(wrong: int, bits: int) -> str:
    return LOWEST_BIT if wrong == 1 else HIGHEST_BIT if wrong == 1 << bits - 1 else WRITTEN


def _bit_kinds(bits: int) -> tuple[str, ...]:
    """Return the kinds that exist for ``bits`` bits."""
    return () if not bits else (LOWEST_BIT, HIGHEST_BIT, WRITTEN) if bits > 1 else (LOWEST_BIT,)


def possible_defects(model: BusModel) -> Iterator[Defect]:
    """Yield every defect that can be the only one of a start.

    Raises:
        TypeError: the model is neither a multiplier nor an exponentiation.
    """
    spare = {o.name: spare_bits(o, model.bus_width) for o in model.operands.values()}
    for operand in model.operands.values():
        if operand.words > 1:
            yield Defect(INCOMPLETE, operand.name)
    if isinstance(model, MultiplierBus):
        names, odd = ("X", "Y", "M"), model.description.odd_modulus
        too_large = ("X", "Y")
    elif isinstance(model, ExponentiationBus):
        names, odd, too_large = ("Data", "M"), model.description.montgomery, ("Data",)
        yield from _possible_of_powers(model, spare)
    else:
        raise TypeError(f"no defects are known of {type(model).__name__}")
    for name in names:
        yield from _possible_overwide(name, spare[name], KEPT)
    for how in (WRITTEN, KEPT):
        yield Defect(ZERO_OR_ONE, "M", how)
        if odd:
            yield Defect(EVEN, "M", how)
        yield from (Defect(TOO_LARGE, name, how) for name in too_large)


def _possible_overwide(name: str, spare: int, before: str) -> Iterator[Defect]:
    hows = (*_bit_kinds(spare), before) if spare else ()
    yield from (Defect(OVERWIDE, name, how) for how in hows)


def _possible_of_powers(model: ExponentiationBus, spare: dict[str, int]) -> Iterator[Defect]:
    description, r_squared = model.description, model.operands[R_SQUARED]
    exponents = ["Exponent", *([ABOVE_WIDTH] if spare["Exponent"] else [])]
    lengths = [ZERO_LENGTH, LONG_LENGTH, *([SPARE_LENGTH] if spare["Length"] else [])]
    for how in (WRITTEN, KEPT):
        yield from (Defect(BAD_LENGTH, name, how) for name in lengths)
        yield from (Defect(BAD_EXPONENT, name, how) for name in exponents)
    for name in CONSTANTS:
        yield from _possible_overwide(name, spare[name], IGNORED)
    if not description.montgomery:
        return
    yield Defect(TOO_LARGE, "R**2")
    kinds = (WRITTEN, LOW_WORD_RIGHT, LOW_WORD_WRONG) if r_squared.words > 1 else (WRITTEN,)
    yield from (Defect(INCONSISTENT, "R**2", how) for how in kinds)
    yield from (Defect(INCONSISTENT, "m'", how) for how in _bit_kinds(description.m_prime_bits))


def possible_pairs(model: BusModel) -> list[tuple[str, str]]:
    """Return the pairs of lines that can apply to one start without a third line."""
    lines = list(dict.fromkeys(d.line for d in possible_defects(model)))
    pairs = (in_order(pair) for pair in combinations(lines, 2))
    left_out = IMPOSSIBLE_OF_POWERS if isinstance(model, ExponentiationBus) else ()
    return [pair for pair in pairs if pair not in left_out]


ORDER = (
    INCOMPLETE, BAD_LENGTH, BAD_EXPONENT, OVERWIDE, ZERO_OR_ONE, EVEN, TOO_LARGE, INCONSISTENT,
)  # fmt: skip


def in_order(pair: tuple[str, ...]) -> tuple[str, str]:
    """Return two lines in the order of the status table."""
    first, second = sorted(pair, key=ORDER.index)
    return first, second


def _named(model: BusModel, name: str) -> Operand | None:
    """Return the operand of this name; None for special cases such as a length of 0."""
    return next((o for o in model.operands.values() if o.name == name), None)


def can_be_alone(model: BusModel, defect: Defect) -> bool:
    """Return True if the operand's present value can cause this defect without another one.

    A modulus of 0 is also even, and no operand is below it. An operand that is too large must be at
    least 3.
    """
    operand = _named(model, defect.operand)
    least = {ZERO_OR_ONE: 1, EVEN: 1, TOO_LARGE: 3}.get(defect.line, 0)
    return operand is None or _low_bits(operand) >= least


def by_others(model: BusModel, defect: Defect) -> bool:
    """Return True if writing another operand can make this kept operand illegal."""
    kept = _named(model, defect.operand)
    if kept is None or kept.supplied or kept.overwide or kept.value < 3:
        return False
    return defect.line == TOO_LARGE or (defect.line == BAD_EXPONENT and defect.operand == kept.name)
