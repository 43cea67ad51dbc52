"""Netlist of a design for simulation: lookup tables with three inputs, and plain flip-flops.

The netlist keeps every register of the source that affects anything, bit by bit, with its name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verif.library.netlist.cache import FolderCache
from verif.library.netlist.hierarchy import REGISTER
from verif.library.netlist.process import ToolError
from verif.library.netlist.recipe import Recipe, digest
from verif.library.netlist.workplace import Workplace
from verif.library.yosys import CHILD, yosys_version

NETLIST, INSTANCES = "netlist.json", "instances.tsv"
LUT_INPUTS = 3
KEY_LENGTH = 16
FLIP_FLOPS = ("$_DFF_P_", "$_DFF_PN0_", "$_DFF_PN1_")
# A net is a number, or one of these constants.
ZERO, ONE = -1, -2
CONSTANTS: Mapping[str, int] = {"0": ZERO, "1": ONE, "x": ZERO, "z": ZERO}


@dataclass(frozen=True)
class Lut:
    """A lookup table: bit i of ``table`` is the output for inputs i; the first input is bit 0."""

    table: int
    inputs: tuple[int, ...]
    output: int


@dataclass(frozen=True)
class FlipFlop:
    """One bit of a register, clocked by the rising edge of the only clock.

    Attributes:
        name: path of the signal, or the netlist's name if the bit has no signal.
        bit: number of the bit in the signal.
        d: net of the next value.
        q: net that the flip-flop drives.
        reset: net of an asynchronous active-low reset to ``reset_value``; None without a reset.
        reset_value: 0 or 1.
        source: file and line in the source.
    """

    name: str
    bit: int
    d: int
    q: int
    reset: int | None
    reset_value: int
    source: str

    @property
    def label(self) -> str:
        """The name in messages."""
        return f"{self.name}[{self.bit}]"


@dataclass(frozen=True)
class GateNetlist:
    """A synthesised design.

    Attributes:
        inputs: nets of each input port except the clock, the lowest bit first.
        outputs: nets of each output port.
        luts: lookup tables, in no order.
        registers: flip-flops, in the order of their names.
    """

    inputs: Mapping[str, tuple[int, ...]]
    outputs: Mapping[str, tuple[int, ...]]
    luts: Sequence[Lut]
    registers: Sequence[FlipFlop]


def passes(recipe: Recipe, sources: Iterable[Path]) -> list[str]:
    """Return the Yosys passes that write :data:`NETLIST`.

    Enables and synchronous resets become logic. The passes omit ``memory_dff``, so that the read
    registers of memories stay as in the source, and ``opt_merge``, which would merge registers that
    are always equal.

    Args:
        recipe: the recipe to synthesise.
        sources: its files.
    """
    values = [f"-G {name}={value}" for name, value in recipe.parameters.items()]
    read = ["read_slang --threads 1 --keep-hierarchy --single-unit --top", recipe.top, *values]
    flip_flops = "opt_dff -nodffe -nosdff"
    clean = ["opt_expr", flip_flops, "opt_clean"]
    legal = " ".join(f"-cell {kind} x" for kind in FLIP_FLOPS)
    return [
        " ".join([*read, *(path.name for path in sources)]),
        f"hierarchy -check -top {recipe.top}",
        f"@instances {INSTANCES}",
        "proc -noopt",
        "flatten",
        *clean,
        "wreduce",
        "peepopt",
        "opt_clean",
        "alumacc",
        "opt_mem",
        "memory_collect",
        "memory_map",
        "opt_expr -fine",
        *clean,
        "techmap",
        *clean,
        f"dfflegalize {legal}",
        *clean,
        "@registers",
        f"abc -lut {LUT_INPUTS} t:$_DFF* %n",
        "opt_clean",
        f"write_json {NETLIST}",
    ]


def synthesise(cache: FolderCache, place: Workplace, recipe: Recipe) -> Path:
    """Return the folder with :data:`NETLIST` and :data:`INSTANCES`; make it if it does not exist.

    Args:
        cache: cache of the folder.
        place: workplace with Yosys.
        recipe: the design.

    Raises:
        ToolError: the design cannot be synthesised.
    """
    tool = [yosys_version(), CHILD.read_text()]  # the names of registers and instances
    key = digest([*tool, passes(recipe, []), recipe.model_dump()])[:KEY_LENGTH]

    def make(folder: Path) -> None:
        place.yosys(passes(recipe, recipe.write_sources(folder)), folder)

    name = f"netlist-{recipe.top}-{key}"
    cache.fill(name, NETLIST, make)
    return cache.root / name


def read_netlist(path: Path, recipe: Recipe) -> GateNetlist:
    """Read a netlist that Yosys wrote.

    Raises:
        ToolError: the netlist has a cell or clock that cannot be simulated; the message names it.
    """
    module = json.loads(path.read_text())["modules"][recipe.top]
    ports: dict[str, dict[str, tuple[int, ...]]] = {"input": {}, "output": {}}
    for name, port in module["ports"].items():
        if port["direction"] not in ports:
            raise ToolError(f"port {name} of {recipe.top} is {port['direction']}")
        ports[port["direction"]][name] = _nets(port["bits"])
    (clock,) = ports["input"].pop(recipe.clock)
    luts, registers = [], []
    for name, cell in module["cells"].items():
        kind, nets = cell["type"], cell["connections"]
        if kind == "$lut":
            table = int(cell["parameters"]["LUT"], 2)
            luts.append(Lut(table, _nets(nets["A"]), nets["Y"][0]))
        elif kind in FLIP_FLOPS:
            if _nets(nets["C"]) != (clock,):
                raise ToolError(f"{name} of {recipe.top} is not clocked by {recipe.clock}")
            registers.append(_flip_flop(name, cell))
        elif kind != "$scopeinfo":
            raise ToolError(f"{name} of {recipe.top} is a {kind}, which cannot be simulated")
    registers.sort(key=lambda register: (register.name, register.bit))
    return GateNetlist(ports["input"], ports["output"], luts, registers)


def _nets(bits: Sequence[int | str]) -> tuple[int, ...]:
    return tuple(bit if isinstance(bit, int) else CONSTANTS[bit] for bit in bits)


def _flip_flop(name: str, cell: Mapping[str, Any]) -> FlipFlop:
    nets = cell["connections"]
    found = REGISTER.match(name)
    return FlipFlop(
        name=found[1] if found else name,
        bit=int(found[2]) if found else 0,
        d=_nets(nets["D"])[0],
        q=nets["Q"][0],
        reset=_nets(nets["R"])[0] if "R" in nets else None,
        reset_value=int(cell["type"] == "$_DFF_PN1_"),
        source=cell["attributes"].get("src", "").partition("|")[0],
    )
