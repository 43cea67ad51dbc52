"""Checks of a product: value against gmpy2, (S, C) bit for bit against the model, clocks."""

from __future__ import annotations

from functools import cached_property

from models.bus.state_machines import core_machine, multiplier_machine
from models.independent import STATEMENTS, product_status
from models.reference import is_binary_product, modular_product
from models.status import Status
from models.table_reads import TableReads
from verif.bench.agent.item import MultiplierItem, MultiplierRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.env.checkers.checker import Checker, Fail, subtraction_flags
from verif.bench.env.checkers.mismatch import mismatch

# One Python step serves all lanes of a batch; beyond this, memory traffic outweighs it.
MODEL_BATCH = 2048


class MultiplierChecker(Checker):
    """Checks of one product after the other.

    Values, status and clocks are checked at once. (S, C) and table addresses against the bit-true
    model are checked in batches of :data:`MODEL_BATCH` operations, many lanes at a time, and at the
    end.
    """

    def __init__(self, config: BenchConfig, fail: Fail) -> None:
        """Check for ``config``."""
        super().__init__(config, fail)
        self._core, self._control = core_machine(config.entry), multiplier_machine(config.entry)
        self._table = config.entry.coverage.shape(config.width)
        # None for a user's core, of which only its entry speaks.
        self._statement = STATEMENTS.get(config.entry.name)
        self._constants_known = False  # per modulus, of M as it is
        self._constants_binary = False  # their field
        self._pending: list[tuple[MultiplierItem, MultiplierRecord]] = []

    def carried(self, item: MultiplierItem, record: MultiplierRecord) -> bool:
        """X, Y, M as they were to be."""
        return (record.x, record.y, record.m) == (item.x, item.y, item.m)

    def expected_status(self, item: MultiplierItem, record: MultiplierRecord) -> Status:
        """By the registry entry."""
        entry = self.config.entry
        if item.binary:
            return entry.binary.status(item.x, item.y, item.m, self.config.width)
        return entry.operand_status(item.x, item.y, item.m, self.config.width, item.raw)

    def stated_status(self, item: MultiplierItem, record: MultiplierRecord) -> str | None:
        """By the sources and the written interface."""
        if self._statement is None:
            return None
        return product_status(
            self._statement, item.x, item.y, item.m, self.config.width,
            raw=item.raw, binary=item.binary,
        )  # fmt: skip

    def expected_clocks(
        self, item: MultiplierItem, record: MultiplierRecord, expected: Status
    ) -> int:
        """By the registry entry."""
        if record.fresh_modulus:  # it may be that of a start that came to nothing
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
        """Values against gmpy2 and the sources; what the model says waits for its batch."""
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
        """State changes, loop clocks, and the flags of the final subtraction."""
        entry, width = self.config.entry, self.config.width
        problems: list[str] = []
        if record.core_busy_wrong:
            problems.append("the core's busy did not last from its start to its done")
        arcs = self._core.illegal(record.core_arcs) + self._control.illegal(record.control_arcs)
        problems += [f"illegal state change {arc}" for arc in arcs]
        if expected not in (Status.OK, Status.RAW):
            return problems
        if item.binary:
            formula = entry.binary.loop_cycles(width)
            done = formula + entry.timing.done_cycles(width) - entry.timing.loop_cycles(width)
            if (record.loop_clocks, record.done_clocks) != (formula, done):
                problems.append(
                    f"loop took {record.loop_clocks} clocks, the formula for GF(2**n) says "
                    f"{formula}"
                )
            return problems
        for what, seen, formula in (
            ("loop", record.loop_clocks, entry.timing.loop_cycles(width)),
            ("loop with delivery", record.done_clocks, entry.timing.done_cycles(width)),
        ):
            if seen != formula:
                problems.append(f"{what} took {seen} clocks, the formula says {formula}")
        if record.result_added != (expected is Status.OK):
            problems.append("the final reduction ran when it must not, or did not run")
        elif record.result_added:
            # What coverage will count must be what happened.
            total = entry.model.final_sum(item.x, item.y, item.m, (record.s, record.c), width)
            quotient, remainder = divmod(total, item.m)
            flags = subtraction_flags(total, item.m)
            if (record.subtracted, record.exact) != flags:
                problems.append(
                    f"final subtraction reported as taken={record.subtracted} "
                    f"exact={record.exact} for S + C = {quotient} * M + {remainder:#x}"
                )
        return problems

    def _table_problems(self, record: MultiplierRecord, reads: TableReads) -> list[str]:
        """Table addresses, and which follow each other, as coverage will count them.

        Behind a reset there are those of the operation that it ended, too.
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
        """R by the sources; by the entry for a core that they do not know."""
        if self._statement is None:
            return self.config.entry.model.radix(self.config.width)
        return 1 << self._statement.radix_bits(self.config.width, self.config.parameters)

    def _sum_problems(self, item: MultiplierItem, record: MultiplierRecord) -> list[str]:
        """The range of S + C by the sources."""
        if self._statement is None:
            return []
        width, parameters = self.config.width, self.config.parameters
        limit = self._statement.sum_limit(item.y, item.m, width, parameters)
        if record.s + record.c < limit:
            return []
        total, place = record.s + record.c, self._statement.sum_place
        return [f"S + C = {total:#x} is not below {limit:#x} ({place})"]

    def reference(self, item: MultiplierItem, name: str) -> tuple[str, int]:
        """P by gmpy2, S and C by the bit-true model."""
        entry, width, operands = self.config.entry, self.config.width, (item.x, item.y, item.m)
        if name == "p":
            return "gmpy2", modular_product(*operands, self._radix)
        s, c = entry.model.product(*operands, width)
        return "the model", s if name == "s" else c

    def _binary_problems(self, item: MultiplierItem, record: MultiplierRecord) -> list[str]:
        """A product in GF(2**n): against FLINT and the model."""
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
        """As the base; a vector's verdict is final at once."""
        passed = super().check(item, record)
        if len(self._pending) >= MODEL_BATCH or item.name:
            return self.flush() and passed
        return passed

    def flush(self) -> bool:
        """Compare the operations that still wait with the model; True if all agree."""
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
    """Numbers of the bits that are set: a position's addresses, or of a pair the later one low."""
    return ", ".join(f"{i:#x}" for i in range(vector.bit_length()) if vector >> i & 1)
