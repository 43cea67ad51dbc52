"""C source of a netlist: one expression per lookup table, one function per section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate, count, product

from verif.library.lanes.sections import divided
from verif.library.netlist.gates import LUT_INPUTS, ONE, ZERO, FlipFlop, GateNetlist, Lut
from verif.library.netlist.process import ToolError

ROWS = 1 << LUT_INPUTS
ALL = (1 << ROWS) - 1
# Table of each input of a lookup table, and its name.
INPUT_TABLES: Mapping[int, str] = {0xAA: "a", 0xCC: "b", 0xF0: "c"}
# Lookup table that repeats its input.
REPEAT = 0b10
# Maximum cost in operations; every table of three inputs has a cheaper expression.
MOST_OPERATIONS = 12
CONSTANTS = ("  const vec zero = {0}, ones = ~zero;", "  (void)ones;")


class Generator:
    """Writes the C functions of a netlist.

    Args:
        netlist: the design.

    Raises:
        ToolError: the netlist has a combinational loop, or a loop of resets.
    """

    def __init__(self, netlist: GateNetlist) -> None:
        self._netlist = netlist
        self._driver = {lut.output: lut for lut in netlist.luts}
        self._sources = dict(self._named_sources())
        free = count(max([*self._driver, *self._sources]) + 1)
        self._sinks = [(self._driven(net, free), *rest) for net, *rest in self._named_sinks()]
        self._resets = self._reset_order()
        # Sections that read a net, and the place of each net that passes between sections.
        self._readers: dict[int, set[int]] = {}
        self._crossing: dict[int, int] = {}
        # Flip-flops by the section that has their next value, and the sections that read them.
        self._groups: dict[tuple[int, tuple[int, ...]], tuple[int, list[int]]] = {}

    def source(self) -> str:
        """Return the whole file."""
        netlist = self._netlist
        parts = self._sections()
        goals: dict[int, list[tuple[str, int | None]]] = {}
        for net, place, _, register in self._sinks:
            goals.setdefault(net, []).append((place, register))
        functions = [self._section(index, part, goals) for index, part in enumerate(parts)]
        inputs = [net for nets in netlist.inputs.values() for net in nets]
        sizes = {
            "kRegisters": len(netlist.registers),
            "kInputs": len(inputs),
            "kOutputs": sum(map(len, netlist.outputs.values())),
            "kNets": len(self._crossing),
            "kResets": len(self._resets),
            "kSections": len(parts),
            "kGroups": len(self._groups),
        }
        woken = set().union(*(self._readers.get(net, ()) for net in inputs))
        lines = [
            '#include "engine.h"',
            "",
            *(f"const int32_t {name} = {size};" for name, size in sizes.items()),
            *_table("kMember", (members for _, members in self._groups.values())),
            *_table("kReader", (readers for _, readers in self._groups)),
            *_table("kInputReader", [sorted(woken)]),
            "",
            *self._reset_function(),
            *(line for function in functions for line in ["", *function]),
            "",
            "void netlist_eval(struct netlist* n) {",
            *(f"  if (n->wake[{index}]) eval_{index}(n);" for index in range(len(parts))),
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _named_sources(self) -> Iterator[tuple[int, str]]:
        """Yield the nets that no lookup table drives."""
        yield ZERO, "zero"
        yield ONE, "ones"
        for index, register in enumerate(self._netlist.registers):
            yield register.q, f"q[{index}]"
        position = 0
        for nets in self._netlist.inputs.values():
            for net in nets:
                yield net, f"in[{position}]"
                position += 1

    def _named_sinks(self) -> Iterator[tuple[int, str, str, int | None]]:
        """Yield nets that leave the logic: destination, its register or port, and flip-flop."""
        for index, register in enumerate(self._netlist.registers):
            yield register.d, f"d[{index}]", register.name, index
        position = 0
        for name, nets in self._netlist.outputs.items():
            for net in nets:
                yield net, f"out[{position}]", f"port {name}", None
                position += 1

    def _driven(self, net: int, free: Iterator[int]) -> int:
        """Return the net, or that of a new lookup table that repeats it if none drives it."""
        if net not in self._sources:
            return net
        repeated = next(free)
        self._driver[repeated] = Lut(REPEAT, (net,), repeated)
        return repeated

    def _cone(self, roots: Iterable[int]) -> list[Lut]:
        """Return the lookup tables that the roots depend on, inputs first."""
        order: list[Lut] = []
        done: set[int] = set()
        open_nets: set[int] = set()
        waiting = [(root, False) for root in reversed(list(roots))]
        while waiting:
            net, seen = waiting.pop()
            lut = self._driver.get(net)
            if seen and lut:
                open_nets.discard(net)
                if net not in done:
                    done.add(net)
                    order.append(lut)
            elif lut and net not in done:
                if net in open_nets:
                    raise ToolError("the netlist has a combinational loop")
                open_nets.add(net)
                waiting.append((net, True))
                waiting += ((other, False) for other in lut.inputs)
            elif not lut and net not in self._sources:
                raise ToolError(f"nothing drives net {net} of the netlist")
        return order

    def _sections(self) -> list[list[Lut]]:
        """Return the lookup tables by section, and note which sections read each net."""
        words: dict[str, int] = {}
        entered: dict[int, int] = {}
        for net, _, word, _ in self._sinks:
            entered[net] = entered.get(net, 0) | words.setdefault(word, 1 << len(words))
        parts = divided(self._cone(net for net, *_ in self._sinks), entered)
        home = {lut.output: index for index, part in enumerate(parts) for lut in part}
        for index, part in enumerate(parts):
            for net in (net for lut in part for net in lut.inputs):
                self._readers.setdefault(net, set()).add(index)
                if home.get(net, index) != index:
                    self._crossing.setdefault(net, len(self._crossing))
        return parts

    def _section(
        self, index: int, part: Sequence[Lut], goals: Mapping[int, Sequence[tuple[str, int | None]]]
    ) -> list[str]:
        """Return the function of a section: its values, and what follows from a change of them.

        Args:
            index: number of the section.
            part: its lookup tables.
            goals: destinations and flip-flops of the nets that leave the logic.
        """
        home = {lut.output for lut in part}

        def name(net: int) -> str:
            if net in home:
                return f"n{net}"
            return self._sources.get(net) or f"net[{self._crossing[net]}]"

        lines = []
        # Flags of what changed, and the statement that follows from each.
        changed: dict[str, str] = {}
        for lut in part:
            net = lut.output
            lines.append(f"  const vec n{net} = {expression(lut, name)};")
            for place, register in goals.get(net, ()):
                if register is None:
                    lines.append(f"  {place} = n{net};")
                    continue
                flag, then = self._group(index, register)
                changed[flag] = then
                value = self._in_reset(f"n{net}", self._netlist.registers[register])
                lines.append(f"  {place} = {value};")
                lines.append(f"  {flag} = CHANGED({flag}, {place}, q[{register}]);")
            if net in self._crossing:
                place = f"net[{self._crossing[net]}]"
                readers = sorted(self._readers[net] - {index})
                flag = "_".join(map(str, ["wakes", *readers]))
                changed[flag] = " ".join(f"n->wake[{reader}] = 1;" for reader in readers)
                lines.append(f"  {flag} = CHANGED({flag}, n{net}, {place});")
                lines.append(f"  {place} = n{net};")
        return [
            f"static __attribute__((noinline)) void eval_{index}(struct netlist* n) {{",
            "  const vec *restrict q = n->q, *restrict in = n->in, *restrict reset = n->reset;",
            "  vec *restrict d = n->d, *restrict out = n->out, *restrict net = n->net;",
            *CONSTANTS,
            *(f"  vec {flag} = zero;" for flag in changed),
            *lines,
            f"  n->wake[{index}] = 0;",
            *(f"  if (any({flag})) {{ {then} }}" for flag, then in changed.items()),
            "}",
        ]

    def _group(self, index: int, register: int) -> tuple[str, str]:
        """Add a flip-flop of a section to its group; return the group's flag and its use."""
        q = self._netlist.registers[register].q
        group = (index, tuple(sorted(self._readers.get(q, ()))))
        number, members = self._groups.setdefault(group, (len(self._groups), []))
        members.append(register)
        return f"moves_{number}", f"n->moved[n->moved_count++] = {number};"

    def _reset_function(self) -> list[str]:
        """Return the C function that sets registers in reset."""
        lines = [
            "int netlist_reset(struct netlist* n, int disturbed) {",
            "  vec *q = n->q, *in = n->in, *reset = n->reset;",
            *CONSTANTS,
        ]
        for number, net in enumerate(self._resets):
            # The next reset may depend on a register that was just reset.
            def name(net: int, number: int = number) -> str:
                return self._sources.get(net) or f"r{number}_{net}"

            for lut in self._cone([net]):
                lines.append(f"  const vec {name(lut.output)} = {expression(lut, name)};")
            lines.append(f"  disturbed |= any({name(net)} ^ reset[{number}]);")
            lines.append(f"  reset[{number}] = {name(net)};")
            lines.append("  if (disturbed) {")
            lines += [
                f"    q[{index}] = {self._in_reset(f'q[{index}]', register)};"
                for index, register in enumerate(self._netlist.registers)
                if register.reset == net
            ]
            lines.append("  }")
        return [*lines, "  return disturbed;", "}"]

    def _in_reset(self, value: str, register: FlipFlop) -> str:
        """Return a value of a register in C: in lanes in reset, the reset value."""
        if register.reset is None:
            return value
        number = self._resets.index(register.reset)
        return (
            f"{value} | ~reset[{number}]" if register.reset_value else f"{value} & reset[{number}]"
        )

    def _reset_order(self) -> list[int]:
        """Return reset nets, dependencies first, so that one pass in this order settles all."""
        registers = self._netlist.registers
        reset_of = {register.q: register.reset for register in registers}
        depends: dict[int, set[int]] = {}
        for net in dict.fromkeys(r.reset for r in registers if r.reset is not None):
            read = {net, *(i for lut in self._cone([net]) for i in lut.inputs)}
            found = {reset_of[source] for source in read if source in reset_of}
            depends[net] = {reset for reset in found if reset is not None}
        try:
            return list(TopologicalSorter(depends).static_order())
        except CycleError:
            raise ToolError("resets of the netlist depend on each other in a loop") from None


