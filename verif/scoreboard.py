"""Scoreboard: every operation against gmpy2, the bit-true model, and the cycle formula."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from pyuvm import uvm_analysis_export, uvm_component

from models.reference import modular_product
from models.status import BusError, Status
from verif.bus.item import LoaderItem, OperationRecord
from verif.config import BenchConfig
from verif.coverage.covergroups import illegal_arcs

# One Python step serves all lanes of a batch; beyond this, memory traffic outweighs it.
MODEL_BATCH = 2048
# From so many operations with wait states on, one must have been seen.
ENOUGH_STALLS = 8


class Checker:
    """The checks of the scoreboard, free of any simulator.

    Values, status and clocks are checked at once. (S, C) against the bit-true model is checked in
    batches of :data:`MODEL_BATCH` operations, many lanes at a time, and at the end.
    """

    def __init__(self, config: BenchConfig, fail: Callable[[str], None]) -> None:
        """Check for ``config``; call ``fail`` with one line for every mismatch."""
        self._config = config
        self._fail = fail
        self._pending: list[tuple[tuple[int, int, int], OperationRecord]] = []
        self._stalls_asked = {False: 0, True: 0}  # by word_by_word
        self._stalls_seen = {False: 0, True: 0}
        self.operations = 0
        self.clocks = 0

    def check(self, item: LoaderItem, record: OperationRecord) -> bool:
        """Compare one operation with its record; return whether the immediate checks passed."""
        config, entry, width = self._config, self._config.entry, self._config.width
        x, y, m = item.x, item.y, item.m
        self.operations += 1
        self.clocks += record.busy_clocks
        self._stalls_asked[item.word_by_word] += item.stall > 0
        self._stalls_seen[item.word_by_word] += record.stalled
        problems: list[str] = []

        if (record.x, record.y, record.m) != (x, y, m) or record.raw != item.raw:
            problems.append(
                f"the bus carried x={record.x:#x} y={record.y:#x} m={record.m:#x}"
                f"{' raw' if record.raw else ''}: a word was lost, doubled or changed"
            )
        if record.lost:
            problems.append(f"{record.lost} operations started without being read")
        expected = entry.operand_status(x, y, m, width, item.raw)
        if item.incomplete:
            expected = Status.OPERAND_INCOMPLETE
        if item.rejected and record.status in (Status.OK, Status.RAW):
            problems.append("accepted, the vector expects a rejection")
        if not record.status_seen:
            problems.append("no status was read")
        elif record.status != expected:
            problems.append(f"status {record.status_name}, expected {expected.name}")

        clocks = entry.operation_clocks(
            m, width, expected,
            fresh_modulus=record.fresh_modulus, raw=item.raw, add_width=config.add_width,
        )  # fmt: skip
        if record.busy_clocks != clocks:
            problems.append(f"busy for {record.busy_clocks} clocks, the formula says {clocks}")

        delivers = expected in (Status.OK, Status.RAW)
        s_words = config.result_words if delivers else 0
        p_words = config.operand_words if expected is Status.OK else 0
        if (record.s_words, record.c_words, record.p_words) != (s_words, s_words, p_words):
            problems.append(
                f"result missing or doubled: {record.s_words} words of S, {record.c_words} of C, "
                f"{record.p_words} of P read, expected {s_words}, {s_words}, {p_words}"
            )
        if record.refused != len([d for d in item.disturbances if d.error]):
            problems.append(f"{record.refused} transfers refused during the operation")
        errors = [d.error for d in item.disturbances if d.error]
        if record.bus_error != (errors[-1] if errors else BusError.NONE):
            problems.append(f"bus error field is {record.bus_error}")

        if record.protocol_broken:
            problems.append("acknowledge without request, for two clocks running, or in reset")
        if record.core_busy_wrong:
            problems.append("the core's busy did not last from its start to its done")
        problems += [f"illegal state change {arc}" for arc in illegal_arcs(record, entry)]

        if delivers:
            loop_clocks = entry.loop_clocks(width)
            if record.loop_clocks != loop_clocks:
                problems.append(
                    f"loop took {record.loop_clocks} clocks, the formula says {loop_clocks}"
                )
            radix = entry.radix(width)
            product = modular_product(x, y, m, radix)
            if modular_product(record.s + record.c, 1, m) != product:
                problems.append(
                    f"S + C = {record.s + record.c:#x} is not congruent to {product:#x} (gmpy2)"
                )
            if expected is Status.OK and record.p != product:
                problems.append(f"P = {record.p:#x}, gmpy2 says {product:#x}")
            if record.result_added != (expected is Status.OK):
                problems.append("the final reduction ran when it must not, or did not run")
            elif record.result_added:
                # What coverage will count must be what happened.
                quotient, remainder = divmod(record.s + record.c, m)
                exact = quotient > 0 and remainder == 0
                if (record.subtracted, record.exact) != (quotient % 2 == 1, exact):
                    problems.append(
                        f"final subtraction reported as taken={record.subtracted} "
                        f"exact={record.exact} for S + C = {quotient} * M + {remainder:#x}"
                    )
            self._pending.append(((x, y, m), record))
        for name, value in item.expected.items():
            if getattr(record, name) != value:
                problems.append(f"{name} = {getattr(record, name):#x}, the vector says {value:#x}")

        for problem in problems:
            self._fail(f"{self._where(item, record)}: {problem}")
        if len(self._pending) >= MODEL_BATCH or item.name:  # a vector's verdict is final at once
            return self.flush() and not problems
        return not problems

    def finish(self) -> None:
        """The checks that need the whole job; call it once, at the end."""
        self.flush()
        for word_by_word, asked in self._stalls_asked.items():
            if asked >= ENOUGH_STALLS and not self._stalls_seen[word_by_word]:
                how = "word-by-word" if word_by_word else "transactor"
                self._fail(f"{asked} {how} operations asked for wait states, none was seen")

    def flush(self) -> bool:
        """Check (S, C) of the operations that still wait against the model; True if all agree."""
        if not self._pending:
            return True
        agree = True
        triples = [triple for triple, _ in self._pending]
        expected = self._config.entry.products(triples, self._config.width)
        for (triple, record), (s, c) in zip(self._pending, expected, strict=True):
            if (record.s, record.c) != (s, c):
                agree = False
                x, y, m = triple
                wrong = "S" if record.s != s else "C"
                seen, model = (record.s, s) if wrong == "S" else (record.c, c)
                where = f"{self._config.entry.name} {self._config.width} bits"
                self._fail(
                    f"{where} at {record.time_ns:.0f} ns: x={x:#x} y={y:#x} m={m:#x}: "
                    f"{wrong} = {seen:#x}, the model says {model:#x}"
                )
        self._pending.clear()
        return agree

    def _where(self, item: LoaderItem, record: OperationRecord) -> str:
        name = f" {item.name}" if item.name else ""
        return (
            f"{self._config.entry.name} {self._config.width} bits{name} "
            f"at {record.time_ns:.0f} ns: {item}"
        )


class _Export(uvm_analysis_export):
    """An analysis export that calls a method of its parent."""

    def __init__(self, name: str, parent: uvm_component, method: Callable[[object], None]) -> None:
        super().__init__(name, parent)
        self._method = method

    def write(self, item: object) -> None:
        """Hand over what was published."""
        self._method(item)


class Scoreboard(uvm_component):
    """Pairs announced operations with records, in order, and has them checked.

    An operation without a record, a record without an operation, and a job in which nothing was
    checked are failures.
    """

    def build_phase(self) -> None:
        """Create exports and checker."""
        self.failures: list[str] = []
        self._items: deque[LoaderItem] = deque()
        self._records: deque[OperationRecord] = deque()
        self.config: BenchConfig = self.cdb_get("CONFIG")
        self.checker = Checker(self.config, self.fail)
        self.outcomes: list[dict] = []
        self.item_export = _Export("item_export", self, self._add_item)
        self.record_export = _Export("record_export", self, self._add_record)
        self.problem_export = _Export("problem_export", self, self.fail)

    def fail(self, message: str) -> None:
        """Note a failure."""
        self.failures.append(message)
        self.logger.error(message[:400])

    def _add_item(self, item: LoaderItem) -> None:
        self._items.append(item)
        self._pair()

    def _add_record(self, record: OperationRecord) -> None:
        self._records.append(record)
        self._pair()

    def _pair(self) -> None:
        while self._items and self._records:
            item, record = self._items.popleft(), self._records.popleft()
            passed = self.checker.check(item, record)
            if item.name:
                self.outcomes.append(
                    {
                        "name": item.name,
                        "passed": passed,
                        "status": record.status_name,
                        "p": f"{record.p:#x}",
                        "s": f"{record.s:#x}",
                        "c": f"{record.c:#x}",
                        "message": "" if passed else self.failures[-1],
                    }
                )

    def check_phase(self) -> None:
        """Nothing may be left over, and something must have been checked."""
        self.checker.finish()
        for item in self._items:
            self.fail(f"{self.config.entry.name}: no record of an operation: {item}")
        for record in self._records:
            self.fail(
                f"{self.config.entry.name}: record without an operation "
                f"at {record.time_ns:.0f} ns: x={record.x:#x} y={record.y:#x} m={record.m:#x}"
            )
        if not self.checker.operations:
            self.fail("no operation was checked")
