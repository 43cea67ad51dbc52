"""The model of the bus, transfer by transfer, against what ``hdl/docs/interface.md`` says."""

from __future__ import annotations

import pytest

from models.bus.exponentiation_bus import (
    DATA,
    EXPONENT,
    LENGTH,
    M_PRIME,
    MODULUS,
    R_SQUARED,
    ExponentiationBus,
    ExponentiationDescription,
)
from models.bus.loader_bus import COMMAND_CODES, CONTROL, Answer, BusModel, Request
from models.bus.multiplier_bus import M, MultiplierBus, P, ProductDescription, X, Y
from models.registry import architecture

WIDTH, BUS_WIDTH = 12, 8
GRANTED = Answer(False, 0)
UNKNOWN_ADDRESS, UNKNOWN_COMMAND, BUSY, START_WHILE_BUSY, NO_RESULT = (
    Answer(True, code) for code in range(1, 6)
)


class Host:
    """A polite pace: a transfer every two cycles, and waiting for the end of an operation."""

    def __init__(self, model: BusModel) -> None:
        self.model = model
        self.cycle = 0

    def write(self, address: int, *words: int) -> Answer:
        for word in words:
            self.cycle += 2
            answer = self.model.grant(Request(True, address, word), self.cycle)
        return answer

    def read(self, address: int) -> Answer:
        self.cycle += 2
        return self.model.grant(Request(False, address), self.cycle)

    def command(self, name: str) -> Answer:
        return self.write(CONTROL, COMMAND_CODES[name])

    def finish(self) -> str:
        assert self.model.operation
        self.cycle = self.model.operation.last
        return self.model.operation.outcome.status

    def run(self) -> tuple[str, int]:
        assert self.command("START") == GRANTED
        return self.finish(), self.model.operation.outcome.cycles


def multiplier(name: str = "fast_montgomery") -> Host:
    entry = architecture(name)
    return Host(
        MultiplierBus(
            ProductDescription(entry, WIDTH, 32, entry.parameter_values(WIDTH)), BUS_WIDTH
        )
    )


def exponentiation(name: str = "fast_montgomery") -> Host:
    entry = architecture(name)
    parameters = entry.parameter_values(WIDTH)
    return Host(
        ExponentiationBus(
            ExponentiationDescription(entry, WIDTH, 32, parameters, BUS_WIDTH), BUS_WIDTH
        )
    )


def loaded(name: str = "fast_montgomery") -> Host:
    host = multiplier(name)
    for address, value in ((X, 5), (Y, 7), (M, 0x0F1)):
        host.write(address, value & 255, value >> 8)
    return host


def power(name: str = "fast_montgomery") -> Host:
    host = exponentiation(name)
    for address, value in ((DATA, 5), (EXPONENT, 3), (MODULUS, 0x0F1), (LENGTH, 2)):
        host.write(address, value & 255, value >> 8)
    return host


def test_product_and_busy() -> None:
    host = loaded()
    model = host.model
    assert host.command("START") == GRANTED
    start, cycles = host.cycle, model.operation.outcome.cycles
    assert [model.busy(start + i) for i in (0, 1, cycles, cycles + 1)] == [
        False, True, True, False,
    ]  # fmt: skip
    assert [model.done(start + i) for i in (0, 1, cycles, cycles + 1)] == [
        False, False, False, True,
    ]  # fmt: skip
    expected = 5 * 7 * pow(2, -WIDTH, 0x0F1) % 0x0F1
    assert host.finish() == "OK"
    assert [host.read(P), host.read(P), host.read(P)] == [
        Answer(False, expected & 255), Answer(False, expected >> 8), Answer(False, expected & 255),
    ]  # fmt: skip
    assert host.command("CLEAR") == GRANTED
    assert host.read(P) == Answer(False, expected & 255)
    host.write(M, 3)
    assert host.read(P) == Answer(False, expected >> 8)  # stays until the next start


def test_rejections_and_the_error_field() -> None:
    host = loaded()
    assert host.write(X, 1) == UNKNOWN_ADDRESS
    assert host.read(CONTROL) == Answer(False, 1 << 4)
    assert host.read(CONTROL) == Answer(False, 1 << 4)
    assert host.read(P) == NO_RESULT
    assert host.write(CONTROL, 0x83) == UNKNOWN_COMMAND
    assert host.command("ZEROISE") == UNKNOWN_COMMAND
    assert host.command("CLEAR") == GRANTED and host.read(CONTROL) == Answer(False, 0)
    host.command("START")
    assert host.write(M, 1) == BUSY and host.read(P) == BUSY
    assert host.command("START_RAW") == START_WHILE_BUSY
    assert host.write(CONTROL, 7) == UNKNOWN_COMMAND
    assert host.read(CONTROL) == Answer(False, 2 << 4 | 1)
    assert host.command("CLEAR") == GRANTED
    assert host.read(CONTROL) == Answer(False, 1)
    assert host.model.operands[M].value == 0x0F1


