"""The tops with a loader bus: everything about them that is no bench, one class for each kind.

A front, such as another bus before the same core, is one more object of a class here. A top of a
new kind is one more class.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar

import gmpy2

from models.architecture import Architecture
from models.bus.exponentiation_bus import (
    DATA,
    EXPONENT,
    MODULUS,
    ExponentiationBus,
    ExponentiationDescription,
)
from models.bus.loader_bus import BusModel
from models.bus.multiplier_bus import MultiplierBus, ProductDescription
from models.bus.state_machines import EXPONENTIATION_STATES, multiplier_states
from models.dual_exponentiation import DualExponentiation
from models.exponentiation import Exponentiation
from models.exponentiation_core import exponentiation
from models.status import (
    EXPONENTIATION_REGISTERS,
    LENGTH_WIDTH,
    MULTIPLIER_REGISTERS,
    Address,
    ExponentiationAddress,
    Register,
)
from models.timing import DEFAULT_ADD_WIDTH

MAX_PARAMETER = 4096
# Parameters of the core description that an exponentiation needs.
DERIVED_PARAMETERS = ("WordWidth", "DigitWidth", "Words", "RadixBits", "MPrimeBits", "ScaleBits")


@dataclass(frozen=True)
class TopParameter:
    """Default, minimum and maximum of a parameter of a design's top other than Width."""

    default: int
    minimum: int
    maximum: int = MAX_PARAMETER


@dataclass(frozen=True)
class Configured:
    """A core with its parameters, and the widths around it.

    Attributes:
        core: registry entry with the configuration's parameters.
        width: operand width n in bits.
        add_width: bits that the word-serial modular adder processes per cycle.
        bus_width: bits of a bus word.
        coherent: the exponentiation checks the coherence of two accumulators.
    """

    core: Architecture
    width: int
    add_width: int
    bus_width: int
    coherent: bool = False


@dataclass(frozen=True, eq=False)
class Design(ABC):
    """A top with a bus loader, its test bench and its tests.

    Attributes:
        name: the name by which tests refer to it.
        top: name of the module and of its file.
        toplevel: name of the test bench's module and of its files in ``verif/bench/tb``.
        test_module: Python module with its tests.
        parameters: parameters of the top.
        options: further parameters of the top, which are off by default; a configuration names
            them only if they are on.
        drawn_options: options that half of the drawn configurations have.
        group_prefix: prefix of the names of its coverage groups; empty for the multiplier.
        registers: its bus addresses.
        addresses: names of these addresses.
        core_results: addresses of S and C; empty if the host cannot read them.
        secret: address of a secret exponent; None if no operand is secret.
        products_for_a_bit: products of an operation for each bit of its width; 0 for one product.
    """

    name: str
    top: str
    toplevel: str
    test_module: str
    parameters: Mapping[str, TopParameter]
    group_prefix: str = ""
    options: Mapping[str, TopParameter] = field(default_factory=dict)
    drawn_options: tuple[str, ...] = ()

    registers: ClassVar[tuple[Register, ...]]
    addresses: ClassVar[type[IntEnum]]
    core_results: ClassVar[tuple[int, ...]] = ()
    secret: ClassVar[int | None] = None
    products_for_a_bit: ClassVar[int] = 0

    @property
    def reads(self) -> tuple[int, ...]:
        """Addresses of all results, in ascending order."""
        return tuple(sorted((0, *self.core_results)))

    @abstractmethod
    def top_parameters(self, at: Configured, values: Mapping[str, int]) -> dict[str, int]:
        """Return the parameters of the module, except Width and those of the core.

        Args:
            at: the configuration.
            values: values of :attr:`parameters` and Guard.

        Raises:
            ValueError: the configuration is not legal.
        """

    def check_options(self, core: Architecture, options: Mapping[str, int]) -> None:
        """Raise :class:`ValueError` if a core cannot have these :attr:`options` together."""
        return

    def bench_parameters(self, entry: Architecture, at: Configured) -> dict[str, int]:
        """Return the parameters that only the test bench has."""
        return {}

    @abstractmethod
    def register_widths(self, at: Configured) -> dict[str, int]:
        """Return the widths that the registers name, in bits."""

    @abstractmethod
    def longest_operation(self, at: Configured) -> int:
        """Return the cycles of the longest operation."""

    @abstractmethod
    def bus_model(self, at: Configured, parameters: Mapping[str, int]) -> BusModel:
        """Return a new bus model in its reset state, given the parameters of the core."""

    @abstractmethod
    def states(self, entry: Architecture) -> Sequence[str]:
        """Return the names of the control's states, in the order of their codes."""

    def classes(self, at: Configured) -> dict[str, bool]:
        """Return which classes of configurations of this top a configuration belongs to."""
        return {}

    @abstractmethod
    def draw(self, rng: random.Random, width: int) -> dict[int, int]:
        """Return operands of a legal operation with an odd M of full length, by address."""

    @abstractmethod
    def bound(self, address: int, width: int, modulus: int) -> int:
        """Return the least value that is too large for the operand at an address."""

    @abstractmethod
    def results(
        self, core: Architecture, width: int, operands: Iterable[Sequence[int]]
    ) -> list[int]:
        """Return the results of operations, computed by gmpy2.

        Args:
            core: registry entry with its parameters.
            width: operand width n in bits.
            operands: operands at the addresses 0, 1 and 2 of each operation.
        """


