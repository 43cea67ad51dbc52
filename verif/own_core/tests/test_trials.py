"""The trials of all defects: a miss or a false alarm fails, the table has what was found."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regress.cli.command_line import main
from regress.cli.workspace import Workspace
from regress.core.errors import UsageError
from verif.own_core import trials
from verif.own_core.defects import defects_of, example_cores
from verif.own_core.jobs import check_jobs
from verif.own_core.trials import CorrectTrial, DefectTrial
from verif.tests.context import CONTEXT

PULSE = "pulse_montgomery"
PAGE = f"# Page\n\n{trials.BEGIN}\n<!-- /table -->\n"


def found(core: str, defect: str, width: int = 8) -> DefectTrial:
    return DefectTrial(
        core=core, defect=defect, says="what is wrong", width=width,
        broken=("M = 3", "base 0") if width else (), operations=12, seconds=3.4,
    )  # fmt: skip


def correct(core: str, *alarms: str) -> CorrectTrial:
    return CorrectTrial(
        core=core, widths=(8, 17), seeds=2, cases=40, operations=800, alarms=alarms, seconds=9.0
    )


@pytest.mark.parametrize(
    ("width", "alarms", "code"), [(8, (), 0), (0, (), 1), (8, ("seed 2: broken",), 1)]
)
def test_a_miss_and_a_false_alarm_fail(
    width: int,
    alarms: tuple[str, ...],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        trials,
        "try_defect",
        lambda workspace, core, defect, out: found(core.description.name, defect.name, width),
    )
    monkeypatch.setattr(
        trials,
        "try_correct",
        lambda workspace, core, *rest: correct(core.description.name, *alarms),
    )
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    argv = ["trials", "--core", PULSE, "--out", str(tmp_path / "a"), "--write", str(page)]
    assert main(argv) == code
    said = capsys.readouterr().out
    assert ("MISSED pulse_montgomery" in said) == (width == 0)
    text = page.read_text()
    if code == 0:
        count = next(len(defects_of(c)) for c in example_cores() if c.description.name == PULSE)
        assert f"{count} of {count} defects found, 0 false alarms on 1 correct cores" in text
        assert "| 8 bits | M = 3 and 1 more | 12 | 3 s |" in text
        assert "| `pulse_montgomery` | 8, 17 | 2 | 40 | 800 | 0 | 9 s |" in text
    # What was found is kept, and can be shown with what others found.
    again = ["trials", "--no-defects", "--no-correct", "--report", str(tmp_path / "a")]
    assert main([*again, "--out", str(tmp_path / "b"), "--write", str(page)]) == code
    assert page.read_text() == text


@pytest.mark.parametrize("end", [{"interrupted": True}, {"stopped": "no room is left"}])
def test_a_check_that_was_interrupted_says_nothing(
    end: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = SimpleNamespace(**{"interrupted": False, "stopped": "", **end})
    monkeypatch.setattr(trials, "execute", lambda *rest, **more: ended)
    core = next(core for core in example_cores() if core.description.name == PULSE)
    plan = check_jobs(CONTEXT, core, [8], ("icarus",), "smoke", 1)
    with pytest.raises(UsageError, match="interrupted, so these trials say nothing"):
        trials.run_jobs(Workspace.of(CONTEXT), core, plan, tmp_path)


def test_wrong_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trials", "--core", "other", "--out", str(tmp_path)]) == 2
    none = ["trials", "--no-defects", "--no-correct", "--report", str(tmp_path)]
    none += ["--out", str(tmp_path / "a")]
    assert main(none) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "unknown core 'other'; accepted: bus_montgomery, " in first
    assert "no trials.json there" in second
