"""Tests of the bench, by the names that lists use. The pyuvm classes are in the designs' modules.

This module is imported without a simulator, so it has only the names of the tests.
``verif/tests/test_bench.py`` compares them with the classes.
"""

from __future__ import annotations

from regress.core.project import Test
from regress.simulators.icarus import Icarus
from verif.bench.configuration.design import DESIGNS, EXPONENTIATION, MULTIPLIER, Design

# Tests that run on these simulators only: Verilator does not show all state elements.
_ONLY_ON = {"exp_zeroise": (Icarus.name,)}
_TESTS = {
    MULTIPLIER: {
        "random": ("RandomTest", "random operands of every class, back to back, with reuse"),
        "corners": ("CornersTest", "directed corners: special moduli and operands, zero products"),
        "bus": (
            "BusTest",
            "loader protocol word by word: idle cycles, stalls, rewriting while running",
        ),
        "bad_input": ("BadInputTest", "illegal moduli, operands, addresses, commands"),
        "reset": ("ResetTest", "a reset in each cycle of an operation"),
        "raw": ("RawTest", "operands that are not reduced: (S, C) delivered, P flagged"),
        "fields": ("FieldsTest", "fields of the standard curves, binary ones where there are any"),
        "exhaustive": ("ExhaustiveTest", "every legal operand triple, for widths up to 6 or so"),
        "throughput": (
            "ThroughputTest",
            "full-width products without idle cycles, for measuring speed",
        ),
        "vectors": ("VectorsTest", "operations from a vectors file"),
        "museum": ("VectorsTest", "operands of public bug reports, all that the width holds"),
        "stress": (
            "StressTest",
            "protocol stress test: random transfers, each checked against the bus model",
        ),
    },
    EXPONENTIATION: {
        "exp_random": ("RandomTest", "random keys and data, back to back, with and without reuse"),
        "exp_corners": ("CornersTest", "exponents, bases and moduli of every special class"),
        "exp_bus": (
            "BusTest",
            "loader protocol word by word: idle cycles, stalls, rewriting, reading",
        ),
        "exp_bad_input": ("BadInputTest", "illegal values, constants, lengths, commands"),
        "exp_length": ("LengthTest", "exponents that are too long, for every class of lengths"),
        "exp_reset": ("ResetTest", "a reset in each phase of an exponentiation"),
        "exp_zeroise": ("ZeroiseTest", "zeroise and reset leave no trace in any state element"),
        "exp_constant_time": ("ConstantTimeTest", "cycles depend on no operand or exponent value"),
        "exp_products": ("ProductsTest", "every intermediate product against the model (debug)"),
        "exp_rsa": ("RsaTest", "signatures and decryptions with RSA keys, judged by OpenSSL"),
        "exp_throughput": ("ThroughputTest", "full-length exponentiations, for measuring speed"),
        "exp_vectors": ("VectorsTest", "exponentiations from a vectors file"),
        "exp_museum": ("VectorsTest", "operands of public bug reports, all that the width holds"),
        "exp_stress": (
            "StressTest",
            "protocol stress test: random transfers, each checked against the bus model",
        ),
    },
}


TESTS = {
    name: Test(
        module=design.test_module,
        name=test,
        description=description,
        top=design.name,
        toplevel=design.toplevel,
        simulators=_ONLY_ON.get(name, ()),
    )
    for design, tests in _TESTS.items()
    for name, (test, description) in tests.items()
}


def design_of(name: str) -> Design:
    """Return the design that a test runs on."""
    return DESIGNS[TESTS[name].top]
