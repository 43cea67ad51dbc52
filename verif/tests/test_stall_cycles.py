"""A watchdog never ends an operation that a fault-free core can have."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from models.architecture import Architecture
from models.constant import Reduction
from models.dual_exponentiation import InterleavedExponentiation
from models.exponentiation import Exponentiation
from models.registry import hardware_architectures
from verif.bench.configuration.design import MULTIPLIER, ROOT, hardware
from verif.bench.configuration.drawn import SMALL_WIDTHS, any_configuration
from verif.bench.configuration.legal import is_legal
from verif.bench.configuration.tops import exponentiation

WIDTHS = (*range(4, 70), 127, 128, 256, 257, 512, 1024, 2048, 3072, 4096)
LARGE_WIDTHS = (128, 257, 512, 1024, 2048, 4096)
ADD_WIDTHS = (4, 32, 128)
DRAWN = 40
MARGIN = 8

needs_icarus = pytest.mark.skipif(
    not shutil.which("iverilog"),
    reason="needs Icarus Verilog, a system package that is not pinned",
)


def rows() -> Iterator[tuple[str, tuple[int, ...], int]]:
    """Yield each configuration, the arguments of stall_cycles, and the longest wait in it."""
    for name, entry in hardware_architectures().items():
        for width in WIDTHS:
            for add_width in ADD_WIDTHS:
                model = exponentiation(entry, width, add_width)
                facts = model.derived_parameters()
                arguments = (width, facts["Words"], facts["RadixBits"], 1, 1)
                yield f"{name} {width} AddWidth={add_width}", arguments, longest_wait(model)


def longest_wait(model: Exponentiation) -> int:
    """Return more cycles than lie between two events that the watchdog counts as progress.

    One operation with one bit of exponent, without R**2, has two products at least; a product of
    its own is no longer than half of it. The shortest modulus takes longest.
    """
    if isinstance(model, InterleavedExponentiation):
        return model.product_cycles(3, fresh_modulus=True) + MARGIN
    return model.operation_cycles(3, 1, compute_r_squared=False) // 2 + MARGIN


def products() -> Iterator[tuple[str, str, int]]:
    """Yield configurations of the multiplier, the call for its limit, and its longest operation."""
    rng = random.Random(1)
    for name, entry in hardware_architectures().items():
        widths = [width for width in SMALL_WIDTHS if is_legal(MULTIPLIER, entry, width, {})]
        drawn = [any_configuration(MULTIPLIER, entry, widths, rng) for _ in range(DRAWN)]
        points = [(each.width, dict(each.parameters)) for each in drawn]
        points += [(width, {}) for width in LARGE_WIDTHS]
        for width, parameters in points:
            made = hardware(MULTIPLIER, entry, width, parameters)
            longest = max(
                made.core.timing.operation_cycles(
                    3,
                    width,
                    raw=not binary,
                    add_width=made.values["AddWidth"],
                    bus_width=made.values["BusWidth"],
                    binary=binary,
                )
                for binary in {False, entry.binary is not None}
            )
            yield f"{name} {width} {parameters}", limit(entry, made.parameters), longest


def limit(entry: Architecture, value: Mapping[str, int]) -> str:
    """Return the call of parallel_unit or ring_unit for the limit of its watchdog."""
    bits = value["Width"] + value["Guard"]
    if entry.streams is None:
        words = -(-(bits + 1) // value["AddWidth"])
        full = int(entry.final_reduction is Reduction.FULL)
        of_core = (value["Width"], words, bits + 1, value["Unfolding"], full)
        return f"parallel_limit({', '.join(map(str, of_core))})"
    units = value["UnitWidth"]
    digits = value["RadixBits"] // (units if units > 1 else value["DigitWidth"]) + 1
    scale = value["ScaleBits"]
    constant = max(scale or value["MPrimeBits"], value["BinaryBits"], 1)
    arguments = (bits, value["BusWidth"], value["Words"], digits, constant, int(scale > 0))
    more = (value["Elements"], value["Latency"], units)
    return f"ring_limit({', '.join(map(str, (*arguments, *more)))})"


def evaluated(folder: Path, calls: Sequence[str]) -> list[int]:
    """Return the values of functions of multiplier_pkg."""
    bench = folder / "bench.sv"
    shown = [f"    $display({call});" for call in calls]
    text = ["module bench;", "  import multiplier_pkg::*;", "  initial begin", *shown]
    bench.write_text("\n".join([*text, "  end", "endmodule", ""]), encoding="utf-8")
    program = folder / "bench.vvp"
    package = ROOT / "hdl" / "pkg" / "multiplier_pkg.sv"
    subprocess.run(["iverilog", "-g2012", "-o", program, package, bench], check=True)
    done = subprocess.run(["vvp", "-n", program], check=True, capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


@needs_icarus
def test_the_bound_is_above_the_longest_wait(tmp_path: Path) -> None:
    checked = list(rows())
    bounds = evaluated(
        tmp_path, [f"stall_cycles({', '.join(map(str, row[1]))})" for row in checked]
    )
    assert len(bounds) == len(checked) > 100
    short = [
        f"{name}: {bound} cycles, waits of {wait}"
        for (name, _, wait), bound in zip(checked, bounds, strict=True)
        if bound < wait
    ]
    assert not short
    # The check can fail: a bound of one bit a word is too short for some configuration.
    assert any(arguments[0] < wait for _, arguments, wait in checked)


@needs_icarus
def test_the_limit_of_a_product_is_above_the_longest_and_below_twice_as_much(
    tmp_path: Path,
) -> None:
    checked = list(products())
    limits = evaluated(tmp_path, [call for _, call, _ in checked])
    assert len(limits) == len(checked) > 400
    wrong = [
        f"{name}: limit of {cycles} cycles, {longest} needed"
        for (name, _, longest), cycles in zip(checked, limits, strict=True)
        if not longest < cycles < 2 * longest
    ]
    assert not wrong
    # The check can fail: some limits are near the longest operation, others near twice as much.
    shares = [cycles / longest for (_, _, longest), cycles in zip(checked, limits, strict=True)]
    assert min(shares) < 1.01 and max(shares) > 1.7
