"""Simulate a mutant with every operand of a small width: a proof if no solver finishes in time.

The test ``exhaustive`` runs every X, Y and M of a product; vectors run every base, exponent (from
1) and modulus of an exponentiation. The whole environment checks results, S and C, cycles and
status. Each operation starts in the state that the operation before it left. No resets are
included.
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
    """Verilator rejects the design; warnings count as errors."""


def agrees(hdl: Path, points: Iterable[BuildPoint], folder: Path) -> tuple[bool, list[str]]:
    """Check whether a changed design is correct in each configuration, at a small width.

    Args:
        hdl: the design.
        points: configurations; those of a product keep all parameters except the width.
        folder: folder for runs.

    Returns:
        True and all configurations; or False and the first configuration that fails.

    Raises:
        BuildError: the design does not build.
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
    """Run a ``regress`` command and return its exit code."""
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