def _table(name: str, rows: Iterable[Sequence[int]]) -> list[str]:
    """Return rows of numbers in C, one after the other, and where each ends."""
    found = list(rows)
    ends = ", ".join(map(str, accumulate(map(len, found))))
    numbers = ", ".join(str(number) for row in found for number in row)
    return [
        f"const int32_t {name}End[] = {{{ends}}};",
        f"const int32_t {name}[] = {{{numbers}}};",
    ]


def expression(lut: Lut, name: object) -> str:
    """Return a lookup table in C: one instruction if the machine has it, or several operations.

    Args:
        lut: the table.
        name: function that returns the name of a net.
    """
    assert callable(name)
    table, width = lut.table, len(lut.inputs)
    # The output must not depend on missing inputs.
    for missing in range(width, LUT_INPUTS):
        table |= table << (1 << missing)
    names = [name(net) for net in lut.inputs] + ["zero"] * (LUT_INPUTS - width)
    plain = expressions()[table]
    for letter, text in zip("abc", names, strict=True):
        plain = plain.replace(f"<{letter}>", text)
    if plain.count("<") or len(lut.inputs) < LUT_INPUTS:
        return plain
    return f"TERNARY({', '.join(names)}, 0x{table:02x}, {plain})"


@cache
def expressions() -> Sequence[str]:
    """Return, for each table of three inputs, the expression with the fewest operations.

    Inputs are ``<a>``, ``<b>`` and ``<c>``. The function combines cheaper expressions until it has
    an expression for every table.
    """
    found = {table: f"<{letter}>" for table, letter in INPUT_TABLES.items()} | {0: "zero"}
    found[ALL] = "ones"
    by_cost = {0: list(found)}
    for cost in range(1, MOST_OPERATIONS):
        made: dict[int, str] = {}
        for first in range(cost):
            pairs = product(by_cost.get(first, []), by_cost.get(cost - 1 - first, []))
            for one, other in pairs:
                x, y = found[one], found[other]
                for table, text in (
                    (one & other, f"({x} & {y})"),
                    (one | other, f"({x} | {y})"),
                    (one ^ other, f"({x} ^ {y})"),
                    (one & ~other & ALL, f"({x} & ~{y})"),
                    (ALL ^ one, f"(~{x})"),
                ):
                    if table not in found and table not in made:
                        made[table] = text
        found |= made
        by_cost[cost] = list(made)
        if len(found) == ALL + 1:
            break
    return [found[table] for table in range(ALL + 1)]