class MultiplierDesign(Design):
    """A multiplier: operands X, Y and M, results P, S and C."""

    registers = MULTIPLIER_REGISTERS
    addresses = Address
    core_results = (1, 2)

    def top_parameters(self, at: Configured, values: Mapping[str, int]) -> dict[str, int]:
        """See :class:`Design`."""
        streams = at.core.streams
        return {**values, **(streams.parameters(at.width) if streams else {})}

    def bench_parameters(self, entry: Architecture, at: Configured) -> dict[str, int]:
        """See :class:`Design`."""
        words = max(1, at.core.coverage.carry_words(at.width))
        return {"CarryWords": words, "Binary": int(entry.binary is not None)}

    def register_widths(self, at: Configured) -> dict[str, int]:
        """See :class:`Design`."""
        return {"Width": at.width, "Guard": at.core.model.guard_bits(at.width)}

    def longest_operation(self, at: Configured) -> int:
        """See :class:`Design`."""
        return at.core.timing.operation_cycles(
            3, at.width, raw=True, add_width=at.add_width, bus_width=at.bus_width
        )

    def bus_model(self, at: Configured, parameters: Mapping[str, int]) -> BusModel:
        """See :class:`Design`."""
        facts = ProductDescription(at.core, at.width, at.add_width, parameters, at.bus_width)
        return MultiplierBus(facts, at.bus_width)

    def states(self, entry: Architecture) -> Sequence[str]:
        """See :class:`Design`."""
        return multiplier_states(entry)

    def draw(self, rng: random.Random, width: int) -> dict[int, int]:
        """See :class:`Design`."""
        modulus = _odd_modulus(rng, width)
        return {0: rng.randrange(modulus), 1: rng.randrange(modulus), 2: modulus}

    def bound(self, address: int, width: int, modulus: int) -> int:
        """See :class:`Design`."""
        return modulus

    def results(
        self, core: Architecture, width: int, operands: Iterable[Sequence[int]]
    ) -> list[int]:
        """See :class:`Design`."""
        radix = core.model.radix(width)
        return [x * y * int(gmpy2.invert(radix, m)) % m for x, y, m in operands]


