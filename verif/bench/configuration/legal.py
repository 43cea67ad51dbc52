"""A configuration: whether it is legal, its classes, and simpler configurations.

A configuration is an architecture with a width, bus and adder width and parameters of its core.
:func:`verif.bench.configuration.design.resolved_parameters` alone decides what is legal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from models.architecture import Architecture
from models.registry import architecture
from verif.bench.configuration.design import (
    SEGMENT,
    SEGMENTS,
    Design,
    DesignError,
    at_of,
    check_width,
    configured,
    resolved_parameters,
)


@dataclass(frozen=True)
class Configuration:
    """Configuration of one build.

    Attributes:
        architecture: registry name.
        width: operand width n in bits.
        parameters: parameters of the top and of the core that differ from their defaults, sorted.
    """

    architecture: str
    width: int
    parameters: tuple[tuple[str, int], ...] = ()

    @property
    def complexity(self) -> tuple[int, int, int]:
        """Sort key, the simplest first: number of parameters, then width, then values."""
        return len(self.parameters), self.width, sum(value for _, value in self.parameters)

    def __str__(self) -> str:
        """Readable form: ``mwrkmm 17 BusWidth 8``."""
        values = (f"{name} {value}" for name, value in self.parameters)
        return " ".join([self.architecture, str(self.width), *values])


def is_legal(design: Design, entry: Architecture, width: int, values: Mapping[str, int]) -> bool:
    """Return whether the configuration is legal."""
    try:
        check_width(entry, width)
        resolved_parameters(design, entry, width, values)
    except DesignError:
        return False
    return True


def configuration_classes(
    design: Design, entry: Architecture, width: int, values: Mapping[str, int]
) -> dict[str, bool]:
    """Return every class of configurations of the design, and whether this one belongs to it.

    Args:
        design: the top.
        entry: registry entry.
        width: operand width n in bits.
        values: parameters of the top and of the core; missing ones take their defaults.

    Raises:
        DesignError: the configuration is not legal.
    """
    all_values = resolved_parameters(design, entry, width, values)
    core = configured(entry, design, width, values)
    bus, adder = all_values["BusWidth"], all_values["AddWidth"]
    last, top = width % bus, is_power_of_two(width)
    total = width + core.model.guard_bits(width) + 1  # bits of the adder's sum
    found = {
        "width a power of two": top,
        "width one less than a power of two": is_power_of_two(width + 1),
        "width one more than a power of two": is_power_of_two(width - 1),
        "width none of these": not any(is_power_of_two(width + d) for d in (-1, 0, 1)),
        "operand shorter than a bus word": width < bus,
        "operand of one bus word": width == bus,
        "operand of whole bus words": width > bus and last == 0,
        "one bit in the last bus word": width > bus and last == 1,
        "one bit short of whole bus words": width > bus and last == bus - 1,
        "several bus words, of no power of two bits": width > bus and not is_power_of_two(bus),
        "sum in one word of the adder": total <= adder,
        "sum of whole words of the adder": total > adder and total % adder == 0,
        "one bit in the adder's last word": total > adder and total % adder == 1,
        "narrowest adder": adder == design.parameters["AddWidth"].minimum,
    }
    found |= design.classes(at_of(core, width, all_values))
    if not core.streams:
        # The core takes X bit by bit from words of the adder's width.
        found["operands of whole words of the adder"] = width > adder and width % adder == 0
        found["one bit in the operands' last word of the adder"] = (
            width > adder and width % adder == 1
        )
        segment = all_values.get(SEGMENT, SEGMENTS.default)
        found["one segment of positions"] = width <= segment
        found["several whole segments"] = width > segment and width % segment == 0
        found["one position in the last segment"] = width > segment and width % segment == 1
        found["one position short of whole segments"] = (width + 1) % segment == 0
        found["adder words in a row of a memory, no power of two of them"] = has_odd_rows(
            bus, adder, width
        )
    return found | {f"core: {name}": of for name, of in core.parameter_classes(width).items()}


def is_power_of_two(value: int) -> bool:
    """Return whether the value is a power of two (or 0)."""
    return value & (value - 1) == 0


def has_odd_rows(bus: int, adder: int, width: int) -> bool:
    """Return whether finding a word in a row of the operand memory needs a division.

    The memory is written in words of one width and read in words of the other. A row has the length
    of their least common multiple (``operand_memory.sv``). If a row holds a power of two of words,
    some bits of the word's index give its place in the row; otherwise this takes a division.
    """
    return width > math.lcm(bus, adder) and not is_power_of_two(bus // math.gcd(bus, adder))


def simpler_configurations(design: Design, configuration: Configuration) -> Iterator[Configuration]:
    """Yield simpler legal configurations, those that simplify most first.

    See :attr:`Configuration.complexity`. The caller takes the first of them that fails and calls
    this function again, until it reaches a failing configuration that cannot be simplified.
    """
    entry, width = architecture(configuration.architecture), configuration.width
    said = dict(configuration.parameters)
    seen = {configuration}

    def fresh(width: int, values: Mapping[str, int]) -> Iterator[Configuration]:
        if is_legal(design, entry, width, values):
            least = least_parameters(design, entry, width, values)
            found = Configuration(entry.name, width, least)
            # At another width, more parameters or larger values may be needed: skip those.
            if found.complexity < configuration.complexity and found not in seen:
                seen.add(found)
                yield found

    if len(said) > 1:
        yield from fresh(width, {})
    for name in said:
        yield from fresh(width, {key: value for key, value in said.items() if key != name})
    for smaller in _smaller(width, entry.min_width):
        yield from fresh(smaller, said)
    for name, value in said.items():
        for smaller in _smaller(value, 1):
            yield from fresh(width, {**said, name: smaller})


def _smaller(value: int, least: int) -> list[int]:
    """Return smaller values: the least first, then each halfway to ``value``."""
    found = []
    low = least
    while low < value:
        found.append(low)
        low = max(low + 1, (low + value) // 2)
    return found


def least_parameters(
    design: Design, entry: Architecture, width: int, values: Mapping[str, int]
) -> tuple[tuple[str, int], ...]:
    """Return the fewest parameters that resolve to the same values, sorted.

    A default may depend on another parameter, so a value that equals its default may still have
    to be stated.

    Raises:
        DesignError: unknown name, or values that are not legal.
    """
    resolved = resolved_parameters(design, entry, width, values)
    least = dict(resolved)
    for name in resolved:
        rest = {key: value for key, value in least.items() if key != name}
        try:
            if resolved_parameters(design, entry, width, rest) == resolved:
                least = rest
        except DesignError:
            continue
    return tuple(sorted(least.items()))
