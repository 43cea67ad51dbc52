"""Bus model of the exponentiation: operands Data, Exponent, M, R**2, m', Length; result Result."""

from __future__ import annotations

from collections.abc import Mapping

from models.architecture import Architecture
from models.bus.loader_bus import BusModel, Operand, Outcome, Result
from models.exponentiation_core import exponentiation
from models.independent import STATEMENTS, power_status
from models.reference import modular_power
from models.status import Status
from models.timing import DEFAULT_BUS_WIDTH

DATA, EXPONENT, MODULUS, _, R_SQUARED, M_PRIME, LENGTH = range(7)
LENGTH_BITS = 16
BEFORE_CHECKS = ("OPERAND_INCOMPLETE", "LENGTH_RANGE", "EXPONENT_RANGE")


class ExponentiationDescription:
    """Status and cycles of an exponentiation.

    :mod:`models.independent` gives status and R; the core's formula gives the cycles.

    Args:
        entry: registry entry with its parameters. It also gives status and R for a core that
            :mod:`models.independent` does not have.
        width: operand bits n.
        add_width: bits that the word-serial modular adder adds per cycle.
        parameters: parameters of the core.
        bus_width: bits of a bus word.
        coherent: the core checks the coherence of two accumulators.
    """

    def __init__(
        self,
        entry: Architecture,
        width: int,
        add_width: int,
        parameters: Mapping[str, int],
        bus_width: int = DEFAULT_BUS_WIDTH,
        *,
        coherent: bool = False,
    ) -> None:
        self.width = width
        self._core = exponentiation(entry, width, add_width, bus_width, coherent=coherent)
        self._parameters = parameters
        self._statement = statement = STATEMENTS.get(entry.name)
        self._radix_bits = self._core.radix_bits
        self.m_prime_bits = self._core.m_prime_width
        if statement:
            self._radix_bits = statement.chain_radix_bits(width, parameters)
            constant = statement.constant
            self.m_prime_bits = constant(3, width, parameters)[1] if constant else 0

    @property
    def montgomery(self) -> bool:
        """True if the core uses R**2."""
        return self._radix_bits > 0

    def r_squared(self, m: int) -> int:
        """Return R**2 mod M, as a host supplies it."""
        return pow(2, 2 * self._radix_bits, m)

    def m_prime(self, m: int) -> int:
        """Return m' of an odd M; 0 if the core uses none."""
        if self._statement and self._statement.constant:
            return self._statement.constant(m, self.width, self._parameters)[0]
        return self._core.m_prime(m)

    def status(
        self, base: int, exponent: int, m: int, length: int, r_squared: int | None,
        m_prime: int | None,
    ) -> str:  # fmt: skip
        """Return the final status for complete operands; a constant is None if not supplied."""
        if self._statement:
            return power_status(
                self._statement, base, exponent, m, length, self.width, self._parameters,
                r_squared=r_squared, m_prime=m_prime,
            )  # fmt: skip
        return self._core.status(
            base, exponent, m, length, r_squared=r_squared, m_prime=m_prime
        ).name

    def cycles(self, m: int, length: int, status: str, *, compute: bool, check: bool) -> int:
        """Return the number of busy cycles."""
        return self._core.operation_cycles(
            m, length, Status[status], compute_r_squared=compute, check_r_squared=check
        )


class ExponentiationBus(BusModel):
    """Bus model of the exponentiation.

    Attributes:
        r_squared_kept: True if the core keeps R**2 of the loaded modulus.

    Args:
        description: status and cycles of the core's exponentiations.
        bus_width: bits of a word.
    """

    def __init__(self, description: ExponentiationDescription, bus_width: int) -> None:
        self.description = description
        width = description.width
        super().__init__(
            bus_width,
            {
                DATA: Operand("Data", width, bus_width),
                EXPONENT: Operand("Exponent", width, bus_width),
                MODULUS: Operand("M", width, bus_width),
                R_SQUARED: Operand("R**2", width, bus_width),
                M_PRIME: Operand("m'", max(1, description.m_prime_bits), bus_width),
                LENGTH: Operand("Length", LENGTH_BITS, bus_width),
            },
            {DATA: Result("Result", -(-width // bus_width), frozenset({"OK"}))},
            frozenset({"START", "CLEAR", "ZEROISE"}),
        )

    def _forget_kept(self) -> None:
        self.r_squared_kept = False

    def _written(self, operand: Operand) -> None:
        if operand is self.operands[MODULUS]:
            self.r_squared_kept = False

    @property
    def length(self) -> int:
        """Number of exponent bits to process; Width until the host writes Length."""
        operand = self.operands[LENGTH]
        return operand.value if operand.ever_written else self.description.width

    def _supplied(self, address: int) -> int | None:
        operand = self.operands[address]
        return operand.value if operand.supplied else None

    def _outcome(self, command: str) -> Outcome:
        if any(operand.partly_written for operand in self.operands.values()):
            return Outcome("OPERAND_INCOMPLETE", 1)
        description = self.description
        base, exponent, m = (self.operands[s].value for s in (DATA, EXPONENT, MODULUS))
        r_squared, m_prime = self._supplied(R_SQUARED), self._supplied(M_PRIME)
        status = description.status(base, exponent, m, self.length, r_squared, m_prime)
        check = description.montgomery and r_squared is not None
        compute = description.montgomery and not check and not self.r_squared_kept
        cycles = description.cycles(m, self.length, status, compute=compute, check=check)
        if status == "OK":
            self.r_squared_kept = description.montgomery
            return Outcome(status, cycles, {DATA: modular_power(base, exponent, m)})
        if status == "CONSTANT_INCONSISTENT" and check:
            self.r_squared_kept = False
        return Outcome(status, cycles)
