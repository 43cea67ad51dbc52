"""Places of the syntax tree are found again, or it is said that they are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from verif.bench.configuration.design import ROOT
from verif.library.edits.altered import altered, altered_copy
from verif.library.edits.operators import (
    Change,
    Drop,
    Insert,
    Operator,
    Remove,
    Replace,
    ResetBy,
    Swap,
)
from verif.library.edits.places import FaultError

TEXT = """\
module snippet #(
  parameter int Width = 4
) (
  input  logic clk_i,
  input  logic rst_ni
);
  localparam int Last = Width - 1;
  logic a, b, c, d, q, state, value;
  assign a = b && !c && (d == q);
  assign b = (q != d) ? c : d;
  other #(
    .Bits(Width)
  ) u_other (
    .clk_i,
    .in_i (a),
    .out_o(c)
  );
  always_comb begin
    value = q;
    case (state)
      1'b0: begin
        if (a) value = b;
        else if (c) value = d;
      end
      default: value = c;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      q <= 1'b0;
    end else if (a) begin
      q <= d;
    end
  end
  if (Width > 2) begin : gen_wide
    logic e;
    assign e = a;
  end else begin : gen_narrow
    logic e;
    assign e = b;
  end
endmodule
"""


@pytest.fixture
def hdl(tmp_path: Path) -> Path:
    folder = tmp_path / "hdl"
    folder.mkdir()
    (folder / "snippet.sv").write_text(TEXT)
    return folder


def changed(hdl: Path, *changes: Operator) -> list[str]:
    """Lines that are new."""
    text = altered(hdl, changes)["snippet.sv"]
    old = (hdl / "snippet.sv").read_text().splitlines()
    return [line.strip() for line in text.splitlines() if line not in old]


M = {"module": "snippet"}


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (Replace(**M, signal="a", to="@ || d"), ["assign a = b && !c && (d == q) || d;"]),
        (Replace(**M, signal="b", term="c", to="!@"), ["assign b = (q != d) ? !c : d;"]),
        (Replace(**M, signal="value", at="1'b0 / if a", to="q"), ["if (a) value = q;"]),
        (Replace(**M, signal="value", at="else a / if c", to="q"), ["else if (c) value = q;"]),
        (Replace(**M, signal="value", at="default", to="q"), ["default: value = q;"]),
        (Replace(**M, signal="value", reading="q", to="'0"), ["value = '0;"]),
        (Replace(**M, signal="q", to="!@"), ["q <= !d;"]),
        (Replace(**M, signal="q", at="reset", to="1'b1"), ["q <= 1'b1;"]),
        (Replace(**M, signal="e", at="gen_narrow", to="c"), ["assign e = c;"]),
        (Replace(**M, guard="q", to="@ && b"), ["end else if (a && b) begin"]),
        (Replace(**M, guard="value", reading="c", to="1'b1"), ["else if (1'b1) value = d;"]),
        (Replace(**M, condition="Width", to="Width > 3"), ["if (Width > 3) begin : gen_wide"]),
        (Replace(**M, parameter="Last", to="@ - 1"), ["localparam int Last = Width - 1 - 1;"]),
        (Replace(**M, parameter="Width", to="5"), ["parameter int Width = 5"]),
        (Replace(**M, port="u_other.in_i", to="!@"), [".in_i (!a),"]),
        (Replace(**M, port="u_other.clk_i", to="~@"), [".clk_i(~clk_i),"]),
        (Replace(**M, port="u_other.Bits", to="@ + 1"), [".Bits(Width + 1)"]),
        (Drop(**M, signal="a", term="c"), ["assign a = b && (d == q);"]),
        (Drop(**M, signal="a", term="b"), ["assign a = !c && (d == q);"]),
        (Drop(**M, signal="a", term="q"), ["assign a = b && !c;"]),
        (Swap(**M, signal="a", operator="==", to=">="), ["assign a = b && !c && (d >= q);"]),
        (Remove(**M, signal="value", at="if a"), ["if (a) ;"]),
        (
            Insert(**M, signal="value", at="if a", text="c = d;"),
            ["if (a) begin value = b; c = d; end"],
        ),
        (
            Insert(**M, text="logic f;", where="before"),
            ["logic f; localparam int Last = Width - 1;"],
        ),
        (Insert(**M, at="gen_wide", text="assign f = a;"), ["assign e = a; assign f = a;"]),
        (
            ResetBy(**M, signal="q", to="other_ni"),
            ["always_ff @(posedge clk_i or negedge other_ni) begin", "if (!other_ni) begin"],
        ),
    ],
    ids=lambda value: value.says if isinstance(value, Operator) else "",
)
def test_an_operator_changes_its_place_and_nothing_else(
    hdl: Path, change: Operator, lines: list[str]
) -> None:
    assert changed(hdl, change) == lines


def test_a_place_is_found_again_after_the_file_around_it_has_changed(hdl: Path) -> None:
    change = Swap(**M, signal="a", operator="==", to="!=")
    text = TEXT.replace("assign a = b", "// Moved.\n  assign a\n    = d &&\n b").replace(
        "!c", "(!c)"
    )
    (hdl / "snippet.sv").write_text(text)
    (hdl / "below").mkdir()
    (hdl / "snippet.sv").rename(hdl / "below" / "snippet.sv")
    assert "(d != q)" in altered(hdl, [change])["below/snippet.sv"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (Replace(**M, signal="z", to="1"), "signal z: z found 0 times"),
        (
            Replace(**M, signal="value", to="1"),
            "value found 4 times; value in lines 19, 22, 23, 25",
        ),
        (Replace(**M, signal="a", at="reset", to="1"), r"a found 0 times; a in lines 9 of snippet"),
        (Replace(**M, signal="b", term="d", to="1"), r"term 'd' found 2 times in snippet.sv"),
        (Replace(**M, signal="a", to="@"), "snippet.sv: the change has no effect"),
        (Replace(module="nothing", signal="a", to="@"), "nothing: 0 files have its name"),
        (Drop(**M, signal="b", term="c"), "an operand with it found 0 times"),
        (Swap(**M, signal="a", operator="<", to=">"), "operator '<' found 0 times"),
        (Remove(**M, signal="a"), "not a statement but an item"),
        (ResetBy(**M, signal="value", to="x"), "an always block of value found 0 times"),
    ],
    ids=lambda value: value.says if isinstance(value, Operator) else "",
)
def test_a_place_that_is_not_there_once_is_one_clear_error(
    hdl: Path, change: Operator, message: str
) -> None:
    with pytest.raises(FaultError, match=message) as error:
        altered_copy(hdl, hdl.parent / "copy", [change])
    assert "\n" not in str(error.value)
    assert not (hdl.parent / "copy").exists()


def test_changes_are_made_together_unless_they_overlap(hdl: Path) -> None:
    one = Replace(**M, signal="a", to="1'b0")
    assert len(changed(hdl, one, Replace(**M, signal="b", to="1'b1"))) == 2
    with pytest.raises(FaultError, match=r"snippet.sv: two changes overlap"):
        altered(hdl, [one, Drop(**M, signal="a", term="c")])


def test_an_operator_is_the_same_in_a_file() -> None:
    read = TypeAdapter(Change).validate_python
    data = {"do": "swap", "module": "m", "signal": "a", "operator": "==", "to": "!="}
    assert read(data) == Swap(module="m", signal="a", operator="==", to="!=")
    for wrong in ({**data, "parameter": "P"}, {**data, "do": "swop"}, {**data, "sgnal": "a"}):
        with pytest.raises(ValidationError):
            read(wrong)


def test_the_files_of_the_design_have_the_names_of_their_modules() -> None:
    for path in (ROOT / "hdl").rglob("*.sv"):
        words = ("module", "package")
        assert any(f"\n{word} {path.stem}" in path.read_text() for word in words), path
