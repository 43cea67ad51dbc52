"""Values of a design's signals in every cycle of a program, by an event-driven simulator."""

from __future__ import annotations

import os
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from regress.simulators.base import BuildOptions
from regress.simulators.verilator import Verilator as Installed
from verif.library.lanes.program import NONE, Program
from verif.library.netlist.recipe import Recipe

PERIOD = 10
BENCH = """\
module lanes_tb;
  logic clk = 0, rst, req, write;
  logic [{address_bits}-1:0] addr;
  logic [{data_bits}-1:0] wdata;
  logic [{row_bits}-1:0] rows[0:{cycles}-1];
  {top} #({parameters}) dut (
    .clk_i(clk), .rst_ni(!rst), .req_i(req), .write_i(write), .addr_i(addr), .wdata_i(wdata),
    .wait_i(1'b0), .ack_o(), .err_o(), .rdata_o(), .busy_o(), .done_o()
  );
  initial begin
    $readmemh("rows.hex", rows);
    $dumpfile("dump.vcd");
    $dumpvars(0, dut);
    {memories}
    for (int i = 0; i < {cycles}; i++) begin
      {{rst, req, write, addr, wdata}} = rows[i];
      #{half} clk = 1;
      #{half} clk = 0;
    end
    $finish;
  end
endmodule
"""


class Reference(ABC):
    """A simulator of the source.

    Attributes:
        known: share of all bits in all cycles that it must know at least.
        first: first cycle in which a register whose reset is active has its reset value.
    """

    known: ClassVar[float]
    first: ClassVar[int] = 0

    @abstractmethod
    def states(self, bench: Bench, folder: Path) -> Iterator[Mapping[str, str]]:
        """Return the value of every signal before each rising edge, by path, highest bit first.

        Args:
            bench: the design and what it is asked.
            folder: working folder.
        """


class Icarus(Reference):
    """Icarus Verilog: a register without a reset begins with X."""

    known = 0.8

    def states(self, bench: Bench, folder: Path) -> Iterator[Mapping[str, str]]:
        """See :class:`Reference`."""
        memories = " ".join(f"$dumpvars(0, dut.{path});" for path in bench.memories)
        files = bench.write(folder, memories)
        compiled = ["iverilog", "-g2012", "-s", "lanes_tb", "-o", "bench", *files]
        for each in (compiled, ["vvp", "-n", "bench"]):
            subprocess.run(each, cwd=folder, check=True, capture_output=True, timeout=300)
        return read_dump(folder / "dump.vcd", bench.cycles)


class Verilator(Reference):
    """Verilator: registers without a reset begin with random values.

    It has no X. What the source leaves open, as a read above the last word of a memory, is once 0
    and once 1. A bit that differs then is X.

    It resets a register only on an edge of the register's reset or clock. A reset that another
    register drives may be low from the start; then it acts at the first edge of the clock.
    """

    known = 0.98
    first = 1
    flags = (
        *("--binary", "--timing", "--trace-vcd", "--trace-max-array", "4096", "-Wno-fatal"),
        *("--x-initial", "unique", "-CFLAGS", "-fcoroutines", "--top-module", "lanes_tb"),
        *("-o", "bench", "-MAKEFLAGS", "VM_PARALLEL_BUILDS=0"),
        # A run of a few thousand cycles is over before optimised code is compiled.
        *("-MAKEFLAGS", "OPT_FAST=-O0", "-MAKEFLAGS", "OPT_SLOW=-O0"),
        *("-MAKEFLAGS", "OPT_GLOBAL=-O0"),
    )

    def states(self, bench: Bench, folder: Path) -> Iterator[Mapping[str, str]]:
        """See :class:`Reference`."""
        # Its dump has every memory word.
        files = bench.write(folder, memories="")
        both = [self._run(bench, files, folder, value) for value in "01"]
        for zero, one in zip(*both, strict=True):
            yield {name: _merged(zero[name], one[name]) for name in zero}

    def _run(
        self, bench: Bench, files: Sequence[str], folder: Path, value: str
    ) -> Iterator[Mapping[str, str]]:
        installed = Installed.find()
        environment = {**os.environ, **installed.build_environment(BuildOptions())}
        made = f"obj_{value}"
        flags = [*self.flags, "--x-assign", value, "-Mdir", made]
        run = [f"{made}/bench", "+verilator+rand+reset+2", "+verilator+seed+7"]
        for each in (["verilator", *flags, *files], run):
            subprocess.run(
                each, cwd=folder, check=True, capture_output=True, timeout=600, env=environment
            )
        return read_dump((folder / "dump.vcd").rename(folder / f"{made}.vcd"), bench.cycles)


