"""What bursts of clock edges cannot serve is found in a design, and its build is rejected."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from models.registry import architecture
from verif.bench.configuration.burst import unserved
from verif.bench.configuration.design import MULTIPLIER, ROOT, DesignError, simulation_build

DELAY = "a delay"
LEVEL = "a non-blocking assignment in a combinational process"
OWN_CLOCK = "half_q, a clock that is no port"


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("always @(posedge clk) q <= #1 d;", DELAY),
        ("always @(posedge clk) q <= #(Delay) d;", DELAY),
        ("always @(posedge clk) begin #0.1 q = d; end", DELAY),
        ("assign #1 q = d;", DELAY),
        ("wire #2 q = d;", DELAY),
        ("and #(1, 2) u_and (q, a, b);", DELAY),
        ("initial #`HALF q = 0;", DELAY),
        ("always_comb if (a <= b) q <= d;", LEVEL),
        ("always @* begin q = d; if (a) begin end else r <= q; end", LEVEL),
        ("always @(a or b) case (a) 1: q = b; default: q <= a; endcase", LEVEL),
        ("always @(posedge clk) half_q <= !half_q; always @(posedge half_q) q <= d;", OWN_CLOCK),
    ],
)
def test_what_a_burst_cannot_serve_is_found(code: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "code.sv"
    path.write_text(f"module code (input clk);\n{code}\nendmodule\n")
    assert list(unserved([path])) == [f"{path}:2: {what}"]


@pytest.mark.parametrize(
    "code",
    [
        "core #(.Width(8)) u_core (.clk); core #(8) u_other (.clk);",
        "always_comb begin q = a <= b; if (a <= b) q = 0; end always @(posedge clk) r <= q;",
        '// q <= #1 d;\n/* #1 */ initial $display("#1");',
        "always @* q = d; always @(posedge clk or negedge rst) q <= d;",
        "wire gated = clk & enable; always @(posedge gated) q <= d;",
        "property p; a ##1 b; endproperty",
    ],
)
def test_what_a_burst_serves_is_not_found(code: str, tmp_path: Path) -> None:
    path = tmp_path / "code.sv"
    path.write_text(
        f"module code import p::*; #(int Width = 1) (input clk, rst);\n{code}\nendmodule"
    )
    assert not list(unserved([path]))


def test_a_design_with_a_delay_is_not_built(tmp_path: Path) -> None:
    copy = shutil.copytree(ROOT / "hdl", tmp_path / "hdl")
    entry = architecture("faster_montgomery")
    assert simulation_build(MULTIPLIER, entry, 8, {}, copy).sources
    file = copy / "lib" / "word_memory.sv"
    lines = file.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if " <= " in line)
    lines[at] = lines[at].replace(" <= ", " <= #1 ", 1)
    file.write_text("\n".join(lines))
    with pytest.raises(DesignError, match=rf"{file}:{at + 1}: a delay: not accepted"):
        simulation_build(MULTIPLIER, entry, 8, {}, copy)
