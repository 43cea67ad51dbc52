"""Coverage of illegal starts: each single fault of the operands, and each pair of lines.

A line is a line of the status table in hdl/docs/interface.md.
"""

from __future__ import annotations

from models.bus.loader_bus import BusModel
from models.bus.start_defects import (
    IGNORED,
    KEPT,
    Target,
    by_others,
    can_be_alone,
    defects,
    in_order,
    possible_defects,
    possible_pairs,
)
from verif.bench.coverage.covergroups import Covergroup


class DefectCoverage:
    """Counts starts with a single fault and with faults of two lines.

    Args:
        model: bus model of the top.
    """

    def __init__(self, model: BusModel) -> None:
        self._possible = list(possible_defects(model))
        self._pairs = possible_pairs(model)
        self.single = Covergroup(map(str, self._possible))
        self.pairs = Covergroup(map(" and ".join, self._pairs))

    def sample(self, model: BusModel, command: str) -> None:
        """Count a start; call it before the start is granted to the model."""
        if command == "START_BINARY":  # this start has another status table
            return
        found = defects(model, command)
        judged = [defect for defect in found if defect.how != IGNORED]
        if len(judged) == 1:
            self.single.sample(str(judged[0]))
        if not judged:
            for defect in found:
                self.single.sample(str(defect))
        lines = {defect.line for defect in judged}
        if len(lines) == 2:
            self.pairs.sample(" and ".join(in_order(tuple(lines))))

    def missing(self, model: BusModel) -> list[Target]:
        """Return targets that are not yet covered and possible now: faults, or lines of a pair.

        Faults of kept operands that exist now come first. A kept fault is also possible if only M
        or Length must be written for it. For any other kept fault, the result has the same fault
        as a written one, so that it is kept for the next start.
        """
        now = {defect for defect in defects(model, "START") if defect.how in (KEPT, IGNORED)}
        missing = [defect for defect in self._possible if not self.single.hits[str(defect)]]
        chances = [d for d in missing if d in now and can_be_alone(model, d)]
        if chances:
            return [(defect,) for defect in chances]
        later = {
            (defect.line, defect.operand)
            for defect in missing
            if defect.how in (KEPT, IGNORED) and not by_others(model, defect)
        }
        found = [
            defect
            for defect in self._possible
            if (defect in missing and (defect.line, defect.operand) not in later)
            or (defect.how not in (KEPT, IGNORED) and (defect.line, defect.operand) in later)
        ]
        pairs = [pair for pair in self._pairs if not self.pairs.hits[" and ".join(pair)]]
        return [*((defect,) for defect in found), *pairs]
