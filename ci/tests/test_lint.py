"""The tree passes every linter, and each linter reports an injected mistake."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ci.elaboration import Scope, icarus, standalone_tops, tops, verilator, yosys
from models.registry import hardware_architectures
from verif.bench.configuration.design import DESIGNS, ROOT, simulation_build
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Insert, Operator, Replace

CORE = "fast_montgomery"
# A signal that nothing uses, and a shift through one vector, which looks like a loop only where
# every signal is public, as cocotb's own runner makes them.
STAGES = """
  logic never_used;
  logic [2:0] stage;
  assign stage = {stage[1:0], control_i.start};"""
FAULTS: dict[str, Operator | tuple[str, str, str]] = {
    "verilator": Insert(module=CORE, text=STAGES),
    "icarus": Replace(module=CORE, signal="s_o", to="'{default: 0}"),
    "yosys": Replace(module=CORE, signal="s_o", to="s_o"),
    "verible-lint": Insert(module=CORE, text=f"// {'long ' * 30}"),
    "verible-format": Insert(module=CORE, text="\n     logic never_used;"),
    "columns": Insert(module=CORE, text=f"// {'x' * 98}"),
    "imports": (
        "regress/core/expansion.py",
        "import hashlib\n",
        "import hashlib\n\nimport models.registry\n",
    ),
    "silencers": (
        "regress/core/expansion.py",
        "import hashlib\n",
        "import hashlib  # noqa: F401\n",
    ),
    "prose": (
        "models/reference.py",
        "    modulus = mpz(m)",
        "    modulus = mpz(m)  # none to" + "ld",
    ),
    "codes": ("hdl/registers.yaml", "Busy: {code: 1,", "Busy: {code: 15,"),
    "ruff-check": ("models/reference.py", "import invert, mpz", "import invert, mpz, gcd"),
    "ruff-format": ("models/reference.py", "    modulus = mpz(m)", "    modulus=mpz( m )"),
}
SAID = {"verilator": ("UNUSEDSIGNAL", "UNOPTFLAT")}
# Linters of our own, with tests of their own: the nightly calls them through the command.
TESTED_BESIDE = ("imports", "silencers", "prose", "codes")
# In which of them the fault is seen: all are elaborated in test_the_tree_is_clean.
TOPS = {"verilator": "multiplier", "icarus": CORE, "yosys": CORE}


def lint(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the lint of the tree in ``folder``."""
    return subprocess.run(
        [sys.executable, "-m", "ci.lint", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_tree_is_clean() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "tool",
    [
        pytest.param(tool, marks=[pytest.mark.campaign] if tool in TESTED_BESIDE else [])
        for tool in FAULTS
    ],
)
def test_each_linter_can_fail(tool: str, tmp_path: Path) -> None:
    if tool == "icarus" and not shutil.which("iverilog"):
        pytest.skip("Icarus Verilog is not a pinned package; the lint leaves it out, too")
    top = ("--top", TOPS[tool], "--arch", CORE) if tool in TOPS else ()
    done = lint(faulty_copy(tmp_path, FAULTS[tool]), "--only", tool, *top)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAIL" in done.stdout
    assert [word for word in SAID.get(tool, ()) if word not in done.stdout] == []


@pytest.mark.campaign  # test_each_linter_can_fail shows UNOPTFLAT at the gate's widths
def test_a_loop_that_only_a_build_sees(tmp_path: Path) -> None:
    """Iterations of a cycle follow each other, but what a vector has of all is ordered as one."""
    copy = faulty_copy(
        tmp_path, Replace(module="faster_montgomery", signal="table_addr", to="addr")
    )
    architecture = "unfolded_faster_montgomery"
    options = ("--only", "verilator", "--top", "exponentiation_tb", "--arch", architecture)
    assert lint(copy, *options).returncode == 0  # at a small width nothing looks like a loop
    done = lint(copy, *options, "--every")
    assert done.returncode == 1, done.stdout + done.stderr
    assert (
        "exponentiation_tb with unfolded_faster_montgomery, Width 2048\n%Warning-UNOPTFLAT"
        in done.stdout
    )


def test_a_module_that_no_test_bench_contains_is_elaborated_by_itself() -> None:
    found = {top.module for top in standalone_tops(Scope())}
    # A bench has no bus front by default, and no option of the exponentiation.
    assert {"apb4_front", "exponentiation_coherence"} <= found
    assert "carry_save_adder" not in found
    assert {top.module for top in standalone_tops(Scope(every=True))} == {
        top.module for top in tops([])
    }


def test_a_test_bench_alone_is_verilators() -> None:
    """The other tools elaborate no test bench: they have nothing to check, and nothing fails."""
    scope = Scope(tops=["multiplier_tb"], architectures=[CORE])
    assert len(verilator(scope).checks) == 1
    assert icarus(scope).skipped and yosys(scope).skipped
    assert not yosys(Scope(tops=["multiplier_tb", "multiplier"])).skipped


def test_every_top_with_a_core_is_in_a_test_bench() -> None:
    """Only test benches are elaborated at the large width."""
    entries = hardware_architectures()
    for top in tops([]):
        if top.architecture:
            entry = entries[top.architecture]
            builds = [simulation_build(design, entry, 64, {}) for design in DESIGNS.values()]
            assert any(ROOT / top.path in build.sources for build in builds), top.name


def faulty_copy(folder: Path, change: Operator | tuple[str, str, str]) -> Path:
    """A copy of the tree with something wrong in the design, or an old text of a file new."""
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("models", "verif", "regress", "ci"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", folder)
    wrong = [change] if isinstance(change, Operator) else []
    altered_copy(ROOT / "hdl", folder / "hdl", wrong)
    if not isinstance(change, Operator):
        file, old, new = change
        text = (folder / file).read_text()
        assert text.count(old) == 1
        (folder / file).write_text(text.replace(old, new))
    return folder
