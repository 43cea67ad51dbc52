"""Checks of an exponentiation: value against gmpy2, status, cycles, products against the model."""

from __future__ import annotations

from models.bus.state_machines import (
    ENTRY_STATE,
    LOOP_STATE,
    core_machine,
    exponentiation_machine,
)
from models.constant import Reduction
from models.independent import STATEMENTS, power_status
from models.reference import modular_power
from models.ring_exponentiation import RingExponentiation
from models.status import ExponentiationAddress, Status
from verif.bench.agent.item import ExponentiationItem
from verif.bench.agent.records import ExponentiationRecord, Product
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.tops import EXPONENTIATION
from verif.bench.coverage.exponentiation import (
    COMPUTED,
    KEPT,
    SUPPLIED,
    bit_starts,
    entered,
    r_squared_mode,
)
from verif.bench.env.checkers.checker import Checker, subtraction_flags
from verif.bench.env.checkers.constant_time import ConstantTimeWatch
from verif.bench.env.checkers.mismatch import mismatch
from verif.bench.env.checkers.plugin import Fail

# Errors that end an operation before the hardware checks a supplied R**2.
BEFORE_R_SQUARED = (
    Status.OPERAND_INCOMPLETE, Status.LENGTH_RANGE, Status.EXPONENT_RANGE, Status.OPERAND_RANGE,
    Status.MODULUS_ZERO_OR_ONE, Status.MODULUS_EVEN,
)  # fmt: skip


