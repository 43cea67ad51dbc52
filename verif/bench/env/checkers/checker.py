"""Checks of every operation through a loader bus, common to all designs."""

from __future__ import annotations

from abc import abstractmethod

from models.independent import ERROR_CODES, STATUS_CODES
from models.status import BusError, Status
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.item import LoaderItem
from verif.bench.agent.records import OperationRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.env.checkers.mismatch import mismatch
from verif.bench.env.checkers.plugin import Fail, PairChecker

# If this number of operations asked for wait states, at least one wait state must be observed.
ENOUGH_STALLS = 8


def subtraction_flags(total: int, m: int) -> tuple[bool, bool]:
    """Return the flags that the adder must report when it reduces ``total`` modulo ``m``.

    Returns:
        (the last conditional subtraction was taken, a subtraction gave exactly zero).
    """
    quotient, remainder = divmod(total, m)
    return quotient % 2 == 1, quotient > 0 and remainder == 0


class Checker(PairChecker):
    """Compares operations with their records; a subclass adds the checks of its design.

    Args:
        config: the job.
        fail: called for every mismatch, with one line and, if an operation is concerned, its time.
    """

    def __init__(self, config: BenchConfig, fail: Fail) -> None:
        """Create the checker for ``config``."""
        super().__init__(config, fail)
        self.bus = bus_map(config)
        self._stalls_asked = {False: 0, True: 0}  # by word_by_word
        self._stalls_seen = {False: 0, True: 0}

    @abstractmethod
    def carried(self, item: LoaderItem, record: OperationRecord) -> bool:
        """Whether the bus carried the operands and the start of ``item``."""

    @abstractmethod
    def expected_status(self, item: LoaderItem, record: OperationRecord) -> Status:
        """Return the status that the operation must end with when every operand is complete."""

    @abstractmethod
    def stated_status(self, item: LoaderItem, record: OperationRecord) -> str | None:
        """Return the name of this status by :mod:`models.independent`; None for unknown cores."""

    @abstractmethod
    def expected_cycles(self, item: LoaderItem, record: OperationRecord, expected: Status) -> int:
        """Return the busy cycles by the formula."""

    @abstractmethod
    def design_problems(
        self, item: LoaderItem, record: OperationRecord, expected: Status
    ) -> list[str]:
        """Return the errors in the results."""

    @abstractmethod
    def window_problems(
        self, item: LoaderItem, record: OperationRecord, expected: Status
    ) -> list[str]:
        """Return the errors observed inside the design; not called for a black box."""

    @abstractmethod
    def reference(self, item: LoaderItem, name: str) -> tuple[str, int]:
        """Return the reference and its value of a result that a vector gives: (name, value)."""

    def check(self, item: LoaderItem, record: OperationRecord) -> bool:
        """Compare one operation with its record; return whether all immediate checks passed."""
        self.operations += 1
        self.cycles += record.busy_cycles
        self._stalls_asked[item.word_by_word] += item.stall > 0
        self._stalls_seen[item.word_by_word] += record.stalled
        problems: list[str] = []

        if not self.carried(item, record) or record.command != item.command:
            problems.append(
                f"the bus carried {self.operands_text(record)}: a word was lost, doubled or changed"
            )
        if record.lost:
            problems.append(f"{record.lost} operations started without being read")
        expected = (
            Status.OPERAND_INCOMPLETE if item.incomplete else self.expected_status(item, record)
        )
        if item.rejected and record.status in (Status.OK, Status.RAW):
            legal = "" if expected not in (Status.OK, Status.RAW) else ": the operands are legal"
            problems.append(f"accepted, the vector expects a rejection{legal}")
        if not record.status_seen:
            problems.append("no status was read")
        elif record.status != expected:
            problems.append(f"status {record.status_name}, expected {expected.name}")
        problems += self._status_problems(item, record)

        cycles = self.expected_cycles(item, record, expected)
        if record.busy_cycles != cycles:
            problems.append(f"busy for {record.busy_cycles} cycles, the formula says {cycles}")
        problems += self._transfer_problems(item, record, expected)
        problems += self.design_problems(item, record, expected)
        if self.config.window:
            problems += self.window_problems(item, record, expected)
        problems += self._vector_problems(item, record)
        if item.judge and expected is Status.OK:
            verdict = item.judge(getattr(record, self.bus.results[0].name))
            if verdict is not None:
                problems.append(verdict)

        for problem in problems:
            self.fail(f"{self.where(item, record)}: {problem}", record.time_ns)
        return not problems

    def _status_problems(self, item: LoaderItem, record: OperationRecord) -> list[str]:
        """Check the status a second time, by a model independent of the registry and the RTL."""
        name = "OPERAND_INCOMPLETE" if item.incomplete else self.stated_status(item, record)
        if name is None or not record.status_seen or record.status == STATUS_CODES[name]:
            return []
        return [
            f"status code {record.status}, by the written interface it is {STATUS_CODES[name]} "
            f"({name})"
        ]

    def _vector_problems(self, item: LoaderItem, record: OperationRecord) -> list[str]:
        """Report results that differ from the vector, and which of the two is wrong."""
        problems = []
        for name, value in item.expected.items():
            seen = getattr(record, name)
            if seen == value:
                continue
            judge, right = self.reference(item, name)
            if right == value:
                verdict = f"{judge} agrees with the vector"
            elif right == seen:
                verdict = f"{judge} agrees with the hardware: the vector is wrong"
            else:
                verdict = f"{judge} agrees with neither"
            problems.append(f"{mismatch(name, seen, 'the vector says', value)}; {verdict}")
        return problems

    def _transfer_problems(
        self, item: LoaderItem, record: OperationRecord, expected: Status
    ) -> list[str]:
        problems: list[str] = []
        results = self.bus.results
        read = [getattr(record, f"{result.name}_words") for result in results]
        words = [result.words if expected in result.after else 0 for result in results]
        if read != words:
            names = ", ".join(result.name.upper() for result in results)
            problems.append(f"result missing or doubled: {read} words of {names}, expected {words}")
        errors = [d.error for d in item.disturbances if d.error]
        if record.rejected != len(errors):
            problems.append(f"{record.rejected} transfers rejected during the operation")
        last = errors[-1] if errors else BusError.NONE
        if record.bus_error != last or record.bus_error != ERROR_CODES[BusError(last).name]:
            problems.append(f"bus error field is {record.bus_error}")
        if record.protocol_broken:
            problems.append("acknowledge without request, for two cycles running, or in reset")
        return problems

    def operands_text(self, record: OperationRecord) -> str:
        """Return the operands and the command of a record, for messages."""
        names = [operand.name for operand in self.bus.operands]
        text = " ".join(f"{name}={getattr(record, name):#x}" for name in names)
        return f"{text} started with {record.command}"

    def finish(self) -> None:
        """See :class:`verif.bench.env.checkers.plugin.CheckerPlugin`."""
        self.flush()
        for word_by_word, asked in self._stalls_asked.items():
            if asked >= ENOUGH_STALLS and not self._stalls_seen[word_by_word]:
                how = "word-by-word" if word_by_word else "transactor"
                self.fail(f"{asked} {how} operations asked for wait states, but none occurred")

    def where(self, item: LoaderItem, record: OperationRecord) -> str:
        """Return the prefix of a failure message: configuration, time and operation."""
        name = f" {item.name}" if item.name else ""
        return (
            f"{self.config.entry.name} {self.config.width} bits{name} "
            f"at {record.time_ns:.0f} ns: {item}"
        )