def _merged(zero: str, one: str) -> str:
    if zero == one:
        return zero
    return "".join(a if a == b else "x" for a, b in zip(zero, one, strict=True))


@dataclass(frozen=True)
class Bench:
    """A design and programs of one lane.

    Attributes:
        recipe: the design.
        programs: transfers on the bus, and the words that the lane writes, by row.
        memories: paths of memory words to read as well.
    """

    recipe: Recipe
    programs: Sequence[tuple[Program, Sequence[int]]]
    memories: Sequence[str]

    @property
    def cycles(self) -> int:
        """Cycles of all programs."""
        return sum(program.cycles for program, _ in self.programs)

    def write(self, folder: Path, memories: str) -> list[str]:
        """Write the sources, the bench and its data; return the names of the sources.

        Args:
            folder: working folder.
            memories: statements that write memory words into the dump.
        """
        sources = self.recipe.write_sources(folder)
        parameters = self.recipe.parameters
        address_bits, data_bits = parameters["AddressWidth"], parameters["BusWidth"]
        (folder / "rows.hex").write_text("".join(self._rows(address_bits, data_bits)))
        bench = BENCH.format(
            address_bits=address_bits,
            data_bits=data_bits,
            row_bits=3 + address_bits + data_bits,
            cycles=self.cycles,
            top=self.recipe.top,
            parameters=", ".join(f".{name}({value})" for name, value in parameters.items()),
            memories=memories,
            half=PERIOD // 2,
        )
        (folder / "bench.sv").write_text(bench)
        return [*(path.name for path in sources), "bench.sv"]

    def _rows(self, address_bits: int, data_bits: int) -> Iterator[str]:
        for program, words in self.programs:
            for step in program.steps():
                row = int(step["reset"])
                row = row << 1 | int(step["request"])
                row = row << 1 | int(step["write"])
                row = row << address_bits | int(step["address"])
                data = words[step["word"]] if step["word"] != NONE else 0
                yield f"{row << data_bits | data:x}\n"


def read_dump(path: Path, cycles: int) -> Iterator[Mapping[str, str]]:
    """Return the values of a VCD file before the rising edge of each cycle."""
    names: dict[str, list[tuple[str, int]]] = {}
    scopes: list[str] = []
    values: dict[str, str] = {}
    cycle = 0
    for line in path.read_text().splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "$scope":
            scopes.append(rest.split()[1])
        elif word == "$upscope":
            scopes.pop()
        elif word == "$var":
            _, width, code, name, *_ = rest.split()
            names.setdefault(code, []).append((_path(scopes, name), int(width)))
        elif word.startswith("#"):
            # Values so far hold up to the rising edge in the middle of a cycle.
            while cycle < cycles and int(word[1:]) >= cycle * PERIOD + PERIOD // 2:
                yield dict(values)
                cycle += 1
        elif word[:1] in "01xzb" and word[:1]:
            value, code = (word[1:], rest) if word[0] == "b" else (word[0], word[1:])
            for name, width in names.get(code, []):
                fill = value[0] if value[0] in "xz" else "0"
                values[name] = value.rjust(width, fill)


def _path(scopes: Sequence[str], name: str) -> str:
    return ".".join([*scopes[2:], name]).replace("\\", "")
