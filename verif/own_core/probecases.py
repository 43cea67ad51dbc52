"""The pyuvm test that measures what a core does: operations by name, and what came of each."""

from __future__ import annotations

from pathlib import Path

import pyuvm

from regress.core.cases import Case, CaseStatus
from verif.own_core.draw import Operation
from verif.own_core.testcases import MOST_HANGS, BlackBoxSequence, CheckTest


class ProbeSequence(BlackBoxSequence):
    """Runs the operations of each case; nothing is right or wrong here."""

    async def body(self) -> None:
        """Write down result and clocks of each operation; nothing of one that did not end."""
        for case in self.config.job.cases:
            seen: list[list[str]] = []
            for values in case["operations"]:
                if self._trial.hung >= MOST_HANGS:
                    seen.append([])
                    continue
                outcome = await self._trial.run(Operation.read(values))
                ended = outcome.record is not None
                seen.append([hex(outcome.result or 0), str(outcome.clocks)] if ended else [])
            note = f"{len(seen)} operations"
            facts = {"seen": seen}
            Case(case["name"], CaseStatus.PASSED, note=note, facts=facts).append(Path())


@pyuvm.test()
class ProbeTest(CheckTest):
    """Measures instead of checking."""

    sequence = ProbeSequence
