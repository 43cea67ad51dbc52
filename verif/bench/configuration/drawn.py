"""Draws random legal configurations, weighted to the edges.

The same seed draws the same configurations on every machine.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from models.architecture import Architecture
from models.registry import architecture
from verif.bench.configuration.design import (
    MAX_PARAMETER,
    SEGMENT,
    SEGMENTS,
    Design,
    DesignError,
    check_width,
    configured,
)
from verif.bench.configuration.kept import kept
from verif.bench.configuration.legal import (
    Configuration,
    configuration_classes,
    has_odd_rows,
    is_legal,
    is_power_of_two,
    least_parameters,
)

# Number of candidates per draw; the one with the most new classes is taken.
CANDIDATES = 72
# Limits of a core's simulation weight. Heavier cores (rings with very many elements) take minutes
# to build and seconds per operation.
HEAVIEST, HEAVIEST_OF_A_BIT = 4096, 16
# Maximum number of drawn configurations; more than the classes of any architecture.
MOST = 100
# Usual bus widths.
BUS_WIDTHS = (8, 16, 32, 64)
LARGEST_BUS = 80
MOST_SEGMENTS = 32
# Try core parameters up to this value even if operands are shorter (digits, elements).
LARGEST_CORE_PARAMETER = 64
SMALL_WIDTHS = tuple(range(4, 65))


def draw_configurations(
    design: Design, name: str, count: int | None, seed: int, widths: Sequence[int] = SMALL_WIDTHS
) -> list[Configuration]:
    """Return different configurations of an architecture, each with new classes.

    A longer draw begins with the configurations of a shorter one, so that entries of a list that
    draw from the same widths share their builds.

    Args:
        design: the top.
        name: registry name.
        count: number of configurations; fewer are returned only if no more exist. None: as many
            as needed to cover every class.
        seed: master seed of the run.
        widths: operand widths to draw from.

    Raises:
        DesignError: no width is legal.
    """
    return list(_drawn(design, name, count, seed, tuple(widths)))


# Entries of a list, and lists that include others, repeat a draw.
@lru_cache
def _drawn(
    design: Design, name: str, count: int | None, seed: int, widths: tuple[int, ...]
) -> tuple[Configuration, ...]:
    entry = architecture(name)
    legal = [width for width in widths if is_legal(design, entry, width, {})]
    if not legal:
        check_width(entry, widths[0])
        raise DesignError(f"no configuration of {name} at widths {widths[0]} to {widths[-1]}")
    text = f"{seed}/configurations/{design.name}/{name}/{min(widths)}-{max(widths)}"

    def draw() -> list[tuple[int, Sequence[tuple[str, int]]]]:
        rng = random.Random(hashlib.sha256(text.encode()).digest())
        found = _Drawer(design, entry, legal, rng).several(count)
        return [(each.width, each.parameters) for each in found]

    # Not every width between the smallest and the largest needs to occur.
    return tuple(
        Configuration(name, width, tuple((key, value) for key, value in parameters))
        for width, parameters in kept(f"{count} of {text} at {legal}", draw)
    )


def any_configuration(
    design: Design, entry: Architecture, widths: Sequence[int], rng: random.Random
) -> Configuration:
    """Return one legal configuration of any classes.

    Args:
        design: the top.
        entry: registry entry.
        widths: operand widths to draw from, all legal.
        rng: source of every choice.
    """
    return _Drawer(design, entry, widths, rng).one()


@dataclass
class _Drawer:
    design: Design
    entry: Architecture
    widths: Sequence[int]
    rng: random.Random
    seen: set[str] = field(default_factory=set)

    def several(self, count: int | None) -> list[Configuration]:
        drawn: dict[Configuration, None] = {}
        missing = {"anything"}
        while len(drawn) < (MOST if count is None else count):
            # When every class is covered, take any configuration.
            candidates = [self.one() for _ in range(CANDIDATES if missing else 1)]
            found = [(c, self.classes(c)) for c in candidates if c not in drawn]
            if not found:
                break
            # Take the first of several best candidates; their order is random.
            best, classes = max(
                found, key=lambda c: len({k for k, of in c[1].items() if of} - self.seen)
            )
            self.seen |= {name for name, of in classes.items() if of}
            missing = set(classes) - self.seen
            drawn[best] = None
            if count is None and not missing:
                break
        return list(drawn)

    def classes(self, configuration: Configuration) -> dict[str, bool]:
        return configuration_classes(
            self.design, self.entry, configuration.width, dict(configuration.parameters)
        )

    def one(self) -> Configuration:
        """Draw one legal configuration."""
        rng = self.rng
        bus = self.bus()
        width = self.width(bus)
        values: dict[str, int] = {"BusWidth": bus}
        if rng.randrange(8) == 0:
            values["AddressWidth"] = self.design.parameters["AddressWidth"].default + 1
        names = [parameter.name for parameter in self.entry.parameters]
        rng.shuffle(names)
        core_values: dict[str, int] = {}
        for name in names:
            # A parameter that is not drawn keeps its default, which is legal with the others.
            if rng.randrange(4):
                legal = self.legal_values(name, width, core_values)
                core_values[name] = edge_weighted(legal, rng)
        values |= core_values
        core = configured(self.entry, self.design, width, values)
        total = width + core.model.guard_bits(width) + 1
        values["AddWidth"] = self.adder(total, bus, width)
        values[SEGMENT] = self.segment(width)
        # Options have a generator of their own, so that they do not change the other values.
        coin = random.Random(f"{self.entry.name} {width} {sorted(values.items())}")
        for name in self.design.drawn_options:
            values[name] = coin.randrange(2)
        return Configuration(
            self.entry.name, width, least_parameters(self.design, self.entry, width, values)
        )

    def bus(self) -> int:
        """Draw a bus width: a usual one, any, or one with several words per operand."""
        kind = self.rng.randrange(4)
        largest = LARGEST_BUS if kind == 0 else min(LARGEST_BUS, max(8, max(self.widths) // 2))
        return self.rng.randint(8, largest) if kind < 2 else self.rng.choice(BUS_WIDTHS)

    def width(self, bus: int) -> int:
        rng, widths = self.rng, self.widths
        near = [w for w in widths if any(is_power_of_two(w + d) for d in (-1, 0, 1))]
        whole = [w for w in widths if (w + 1) % bus <= 2]
        kind = rng.randrange(4)
        return rng.choice((near if kind == 0 else whole if kind == 1 else widths) or widths)

    def adder(self, total: int, bus: int, width: int) -> int:
        """Draw an adder width for sums of ``total`` bits and this bus and operand width."""
        rng, minimum = self.rng, self.design.parameters["AddWidth"].minimum
        exact = [a for a in range(minimum, total) if total % a in (0, 1)]
        odd = [a for a in range(minimum, total) if has_odd_rows(bus, a, width)]
        kind = rng.randrange(5)
        if kind == 0:
            return self.design.parameters["AddWidth"].default
        if kind == 1:
            drawn = rng.choice((minimum, total, total + minimum))
        elif kind == 2 and exact:
            drawn = rng.choice(exact)
        elif kind == 3 and odd:
            drawn = rng.choice(odd)
        else:
            drawn = rng.randint(minimum, max(minimum, total))
        return min(max(minimum, drawn), MAX_PARAMETER)

    def segment(self, width: int) -> int:
        """Draw SegmentWidth: its default, or a value that gives several segments."""
        rng = self.rng
        # Limit the number of copies, because copies make builds slow.
        fewest = max(SEGMENTS.minimum, width // MOST_SEGMENTS)
        several = range(fewest, width)
        if rng.randrange(3) == 0 or not several:
            return SEGMENTS.default
        edges = [s for s in several if width % s in (0, 1, s - 1)]
        return min(rng.choice(edges or several), MAX_PARAMETER)

    def legal_values(self, name: str, width: int, values: Mapping[str, int]) -> Sequence[int]:
        """Return the values of a core parameter that are legal with the others, sorted."""
        found = _legal_values(self.entry.name, name, width, frozenset(values.items()))
        # If no tried value is legal, use the parameter's default.
        return found or [self.entry.parameter(name, width)]


# Draws of other seeds, widths and designs ask for the same values.
@cache
def _legal_values(
    core: str, name: str, width: int, others: frozenset[tuple[str, int]]
) -> tuple[int, ...]:
    entry, given = architecture(core), dict(others)
    largest = max(width + 1, LARGEST_CORE_PARAMETER)
    return tuple(
        value for value in range(largest + 1) if _goes_along(entry, width, {**given, name: value})
    )


def _goes_along(entry: Architecture, width: int, values: Mapping[str, int]) -> bool:
    core = entry.with_parameters(values)
    try:
        core.parameter_values(width)
    except ValueError:
        return False
    return core.simulation_weight(width) <= max(HEAVIEST, HEAVIEST_OF_A_BIT * width)


def edge_weighted(values: Sequence[int], rng: random.Random) -> int:
    """Return one of sorted values; half of the draws take one of the two smallest or largest."""
    if rng.randrange(2):
        return rng.choice(values)
    return rng.choice((*values[:2], *values[-2:]))
