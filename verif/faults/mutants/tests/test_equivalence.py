"""The equivalence check: proved mutants are equivalent, others are different or unknown."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from verif.faults.campaign.way import Process, State
from verif.faults.mutants import equivalence
from verif.faults.mutants.equivalence import ABC, prove
from verif.faults.mutants.prove import proved
from verif.faults.mutants.rtlil import yosys
from verif.faults.mutants.tests.conftest import needs_abc

# A value is loaded before it is shown; the number of loads has no reader.
ORIGINAL = """
module counter (input clk_i, rst_ni, load_i, input [3:0] value_i, output [3:0] value_o);
  reg [3:0] value_q, unused_q;
  reg valid_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q  <= 4'd0;
      valid_q  <= 1'b0;
      unused_q <= 4'd0;
    end else begin
      unused_q <= unused_q + load_i;
      if (load_i) begin
        value_q <= value_i;
        valid_q <= 1'b1;
      end
    end
  end
  assign value_o = valid_q ? value_q : 4'd0;
endmodule
"""
# Words without a reset, of which one is shown from the start.
WORDS = """
module words (input clk_i, rst_ni, write_i, input [3:0] value_i, output [3:0] value_o);
  reg [3:0] word_q, other_q;
  always @(posedge clk_i) begin
    if (write_i) word_q <= value_i;
    if (write_i) other_q <= value_i;
  end
  assign value_o = word_q;
endmodule
"""
Edits = tuple[tuple[str, str], ...]
EQUIVALENT: dict[str, Edits] = {
    "reset value": (("value_q  <= 4'd0", "value_q  <= 4'd5"),),
    "no reset": (("value_q  <= 4'd0;", ""),),
    "unused": (("unused_q + load_i", "unused_q - load_i"),),
}
DIFFERENT: dict[str, Edits] = {
    "reset value seen": (
        ("valid_q  <= 1'b0", "valid_q  <= 1'b1"), ("value_q  <= 4'd0", "value_q  <= 4'd7"),
    ),
    "kept over a later reset": (("valid_q  <= 1'b0;", ""), ("value_q  <= 4'd0;", "")),
    "another value": (("value_q <= value_i", "value_q <= value_i + 1"),),
}  # fmt: skip


def _rtlil(text: str, path: Path) -> Path:
    path.with_suffix(".v").write_text(text)
    yosys(
        [f"read_verilog {path.stem}.v", "proc", "opt_clean", f"write_rtlil {path.name}"],
        path.parent,
    )
    return path


@needs_abc
@pytest.mark.parametrize("name", [*EQUIVALENT, *DIFFERENT])
def test_verdict(name: str, tmp_path: Path) -> None:
    text = ORIGINAL
    for old, new in {**EQUIVALENT, **DIFFERENT}[name]:
        assert old in text
        text = text.replace(old, new)
    gold, gate = _rtlil(ORIGINAL, tmp_path / "gold.il"), _rtlil(text, tmp_path / "gate.il")
    proof = prove(gold, gate, "counter", tmp_path, 20)
    assert proof.proved == (name in EQUIVALENT), proof.method
    assert (proof.differs is not None) == (name in DIFFERENT), proof.method


@needs_abc
@pytest.mark.parametrize(
    ("old", "new", "equivalent"),
    [
        ("if (write_i) word_q <= value_i", "word_q <= write_i ? value_i : word_q", True),
        ("value_o = word_q", "value_o = other_q", False),
        ("value_o = word_q", "value_o = write_i ? word_q : other_q", False),
    ],
)
def test_first_values_are_any_but_the_same_in_both(
    tmp_path: Path, old: str, new: str, equivalent: bool
) -> None:
    gold = _rtlil(WORDS, tmp_path / "gold.il")
    gate = _rtlil(WORDS.replace(old, new), tmp_path / "gate.il")
    proof = prove(gold, gate, "words", tmp_path, 20)
    assert proof.proved == equivalent, proof.method


def test_a_result_of_another_comparison_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The merge exceeds its time; the folder has the merged design of an earlier mutant."""

    def abc(*commands: str, folder: Path, seconds: float = 0.0) -> str:
        if commands[0] == "read_aiger miter.aig":
            return ""
        return "Property proved." if (folder / "merged.aig").is_file() else "Cannot open the file."

    monkeypatch.setattr(equivalence, "_abc", abc)
    (tmp_path / "merged.aig").touch()
    gold, gate = (_rtlil(ORIGINAL, tmp_path / f"{name}.il") for name in ("gold", "gate"))
    proof = prove(gold, gate, "counter", tmp_path, 20)
    assert (proof.proved, proof.differs) == (False, None)
    assert "undecided" in proof.method


def test_without_abc_a_mutant_stays_unresolved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tried,) = proved(cast(Process, None), [{"name": "m"}]).values()
    assert tried.state is State.MISSED
    assert f"install with: apt-get install {ABC}" in tried.message
