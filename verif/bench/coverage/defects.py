"""Coverage of illegal starts: each thing that can be wrong alone, and each pair of two."""

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
    """Which single defects and which pairs of lines starts had.

    Args:
        model: of the top.
    """

    def __init__(self, model: BusModel) -> None:
        self._possible = list(possible_defects(model))
        self._pairs = possible_pairs(model)
        self.single = Covergroup(map(str, self._possible))
        self.pairs = Covergroup(map(" and ".join, self._pairs))

    def sample(self, model: BusModel, command: str) -> None:
        """A start is granted to a model that does not know it yet."""
        if command == "START_BINARY":  # another table
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
        """What was not yet and could be made now: defects or the lines of a pair.

        What must have been there before is there now, or only M or Length must be written for it;
        else it is written, so that it is there for the next start. What is there now comes first.
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
