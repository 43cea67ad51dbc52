"""The nightly script: every step runs, and the summary is that of this night's runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The coverage ends before it has a run, as on a mistake in its list. A file is newer than another
# one a clock tick later.
MAKE = """#!/bin/bash
sleep 0.02
[ "$1" != coverage ] || exit 2
[ "$1" != nightly ] && [ "$1" != implement ] || echo "run of $1" > runs/latest/summary.md
"""


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def test_the_summary_has_the_runs_of_this_night(tmp_path: Path) -> None:
    program(tmp_path / "bin/make", MAKE)
    for name in (".venv/bin/python", "ci/package_check.sh"):
        program(tmp_path / name, "#!/bin/bash\n")
    shutil.copy(ROOT / "ci/nightly.sh", tmp_path / "ci")
    (tmp_path / "runs/latest").mkdir(parents=True)
    (tmp_path / "runs/latest/summary.md").write_text("run of last night\n")
    summary = tmp_path / "summary.md"
    summary.write_text("summary of last night\n")
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [tmp_path / "ci/nightly.sh"],
        env={"PATH": path, "SUMMARY": str(summary), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert summary.read_text() == "run of nightly\nrun of implement\n"
    assert done.returncode == 1
    assert done.stderr == "\nnightly: FAILED: coverage\n"
    assert "===== retention: passed" in done.stdout
    assert not list(tmp_path.glob("tmp.*"))