class ExponentiationDesign(Design):
    """An exponentiation core: data, exponent and modulus, and constants of the modulus."""

    registers = EXPONENTIATION_REGISTERS
    addresses = ExponentiationAddress
    secret = EXPONENT
    products_for_a_bit = 1

    def top_parameters(self, at: Configured, values: Mapping[str, int]) -> dict[str, int]:
        """See :class:`Design`."""
        facts = exponentiation(at.core, at.width, at.add_width).derived_parameters()
        own = {name: value for name, value in values.items() if name != "AddWidth"}
        return own | {name: facts[name] for name in DERIVED_PARAMETERS}

    def check_options(self, core: Architecture, options: Mapping[str, int]) -> None:
        """See :class:`Design`."""
        if not options.get("Coherent"):
            return
        if not (options.get("Balanced") and core.chaining):
            raise ValueError("Coherent = 1: accepted with Balanced = 1, in a Montgomery core")
        if core.scaling:
            raise ValueError(f"Coherent = 1: not accepted for {core.name}, a core with a scale")

    def register_widths(self, at: Configured) -> dict[str, int]:
        """See :class:`Design`."""
        return {"Width": at.width, "MPrimeWidth": max(1, self.model(at).m_prime_width)}

    def longest_operation(self, at: Configured) -> int:
        """See :class:`Design`."""
        # The shortest modulus takes longest if the final reduction is a full division.
        return max(
            self.model(at).operation_cycles(
                3, at.width, compute_r_squared=not supplied, check_r_squared=supplied
            )
            for supplied in (False, True)
        )

    def bus_model(self, at: Configured, parameters: Mapping[str, int]) -> BusModel:
        """See :class:`Design`."""
        facts = ExponentiationDescription(
            at.core, at.width, at.add_width, parameters, at.bus_width, coherent=at.coherent
        )
        return ExponentiationBus(facts, at.bus_width)

    def states(self, entry: Architecture) -> Sequence[str]:
        """See :class:`Design`."""
        return EXPONENTIATION_STATES

    def classes(self, at: Configured) -> dict[str, bool]:
        """See :class:`Design`."""
        found = {"length setting in several bus words": at.bus_width < LENGTH_WIDTH}
        pair = self.model(at)
        if isinstance(pair, DualExponentiation) and at.core.montgomery:
            # Products are one bit longer than M. This bit fills a separate word or the last bit
            # of a word.
            word = pair.derived_parameters()["WordWidth"]
            found["modulus of whole words of the dual-multiplier datapath"] = at.width % word == 0
            found["products of whole words of the dual-multiplier datapath"] = (
                at.width + 1
            ) % word == 0
        return found

    def draw(self, rng: random.Random, width: int) -> dict[int, int]:
        """See :class:`Design`."""
        modulus = _odd_modulus(rng, width)
        data = rng.randrange(modulus)
        return {DATA: data, EXPONENT: rng.getrandbits(width), MODULUS: modulus}

    def bound(self, address: int, width: int, modulus: int) -> int:
        """See :class:`Design`."""
        return 1 << width if address == EXPONENT else modulus

    def results(
        self, core: Architecture, width: int, operands: Iterable[Sequence[int]]
    ) -> list[int]:
        """See :class:`Design`."""
        return [int(gmpy2.powmod(base, exponent, m)) for base, exponent, m in operands]

    def model(self, at: Configured) -> Exponentiation:
        """Return the model of a configured core."""
        return exponentiation(at.core, at.width, at.add_width, at.bus_width, coherent=at.coherent)


def _odd_modulus(rng: random.Random, width: int) -> int:
    """Return an odd modulus of full length."""
    return rng.getrandbits(width) | 1 << width - 1 | 1


MULTIPLIER = MultiplierDesign(
    name="multiplier",
    top="multiplier",
    toplevel="multiplier_tb",
    test_module="verif.bench.tests.multiplier_tests",
    parameters={
        "BusWidth": TopParameter(32, 8),
        "AddressWidth": TopParameter(2, 2, 16),
        "AddWidth": TopParameter(DEFAULT_ADD_WIDTH, 4),
    },
    options={"Watchdog": TopParameter(0, 0, 1)},
    drawn_options=("Watchdog",),
)
EXPONENTIATION = ExponentiationDesign(
    name="exponentiation",
    top="exponentiation",
    toplevel="exponentiation_tb",
    test_module="verif.bench.tests.exponentiation_tests",
    group_prefix="exp_",
    parameters={
        "BusWidth": TopParameter(32, 8),
        "AddressWidth": TopParameter(3, 3, 16),
        "AddWidth": TopParameter(DEFAULT_ADD_WIDTH, 4),
    },
    options={name: TopParameter(0, 0, 1) for name in ("Balanced", "Parity", "Coherent")},
)
DESIGNS: Mapping[str, Design] = {design.name: design for design in (MULTIPLIER, EXPONENTIATION)}
