"""What ``regress`` says and does without the packages that it can do without."""

from __future__ import annotations

import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

from regress.cli.options import Call, executor_from
from regress.core.errors import UsageError
from regress.report.plots import can_plot, history_plots, run_plots
from regress.tests.sample_report import sample_record

ROOT = Path(__file__).parents[2]


def test_without_the_environment_one_line_says_what_to_do() -> None:
    command = [sys.executable, "-S", "-E", "-m", "regress", "run"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "make setup" in done.stderr and "pip install cocotb-regress" in done.stderr


@pytest.fixture
def without_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None)


@pytest.mark.parametrize("option", ["scheduler", "cluster"])
def test_a_cluster_without_dask_is_one_line(without_extras: None, option: str) -> None:
    call = Call(**{"scheduler": "", "cluster": "", option: "somewhere"})
    with pytest.raises(UsageError, match=r"pip install 'cocotb-regress\[cluster\]'"):
        executor_from(call)


def test_a_report_without_matplotlib_has_no_plots(without_extras: None, tmp_path: Path) -> None:
    record = sample_record(tmp_path)
    assert not can_plot()
    assert run_plots(record) == [] and history_plots([]) == []
