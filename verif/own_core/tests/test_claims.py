"""Claims of a core from outside: for each one a core that breaks it, and the inputs that misled."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from verif.own_core.tests.styles import style_file
from verif.own_core.tests.test_check import check

CLAIMS_FOLDER = Path(__file__).resolve().parent.parent / "cores" / "claims"
FACTS = {
    "name": "claimed",
    "sources": [str(CLAIMS_FOLDER / "claimed.sv")],
    "shim": "claimed_shim",
    "computes": "product",
    "modulus": {"parity": "any", "minimum": 2},
    "status": {"ok": 0, "refused": [3]},
    "claims": {
        "latency": "n + 1",
        "constant_time": True,
        "reset": True,
        "start_while_busy": "ignored",
        "operands": "sampled",
    },
}
BACK, RESET, BUSY = "back to back", "reset in mid-operation", "start while busy is ignored"
CHANGE = "operands may change behind the start"
# A counter that goes on is over before the next operands are there, if it is short.
WIDTHS = {"COUNTER_NOT_RESET": 32}
# Macro of the core, and what it breaks.
BROKEN = {
    "SECOND_START_RESTARTS": (BUSY, "started again with other operands"),
    "SECOND_START_WAITS": (BUSY, "cycles, undisturbed it takes 9"),
    "REST_AFTER_DONE": (BACK, "operation not done"),
    "ONE_CYCLE_MORE": ("latency as claimed", "took 10 cycles, claimed are 9"),
    "ODD_TAKES_LONGER": ("constant time", "took 10"),
    "FIRST_TAKES_LONGER": (RESET, "took 10 cycles, undisturbed it takes 9"),
    "OPERAND_READ_LATE": (CHANGE, "operands changed after the start of"),
    "NOT_REDUCED": ("result below M", "gmpy2 says 0x0"),
    "NOTHING_REFUSED": ("M = 1 is refused", "was not refused"),
    "COUNTER_NOT_RESET": (RESET, "after a reset "),
}


def claimed(folder: Path, macro: str = "", **changes: object) -> Path:
    """A core description of ``claimed.sv``, broken by a macro."""
    path = folder / "claimed.yaml"
    defines = {macro: "1"} if macro else {}
    path.write_text(yaml.safe_dump({**FACTS, "defines": defines, **changes}))
    return path


@pytest.mark.simulation
@pytest.mark.parametrize("macro", BROKEN)
def test_each_claim_is_broken_by_a_core_that_does_not_keep_it(macro: str, tmp_path: Path) -> None:
    case, said = BROKEN[macro]
    width = str(WIDTHS.get(macro, 8))
    done = check(claimed(tmp_path, macro), tmp_path / "run", "--width", width, "--only", case)
    assert done.returncode == 1
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("broken: "))
    assert line.startswith(f"broken: {case}, {width} bits: "), line
    assert said in line


@pytest.mark.simulation
def test_a_core_that_keeps_all_claims_holds(tmp_path: Path) -> None:
    done = check(claimed(tmp_path), tmp_path / "run", "--width", "8")
    assert done.returncode == 0, done.stdout


@pytest.mark.simulation
def test_a_second_start_is_not_given_to_an_operation_that_is_over(tmp_path: Path) -> None:
    # Its cycles depend on X, and in the cycle of done it takes the next start.
    file = style_file("early_end", tmp_path)
    only = ("--only", BUSY, "--only", RESET)
    for seed in ("1", "2", "3"):
        done = check(file, tmp_path / seed, "--width", "8", "--seed", seed, *only)
        assert done.returncode == 0, done.stdout
