"""Coverage of the constants R**2 and m': what a start has of them, and what the next one has."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from models.bus.exponentiation_bus import M_PRIME, MODULUS, R_SQUARED, ExponentiationBus
from models.bus.loader_bus import BusModel
from verif.bench.coverage.covergroups import Covergroup

RIGHT, WRONG, NOT_SUPPLIED = "right", "wrong", "not supplied"
# What a host supplies of a constant.
SUPPLIES = (RIGHT, WRONG, NOT_SUPPLIED)
# A start that ends so has used the constants.
USED = ("OK", "CONSTANT_INCONSISTENT")


@dataclass(frozen=True)
class Supply:
    """What the host writes for a start, all else being right.

    Attributes:
        r_squared: one of :data:`SUPPLIES`.
        m_prime: likewise.
        modulus: M is written again, with the value that it has.
    """

    r_squared: str
    m_prime: str
    modulus: bool = False

    @property
    def nothing(self) -> bool:
        """Neither constant, and M stays."""
        return (self.r_squared, self.m_prime, self.modulus) == (NOT_SUPPLIED, NOT_SUPPLIED, False)

    @property
    def name(self) -> str:
        """For the next start."""
        written = "written again" if self.modulus else "kept"
        return f"R**2 {self.r_squared}, m' {self.m_prime}, M {written}"

    def after(self, *, kept: bool) -> str:
        """For a start that finds an R**2 of the one before, or none."""
        before = "kept" if kept else "gone"
        return f"R**2 {self.r_squared}, m' {self.m_prime}, R**2 of before {before}"


class ConstantCoverage:
    """Each way to keep or lose a constant, and each way to go on from there under the same M.

    Cores without a Montgomery domain ignore constants: there the groups are empty.

    Attributes:
        single: what a start is supplied with x whether an R**2 is kept.
        chains: that of one start x what the next is supplied with.
        way: what the last start was in :attr:`single`; empty if it did not get to its constants.

    Args:
        model: of the top.
    """

    def __init__(self, model: BusModel) -> None:
        self._supplies: list[Supply] = []
        if isinstance(model, ExponentiationBus) and model.facts.montgomery:
            of_m_prime = SUPPLIES if model.facts.m_prime_bits else SUPPLIES[2:]
            self._supplies = [Supply(*part) for part in product(SUPPLIES, of_m_prime)]
        ways = [s.after(kept=kept) for s in self._supplies for kept in (False, True)]
        if self._supplies:  # all that was kept is gone
            self._supplies.append(Supply(NOT_SUPPLIED, NOT_SUPPLIED, modulus=True))
        self.single = Covergroup(ways)
        self.chains = Covergroup(
            f"{way}; then {supply.name}" for way, supply in product(ways, self._supplies)
        )
        self.way = ""
        self._modulus = 0

    def sample(self, model: BusModel, command: str) -> None:
        """A start is granted to a model that does not know it yet."""
        if not isinstance(model, ExponentiationBus) or not self._supplies:
            return
        m, before, way = model.operands[MODULUS], model.operation, self.way
        self.way = ""
        if m.value % 2 == 0 or m.value < 3 or m.overwide:
            return
        supply = self.supply(model)
        self.single.sample(supply.after(kept=model.r_squared_kept))
        if model.ends(command, {}) not in USED:
            return
        follows = way and before and before.outcome.status in USED and m.value == self._modulus
        if follows and supply in self._supplies:
            self.chains.sample(f"{way}; then {supply.name}")
        self.way, self._modulus = supply.after(kept=model.r_squared_kept), m.value

    @staticmethod
    def supply(model: ExponentiationBus) -> Supply:
        """What is written for the next start, of constants that the core uses."""
        facts, operands = model.facts, model.operands
        m = operands[MODULUS].value
        kinds = []
        for select, right in ((R_SQUARED, facts.r_squared), (M_PRIME, facts.m_prime)):
            used = operands[select].supplied and (select == R_SQUARED or facts.m_prime_bits)
            kind = RIGHT if used and operands[select].value == right(m) else WRONG
            kinds.append(kind if used else NOT_SUPPLIED)
        return Supply(*kinds, modulus=operands[MODULUS].supplied)

    def missing_single(self, model: ExponentiationBus) -> list[Supply]:
        """What was not yet supplied with what is kept now."""
        return [
            supply
            for supply in self._supplies
            if not supply.modulus and not self.single.hits[supply.after(kept=model.r_squared_kept)]
        ]

    def missing_next(self, way: str) -> list[Supply]:
        """What did not yet follow on a start, by its name in :attr:`single`."""
        return [
            supply
            for supply in self._supplies
            if not self.chains.hits[f"{way}; then {supply.name}"]
        ]

    @property
    def complete(self) -> bool:
        """Nothing of the chains is missing."""
        return set(self.chains.goal) <= set(self.chains.hits)

    @property
    def supplies(self) -> list[Supply]:
        """All that a host can supply; none where constants are ignored."""
        return list(self._supplies)
