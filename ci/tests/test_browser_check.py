"""The check in a browser on a machine without a browser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "browser_check.py"


def test_without_playwright_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "playwright.py").write_text("raise ImportError")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "report.html", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0
    assert done.stdout == "browser check skipped: the package playwright is not installed\n"
