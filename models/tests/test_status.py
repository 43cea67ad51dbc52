"""The codes of ``models.status`` and of the SystemVerilog package are the same."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path

import pytest

from models.registry import architecture
from models.status import BusError, Command, Select, Status

HDL = Path(__file__).resolve().parents[2] / "hdl"
PACKAGE = (HDL / "common" / "multiplier_pkg.sv").read_text()


def package_codes(prefix: str) -> dict[str, int]:
    """SCREAMING_CASE name -> value of every localparam that begins with ``prefix``."""
    found = re.findall(
        rf"localparam \S+ (?:\[3:0\] |\[1:0\] )?{prefix}(\w+) = (?:\d'd)?(\d+);", PACKAGE
    )
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper(): int(value) for name, value in found}


@pytest.mark.parametrize(
    ("prefix", "codes"),
    [("Status", Status), ("BusError", BusError), ("Command", Command)],
)
def test_codes_match_the_package(prefix: str, codes: type[IntEnum]) -> None:
    assert package_codes(prefix) == {code.name: code.value for code in codes}


def test_selects_match_the_package() -> None:
    values = package_codes("Select")
    assert list(values.values()) == [s.value for s in Select]


def test_the_adders_width_is_that_of_the_models() -> None:
    # Architecture.addition_words counts the words of Width + Guard + 1 bits.
    adder = (HDL / "common" / "word_serial_modular_adder.sv").read_text()
    assert "localparam int ValueWidth = Width + Guard + 1;" in adder
    entry = architecture("quotient_pipelined").with_parameters({"DigitWidth": 2, "WordWidth": 2})
    assert entry.guard_bits(8) == 5
    assert [entry.addition_words(8, bits) for bits in (1, 7, 13, 14)] == [14, 2, 2, 1]


@pytest.mark.parametrize(
    ("operands", "raw", "expected"),
    [
        ((0, 0, 0), False, Status.MODULUS_ZERO_OR_ONE),
        ((0, 0, 1), True, Status.MODULUS_ZERO_OR_ONE),
        ((1, 1, 4), False, Status.MODULUS_EVEN),
        ((5, 1, 5), False, Status.OPERAND_RANGE),
        ((1, 5, 5), True, Status.RAW),
        ((16, 1, 5), True, Status.OPERAND_RANGE),
        ((1, 1, 17), True, Status.OPERAND_RANGE),
        ((4, 4, 5), True, Status.OK),
    ],
)
def test_operand_status(operands: tuple[int, int, int], raw: bool, expected: Status) -> None:
    assert architecture("fast_montgomery").operand_status(*operands, 4, raw) is expected
    if expected is Status.MODULUS_EVEN:
        assert architecture("optimized_interleaved").operand_status(*operands, 4, raw) is Status.OK


def test_unknown_architecture_names_the_accepted_ones() -> None:
    with pytest.raises(
        KeyError, match=r"unknown architecture 'faster'; accepted: .*fast_montgomery"
    ):
        architecture("faster")
