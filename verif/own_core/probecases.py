"""The pyuvm test that measures a core: it runs named operations and records their outcomes."""

from __future__ import annotations

import time
from pathlib import Path

import pyuvm

from regress.core.cases import Case, CaseStatus
from verif.own_core.draw import Operation
from verif.own_core.project import NOTED
from verif.own_core.testcases import MOST_HANGS, BlackBoxSequence, CheckTest

# After this time no further operations start, so that the measurements so far are not lost.
MOST_SECONDS = 300.0


class ProbeSequence(BlackBoxSequence):
    """Runs the operations of each case without checking the results."""

    async def body(self) -> None:
        """Record result and cycles of each operation, or nothing if it did not end."""
        end = time.perf_counter() + MOST_SECONDS
        for case in self.config.job.cases:
            seen: list[list[str]] = []
            for values in case["operations"]:
                if self._trial.hung >= MOST_HANGS or time.perf_counter() > end:
                    break
                outcome = await self._trial.run(Operation.read(values))
                ended = outcome.record is not None
                seen.append([hex(outcome.result or 0), str(outcome.cycles)] if ended else [])
            Case(
                case["name"],
                CaseStatus.PASSED,
                note=self._note(time.perf_counter() > end) or f"{len(seen)} operations",
                facts={"seen": seen},
            ).append(Path())

    def _note(self, late: bool) -> str:
        trial, first = self._trial, self.config.cycle_limit
        notes = []
        if trial.limit != first and trial.all_cycles:
            notes.append(
                f"the limit of {first} cycles was raised: operations take up to "
                f"{trial.all_cycles[1]}"
            )
        if trial.hung:
            notes.append(f"{trial.hung} operations did not end within {trial.limit} cycles")
        if late:
            notes.append(f"not all operations were run within {MOST_SECONDS:g} s")
        return NOTED + "; ".join(notes) if notes else ""


@pyuvm.test()
class ProbeTest(CheckTest):
    """Measures the core instead of checking it."""

    sequence = ProbeSequence
