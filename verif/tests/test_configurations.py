"""Drawn configurations: legal, repeatable, and of every class."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from models.registry import architecture, hardware_architectures
from verif.bench.configuration.design import (
    DESIGNS,
    EXPONENTIATION,
    MULTIPLIER,
    Design,
    DesignError,
    configured,
    resolved_parameters,
)
from verif.bench.configuration.drawn import (
    HEAVIEST,
    HEAVIEST_OF_A_BIT,
    draw_configurations,
)
from verif.bench.configuration.legal import (
    Configuration,
    configuration_classes,
    simpler_configurations,
)


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("name", hardware_architectures())
def test_there_is_a_configuration_of_every_class(design: Design, name: str) -> None:
    entry = architecture(name)
    found: set[str] = set()
    drawn = draw_configurations(design, name, None, seed=1)
    for configuration in drawn:
        values = dict(configuration.parameters)
        classes = configuration_classes(design, entry, configuration.width, values)
        found |= {name for name, of in classes.items() if of}
        core = configured(entry, design, configuration.width, values)
        weight = core.simulation_weight(configuration.width)
        assert weight <= max(HEAVIEST, HEAVIEST_OF_A_BIT * configuration.width), configuration
    assert found == set(classes)
    assert len(set(drawn)) == len(drawn) < len(classes)


def test_the_seed_decides() -> None:
    drawn = draw_configurations(MULTIPLIER, "mwrkmm", 6, seed=1)
    assert draw_configurations(MULTIPLIER, "mwrkmm", 6, seed=1) == drawn
    assert draw_configurations(MULTIPLIER, "mwrkmm", 3, seed=1) == drawn[:3]
    assert not set(draw_configurations(MULTIPLIER, "mwrkmm", 6, seed=2)) & set(drawn)


def test_half_of_the_multipliers_have_the_watchdog() -> None:
    drawn = draw_configurations(MULTIPLIER, "dual_radix", 20, seed=1)
    assert 5 <= sum(("Watchdog", 1) in each.parameters for each in drawn) <= 15


def test_widths_are_those_asked_for() -> None:
    drawn = draw_configurations(MULTIPLIER, "mwrkmm", 3, seed=1, widths=(48, 96))
    assert {configuration.width for configuration in drawn} <= {48, 96}
    with pytest.raises(DesignError, match="width 3 of mwrkmm: accepted are 4 to"):
        draw_configurations(MULTIPLIER, "mwrkmm", 1, seed=1, widths=(3,))


def test_a_class_is_what_its_name_says() -> None:
    def of(name: str, width: int, **values: int) -> set[str]:
        classes = configuration_classes(MULTIPLIER, architecture(name), width, values)
        return {text.removeprefix("core: ") for text, yes in classes.items() if yes}

    assert {"J = 3, n mod J = 2", "width a power of two", "operand of one bus word"} <= of(
        "mm42", 32, Unfolding=3
    )
    # Sums of 36 bits: 4 words of 8 and 4 bits.
    assert {"one bit in the last bus word", "width one more than a power of two"} <= of(
        "mm42", 33, BusWidth=16, AddWidth=7
    )
    assert {"one bit in the adder's last word", "one bit short of whole bus words"} <= of(
        "mm42", 31, BusWidth=8, AddWidth=11
    )
    # Three words of the adder in a row of a memory; 9 of 9 and 4 bits fill no operand of 33 bits.
    rows = "adder words in a row of a memory, no power of two of them"
    several = "several bus words, of no power of two bits"
    assert {rows, several} <= of("faster_montgomery", 29, BusWidth=12, AddWidth=8)
    assert rows not in of("faster_montgomery", 33, BusWidth=9, AddWidth=4)
    assert rows not in of("faster_montgomery", 33, BusWidth=8, AddWidth=6)
    assert several not in of("faster_montgomery", 33, BusWidth=16)
    assert "a power of two digits in a chained product" in of("mwr2mm", 14)
    assert "a power of two digits in a chained product" not in of("mwr2mm", 16)
    # Segments of 64 positions, if nothing is said.
    assert "one segment of positions" in of("fast_montgomery", 64)
    assert "one position in the last segment" in of("fast_montgomery", 65)
    assert "several whole segments" in of("fast_montgomery", 12, SegmentWidth=4)
    assert "one position short of whole segments" in of("fast_montgomery", 15, SegmentWidth=4)
    assert not any("segment" in text for text in of("mwrkmm", 65))
    # 16 words of 4 bits and a zero word more: 5 elements of 3 cycles leave a queue of 3 words.
    assert {"several elements", "n a multiple of the word"} <= of(
        "mwrkmm", 64, WordWidth=4, DigitWidth=4, Elements=5
    )
    assert "queue empty" in of("mwrkmm", 64, WordWidth=4, DigitWidth=4, Elements=6)
    assert {"one element", "queue longer than half the words"} <= of("mwr2mm", 64, Elements=1)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("dual_radix", "UnitWidth"), ("mwrkmm", "DigitWidth"), ("mwr2mm", "WordWidth")],
)
def test_a_parameter_of_zero_is_rejected_in_one_line(name: str, parameter: str) -> None:
    with pytest.raises(DesignError, match=rf"^{parameter} = 0 of {name} at 64 bits: accepted are"):
        resolved_parameters(MULTIPLIER, architecture(name), 64, {parameter: 0})


def shrunk(design: Design, start: Configuration, fails: Callable[[Configuration], bool]) -> str:
    """Where a failure ends that goes from one simpler configuration to the next."""
    smaller = next(filter(fails, simpler_configurations(design, start)), None)
    return shrunk(design, smaller, fails) if smaller else str(start)


def test_a_failure_ends_at_what_it_needs() -> None:
    start = Configuration(
        "mwrkmm", 60, (("AddWidth", 9), ("BusWidth", 16), ("DigitWidth", 4), ("WordWidth", 5))
    )

    assert shrunk(MULTIPLIER, start, lambda c: True) == "mwrkmm 4"
    assert shrunk(
        MULTIPLIER, start, lambda c: dict(c.parameters).get("BusWidth", 32) < c.width
    ) == ("mwrkmm 33")
    narrow = shrunk(MULTIPLIER, start, lambda c: dict(c.parameters).get("AddWidth") == 9)
    assert narrow == "mwrkmm 4 AddWidth 9"
    assert shrunk(MULTIPLIER, start, lambda c: False) == str(start)


@pytest.mark.parametrize("name", hardware_architectures())
def test_every_simpler_configuration_is_legal_and_simpler(name: str) -> None:
    for start in draw_configurations(MULTIPLIER, name, 3, seed=3):
        for simpler in simpler_configurations(MULTIPLIER, start):
            resolved_parameters(
                MULTIPLIER, architecture(name), simpler.width, dict(simpler.parameters)
            )
            assert simpler.complexity < start.complexity


def test_a_modulus_fills_words_of_a_dual_datapath() -> None:
    def of(name: str, width: int, **values: int) -> set[str]:
        classes = configuration_classes(EXPONENTIATION, architecture(name), width, values)
        end = " of whole words of the dual-multiplier datapath"
        return {text.removesuffix(end) for text, yes in classes.items() if yes and end in text}

    assert of("fast_montgomery", 32) == set()  # two words, of half of all bits there are
    assert of("fast_montgomery", 32, AddWidth=8) == {"modulus"}
    assert of("fast_montgomery", 31, AddWidth=8) == {"products"}
    assert of("unfolded_mm42", 12, AddWidth=4, Unfolding=3) == {"modulus"}
    # Reduced products, and words of a ring.
    assert of("optimized_interleaved", 36, AddWidth=4) == of("mwrkmm", 32) == set()
