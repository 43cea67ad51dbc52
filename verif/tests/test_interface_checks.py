"""Every rule of the pins fails on a design that breaks it, on both tops, and on no other design.

Not a job of a list, which would cost seconds each: the bench's own top on Icarus, with a host in
SystemVerilog that is ruder than the protocol allows: the promises of the pins hold for any host.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from models.registry import architecture
from verif.bench.agent.interface_monitor import violation
from verif.bench.agent.interface_rules import RULES, Rule
from verif.bench.configuration.design import (
    BENCH,
    DESIGNS,
    EXPONENTIATION,
    MULTIPLIER,
    ROOT,
    Design,
    simulation_build,
)
from verif.formal.interface_proofs import CONTROLS, RULE_FAULTS
from verif.library.edits.altered import altered_copy
from verif.tests.injected import representatives

WIDTH, BUS_WIDTH = 12, 8  # operands of two words, the upper one not full
PARAMETERS = {"BusWidth": BUS_WIDTH}
# With the controls in which the faults are injected.
ARCHITECTURES = {"multiplier": "fast_montgomery", "exponentiation": "dual_radix"}

# Requests of any kind in any order, operands that are mostly legal, long enough waits for results,
# requests that are withdrawn, wait states, resets between two edges.
HOST = """
module host;
  {top} #({parameters}) bench ();
  integer seed, i, kind;
  reg [7:0] word;
  task automatic ask(input write, input [{addr}-1:0] select, input [{bus}-1:0] data);
    begin
      bench.bus_req = 1; bench.bus_write = write;
      bench.bus_addr = select; bench.bus_wdata = data;
      @(negedge bench.clk);
      if ($urandom(seed) % 8 != 0) begin
        while (bench.bus_ack === 1'b0 && !bench.chk_valid && $urandom(seed) % 64 != 0)
          @(negedge bench.clk);
        @(negedge bench.clk);
      end
      bench.bus_req = 0;
      repeat ($urandom(seed) % 2) @(negedge bench.clk);
    end
  endtask
  task automatic load(input [{addr}-1:0] select);
    begin
      ask(1, select, (select == 2) ? ($urandom(seed) | 9) & 'hf : $urandom(seed) & 1);
    end
  endtask
  initial begin
    seed = 1;
    bench.op_request = 0;
    bench.op_request[{request}-57-:8] = 60;  // wait states
    repeat (2) @(negedge bench.clk);
    bench.rst_n = 0;
    repeat (2) @(negedge bench.clk);
    #2 bench.rst_n = 1;
    for (i = 0; i < {rounds} && !bench.chk_valid; i = i + 1) begin
      kind = $urandom(seed) % 40;
      if (kind == 0) begin
        #2 bench.rst_n = 0;
        repeat (1 + $urandom(seed) % 2) @(negedge bench.clk);
        #2 bench.rst_n = 1;
      end else if (kind < 4) ask(1, 3, $urandom(seed) % 8);
      else if (kind < 7) ask(0, 3, $urandom(seed));
      else if (kind < 12) load($urandom(seed));
      else if (kind < 17) ask(0, $urandom(seed), $urandom(seed));
      else if (kind < 19) ask($urandom(seed), $urandom(seed), $urandom(seed));
      else if (kind < 20) begin
        repeat ({wait}) if (bench.bus_busy !== 1'b0) @(negedge bench.clk);
      end
      else begin
        if (kind < 36) begin
          ask(1, 3, 3);
          repeat (2) begin load(0); load(1); load(2); end
        end
        ask(1, 3, (kind < 30) ? 1 : $urandom(seed) % 6);
        repeat ($urandom(seed) % 16) ask($urandom(seed), $urandom(seed), $urandom(seed) % 8);
        repeat ({wait}) if (bench.bus_busy !== 1'b0) @(negedge bench.clk);
        repeat (6) ask(0, $urandom(seed), $urandom(seed));
      end
    end
    $display("valid %b report %h ok %0d rejected %0d", bench.chk_valid, bench.chk_report, oks, bad);
    $finish;
  end
  integer oks = 0, bad = 0;
  always @(posedge bench.clk) if (bench.bus_ack && !bench.bus_write && bench.bus_addr == 3) begin
    if (bench.bus_rdata[3:0] == 2) oks = oks + 1;
    if (bench.bus_rdata[3:0] > 3) bad = bad + 1;
  end
endmodule
"""
ROUNDS, WAIT = 300, 2000


def simulated(design: Design, hdl: Path, folder: Path, rounds: int = ROUNDS) -> str:
    """Failures that the interface monitor reports for a design; empty if none."""
    entry = architecture(ARCHITECTURES[design.name])
    build = simulation_build(design, entry, WIDTH, PARAMETERS, hdl)
    parameters = ", ".join(f".{name}({value})" for name, value in build.parameters.items())
    selects, slot = (7, 16) if design is EXPONENTIATION else (3, 16)
    bench = folder / "host.sv"
    words = {
        "top": build.toplevel, "parameters": parameters, "rounds": rounds, "wait": WAIT,
        "addr": build.parameters["AddressWidth"], "bus": BUS_WIDTH,
        "request": 88 + selects + selects * slot,
    }  # fmt: skip
    text = HOST
    for name, value in words.items():
        text = text.replace("{" + name + "}", str(value))
    bench.write_text(text)
    program = folder / "host.vvp"
    defines = [f"-D{name}={value}" for name, value in build.defines.items()]
    # SYNTHESIS empties the assertions of the design: a fault must reach the interface monitor.
    defines.append("-DSYNTHESIS")
    command = ["iverilog", "-g2012", "-o", program, "-s", "host", *defines, *build.sources, bench]
    subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    done = subprocess.run(
        ["vvp", "-n", str(program)], check=True, capture_output=True, text=True, timeout=300
    )
    found = re.search(r"valid (.) report (\S+) ok (\d+) rejected (\d+)", done.stdout)
    assert found, done.stdout
    if found[1] == "0":
        # Else the host has not come far enough for silence to mean anything.
        assert int(found[3]) > 30 and int(found[4]) > 30, done.stdout
        return ""
    return violation(int(found[2], 16), BUS_WIDTH)


needs_icarus = pytest.mark.skipif(
    not shutil.which("iverilog"),
    reason="needs Icarus Verilog, a system package that is not pinned",
)


def test_every_rule_has_a_bug_that_breaks_it() -> None:
    assert list(RULE_FAULTS) == [rule.name for rule in RULES]


def test_rules_are_those_of_the_hardware() -> None:
    text = (BENCH / "agent" / "interface_checks.sv").read_text()
    header = text.partition("\nmodule ")[0]
    assert re.findall(r"^//   ([A-Z]\w+) ", header, re.MULTILINE) == [rule.name for rule in RULES]
    assert f"parameter int Rules = {len(RULES)}" in text


@pytest.mark.campaign  # list smoke runs the same checks
@needs_icarus
@pytest.mark.simulation
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_the_design_breaks_no_rule(design: Design, tmp_path: Path) -> None:
    assert simulated(design, ROOT / "hdl", tmp_path) == ""


@needs_icarus
@pytest.mark.simulation
@pytest.mark.parametrize(
    ("design", "rule"),
    # Both tops bind the same module: every rule on the multiplier, one rule on the other top.
    representatives(
        product((MULTIPLIER, EXPONENTIATION), RULES),
        lambda case: case[1].name if case[0] is MULTIPLIER else case[0].name,
        lambda case: f"{case[0].name}-{case[1].name}",
    ),
)
def test_a_fault_is_reported_with_its_pin_and_cycle(
    design: Design, rule: Rule, tmp_path: Path
) -> None:
    bug = RULE_FAULTS[rule.name](CONTROLS[design.name])
    hdl = altered_copy(ROOT / "hdl", tmp_path / "hdl", [bug])
    found = simulated(design, hdl, tmp_path)
    assert re.match(rf"pins in cycle \d+: {rule.pin or 'ack_o'} = ", found), found
    assert f": {rule.name} wants " in found
