"""What the models know of the hardware's widths, and which status operands end with."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.registry import architecture
from models.status import Status

HDL = Path(__file__).resolve().parents[2] / "hdl"


def test_the_adders_width_is_that_of_the_models() -> None:
    # Timing.addition_words counts the words of Width + Guard + 1 bits.
    unit = (HDL / "parallel" / "parallel_unit.sv").read_text()
    assert "localparam int ValueWidth = Width + Guard + 1;" in unit
    entry = architecture("quotient_pipelined").with_parameters({"DigitWidth": 2, "WordWidth": 2})
    assert entry.model.guard_bits(8) == 5
    assert [entry.timing.addition_words(8, bits) for bits in (1, 7, 13, 14)] == [14, 2, 2, 1]


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
