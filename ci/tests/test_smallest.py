"""Every target of the Makefile, subcommand and command of a page runs, as a user calls it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ci.documentation import ROOT, Block, Command, blocks, copy_checkout, pages, run_command
from ci.smallest import COMMANDS, in_pages, not_run, subjects, targets

# Not run: what each of them needs is not there.
WITHOUT = {
    "make setup": "it would replace the .venv that the copy shares; CI begins with it",
    "make bench": "verif/tests/test_benchmark.py calls it, with every test bench",
    "regress bench": "a part of make bench",
    "make cluster-check": "it kills workers of a Slurm that only root can start",
    "ci/dask_check.sh": "a part of make cluster-check",
    "ci/slurm_check.sh": "a part of make cluster-check",
    "regress init": "regress/tests/test_samples.py runs it in projects of their own",
    "regress closure": "it reads a run that took hours",
    "regress results": "it rewrites the page of the results from measurements of hours",
    "regress own-cores": "it builds every architecture; verif/own_core/tests/test_own.py runs it",
    "regress trials": "verif/own_core/tests/test_trials.py runs it with one core",
    "regress list": "verif/tests/test_project.py calls it",
    "regress formats": "regress/tests/test_formats.py runs it",
}


def every_block() -> list[Block]:
    return [block for page in pages() for block in blocks(page)]


def subcommands() -> list[str]:
    """What ``python -m regress --help`` lists."""
    help_text = subprocess.run(
        [".venv/bin/python", "-m", "regress", "--help"], cwd=ROOT, capture_output=True, text=True
    ).stdout
    names = re.findall(r"^    ([a-z][a-z-]*)(?: {2}|$)", help_text, re.MULTILINE)
    assert "run" in names and "debug" in names
    return [f"regress {name}" for name in names]


def test_every_command_runs_in_its_smallest_variant() -> None:
    found = every_block()
    wanted = {*targets(ROOT / "Makefile"), *subcommands(), *in_pages(found)}
    missing = [
        name for name in not_run(wanted, found, COMMANDS, ROOT / "Makefile") if name not in WITHOUT
    ]
    places = in_pages(found)
    assert not missing, [f"{name} ({places.get(name, 'not in a page')})" for name in missing]
    assert set(WITHOUT) <= set(not_run(wanted, found, COMMANDS, ROOT / "Makefile")), (
        "runs, and is said not to"
    )


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_smallest_variant_passes(tmp_path: Path, command: str) -> None:
    copy_checkout(tmp_path)
    problem = run_command(Command(command, ""), tmp_path)
    assert not problem, f"{command}: {problem}"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("make regress LIST=quick", ["make regress"]),
        ("make -o setup debug JOB=x", ["make debug"]),
        (".venv/bin/python -m regress run rsa --width 64  # minutes", ["regress run"]),
        ("cp -r hdl x && python -m regress formal --hdl x", ["regress formal"]),
        ("KEEP=1 ci/nightly.sh", ["ci/nightly.sh"]),
        ("python -m ci.codes | cat", ["ci.codes"]),
        ("pip install x", []),
    ],
)
def test_what_a_line_calls(line: str, found: list[str]) -> None:
    assert list(subjects(line)) == found


def test_a_command_that_nothing_runs_is_found(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("tea: setup ## make tea\nhelp: ## this list\n")
    (tmp_path / "page.md").write_text(
        "<!-- run: nightly -->\n```console\n$ python -m regress brew\n```\n"
        "<!-- run: test -->\n```console\n$ python -m regress pour\n```\n"
    )
    found = blocks(Path("page.md"), tmp_path)
    wanted = [*targets(tmp_path / "Makefile"), *in_pages(found)]
    assert not_run(wanted, found, ["make help"], tmp_path / "Makefile") == [
        "make tea",
        "regress brew",
    ]
