"""Every operator on a snippet; protected code; the number of mutants in one text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from regress.core.errors import UsageError
from verif.bench.configuration.design import ROOT
from verif.faults.mutants.mutants import Mutant, mutants_of
from verif.faults.mutants.operators import OPERATORS, Enumerations
from verif.faults.mutants.schemata import PACKAGE, combined_text
from verif.faults.mutants.select import selected
from verif.library.edits.syntax import Source, parse

HEAD = """// SPDX-License-Identifier: Apache-2.0
module snippet #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             a_i,
  input  logic             b_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  output logic             q_o,
  output logic [Width-1:0] z_o
);
  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StBusy = 2'd1;
  localparam logic [1:0] StDone = 2'd2;
  logic [1:0] state_q;
  logic [Width-1:0] unused_x;
"""


def _source(folder: Path, body: str) -> Source:
    (folder / "snippet.sv").write_text(f"{HEAD}{body}\nendmodule\n")
    return parse(folder)["snippet.sv"]


def _mutants(folder: Path, body: str) -> list[Mutant]:
    """Those of the body; the head's are the same in every test."""
    source = _source(folder, body)
    found = mutants_of(source, Enumerations([source]))
    return [mutant for mutant in found if mutant.line > HEAD.count("\n")]


CASES = {
    "arithmetic": ("assign z_o = x_i + y_i;", {"x_i - y_i"}),
    "bitwise": ("assign z_o = x_i & y_i;", {"x_i | y_i", "x_i ^ y_i"}),
    "logical": ("assign q_o = a_i && b_i;", {"a_i || b_i"}),
    "relational": ("assign q_o = x_i < y_i;", {"x_i <= y_i", "x_i >= y_i"}),
    "drop_operand": ("assign z_o = x_i | y_i;", {"x_i", "y_i"}),
    "negation": ("assign q_o = !a_i;", {"a_i"}),
    "condition": ("assign q_o = a_i ? b_i : b_i;", {"!(a_i)", "1'b1", "1'b0"}),
    "constant": ("assign z_o = 8'd3;", {"8'd4", "8'd2"}),
    "bit_index": ("assign q_o = x_i[2];", {"(2) + 1", "(2) - 1"}),
    "state": ("assign q_o = (state_q == StIdle);", {"StBusy", "StDone"}),
    "reset_value": (
        "always_ff @(posedge clk_i or negedge rst_ni) begin\n"
        "  if (!rst_ni) state_q <= '0;\n  else state_q <= x_i;\nend",
        {"'1"},
    ),
    "delete_assignment": ("always_ff @(posedge clk_i) state_q <= x_i;", {";"}),
    "port": ("snippet u_s (.clk_i, .a_i, .b_i(a_i), .q_o(q_o));",
             {".a_i('0)", ".a_i('1)", ".b_i('0)", ".b_i('1)"}),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CASES))
def test_operator(name: str, tmp_path: Path) -> None:
    body, expected = CASES[name]
    found = {m.replacement for m in _mutants(tmp_path, body) if m.operator == name}
    assert found == expected


def test_every_operator_has_a_case() -> None:
    assert {operator.name for operator in OPERATORS} == set(CASES)


@pytest.mark.parametrize(
    "body",
    [
        "// a + b",
        "assign unused_x = x_i + y_i;",
        "assign view_o.ring.digit_first = a_i && b_i;",
        "assign observation_o.report = a_i && b_i;",
        "localparam int Report = Width + 1;",
        "snippet u_s (.clk_i, .rst_ni, .q_o(q_o));",
        'if (Width < 2) begin : gen_check_width\n  $error("too narrow");\nend',
        "initial begin\n  q_o = 1'b0;\nend",
        "logic [Width+3:0] wide;",
    ],
    ids=[
        "comment",
        "unused",
        "view",
        "observation",
        "constant of the observation",
        "clock and outputs",
        "check",
        "initial",
        "declaration",
    ],
)
def test_not_code(body: str, tmp_path: Path) -> None:
    assert not _mutants(tmp_path, body)


@pytest.mark.parametrize("member", ["view_o.core_done", "observation_o.product_done"])
def test_what_the_bench_judges_by_is_code(member: str, tmp_path: Path) -> None:
    """A struct goes to the bench as a whole; only the members for coverage are no code."""
    assert _mutants(tmp_path, f"assign {member} = a_i && b_i;")


def test_labels_of_a_case_and_its_reset_test_stay(tmp_path: Path) -> None:
    body = (
        "always_ff @(posedge clk_i or negedge rst_ni) begin\n  if (!rst_ni) state_q <= StIdle;\n"
        "  else case (state_q)\n    StBusy: state_q <= StDone;\n    default: ;\n  endcase\nend"
    )
    found = _mutants(tmp_path, body)
    assert not [m for m in found if m.original in ("StBusy", "!rst_ni")]
    assert {m.replacement for m in found if m.original == "StDone"} == {"StIdle", "StBusy"}


