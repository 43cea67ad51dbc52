"""The page that says what coverage took."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from regress.cli.command_line import main
from regress.tests.conftest import PASSING_CHILD
from verif.tests.context import make_workspace

LIST = """\
description: until half is covered
goals: [table_address]
jobs:
  - test: random
    architectures: [faster_montgomery]
    widths: [32]
    simulators: [verilator]
    seeds: 9
"""
COVERS = """
goal = [f"{number:04b}" for number in range(16)]
result["coverage"] = {"table_address": {"bins": dict.fromkeys(goal[:8], 1), "goal": goal}}
(folder / "result.json").write_text(json.dumps(result))
"""


def test_the_table_and_the_plot_are_those_of_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out, page = tmp_path / "my.yaml", tmp_path / "out", tmp_path / "closure.md"
    path.write_text(LIST)
    page.write_text("<!-- table: closure -->\n<!-- /table -->\n")
    workspace = make_workspace(tmp_path, PASSING_CHILD + COVERS)
    options = ["--jobs", "1", "--out", str(out)]
    assert main(["run", str(path), *options, "--until-coverage", "50"], workspace) == 0
    assert main(["closure", str(out), str(page)], workspace) == 0
    assert "| faster_montgomery | 1 | 5 | " in page.read_text()
    assert ElementTree.parse(page.with_suffix(".svg")).getroot().tag.endswith("svg")
    page.write_text("nothing\n")
    assert main(["closure", str(out), str(page)], workspace) == 2
    assert "expected one line '<!-- table: closure -->'" in capsys.readouterr().err
