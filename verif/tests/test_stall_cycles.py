"""The watchdog of the exponentiation never ends an operation that still makes progress."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.dual_exponentiation import InterleavedExponentiation
from models.exponentiation import Exponentiation
from models.registry import hardware_architectures
from verif.bench.configuration.design import ROOT
from verif.bench.configuration.tops import exponentiation

WIDTHS = (*range(4, 70), 127, 128, 256, 257, 512, 1024, 2048, 3072, 4096)
ADD_WIDTHS = (4, 32, 128)
MARGIN = 8


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


@pytest.mark.skipif(
    not shutil.which("iverilog"),
    reason="needs Icarus Verilog, a system package that is not pinned",
)
def test_the_bound_is_above_the_longest_wait(tmp_path: Path) -> None:
    checked = list(rows())
    calls = [
        f"    $display(stall_cycles({', '.join(map(str, arguments))}));"
        for _, arguments, _ in checked
    ]
    bench = tmp_path / "bench.sv"
    text = ["module bench;", "  import multiplier_pkg::*;", "  initial begin", *calls]
    bench.write_text("\n".join([*text, "  end", "endmodule", ""]), encoding="utf-8")
    program = tmp_path / "bench.vvp"
    package = ROOT / "hdl" / "pkg" / "multiplier_pkg.sv"
    subprocess.run(["iverilog", "-g2012", "-o", program, package, bench], check=True)
    done = subprocess.run(["vvp", "-n", program], check=True, capture_output=True, text=True)
    bounds = [int(word) for word in done.stdout.split()]
    assert len(bounds) == len(checked) > 100
    short = [
        f"{name}: {bound} cycles, waits of {wait}"
        for (name, _, wait), bound in zip(checked, bounds, strict=True)
        if bound < wait
    ]
    assert not short
    # The check can fail: a bound of one bit a word is too short for some configuration.
    assert any(arguments[0] < wait for _, arguments, wait in checked)
