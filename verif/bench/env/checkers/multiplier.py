"""Checks of a product: value against gmpy2, (S, C) bit for bit against the model, cycles."""

from __future__ import annotations

from functools import cached_property

from models.bus.state_machines import core_machine, multiplier_machine
from models.independent import STATEMENTS, product_status
from models.reference import is_binary_product, modular_product
from models.status import Status
from models.table_reads import TableReads
from verif.bench.agent.item import MultiplierItem
from verif.bench.agent.records import MultiplierRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.env.checkers.checker import Checker, subtraction_flags
from verif.bench.env.checkers.mismatch import mismatch
from verif.bench.env.checkers.plugin import Fail

# Operations per batch. One Python step computes all of them. Larger batches are slower, because
# memory traffic dominates.
MODEL_BATCH = 2048


class MultiplierChecker(Checker):
    """Checks one product after the other.

    Values, status and cycles are checked at once. (S, C) and table addresses are compared with the
    bit-true model in batches of :data:`MODEL_BATCH` operations; the last batch at the end.
    """

    def __init__(self, config: BenchConfig, fail: Fail) -> None:
        """Create the checker for ``config``."""
        super().__init__(config, fail)
        self._core, self._control = core_machine(config.entry), multiplier_machine(config.entry)
        self._table = config.entry.coverage.shape(config.width)
        # None for a user's core: only its registry entry describes it.
        self._statement = STATEMENTS.get(config.entry.name)
        self._constants_known = False  # the hardware keeps constants of the present M
        self._constants_binary = False  # these constants belong to GF(2**n)
        self._pending: list[tuple[MultiplierItem, MultiplierRecord]] = []

    def carried(self, item: MultiplierItem, record: MultiplierRecord) -> bool:
        """Whether X, Y and M are those of the item."""
        return (record.x, record.y, record.m) == (item.x, item.y, item.m)

    def expected_status(self, item: MultiplierItem, record: MultiplierRecord) -> Status:
        """Return the status by the registry entry."""
        entry = self.config.entry
        if item.binary:
            return entry.binary.status(item.x, item.y, item.m, self.config.width)
        return entry.operand_status(item.x, item.y, item.m, self.config.width, item.raw)

    def stated_status(self, item: MultiplierItem, record: MultiplierRecord) -> str | None:
        """Return the status by the sources and the written interface."""
        if self._statement is None:
            return None
        return product_status(
            self._statement, item.x, item.y, item.m, self.config.width,
            raw=item.raw, binary=item.binary,
        )  # fmt: skip

    def expected_cycles(
        self, item: MultiplierItem, record: MultiplierRecord, expected: Status
    ) -> int:
        """Return the busy cycles by the registry entry."""
        if record.fresh_modulus:  # even if this start ends with an error
            self._constants_known = False
        fresh = not self._constants_known or item.binary != self._constants_binary
        if expected in (Status.OK, Status.RAW):
            self._constants_known, self._constants_binary = True, item.binary
        return self.config.entry.timing.operation_cycles(
            item.m, self.config.width, expected, fresh_modulus=fresh,
            raw=item.raw, binary=item.binary, add_width=self.config.add_width,
            bus_width=self.config.bus_width,
        )  # fmt: skip

    def design_problems(
        self, item: MultiplierItem, record: MultiplierRecord, expected: Status
    ) -> list[str]:
        """Compare the values with gmpy2 and the sources; add the operation to the model's batch."""
        if expected not in (Status.OK, Status.RAW):
            return []
        if item.binary:
            return self._binary_problems(item, record)
        x, y, m = item.x, item.y, item.m
        problems: list[str] = []
        product = modular_product(x, y, m, self._radix)
        residue = modular_product(record.s + record.c, 1, m)
        if residue != product:
            found = mismatch("mod M it", residue, "gmpy2 says", product)
            radix = f"R = 2**{self._radix.bit_length() - 1}"
            problems.append(f"S + C is not congruent to the product ({radix}): {found}")
        problems += self._sum_problems(item, record)
        if expected is Status.OK and record.p != product:
            problems.append(mismatch("P", record.p, "gmpy2 says", product))
        self._pending.append((item, record))
        return problems

    def window_problems(
        self, item: MultiplierItem, record: MultiplierRecord, expected: Status
    ) -> list[str]:
        """Check state changes, loop cycles and the flags of the final subtraction."""
        entry, width = self.config.entry, self.config.width
        problems: list[str] = []
        if record.core_busy_wrong:
            problems.append("the core's busy did not last from its start to its done")
        arcs = self._core.illegal(record.core_arcs) + self._control.illegal(record.control_arcs)
        problems += [f"illegal state change {arc}" for arc in arcs]
        if expected not in (Status.OK, Status.RAW):
            return problems
        if record.result_added != (expected is Status.OK):
            problems.append("the final reduction ran when it must not, or did not run")
        if item.binary:
            return problems + self._binary_window_problems(record)
        for what, seen, formula in (
            ("loop", record.loop_cycles, entry.timing.loop_cycles(width)),
            ("loop with delivery", record.done_cycles, entry.timing.done_cycles(width)),
        ):
            if seen != formula:
                problems.append(f"{what} took {seen} cycles, the formula says {formula}")
        if record.result_added and expected is Status.OK:
            # Coverage counts these flags, so compare them with the model.
            total = entry.model.final_sum(item.x, item.y, item.m, (record.s, record.c), width)
            quotient, remainder = divmod(total, item.m)
            flags = subtraction_flags(total, item.m)
            if (record.subtracted, record.exact) != flags:
                problems.append(
                    f"final subtraction reported as taken={record.subtracted} "
                    f"exact={record.exact} for S + C = {quotient} * M + {remainder:#x}"
                )
        return problems

    def _binary_window_problems(self, record: MultiplierRecord) -> list[str]:
        """Check loop cycles and table addresses of a product in GF(2**n)."""
        entry, width = self.config.entry, self.config.width
        problems: list[str] = []
        formula = entry.binary.loop_cycles(width)
        done = formula + entry.timing.done_cycles(width) - entry.timing.loop_cycles(width)
        if (record.loop_cycles, record.done_cycles) != (formula, done):
            problems.append(
                f"loop took {record.loop_cycles} cycles, the formula for GF(2**n) says {formula}"
            )
        seen = record.table_hit
        if not seen:
            problems.append("no table address was seen in GF(2**n)")
        if not (record.after_reset or record.lost):
            legal = sum(1 << address for address in entry.binary.addresses(width))
            if other := seen & ~legal:
                problems.append(f"table addresses that GF(2**n) does not read: {_ones(other)}")
        return problems

    def _table_problems(self, record: MultiplierRecord, reads: TableReads) -> list[str]:
        """Check the table addresses and pairs of successive addresses that coverage counts.

        The first record after a reset also has the addresses of the operation that the reset
        ended, so additional addresses are accepted there.
        """
        if not self.config.window or not self._table.bits:
            return []
        problems: list[str] = []
        compared = [("addresses", record.table_hit, reads.hit)]
        if self._table.followed:
            compared.append(("address pairs", record.table_transition, reads.transition))
        for what, seen, expected in compared:
            extra = 0 if record.after_reset or record.lost else seen & ~expected
            if missing := expected & ~seen:
                problems.append(f"table {what} that are read and not seen: {_ones(missing)}")
            if extra:
                problems.append(f"table {what} that are seen and not read: {_ones(extra)}")
        return problems

    @cached_property
    def _radix(self) -> int:
        """R by the sources, or by the registry entry for a core without a source."""
        if self._statement is None:
            return self.config.entry.model.radix(self.config.width)
        return 1 << self._statement.radix_bits(self.config.width, self.config.parameters)

    def _sum_problems(self, item: MultiplierItem, record: MultiplierRecord) -> list[str]:
        """Check the range of S + C that the sources state."""
        if self._statement is None:
            return []
        width, parameters = self.config.width, self.config.parameters
        limit = self._statement.sum_limit(item.y, item.m, width, parameters)
        if record.s + record.c < limit:
            return []
        total, place = record.s + record.c, self._statement.sum_place
        return [f"S + C = {total:#x} is not below {limit:#x} ({place})"]

    def reference(self, item: MultiplierItem, name: str) -> tuple[str, int]:
        """Return P by gmpy2, S and C by the bit-true model."""
        entry, width, operands = self.config.entry, self.config.width, (item.x, item.y, item.m)
        if name == "p":
            return "gmpy2", modular_product(*operands, self._radix)
        s, c = entry.model.product(*operands, width)
        return "the model", s if name == "s" else c

    def _binary_problems(self, item: MultiplierItem, record: MultiplierRecord) -> list[str]:
        """Compare a product in GF(2**n) with FLINT and the model."""
        entry, width = self.config.entry, self.config.width
        x, y, m = item.x, item.y, item.m
        problems: list[str] = []
        radix_bits = entry.binary.radix_bits(width)
        if self._statement and self._statement.binary_radix_bits:
            radix_bits = self._statement.binary_radix_bits(width, self.config.parameters)
        if not is_binary_product(record.p, x, y, m, radix_bits):
            problems.append(f"P = {record.p:#x} is not the product in GF(2**n) (FLINT)")
        model = entry.binary.product(x, y, m, width)
        if (record.s, record.c) != (model, 0):
            problems.append(f"S = {record.s:#x}, C = {record.c:#x}, the model says {model:#x}, 0")
        return problems

    def check(self, item: MultiplierItem, record: MultiplierRecord) -> bool:
        """Check the record as the base class does; compare a vector with the model at once."""
        passed = super().check(item, record)
        if len(self._pending) >= MODEL_BATCH or item.name:
            return self.flush() and passed
        return passed

    def flush(self) -> bool:
        """Compare the operations in the batch with the model; return True if all agree."""
        if not self._pending:
            return True
        agree = True
        triples = [(item.x, item.y, item.m) for item, _ in self._pending]
        expected = self.config.entry.coverage.traces(triples, self.config.width)
        for (item, record), ((s, c), reads) in zip(self._pending, expected, strict=True):
            problems = self._table_problems(record, reads)
            if (record.s, record.c) != (s, c):
                wrong = "S" if record.s != s else "C"
                seen, model = (record.s, s) if wrong == "S" else (record.c, c)
                problems.insert(0, mismatch(wrong, seen, "the model says", model))
            for problem in problems:
                agree = False
                self.fail(f"{self.where(item, record)}: {problem}", record.time_ns)
        self._pending.clear()
        return agree


def _ones(vector: int) -> str:
    """Return the numbers of the set bits: addresses, or address pairs with the later one low."""
    return ", ".join(f"{i:#x}" for i in range(vector.bit_length()) if vector >> i & 1)
