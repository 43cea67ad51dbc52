"""Design and settings of a front's test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from models.front_map import Operation
from models.registry import architecture
from regress.core.point import Point
from regress.core.project import Test
from verif.bench.configuration.design import (
    BENCH,
    EXPONENTIATION,
    FRONTS,
    MULTIPLIER,
    ROOT,
    Design,
    front_radix_bits,
    hardware,
)

TB = ROOT / "verif" / "soc" / "tb"
RULES = BENCH / "agent"
MODULE = "verif.soc.front_tests"
DRIVER_MODULE = "verif.soc.driver_tests"
# Test, its design and what it does, after the name of the front.
_TESTS = {
    "products": (MULTIPLIER, "products of random operands, checked with gmpy2"),
    "powers": (EXPONENTIATION, "exponentiations of random operands, checked with gmpy2"),
    "rejected": (EXPONENTIATION, "accesses that the front rejects, before each word of a job"),
    "rejected_product": (MULTIPLIER, "the same before each word of a product"),
    "reset": (EXPONENTIATION, "a reset in each cycle of an access"),
    "zeroise": (EXPONENTIATION, "ZEROISE after each word of a job and while busy"),
    "cycles": (EXPONENTIATION, "an exponentiation takes at most 1 % more than on the loader bus"),
    "beside": (MULTIPLIER, "reads beside writes, in every order"),
    "driver": (EXPONENTIATION, "the compiled C driver: exponentiations, RSA with CRT, errors"),
    "driver_product": (MULTIPLIER, "the compiled C driver: products"),
    "signature": (
        EXPONENTIATION,
        "an RSA signature by the C driver, as a RISC-V program if it can",
    ),
    "driver_riscv": (EXPONENTIATION, "the C driver as a RISC-V program"),
}
_OF_DRIVER = ("driver", "signature")
_OF_AXI_ALONE = frozenset({"beside"})  # the other buses have one access at a time


def front_of(test: str) -> str:
    """Return the front of a test."""
    return next(front for front in FRONTS.values() if test.startswith(front))


def top_of(front: str, design: Design) -> str:
    """Return the name of a front with a core of a design."""
    return f"{front}_{design.name}"


def tests_of(front: str, design: Design) -> Mapping[str, Test]:
    """Return the tests of a front with a core of a design, by the names that lists use."""
    return {
        f"{front}_{name}": Test(
            DRIVER_MODULE if name.startswith(_OF_DRIVER) else MODULE,
            name,
            says,
            top_of(front, design),
            f"{front}_tb",
        )
        for name, (of, says) in _TESTS.items()
        if of is design and (front == "axi4_lite" or name not in _OF_AXI_ALONE)
    }


def front_parameters(test: str, point: Point, hdl: Path | None = None) -> dict[str, int]:
    """Return every parameter of the test bench of a front at a resolved point."""
    design = _TESTS[test.removeprefix(f"{front_of(test)}_")][0]
    return parameters_of(design, point, hdl)


def parameters_of(design: Design, point: Point, hdl: Path | None = None) -> dict[str, int]:
    """Return every parameter of the test bench of a front with a core of a design."""
    core = architecture(point["architecture"])
    width = point["width"]
    made = hardware(design, core, width, point["parameters"], hdl)
    given = dict(made.parameters)
    del given["AddressWidth"]  # three bits, as both designs can have
    if design is EXPONENTIATION:
        operation = Operation.EXPONENTIATION
        m_prime = width if given["ScaleBits"] else max(1, given["MPrimeBits"])
    else:
        operation, m_prime = Operation.MULTIPLIER, 1
    return {
        **given,
        "Operation": int(operation),
        "MPrimeWidth": m_prime,
        "FrontRadixBits": front_radix_bits(made, width),
    }
