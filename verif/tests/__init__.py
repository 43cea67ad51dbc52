"""Tests of the bench, by the names that lists use. The pyuvm classes are in ``multiplier_tests``.

This module is imported without a simulator, so it knows the tests by name alone;
``verif/tests/test_bench.py`` compares it with the classes.
"""

from __future__ import annotations

TEST_MODULE = "verif.tests.multiplier_tests"

_TESTS = {
    "random": ("RandomTest", "random operands of every class, back to back, with reuse"),
    "corners": ("CornersTest", "directed corners: special moduli and operands, zero products"),
    "bus": ("BusTest", "loader protocol word by word: gaps, stalls, rewriting while running"),
    "bad_input": ("BadInputTest", "illegal moduli, operands, addresses, commands"),
    "reset": ("ResetTest", "a reset in each clock of an operation"),
    "raw": ("RawTest", "operands that are not reduced: (S, C) delivered, P flagged"),
    "throughput": ("ThroughputTest", "full-width products without gaps, for measuring speed"),
    "vectors": ("VectorsTest", "operations from a vectors file"),
}


def available_tests() -> dict[str, str]:
    """Test name -> one-line description."""
    return {name: description for name, (_, description) in _TESTS.items()}


def cocotb_test_name(name: str) -> str:
    """Name of the cocotb test behind a test name, for ``COCOTB_TEST_FILTER``."""
    return _TESTS[name][0]
