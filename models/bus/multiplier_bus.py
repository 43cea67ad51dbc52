"""Bus model of the multiplier: operands X, Y, M; results P, S, C."""

from __future__ import annotations

from collections.abc import Mapping

from models.architecture import Architecture
from models.bus.loader_bus import BusModel, Operand, Outcome, Result
from models.independent import STATEMENTS, product_status
from models.reference import is_binary_product, modular_product
from models.status import Status
from models.timing import DEFAULT_BUS_WIDTH

X, Y, M = range(3)
P, S, C = range(3)
WITH_RESULT = ("OK", "RAW")


def field_of(command: str) -> str:
    """Return the name of the field in which a start computes."""
    return "GF(2**n)" if command == "START_BINARY" else "GF(P)"


class ProductDescription:
    """Status, cycles and values of a product.

    :mod:`models.independent` gives status and R; the entry's formula gives the cycles.

    Args:
        entry: registry entry with its parameters. It also gives status and R for a core that
            :mod:`models.independent` does not have.
        width: operand bits n.
        add_width: bits that the word-serial modular adder adds per cycle.
        parameters: parameters of the core.
        bus_width: bits of a bus word.
    """

    def __init__(
        self,
        entry: Architecture,
        width: int,
        add_width: int,
        parameters: Mapping[str, int],
        bus_width: int = DEFAULT_BUS_WIDTH,
    ) -> None:
        self.entry, self.width = entry, width
        self._add_width, self._bus_width = add_width, bus_width
        self._statement = statement = STATEMENTS.get(entry.name)
        self._radix = entry.model.radix(width)
        self._binary_radix_bits = entry.binary.radix_bits(width) if entry.binary else 0
        if statement:
            self._radix = 1 << statement.radix_bits(width, parameters)
            if statement.binary_radix_bits:
                self._binary_radix_bits = statement.binary_radix_bits(width, parameters)

    @property
    def odd_modulus(self) -> bool:
        """True if M must be odd."""
        return self._statement.odd_modulus if self._statement else self.entry.montgomery

    def status(self, x: int, y: int, m: int, command: str) -> str:
        """Return the name of the status at the end, for completely written operands."""
        raw, binary = command == "START_RAW", command == "START_BINARY"
        if self._statement:
            return product_status(self._statement, x, y, m, self.width, raw=raw, binary=binary)
        if binary:
            return self.entry.binary.status(x, y, m, self.width).name
        return self.entry.operand_status(x, y, m, self.width, raw).name

    def cycles(self, m: int, status: str, command: str, fresh: bool) -> int:
        """Return the number of busy cycles."""
        return self.entry.timing.operation_cycles(
            m, self.width, Status[status], raw=command == "START_RAW", fresh_modulus=fresh,
            add_width=self._add_width, bus_width=self._bus_width, binary=command == "START_BINARY",
        )  # fmt: skip

    def values(self, x: int, y: int, m: int, command: str) -> dict[int, int]:
        """Return P from gmpy2, and S and C from the bit-true model, by address.

        Raises:
            ValueError: gmpy2 (or FLINT in GF(2**n)) and the model disagree.
        """
        width = self.width
        if command == "START_BINARY":
            product = self.entry.binary.product(x, y, m, width)
            s, c = product, 0
            agree = is_binary_product(product, x, y, m, self._binary_radix_bits)
        else:
            s, c = self.entry.model.product(x, y, m, width)
            product = modular_product(x, y, m, self._radix)
            agree = (s + c) % m == product
        if not agree:
            raise ValueError(f"model and reference disagree: x={x:#x} y={y:#x} m={m:#x} {command}")
        return {P: product, S: s, C: c}


class MultiplierBus(BusModel):
    """Bus model of the multiplier.

    Attributes:
        description: status, cycles and values of the core's products.

    Args:
        description: status, cycles and values of the core's products.
        bus_width: bits of a word.
    """

    def __init__(self, description: ProductDescription, bus_width: int) -> None:
        self.description = description
        width, entry = description.width, description.entry
        redundant = -(-(width + entry.model.guard_bits(width)) // bus_width)
        commands = {"START", "START_RAW", "CLEAR"} | ({"START_BINARY"} if entry.binary else set())
        super().__init__(
            bus_width,
            {address: Operand("XYM"[address], width, bus_width) for address in (X, Y, M)},
            {
                P: Result("P", -(-width // bus_width), frozenset({"OK"})),
                S: Result("S", redundant, frozenset(WITH_RESULT)),
                C: Result("C", redundant, frozenset(WITH_RESULT)),
            },
            frozenset(commands),
        )

    def _forget_kept(self) -> None:
        self.kept_field = ""  # field for which the constants of M are kept; "" if none are

    def _written(self, operand: Operand) -> None:
        if operand is self.operands[M]:
            self.kept_field = ""

    def _outcome(self, command: str) -> Outcome:
        x, y, m = (self.operands[address].value for address in (X, Y, M))
        if any(operand.partly_written for operand in self.operands.values()):
            return Outcome("OPERAND_INCOMPLETE", 1)
        status = self.description.status(x, y, m, command)
        wanted = field_of(command)
        cycles = self.description.cycles(m, status, command, fresh=self.kept_field != wanted)
        if status not in WITH_RESULT:
            return Outcome(status, cycles)
        self.kept_field = wanted
        return Outcome(status, cycles, self.description.values(x, y, m, command))
