"""A change that costs area is a regression in every place where people look."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from regress.report.markdown import MARKDOWN_FILE
from verif.implement.flow.record import IMPLEMENT_FILE
from verif.implement.flow.report import REPORT_FILE
from verif.implement.tests.conftest import regress

PUBLISHED = f'''
    def published(self):
        import json
        points = json.loads((self.root / "published" / "{IMPLEMENT_FILE}").read_text())["points"]
        return [self.record.model_validate(point) for point in points]

    def add_arguments'''
GREW = "gates 100 -> 106 (+6.0 %) since unknown: u_adder (adder) grew most, 100 -> 106"


def ended(folder: Path, *arguments: str) -> tuple[int, str]:
    process = regress(folder, *arguments)
    said, _ = process.communicate(timeout=60)
    return process.returncode, said


def test_six_percent_more_are_a_regression_everywhere(sample: Path) -> None:
    (sample / "calls").write_text("x 1\n" * 9)  # no call is the one that waits
    assert ended(sample, "implement", "--out", "runs/before")[0] == 0
    source = sample / "counter.sv"
    source.write_text(source.read_text() + " " * 6)
    code, said = ended(sample, "implement", "--out", "runs/after")
    assert code == 1
    assert f"REGRESSION counter-1-gates: {GREW}" in " ".join(said.split())
    assert "FAILED: 4 of 4 points measured, 4 worse than in the last run" in said
    folder = sample / "runs" / "after"
    points = json.loads((folder / IMPLEMENT_FILE).read_text())["points"]
    assert [point["regressions"][0]["now"] for point in points] == [106] * 4
    page = (folder / REPORT_FILE).read_text().replace("&gt;", ">")
    assert f"counter-1-gates: {GREW}" in page
    assert "4 worse than in the last run" in page
    assert f"- REGRESSION counter-1-gates: {GREW}" in (folder / MARKDOWN_FILE).read_text()
    code, said = ended(sample, "history")
    assert code == 0
    assert "100 … 106 gates" in said
    assert "(+6.0 %)" in said

    # Against the run before it is no worse.
    code, said = ended(sample, "implement", "--out", "runs/again")
    assert (code, "REGRESSION" in said) == (0, False)


def test_a_point_never_measured_here_is_compared_with_the_published_one(sample: Path) -> None:
    (sample / "calls").write_text("x 1\n" * 9)
    assert ended(sample, "implement", "--out", "published")[0] == 0
    shutil.rmtree(sample / "runs")
    project = sample / "sample_project.py"
    project.write_text(project.read_text().replace("    def add_arguments", PUBLISHED))
    source = sample / "counter.sv"
    source.write_text(source.read_text() + " " * 6)
    code, said = ended(sample, "implement", "--out", "runs/after")
    assert code == 1
    assert f"REGRESSION counter-1-gates: {GREW}" in " ".join(said.split())
