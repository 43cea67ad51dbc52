"""Every product of the small widths, and that a wrong model is found."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from models.architecture import Architecture
from models.architectures.dual_radix import DualRadix, DualRadixBinaryField
from models.architectures.faster_montgomery import FasterMontgomery, FasterMontgomeryModel
from models.architectures.mm42 import Mm42, Mm42Model
from models.architectures.montgomery import MontgomeryModel
from models.architectures.mwrkmm import Mwrkmm, MwrkmmChaining, MwrkmmStreams
from models.architectures.quotient_pipelined import QuotientPipelined, QuotientPipelinedStreams
from models.capability import Part
from models.exhaustive import MismatchError, check_binary, check_chain, check_products, moduli
from models.registry import architecture, architectures
from models.words import Word, carry_save_add, low_bits

ALL = list(architectures().values())
CHAINABLE = [entry for entry in ALL if entry.chaining]


def check_all(entry: Architecture, width: int) -> int:
    """Products of every modulus."""
    return sum(check_products(entry, width, m) for m in moduli(entry, width))


@pytest.mark.parametrize("width", [4, 5, 6])
@pytest.mark.parametrize("entry", ALL, ids=lambda e: e.name)
def test_every_product(entry: Architecture, width: int) -> None:
    legal = [m for m in range(2, 1 << width) if m % 2 or not entry.montgomery]
    assert check_all(entry, width) == sum(m * m for m in legal)


@pytest.mark.parametrize("width", [4, 5])
@pytest.mark.parametrize("entry", CHAINABLE, ids=lambda e: e.name)
def test_every_chained_product(entry: Architecture, width: int) -> None:
    # Operands of 10 bits and more: every 8th X here, all of them with the command.
    step = 8 if entry.scaling and entry.scaling.bits(width) >= 4 else 1
    assert all(check_chain(entry, width, m, step) for m in moduli(entry, width))


@pytest.mark.parametrize("name", ["quotient_pipelined", "parallel_high_radix"])
@pytest.mark.parametrize("width", [4, 5])
def test_every_chained_product_with_one_bit_digits(name: str, width: int) -> None:
    entry = architecture(name).with_parameters({"DigitWidth": 1, "WordWidth": 2})
    assert all(check_chain(entry, width, m) for m in moduli(entry, width))


@pytest.mark.parametrize("width", [4, 5, 6])
def test_every_binary_product(width: int) -> None:
    entry = architecture("dual_radix")
    assert all(check_binary(entry, width, m) for m in moduli(entry, width))


@pytest.mark.parametrize(("unit", "units"), [(2, 1), (2, 2), (3, 1), (5, 1)])
def test_every_binary_product_with_other_digits(unit: int, units: int) -> None:
    entry = DualRadix({"UnitWidth": unit, "Units": units})
    assert all(check_binary(entry, 5, m) for m in moduli(entry, 5))


# Wrong models: each must be found, by the check it breaks.


class PrintedTableModel(FasterMontgomeryModel):
    """Gajbhiye & Joshi's Table I as printed: Y in row x_i y_0 c_0 s_0 = 0011."""

    bit_sliced = False

    def loop(self, x: int, y: int, m: int, constants: Sequence[int], width: int) -> tuple[int, int]:
        (r,) = constants
        table = (0, m, m, y, 0, m, m, 0, y, r, r, y, r, y, y, r)
        s = c = 0
        for i in range(width):
            address = (x >> i & 1) << 3 | (y & 1) << 2 | (c & 1) << 1 | s & 1
            s, c = (word >> 1 for word in carry_save_add(s, c, table[address]))
        return s, c


class PrintedTable(FasterMontgomery):
    """The entry with that model."""

    model = Part(PrintedTableModel)


class LostTopBitModel(Mm42Model):
    """S1 without the highest bits of its n + 2."""

    def loop(
        self, x: Word, y: Word, m: Word, constants: Sequence[Word], width: int
    ) -> tuple[Word, Word]:
        s1, s2 = super().loop(x, y, m, constants, width)
        return low_bits(s1, width - 1), s2


class LostTopBit(Mm42):
    """The entry with that model."""

    model = Part(LostTopBitModel)


class PlainChaining(MwrkmmChaining):
    """R = 2**m is not above 4*M."""

    def radix_bits(self, width: int) -> int:
        return width


class PlainStreams(MwrkmmStreams):
    """As many digits in a chain as in a single product."""

    def digits(self, width: int, *, chain: bool = False) -> int:
        return super().digits(width)


class PlainRadix(Mwrkmm):
    """A chain without the extra digit."""

    streams = Part(PlainStreams)
    chaining = Part(PlainChaining)


class ShortStreams(QuotientPipelinedStreams):
    """A digit too few after those of X."""

    def digits(self, width: int, *, chain: bool = False) -> int:
        return super().digits(width, chain=chain) - 1


class MissingDigit(QuotientPipelined):
    """The entry with these digits."""

    streams = Part(ShortStreams)


class SubtractedField(DualRadixBinaryField):
    """A final subtraction as in GF(P) after all."""

    def product(self, x: int, y: int, m: int, width: int) -> int:
        return super().product(x, y, m, width) ^ m


class SecondReduction(DualRadix):
    """The entry with that field."""

    binary = Part(SubtractedField)


def test_the_table_as_printed_is_found() -> None:
    with pytest.raises(MismatchError, match=r"faster_montgomery at 4 bits, X = .*expected"):
        check_all(PrintedTable(), 4)


def test_a_lost_bit_is_found_in_bit_sliced_lanes() -> None:
    with pytest.raises(MismatchError, match=r"mm42 at 5 bits, X = .*expected"):
        check_all(LostTopBit(), 5)


def test_a_missing_digit_is_found() -> None:
    with pytest.raises(MismatchError, match="quotient_pipelined at 5 bits"):
        check_all(MissingDigit(), 5)


def test_a_chain_that_is_not_closed_is_found() -> None:
    with pytest.raises(MismatchError, match=r"mwrkmm at 4 bits, .* chain: \d+ must be below 30"):
        check_chain(PlainRadix(), 4, 15)


def test_a_wrong_polynomial_is_found() -> None:
    with pytest.raises(MismatchError, match=r"dual_radix at 4 bits, .*GF\(2\^n\)"):
        check_binary(SecondReduction(), 4, 11)


def test_a_result_that_is_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = architecture("montgomery")
    right = MontgomeryModel.product

    def unreduced(self: MontgomeryModel, x: int, y: int, m: int, width: int) -> tuple[int, int]:
        s, c = right(self, x, y, m, width)
        return s + 2 * m, c

    monkeypatch.setattr(MontgomeryModel, "product", unreduced)
    with pytest.raises(MismatchError, match="S \\+ C must be below"):
        check_all(entry, 4)
