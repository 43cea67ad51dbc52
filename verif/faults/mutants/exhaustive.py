"""Simulates a mutant with every operand of a small width: the proof where no solver gets through.

Every X, Y and M of a product, by the test ``exhaustive``, every base, exponent and modulus of an
exponentiation, as vectors, under the whole environment: results, S and C, clocks and status. Each
operation starts where the one before it left the hardware. Resets are not among them.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from models.exhaustive import moduli
from models.registry import architecture
from regress.core.plan import BuildPoint
from regress.core.processes import clean_environment
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import MULTIPLIER, ROOT

# Some parameters need an even width.
PRODUCT_WIDTHS, POWER_WIDTH = (5, 6), 4
LIMIT = 900.0
NOT_ACCEPTED = 2
BUILD_FAILED = re.compile(r"build \S+ failed")


class BuildError(Exception):
    """Verilator, whose warnings count, does not take the design."""


def agrees(hdl: Path, points: Iterable[BuildPoint], folder: Path) -> tuple[bool, list[str]]:
    """Whether an altered design does what it should in each configuration, at a small width.

    Args:
        hdl: the design.
        points: configurations; those of a product keep their parameters but for the width.
        folder: for runs.

    Returns:
        False and the first configuration in which it does not, or which cannot be built; True and
        all of them.

    Raises:
        BuildError: it cannot be built.
    """
    done: list[str] = []
    for point in points:
        if point.top == MULTIPLIER.name:
            choices = [_products(point, width) for width in PRODUCT_WIDTHS]
        else:
            choices = [_powers(point, folder)]
        if any(name in done for name, _ in choices):
            continue
        ended = NOT_ACCEPTED
        while ended == NOT_ACCEPTED and choices:
            name, arguments = choices.pop(0)
            ended = _run([*arguments, "--hdl", str(hdl)], folder / f"exhaustive-{len(done)}")
        if ended:
            return False, [name]
        done.append(name)
    return True, done


def _run(arguments: list[str], out: Path) -> int:
    """The exit code of the project's own command."""
    shutil.rmtree(out, ignore_errors=True)
    ended = subprocess.run(
        [sys.executable, "-m", "regress", *arguments, "--jobs", "1", "--out", str(out)],
        cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=False,
        timeout=LIMIT,
    )  # fmt: skip
    if failed := BUILD_FAILED.search(ended.stdout):
        raise BuildError(failed[0])
    return ended.returncode


def _products(point: BuildPoint, width: int) -> tuple[str, list[str]]:
    values = [f"{name}={value}" for name, value in point.point.entries if name != "Guard"]
    parameters = [word for value in values for word in ("--parameter", value)]
    name = f"products of {width} bits, {point.point.subject} ({', '.join(values)})"
    job = ["job", "exhaustive", point.point["architecture"], str(width), Verilator.name]
    return name, [*job, *parameters]


def _powers(point: BuildPoint, folder: Path) -> tuple[str, list[str]]:
    entry = architecture(point.point["architecture"])
    lines = [
        json.dumps({"base": hex(base), "exponent": hex(exponent), "modulus": hex(m),
                    "width": POWER_WIDTH, "architecture": entry.name})
        for m in moduli(entry, POWER_WIDTH)
        for base in range(m)
        for exponent in range(1, 1 << POWER_WIDTH)
    ]  # fmt: skip
    file = folder / f"powers-{entry.name}.jsonl"
    file.write_text("\n".join(lines) + "\n")
    name = f"powers of {POWER_WIDTH} bits, {entry.name}"
    return name, ["vectors", str(file), "--no-waves"]