def test_elaboration_is_static(tmp_path: Path) -> None:
    found = _mutants(tmp_path, "localparam int Last = Width - 1;\nassign q_o = x_i[Last-:1];")
    assert {m.static for m in found if m.line == HEAD.count("\n") + 1} == {True}
    assert {m.static for m in found if m.original == "Last"} == {False}


def test_types_and_functions_are_static(tmp_path: Path) -> None:
    found = _mutants(
        tmp_path,
        "typedef enum logic [1:0] {One = 2'd1} one_e;\n"
        "function automatic int half(int a);\n  return a / 2;\nendfunction",
    )
    assert {"2'd1", "a / 2"} <= {m.original for m in found}
    assert {m.static for m in found} == {True}


def test_a_package_is_static(design_mutants: list[Mutant]) -> None:
    assert {m.static for m in design_mutants if m.file.endswith("_pkg.sv")} == {True}


def test_ids_are_stable_and_say_where(tmp_path: Path) -> None:
    found = _mutants(tmp_path, "assign z_o = x_i + y_i;")
    ids = {m.id for m in found}
    assert "snippet/z_o:arithmetic:1" in ids
    assert len(ids) == len(found)
    moved = _mutants(tmp_path, "// Above.\nlogic other;\nassign z_o =\n  x_i + y_i;")
    assert {m.id for m in moved} == ids
    assert "x_i + y_i  →  x_i - y_i" in {m.change for m in found}


def test_one_change_in_the_text(tmp_path: Path) -> None:
    source = _source(tmp_path, "assign z_o = x_i + y_i;")
    (mutant,) = (
        m for m in mutants_of(source, Enumerations([source])) if m.operator == "arithmetic"
    )
    assert mutant.applied(source.text) == source.text.replace(b"x_i + y_i", b"x_i - y_i")


def test_many_changes_behind_a_select(tmp_path: Path) -> None:
    body = "assign q_o = a_i && !b_i;\nalways_ff @(posedge clk_i) state_q <= x_i;"
    source = _source(tmp_path, body)
    found = [m for m in mutants_of(source, Enumerations([source])) if not m.static]
    text = combined_text(source, enumerate(found, 1))
    for number in range(1, len(found) + 1):
        assert f"{PACKAGE}::active == {number})" in text or (
            f"{PACKAGE}::active != {number})" in text
        )
    (tmp_path / "snippet.sv").write_text(text)
    parse(tmp_path)  # still SystemVerilog


def test_not_systemverilog(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot parse"):
        _source(tmp_path, "assign = ;")


@pytest.fixture(scope="module")
def design_mutants() -> list[Mutant]:
    sources = parse(ROOT / "hdl")
    names = Enumerations(sources.values())
    return [mutant for source in sources.values() for mutant in mutants_of(source, names)]


def test_the_design_has_thousands(design_mutants: list[Mutant]) -> None:
    assert len(design_mutants) > 4000
    assert len({mutant.id for mutant in design_mutants}) == len(design_mutants)
    assert {m.operator for m in design_mutants} == {operator.name for operator in OPERATORS}
    assert {m.file for m in design_mutants} == {
        path.relative_to(ROOT / "hdl").as_posix() for path in (ROOT / "hdl").rglob("*.sv")
    }


def test_choice_is_the_same_for_a_seed_and_spread(design_mutants: list[Mutant]) -> None:
    first = selected(design_mutants, 600, 1)
    assert [m.id for m in first] == [m.id for m in selected(design_mutants, 600, 1)]
    assert [m.id for m in first] != [m.id for m in selected(design_mutants, 600, 2)]
    assert len(first) == 600
    for static in (False, True):
        every = Counter(m.file for m in design_mutants if m.static is static)
        some = Counter(m.file for m in first if m.static is static)
        for file, count in every.items():
            assert some[file] >= count * some.total() // every.total(), file
    assert {m.operator for m in first} == {m.operator for m in design_mutants}
    large = sum(m.file == "cores/ring/systolic_ring.sv" and not m.static for m in design_mutants)
    share = large / sum(not m.static for m in design_mutants)
    taken = [m for m in first if not m.static]
    found = sum(m.file == "cores/ring/systolic_ring.sv" for m in taken) / len(taken)
    assert abs(found - share) < 0.02


def test_choice_of_all(design_mutants: list[Mutant]) -> None:
    assert selected(design_mutants, None, 1) == design_mutants
    assert selected(design_mutants, 10**6, 1) == design_mutants