class ExponentiationChecker(Checker):
    """Checks one exponentiation after the other and tracks the R**2 that the hardware keeps.

    Attributes:
        compare_products: the bench must report every product with :meth:`add_product`.
        times: compares the cycles of operations of one kind.
    """

    def __init__(self, config: BenchConfig, fail: Fail) -> None:
        """Create the checker for ``config``."""
        super().__init__(config, fail)
        entry = config.entry
        self.core = EXPONENTIATION.model(config.at)
        self._machines = {
            "control_arcs": exponentiation_machine(self.core),
            "a_core_arcs": core_machine(entry, "core of A", chained=True),
            "s_core_arcs": core_machine(entry, "core of S", chained=True),
        }
        # Values that the hardware keeps from one operation to the next.
        self._length: int | None = None
        self._established = False
        self._established_value: int | None = None  # None: R**2 computed on chip
        self._mode = COMPUTED
        self._products: list[Product] = []
        self.compare_products = False
        self.times = ConstantTimeWatch()

    def add_product(self, product: Product) -> None:
        """Record the two products of one step of the running operation."""
        self._products.append(product)

    def check(self, item: ExponentiationItem, record: ExponentiationRecord) -> bool:
        """Check as the base class does, and track the values that the hardware keeps."""
        if record.after_reset:
            self._length, self._established = None, False
        if record.has(ExponentiationAddress.LENGTH):
            self._length = record.length
        if record.has(ExponentiationAddress.MODULUS):
            self._established = False
        if record.has(ExponentiationAddress.R_SQUARED) and self.core.montgomery:
            self._mode = SUPPLIED
        else:
            self._mode = KEPT if self._established else COMPUTED
        passed = super().check(item, record)
        self._products.clear()
        expected = self._outcome(item, record)
        if expected is Status.OK:
            if self._mode is not KEPT:
                supplied = self._mode is SUPPLIED
                self._established_value = record.r_squared if supplied else None
            self._established = self.core.montgomery
        elif self._mode is SUPPLIED and expected not in BEFORE_R_SQUARED:
            self._established = False
        return passed

    def _outcome(self, item: ExponentiationItem, record: ExponentiationRecord) -> Status:
        return Status.OPERAND_INCOMPLETE if item.incomplete else self.expected_status(item, record)

    def carried(self, item: ExponentiationItem, record: ExponentiationRecord) -> bool:
        """Whether every operand is that of the item; R**2 and m' only if the item loads them."""
        length = self.config.width if self._length is None else self._length
        return (
            (record.base, record.exponent, record.modulus, length)
            == (item.base, item.exponent, item.modulus, item.length)
            and item.load & ~record.written == 0
            and item.r_squared in (None, record.r_squared)
            and item.m_prime in (None, record.m_prime)
        )

    def expected_status(self, item: ExponentiationItem, record: ExponentiationRecord) -> Status:
        """Return the status by the model, with the constants written since the previous start."""
        return self.core.status(
            item.base, item.exponent, item.modulus, item.length,
            r_squared=record.r_squared if record.has(ExponentiationAddress.R_SQUARED) else None,
            m_prime=record.m_prime if record.has(ExponentiationAddress.M_PRIME) else None,
        )  # fmt: skip

    def stated_status(self, item: ExponentiationItem, record: ExponentiationRecord) -> str | None:
        """Return the status by the sources and the written interface."""
        statement = STATEMENTS.get(self.config.entry.name)
        if statement is None:
            return None
        return power_status(
            statement, item.base, item.exponent, item.modulus, item.length,
            self.config.width, self.config.parameters,
            r_squared=record.r_squared if record.has(ExponentiationAddress.R_SQUARED) else None,
            m_prime=record.m_prime if record.has(ExponentiationAddress.M_PRIME) else None,
        )  # fmt: skip

    def expected_cycles(
        self, item: ExponentiationItem, record: ExponentiationRecord, expected: Status
    ) -> int:
        """Return the busy cycles by the model: R**2 supplied, kept or computed on chip."""
        return self.core.operation_cycles(
            item.modulus, item.length, expected,
            compute_r_squared=self._mode is COMPUTED, check_r_squared=self._mode is SUPPLIED,
        )  # fmt: skip

    def design_problems(
        self, item: ExponentiationItem, record: ExponentiationRecord, expected: Status
    ) -> list[str]:
        """Check the result, and that the time depends on no value."""
        if expected is not Status.OK:
            return []
        problems = self._time_problems(item, record)
        result = modular_power(item.base, item.exponent, item.modulus)
        if record.result != result:
            problems.append(mismatch("result", record.result, "gmpy2 says", result))
        return problems

    def window_problems(
        self, item: ExponentiationItem, record: ExponentiationRecord, expected: Status
    ) -> list[str]:
        """Check state changes, origin of R**2, number and values of products, last subtraction."""
        problems = [
            f"illegal state change {arc}"
            for name, machine in self._machines.items()
            for arc in machine.illegal(getattr(record, name))
        ]
        done = expected is Status.OK
        products = item.length if done else 0
        if record.loop_products != products:
            problems.append(f"{record.loop_products} products in the loop, expected {products}")
        problems += self._start_problems(item, record, products)
        # The first record after a reset also has the state changes of the operation that the
        # reset ended.
        if done and self.core.montgomery and not record.after_reset:
            mode = r_squared_mode(record)
            if mode != self._mode:
                problems.append(f"R**2 was {mode}, expected it to be {self._mode}")
        if not done:
            if not record.after_reset and entered(record, "loop"):
                problems.append("the loop was entered although the operation was to be rejected")
            return problems + self._product_problems(item, [])
        if not record.result_added:
            problems.append("the final reduction did not run")
        else:
            flags = (record.subtracted, record.exact)
            result = modular_power(item.base, item.exponent, item.modulus)
            totals = self._last_totals(item, result)
            if flags not in [subtraction_flags(total, item.modulus) for total in totals]:
                problems.append(
                    f"final subtraction reported as taken={record.subtracted} "
                    f"exact={record.exact} for {' or '.join(map(hex, totals))}"
                )
        if self.compare_products:
            problems += self._product_problems(item, self._expected_products(item))
        return problems

    def _start_problems(
        self, item: ExponentiationItem, record: ExponentiationRecord, products: int
    ) -> list[str]:
        """Check bits, positions and places of the products in the loop, which coverage counts."""
        if record.after_reset or record.lost:
            return []  # the record also has the products of the operation that a reset ended
        bits = [item.exponent >> i & 1 for i in range(products)]
        starts = self.core.product_starts(products)
        positions, places = bit_starts(bits, starts, self.config.bus_width)
        seen = {
            code >> 2
            for code in range(record.bit_states.bit_length())
            if record.bit_states >> code & 1
        }  # without the state of the core
        if record.bit_positions == positions and seen == places:
            return []
        return [
            "exponent bits of the products in the loop, or where they start, are not the model's"
        ]

    def reference(self, item: ExponentiationItem, name: str) -> tuple[str, int]:
        """Return the result by gmpy2."""
        return "gmpy2", modular_power(item.base, item.exponent, item.modulus)

    def _last_totals(self, item: ExponentiationItem, result: int) -> list[int]:
        """Return the values that the last product of A can have before its reduction."""
        entry, width, m = self.config.entry, self.config.width, item.modulus
        if isinstance(self.core, RingExponentiation) and entry.scaling:
            a, _ = self._values(item)[-1]
            return [self.core.last_sum(a, m)]  # A is longer than M: the model gives its value
        if self.core.montgomery:
            # A*1/R is at most M. It is M only if A is congruent to 0 but not 0.
            return [result] if result else [0, m]
        last = item.length - 1
        bits = item.exponent
        if self.config.parameters.get("Balanced") and not bits >> last & 1:
            bits = ~bits  # the last product is that of the second accumulator
        a = modular_power(item.base, bits & ((1 << last) - 1), m)
        s = modular_power(item.base, 1 << last, m)
        return [sum(entry.model.product(a, s, m, width))]

    def _time_problems(self, item: ExponentiationItem, record: ExponentiationRecord) -> list[str]:
        """Check that the time depends only on the length and on the origin of R**2.

        With restoring division it may also depend on the length of M.
        """
        kind = f"length {item.length}, R**2 {self._mode}"
        entry = self.config.entry
        if entry.final_reduction is Reduction.FULL and not entry.streams:
            kind += f", M of {item.modulus.bit_length()} bits"
        problem = self.times.note(kind, item.length, item.exponent, record.busy_cycles, str(item))
        return [problem] if problem else []

    def _values(self, item: ExponentiationItem) -> list[tuple[int, int]]:
        supplied = self._established_value if self._mode is KEPT else None
        if self._mode is SUPPLIED:
            supplied = item.r_squared
        return self.core.products(item.base, item.exponent, item.modulus, item.length, supplied)

    def _expected_products(self, item: ExponentiationItem) -> list[Product]:
        core, values = self.core, self._values(item)
        bits = [item.exponent >> i & 1 for i in range(item.length)]
        products = []
        (a, s), *values = values
        products.append(Product(ENTRY_STATE, 0, 0, a, s))
        for bit, position, (a, s) in zip(
            bits, core.product_starts(item.length), values, strict=True
        ):
            products.append(Product(LOOP_STATE, bit, position, a, s))
        return products

    def _product_problems(self, item: ExponentiationItem, expected: list[Product]) -> list[str]:
        if not self.compare_products:
            return []
        seen = self._products
        if len(seen) != len(expected):
            return [f"{len(seen)} products were reported, the model makes {len(expected)}"]
        for index, (product, model) in enumerate(zip(seen, expected, strict=True)):
            for name in ("state", "exponent_bit", "position", "a", "s", "stray"):
                if model.state == ENTRY_STATE and name in ("exponent_bit", "position"):
                    continue
                value, right = getattr(product, name), getattr(model, name)
                if value != right:
                    found = mismatch(name, value, "the model says", right)
                    return [f"product {index}: {found}"]
        return []
