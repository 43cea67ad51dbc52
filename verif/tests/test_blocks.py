"""Generate blocks that no build of a list has are reported for every list."""

from __future__ import annotations

from pathlib import Path

import pytest

from regress.cli.command_line import main
from verif.bench.configuration.design import ROOT
from verif.project.blocks import Block, blocks_of

LIST = """\
description: one build
jobs:
  - test: random
    architectures: [mwr2mm]
    widths: [8]
    simulators: [verilator]
    parameters: {BusWidth: 8, WordWidth: 4, Elements: 1}
"""
DRAWN = LIST.partition("    parameters")[0] + "    draw: 1\n"


def test_a_block_without_a_build_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(LIST)
    assert main(["blocks", str(path)]) == 1
    out = capsys.readouterr().out
    assert "lib/delay_line.sv:50: gen_ram is not in any build of " in out
    assert "gen_mwr2mm is not in any" not in out
    assert f" of {len(blocks_of(ROOT / 'hdl'))} generate blocks" in out


def test_what_is_drawn_is_no_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "drawn.yaml"
    path.write_text(DRAWN)
    assert main(["blocks", str(path)]) == 2
    assert "every entry is drawn; accepted are lists with other entries" in capsys.readouterr().err


def test_checks_of_parameters_are_no_blocks_to_build() -> None:
    blocks = blocks_of(ROOT / "hdl")
    assert Block("delay_line.sv", "gen_ram") in blocks
    assert not any(block.label.startswith("gen_check") for block in blocks)
