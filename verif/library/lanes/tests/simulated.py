"""Values of a design's registers in every cycle of a program, simulated by Icarus."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

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


def states(
    recipe: Recipe,
    programs: Sequence[tuple[Program, Sequence[int]]],
    memories: Sequence[str],
    folder: Path,
) -> Iterator[Mapping[str, str]]:
    """Return the value of every signal before each clock edge, by path: binary, highest bit first.

    Args:
        recipe: the design.
        programs: transfers on the bus, and the words that one lane writes, by row.
        memories: paths of memory words to read as well.
        folder: working folder.
    """
    sources = recipe.write_sources(folder)
    address_bits, data_bits = recipe.parameters["AddressWidth"], recipe.parameters["BusWidth"]
    rows = []
    for step, words in ((step, words) for program, words in programs for step in program.steps()):
        row = int(step["reset"])
        row = row << 1 | int(step["request"])
        row = row << 1 | int(step["write"])
        row = row << address_bits | int(step["address"])
        data = words[step["word"]] if step["word"] != NONE else 0
        rows.append(f"{row << data_bits | data:x}\n")
    (folder / "rows.hex").write_text("".join(rows))
    bench = BENCH.format(
        address_bits=address_bits,
        data_bits=data_bits,
        row_bits=3 + address_bits + data_bits,
        cycles=len(rows),
        top=recipe.top,
        parameters=", ".join(f".{name}({value})" for name, value in recipe.parameters.items()),
        memories=" ".join(f"$dumpvars(0, dut.{path});" for path in memories),
        half=PERIOD // 2,
    )
    (folder / "bench.sv").write_text(bench)
    files = [path.name for path in sources]
    command = ["iverilog", "-g2012", "-s", "lanes_tb", "-o", "bench", *files, "bench.sv"]
    for each in (command, ["vvp", "-n", "bench"]):
        subprocess.run(each, cwd=folder, check=True, capture_output=True, timeout=300)
    return _read(folder / "dump.vcd", len(rows))


def _read(path: Path, cycles: int) -> Iterator[Mapping[str, str]]:
    names: dict[str, list[tuple[str, int]]] = {}
    scopes: list[str] = []
    values: dict[str, str] = {}
    cycle = 0
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
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
