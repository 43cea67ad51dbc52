"""C source of a netlist: one expression per lookup table, in functions of moderate size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import product

from verif.library.netlist.gates import LUT_INPUTS, ONE, ZERO, GateNetlist, Lut
from verif.library.netlist.process import ToolError

# Lookup tables per C function. More make the compiler slow; with fewer, the code keeps fewer values
# in registers.
CHUNK = 1200
ROWS = 1 << LUT_INPUTS
ALL = (1 << ROWS) - 1
# Table of each input of a lookup table, and its name.
INPUT_TABLES: Mapping[int, str] = {0xAA: "a", 0xCC: "b", 0xF0: "c"}
# Maximum cost in operations; every table of three inputs has a cheaper expression.
MOST_OPERATIONS = 12


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

    def source(self) -> str:
        """Return the whole file."""
        netlist = self._netlist
        chunks, crossing = self._chunks()
        inputs, outputs = (
            sum(map(len, ports.values())) for ports in (netlist.inputs, netlist.outputs)
        )
        sizes = {
            "kRegisters": len(netlist.registers),
            "kInputs": inputs,
            "kOutputs": outputs,
            "kNets": len(crossing),
            "kResets": len(self._resets()),
        }
        lines = ['#include "engine.h"', ""]
        lines += [f"const int32_t {name} = {size};" for name, size in sizes.items()]
        lines += ["", *self._reset_functions()]
        for index, chunk in enumerate(chunks):
            lines += ["", *self._chunk_function(index, chunk, crossing)]
        lines += ["", *self._eval_function(len(chunks))]
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

    def _sinks(self) -> list[tuple[int, str]]:
        """Return the nets that leave the logic, and the destinations of their values."""
        sinks = [(register.d, f"d[{i}]") for i, register in enumerate(self._netlist.registers)]
        nets = [net for port in self._netlist.outputs.values() for net in port]
        return [*sinks, *((net, f"out[{i}]") for i, net in enumerate(nets))]

    def _cone(self, roots: Iterable[int], done: set[int]) -> list[Lut]:
        """Return the lookup tables that the roots depend on, without ``done``, inputs first."""
        order: list[Lut] = []
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

    def _chunks(self) -> tuple[list[list[Lut]], dict[int, int]]:
        """Return lookup tables by function, and the place of each net used across functions."""
        order = self._cone([net for net, _ in self._sinks()], set())
        chunks = [order[i : i + CHUNK] for i in range(0, len(order), CHUNK)] or [[]]
        home = {lut.output: i for i, chunk in enumerate(chunks) for lut in chunk}
        crossing: dict[int, int] = {}
        for i, chunk in enumerate(chunks):
            for net in (net for lut in chunk for net in lut.inputs):
                if home.get(net, i) != i:
                    crossing.setdefault(net, len(crossing))
        return chunks, crossing

    def _chunk_function(
        self, index: int, chunk: Sequence[Lut], crossing: Mapping[int, int]
    ) -> list[str]:
        lines = [
            f"static __attribute__((noinline)) void eval_{index}(const vec* restrict q,",
            "    vec* restrict d, const vec* restrict in, vec* restrict out, vec* restrict net) {",
            *_constants(),
        ]
        goals: dict[int, list[str]] = {}
        for net, place in self._sinks():
            goals.setdefault(net, []).append(place)
        home = {lut.output for lut in chunk}

        def name(net: int) -> str:
            if net in home:
                return f"n{net}"
            return self._sources.get(net) or f"net[{crossing[net]}]"

        for lut in chunk:
            lines.append(f"  const vec n{lut.output} = {expression(lut, name)};")
            places = [*goals.get(lut.output, [])]
            if lut.output in crossing:
                places.append(f"net[{crossing[lut.output]}]")
            lines += [f"  {place} = n{lut.output};" for place in places]
        if index == 0:
            lines += [
                f"  {place} = {self._sources[net]};"
                for net, places in goals.items()
                if net in self._sources
                for place in places
            ]
        return [*lines, "}"]

    def _eval_function(self, count: int) -> list[str]:
        return [
            "void netlist_eval(const vec* restrict q, vec* restrict d, const vec* restrict in,",
            "                  vec* restrict out, vec* restrict net) {",
            *(f"  eval_{index}(q, d, in, out, net);" for index in range(count)),
            "}",
        ]

    def _reset_functions(self) -> list[str]:
        """Return C functions for resets: one acts at once, one at the following rising edge."""
        settle = [
            "void netlist_reset(vec* restrict q, const vec* restrict in, vec* restrict reset) {"
        ]
        over = ["void netlist_keep_reset(vec* restrict d, const vec* restrict reset) {"]
        for number, net in enumerate(self._resets()):
            # The next reset may depend on a register that was just reset.
            def name(net: int, number: int = number) -> str:
                return self._sources.get(net) or f"r{number}_{net}"

            for lut in self._cone([net], set()):
                settle.append(f"  const vec {name(lut.output)} = {expression(lut, name)};")
            settle.append(f"  reset[{number}] = {name(net)};")
            settle += self._reset_registers("q", net, number)
            over += self._reset_registers("d", net, number)
        settle[1:1] = _constants()
        return [*_any_zero(), *settle, "}", "", *over, "}"]

    def _reset_registers(self, state: str, net: int, number: int) -> Iterator[str]:
        yield f"  if (any_zero(reset[{number}])) {{"
        for index, register in enumerate(self._netlist.registers):
            if register.reset == net:
                change = f"|= ~reset[{number}]" if register.reset_value else f"&= reset[{number}]"
                yield f"    {state}[{index}] {change};"
        yield "  }"

    def _resets(self) -> list[int]:
        """Return reset nets, dependencies first, so that one pass in this order settles all."""
        registers = self._netlist.registers
        reset_of = {register.q: register.reset for register in registers}
        depends: dict[int, set[int]] = {}
        for net in dict.fromkeys(r.reset for r in registers if r.reset is not None):
            read = {net, *(i for lut in self._cone([net], set()) for i in lut.inputs)}
            found = {reset_of[source] for source in read if source in reset_of}
            depends[net] = {reset for reset in found if reset is not None}
        try:
            return list(TopologicalSorter(depends).static_order())
        except CycleError:
            raise ToolError("resets of the netlist depend on each other in a loop") from None


def _constants() -> list[str]:
    return ["  const vec zero = {0};", "  const vec ones = ~zero;", "  (void)ones;"]


def _any_zero() -> list[str]:
    return [
        "static inline int any_zero(vec v) {",
        "  uint64_t all = ~UINT64_C(0);",
        "  for (int i = 0; i < LANES / 64; ++i) all &= v[i];",
        "  return all != ~UINT64_C(0);",
        "}",
        "",
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
