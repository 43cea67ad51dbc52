"""``make bench`` at a small width, as a user calls it: every bench builds, runs and is right."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from regress.cli import command_line as cli
from regress.core.errors import UsageError
from verif.bench.configuration.design import ROOT
from verif.benchmark.command import BEGIN, published_ratios, slower

PAGE = ROOT / "verif" / "docs" / "speed.md"


@pytest.mark.slow
@pytest.mark.simulation
@pytest.mark.parametrize(
    # An exponentiation core takes two more builds of the same benches.
    "exponentiations",
    [0, pytest.param(1, marks=pytest.mark.campaign)],
)
def test_every_bench_builds_and_runs(exponentiations: int, tmp_path: Path) -> None:
    figures, page = tmp_path / "figures.json", tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n<!-- /table -->\nafter\n")
    arguments = "--arch fast_montgomery --width 16 --products 16 --rounds 1"
    arguments += f" --exponentiations {exponentiations}"
    done = subprocess.run(
        # The tests run in an environment that is set up.
        ["make", "-o", "setup", "bench", f"ARGS={arguments} --json {figures} --write {page}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(figures.read_text())
    assert set(found["products"]["fast_montgomery"]["rates"]) == {
        "environment",
        "polling",
        "harness",
    }
    written = page.read_text()
    assert written.startswith(f"before\n{BEGIN}\n| Architecture |") and "\nafter\n" in written
    assert "| `fast_montgomery` | " in written and "16 bits, medians of 1 rounds" in written
    ratios = [one["time_ratio"] for one in found.get("exponentiations", {}).values()]
    assert len(ratios) == exponentiations
    assert all(ratio > 0 for ratio in ratios)


def test_an_environment_that_became_slower_is_found() -> None:
    published = published_ratios(PAGE)
    name, ratio = next(iter(published.items()))
    assert slower({name: {"ratios": {"harness": 0.9 * ratio}}}, published) == []
    (line,) = slower({name: {"ratios": {"harness": 0.6 * ratio}}}, published)
    assert line == f"{name}: {0.6 * ratio:.2f} of the harness, {ratio:.2f} on the page"


def test_ratios_of_a_page_without_them(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    with pytest.raises(UsageError, match=r"page\.md: cannot be read"):
        published_ratios(page)
    page.write_text("nothing\n")
    with pytest.raises(UsageError, match="expected one line"):
        published_ratios(page)
    page.write_text(f"{BEGIN}\n| a | b |\n<!-- /table -->\n")
    with pytest.raises(UsageError, match="has no architecture"):
        published_ratios(page)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--check", str(PAGE)],
            f"{PAGE}: no ratio of mwr2mm to check; it has {', '.join(published_ratios(PAGE))}",
        ),
        (
            ["--check", str(PAGE), "--products", "0"],
            "--check compares products: --products must not be 0",
        ),
        (["--write", "no/page.md"], "no/page.md: cannot be read: [Errno 2]"),
    ],
)
def test_a_page_that_cannot_serve_is_rejected_at_once(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", "--arch", "mwr2mm", *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"regress: {said}")
