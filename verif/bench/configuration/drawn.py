"""Configurations drawn at random: what is legal, weighted to its edges, and the classes of it.

A configuration is an architecture with a width, bus and adder width and parameters of its core.
Only :func:`verif.bench.configuration.design.resolved_parameters` decides what is legal: a value
that it rejects is not drawn. The same seed draws the same configurations on any machine.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from models.architecture import Architecture
from models.exponentiation_core import exponentiation
from models.pair_exponentiation import PairExponentiation
from models.registry import architecture
from models.status import LENGTH_WIDTH
from verif.bench.configuration.design import (
    EXPONENTIATION,
    MAX_PARAMETER,
    SEGMENT,
    SEGMENTS,
    Design,
    DesignError,
    check_width,
    configured,
    resolved_parameters,
)

# Of so many candidates the one that is of most classes not seen yet.
CANDIDATES = 72
# Heavier cores, rings of very many elements, take minutes to build and seconds an operation.
HEAVIEST, HEAVIEST_OF_A_BIT = 4096, 16
# More than there are classes of any architecture.
MOST = 100
# Widths of buses that are built, and what no one builds.
BUS_WIDTHS = (8, 16, 32, 64)
LARGEST_BUS = 80
MOST_SEGMENTS = 32
# A core's parameters above the operand width that are tried: digits and elements of short operands.
LARGEST_CORE_PARAMETER = 64
SMALL_WIDTHS = tuple(range(4, 65))


@dataclass(frozen=True)
class Configuration:
    """What one build is made for.

    Attributes:
        architecture: registry name.
        width: operand width n in bits.
        parameters: those of the top and of the core that do not take their defaults, sorted.
    """

    architecture: str
    width: int
    parameters: tuple[tuple[str, int], ...] = ()

    @property
    def complexity(self) -> tuple[int, int, int]:
        """Less for a simpler one: fewer parameters, then a smaller width, then smaller values."""
        return len(self.parameters), self.width, sum(value for _, value in self.parameters)

    def __str__(self) -> str:
        """For people: ``mwrkmm 17 BusWidth 8``."""
        values = (f"{name} {value}" for name, value in self.parameters)
        return " ".join([self.architecture, str(self.width), *values])


def is_legal(design: Design, entry: Architecture, width: int, values: Mapping[str, int]) -> bool:
    """Whether it can be built."""
    try:
        check_width(entry, width)
        resolved_parameters(design, entry, width, values)
    except DesignError:
        return False
    return True


def configuration_classes(
    design: Design, entry: Architecture, width: int, values: Mapping[str, int]
) -> dict[str, bool]:
    """Every class a configuration of the design can be of, and whether this one is.

    Args:
        design: the top.
        entry: registry entry.
        width: n.
        values: parameters of the top and of the core; missing ones take their defaults.

    Raises:
        DesignError: not legal.
    """
    all_values = resolved_parameters(design, entry, width, values)
    core = configured(entry, design, width, values)
    bus, adder = all_values["BusWidth"], all_values["AddWidth"]
    last, top = width % bus, _power_of_two(width)
    total = width + core.model.guard_bits(width) + 1  # bits of the adder's sum
    found = {
        "width a power of two": top,
        "width one less than a power of two": _power_of_two(width + 1),
        "width one more than a power of two": _power_of_two(width - 1),
        "width none of these": not any(_power_of_two(width + d) for d in (-1, 0, 1)),
        "operand shorter than a bus word": width < bus,
        "operand of one bus word": width == bus,
        "operand of whole bus words": width > bus and last == 0,
        "one bit in the last bus word": width > bus and last == 1,
        "one bit short of whole bus words": width > bus and last == bus - 1,
        "several bus words, of no power of two bits": width > bus and not _power_of_two(bus),
        "sum in one word of the adder": total <= adder,
        "sum of whole words of the adder": total > adder and total % adder == 0,
        "one bit in the adder's last word": total > adder and total % adder == 1,
        "narrowest adder": adder == design.parameters["AddWidth"].minimum,
    }
    if design is EXPONENTIATION:
        found["length setting in several bus words"] = bus < LENGTH_WIDTH
        pair = exponentiation(core, width, adder, bus)
        if isinstance(pair, PairExponentiation) and core.montgomery:
            # Products are a bit longer than M: that bit has a word of its own, or the last place.
            word = pair.facts()["WordWidth"]
            found["modulus of whole words of the pair"] = width % word == 0
            found["products of whole words of the pair"] = (width + 1) % word == 0
    if not core.streams:
        # X comes to the core bit by bit out of words of the adder.
        found["operands of whole words of the adder"] = width > adder and width % adder == 0
        found["one bit in the operands' last word of the adder"] = (
            width > adder and width % adder == 1
        )
        segment = all_values.get(SEGMENT, SEGMENTS.default)
        found["one segment of positions"] = width <= segment
        found["several whole segments"] = width > segment and width % segment == 0
        found["one position in the last segment"] = width > segment and width % segment == 1
        found["one position short of whole segments"] = (width + 1) % segment == 0
        found["adder words in a row of a memory, no power of two of them"] = _odd_rows(
            bus, adder, width
        )
    return found | {f"core: {name}": of for name, of in core.parameter_classes(width).items()}


def _power_of_two(value: int) -> bool:
    return value & (value - 1) == 0


def _odd_rows(bus: int, adder: int, width: int) -> bool:
    """Whether operands fill rows of a memory that is written by one, read by the other.

    A row is as long as their least common multiple (``operand_memory.sv``): a word's place in it is
    some bits of its index where it holds a power of two of words, and a division elsewhere.
    """
    return width > math.lcm(bus, adder) and not _power_of_two(bus // math.gcd(bus, adder))


def draw_configurations(
    design: Design, name: str, count: int | None, seed: int, widths: Sequence[int] = SMALL_WIDTHS
) -> list[Configuration]:
    """So many different configurations of an architecture, each of classes the others are not of.

    The first of a longer draw are those of a shorter one, so that rows of a list that draw from
    the same widths share their builds.

    Args:
        design: the top.
        name: registry name.
        count: how many; fewer are returned only if there are no more. None: until there is one
            of every class.
        seed: master seed of the run.
        widths: operand widths to draw from.

    Raises:
        DesignError: no width is legal.
    """
    entry = architecture(name)
    legal = [width for width in widths if is_legal(design, entry, width, {})]
    if not legal:
        check_width(entry, widths[0])
        raise DesignError(f"no configuration of {name} at widths {widths[0]} to {widths[-1]}")
    text = f"{seed}/configurations/{design.name}/{name}/{min(widths)}-{max(widths)}"
    drawer = _Drawer(design, entry, legal, random.Random(hashlib.sha256(text.encode()).digest()))
    return drawer.several(count)


def any_configuration(
    design: Design, entry: Architecture, widths: Sequence[int], rng: random.Random
) -> Configuration:
    """One legal configuration, of whatever classes.

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
    known: dict[tuple, list[int]] = field(default_factory=dict)

    def several(self, count: int | None) -> list[Configuration]:
        drawn: dict[Configuration, None] = {}
        missing = {"anything"}
        while len(drawn) < (MOST if count is None else count):
            # When there is one of every class, any will do.
            candidates = [self.one() for _ in range(CANDIDATES if missing else 1)]
            found = [(c, self.classes(c)) for c in candidates if c not in drawn]
            if not found:
                break
            # The first of the best: candidates come in random order.
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
        """One legal configuration."""
        rng = self.rng
        bus = self.bus()
        width = self.width(bus)
        values: dict[str, int] = {"BusWidth": bus}
        if rng.randrange(8) == 0:
            values["SelWidth"] = self.design.parameters["SelWidth"].default + 1
        names = [parameter.name for parameter in self.entry.parameters]
        rng.shuffle(names)
        core_values: dict[str, int] = {}
        for name in names:
            # A parameter not drawn yet takes its default, which goes along with the others.
            if rng.randrange(4):
                legal = self.legal_values(name, width, core_values)
                core_values[name] = edge_weighted(legal, rng)
        values |= core_values
        core = configured(self.entry, self.design, width, values)
        total = width + core.model.guard_bits(width) + 1
        values["AddWidth"] = self.adder(total, bus, width)
        values[SEGMENT] = self.segment(width)
        return Configuration(
            self.entry.name, width, least_parameters(self.design, self.entry, width, values)
        )

    def bus(self) -> int:
        """A bus: one that is built, any, or any of several words an operand."""
        kind = self.rng.randrange(4)
        largest = LARGEST_BUS if kind == 0 else min(LARGEST_BUS, max(8, max(self.widths) // 2))
        return self.rng.randint(8, largest) if kind < 2 else self.rng.choice(BUS_WIDTHS)

    def width(self, bus: int) -> int:
        rng, widths = self.rng, self.widths
        near = [w for w in widths if any(_power_of_two(w + d) for d in (-1, 0, 1))]
        whole = [w for w in widths if (w + 1) % bus <= 2]
        kind = rng.randrange(4)
        return rng.choice((near if kind == 0 else whole if kind == 1 else widths) or widths)

    def adder(self, total: int, bus: int, width: int) -> int:
        """An adder for sums of so many bits, beside a bus and operands."""
        rng, minimum = self.rng, self.design.parameters["AddWidth"].minimum
        exact = [a for a in range(minimum, total) if total % a in (0, 1)]
        odd = [a for a in range(minimum, total) if _odd_rows(bus, a, width)]
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
        """Positions of operands that share a copy: the default, or of several segments."""
        rng = self.rng
        # So many copies at most: they are what takes long to build.
        fewest = max(SEGMENTS.minimum, width // MOST_SEGMENTS)
        several = range(fewest, width)
        if rng.randrange(3) == 0 or not several:
            return SEGMENTS.default
        edges = [s for s in several if width % s in (0, 1, s - 1)]
        return min(rng.choice(edges or several), MAX_PARAMETER)

    def legal_values(self, name: str, width: int, values: Mapping[str, int]) -> list[int]:
        """Values of a core's parameter that are legal beside those of others, sorted."""
        key = (name, width, tuple(values.items()))
        if key not in self.known:
            largest = max(width + 1, LARGEST_CORE_PARAMETER)
            self.known[key] = [
                value
                for value in range(largest + 1)
                if self.goes_along(width, {**values, name: value})
            ]
        # None: the parameter's default is outside what is tried.
        return self.known[key] or [self.entry.parameter(name, width)]

    def goes_along(self, width: int, values: Mapping[str, int]) -> bool:
        core = self.entry.with_parameters(values)
        try:
            core.parameter_values(width)
        except ValueError:
            return False
        return core.simulation_weight(width) <= max(HEAVIEST, HEAVIEST_OF_A_BIT * width)


def simpler_configurations(design: Design, configuration: Configuration) -> Iterator[Configuration]:
    """Legal configurations that are simpler than one, those that save most first.

    See :attr:`Configuration.complexity`. The first of them that fails is looked at again in the
    same way, so that a failure ends at a configuration of which nothing can be left out.
    """
    entry, width = architecture(configuration.architecture), configuration.width
    said = dict(configuration.parameters)
    seen = {configuration}

    def fresh(width: int, values: Mapping[str, int]) -> Iterator[Configuration]:
        if is_legal(design, entry, width, values):
            least = least_parameters(design, entry, width, values)
            found = Configuration(entry.name, width, least)
            # Elsewhere more may have to be said, or larger values.
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
    """Fewer and fewer steps below a value: the least first, then what halves the rest."""
    found = []
    low = least
    while low < value:
        found.append(low)
        low = max(low + 1, (low + value) // 2)
    return found


def edge_weighted(values: Sequence[int], rng: random.Random) -> int:
    """One of sorted values: its smallest two and largest two as often as all together."""
    if rng.randrange(2):
        return rng.choice(values)
    return rng.choice((*values[:2], *values[-2:]))


def least_parameters(
    design: Design, entry: Architecture, width: int, values: Mapping[str, int]
) -> tuple[tuple[str, int], ...]:
    """The least parameters that resolve to the same values, sorted.

    A default may depend on another parameter, so what equals its default may still have to be said.

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
