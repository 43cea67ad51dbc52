"""Reads the parts of a liberty file that an energy estimate needs, and logic functions in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from verif.library.netlist.process import ToolError

COMMENT = re.compile(r"/\*.*?\*/", re.S)
TOKEN = re.compile(r'"([^"]*)"|([{}();:,])|([^\s{}();:,"\\]+)')
CELL = re.compile(r'^[ \t]*cell\s*\(\s*"?(\w+)"?\s*\)', re.M)
OPERATOR = re.compile(r"\s*(?:(\w+)|(.))")
VARIABLES = ("variable_1", "variable_2")
FEMTO = {"ff": 1.0, "pf": 1000.0}


@dataclass
class Group:
    """A group of a liberty file: ``kind (arguments) { values; groups }``.

    Attributes:
        kind: word before the parentheses, such as ``cell`` or ``pin``.
        arguments: words in the parentheses.
        values: simple attributes, and complex attributes with their arguments after commas.
        groups: groups inside this group.
    """

    kind: str
    arguments: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The first argument."""
        return self.arguments[0] if self.arguments else ""

    def of(self, *kinds: str) -> list[Group]:
        """Return the groups of some kinds inside."""
        return [group for group in self.groups if group.kind in kinds]

    def numbers(self, name: str) -> list[float]:
        """Return the numbers of an attribute; none if it is missing."""
        return [float(word) for word in re.split(r"[,\s]+", self.values.get(name, "")) if word]


@dataclass(frozen=True)
class Library:
    """Units and cells of a liberty file.

    Attributes:
        voltage: nominal supply in volts.
        femtofarads: the unit of capacitances in fF. Tables of energy are in this unit times 1 V².
        templates: the variable of each index of the energy tables, by template.
        cells: the cells that were asked for.
    """

    voltage: float
    femtofarads: float
    templates: Mapping[str, Sequence[str]]
    cells: Mapping[str, Group]


def read_library(path: Path, names: Iterable[str]) -> Library:
    """Read some cells of a library.

    Raises:
        ToolError: a cell, a unit or the voltage is missing.
    """
    text = COMMENT.sub("", path.read_text())
    found = list(CELL.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    places = {match[1]: (match.start(), end) for match, end in zip(found, ends, strict=True)}
    if strange := sorted(set(names) - set(places)):
        raise ToolError(f"{path.name} does not have the cell {strange[0]}")
    head = _parsed(text[: found[0].start()] if found else text)
    unit = head.values.get("capacitive_load_unit", "").split(",")
    scale = FEMTO.get(unit[-1].strip().lower())
    voltage = head.numbers("nom_voltage")
    if scale is None or not voltage or head.values.get("voltage_unit") != "1V":
        raise ToolError(f"{path.name}: no unit of capacitance (ff, pf), or no voltage in 1V")
    if head.values.get("leakage_power_unit") != "1nW":
        raise ToolError(f"{path.name}: leakage_power_unit is not 1nW")
    templates = {
        group.name: [group.values[key] for key in VARIABLES if key in group.values]
        for group in head.of("power_lut_template")
    }
    cells = {name: _parsed(text[slice(*places[name])]).groups[0] for name in set(names)}
    return Library(voltage[0], float(unit[0]) * scale, templates, cells)


def _parsed(text: str) -> Group:
    """Return the outermost group that a text opens, or one around its first group."""
    root = Group("")
    stack = [root]
    words: list[str] = []
    for match in TOKEN.finditer(text):
        mark = match[2]
        if not mark:
            words.append(match[3] if match[1] is None else match[1])
        elif mark in ";{}":
            if mark == "{":
                stack.append(_opened(stack[-1], words))
            elif words:
                stack[-1].values[words[0]] = ",".join(words[1:])
            words = []
            if mark == "}" and len(stack) > 1:
                stack.pop()
    # The head of a file opens the library and does not close it.
    return stack[1] if len(stack) > 1 else root


def _opened(parent: Group, words: Sequence[str]) -> Group:
    group = Group(words[0] if words else "", tuple(words[1:]))
    parent.groups.append(group)
    return group


def variable(index: int, inputs: int) -> int:
    """Return the truth table of one of some inputs: bit i is its value in assignment i."""
    return sum(1 << row for row in range(1 << inputs) if row >> index & 1)


def truth_table(function: str, names: Mapping[str, int], inputs: int) -> int:
    """Return the truth table of a liberty function.

    Args:
        function: ``!``, ``'``, ``&``, ``*``, space, ``^``, ``|`` and ``+`` between names.
        names: table of each name.
        inputs: number of inputs of the tables.

    Raises:
        ToolError: the function has a name without a table.
    """
    full = (1 << (1 << inputs)) - 1
    words = [name or mark for name, mark in OPERATOR.findall(function.strip())]
    place = 0

    def peek() -> str:
        return words[place] if place < len(words) else ""

    def take() -> str:
        nonlocal place
        place += 1
        return words[place - 1] if place <= len(words) else ""

    def either() -> int:
        found = exclusive()
        while peek() in ("|", "+"):
            take()
            found |= exclusive()
        return found

    def exclusive() -> int:
        found = both()
        while peek() == "^":
            take()
            found ^= both()
        return found

    def both() -> int:
        found = factor()
        while peek() not in ("", "|", "+", "^", ")"):
            if peek() in ("&", "*"):
                take()
            found &= factor()
        return found

    def factor() -> int:
        word = take()
        if word == "!":
            return full & ~factor()
        if word == "(":
            found = either()
            take()
        elif word in ("0", "1"):
            found = full * int(word)
        elif word in names:
            found = names[word]
        else:
            raise ToolError(f"the function {function!r} has an unknown name {word!r}")
        while peek() == "'":
            take()
            found = full & ~found
        return found

    return either()


def assignments(table: int) -> Iterator[int]:
    """Yield the assignments in which a table is true."""
    while table:
        lowest = table & -table
        yield lowest.bit_length() - 1
        table ^= lowest