def test_parts_are_kept() -> None:
    host = loaded()
    host.run()
    host.write(M, 0x03)
    assert host.run() == ("OPERAND_INCOMPLETE", 1)
    assert host.model.operands[M].value == 3
    host.write(M, 0x01)
    host.command("CLEAR")
    host.write(X, 0)
    host.write(X, 0)
    host.write(Y, 0, 0)
    assert host.run()[0] == "MODULUS_ZERO_OR_ONE"  # M is {old 0, new 1}
    host.write(M, 0xFF, 0xF0)
    assert host.run()[0] == "OPERAND_RANGE"  # spare bits


def test_constants_of_the_modulus_are_kept_through_rejections() -> None:
    host = loaded("optimized_interleaved")
    status, fresh = host.run()
    assert status == "OK"
    kept = host.run()[1]
    assert kept < fresh
    host.write(X, 0xFF, 0x0F)
    assert host.run()[0] == "OPERAND_RANGE"
    host.write(X, 1, 0)
    assert host.run() == ("OK", kept)
    host.write(M, 0xF1)
    host.command("CLEAR")  # the same value, one word of it
    assert host.run() == ("OK", fresh)


def test_fields_have_constants_of_their_own() -> None:
    host = loaded("dual_radix")
    fresh = host.run()[1]
    kept = host.run()[1]
    host.command("START_BINARY")
    assert host.finish() == "OK"
    assert host.run()[1] == fresh > kept


def test_zeroise_in_the_middle() -> None:
    host = power()
    host.command("START")
    assert host.model.busy(host.cycle + 4)
    assert host.write(CONTROL, 9) == UNKNOWN_COMMAND
    assert host.command("ZEROISE") == GRANTED
    assert not host.model.busy(host.cycle + 1) and not host.model.done(host.cycle + 1)
    assert host.read(CONTROL) == GRANTED
    assert host.model.length == WIDTH
    assert not any(operand.value for operand in host.model.operands.values())


def test_r_squared_is_supplied_kept_and_forgotten() -> None:
    host = power()
    description = host.model.description
    right = description.r_squared(0x0F1)
    computed = host.run()
    kept = host.run()
    assert computed[0] == kept[0] == "OK" and kept[1] < computed[1]
    host.write(R_SQUARED, right ^ 1, 0)
    assert host.run()[0] == "CONSTANT_INCONSISTENT"
    assert host.run() == computed
    host.write(R_SQUARED, right & 255, 0)
    assert host.run()[0] == "OK"
    assert host.run() == kept
    host.write(DATA, 0xFF, 0)  # rejected before any check of a constant
    assert host.run()[0] == "OPERAND_RANGE"
    host.write(DATA, 5, 0)
    assert host.run() == kept
    host.write(MODULUS, 0xF1)
    host.command("CLEAR")
    assert host.run() == computed


def test_wrong_m_prime_leaves_a_kept_r_squared() -> None:
    host = power("mwrkmm")
    computed, kept = host.run(), host.run()
    host.write(M_PRIME, host.model.description.m_prime(0x0F1) ^ 1)
    for _ in range(host.model.operands[M_PRIME].words - 1):
        host.write(M_PRIME, 0)
    assert host.run()[0] == "CONSTANT_INCONSISTENT"
    assert host.run() == kept != computed


@pytest.mark.parametrize("length", [0, WIDTH + 1, 0x8001])
def test_length_is_the_width_until_it_is_written(length: int) -> None:
    host = power()
    assert host.model.length == 2
    host.command("ZEROISE")
    assert host.model.length == WIDTH
    host.write(LENGTH, length & 255, length >> 8)
    assert host.run() == ("LENGTH_RANGE", 1)


def test_model_and_reference_must_agree() -> None:
    description = ProductDescription(architecture("fast_montgomery"), WIDTH, 32, {})
    description._radix *= 2
    with pytest.raises(ValueError, match="disagree"):
        description.values(5, 7, 0x0F1, "START")
