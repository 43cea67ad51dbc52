"""Coverage of the constants R**2 and m': those supplied for a start and for the next start."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from models.bus.exponentiation_bus import M_PRIME, MODULUS, R_SQUARED, ExponentiationBus
from models.bus.loader_bus import BusModel
from verif.bench.coverage.covergroups import Covergroup

RIGHT, WRONG, NOT_SUPPLIED = "right", "wrong", "not supplied"
# Ways in which a host supplies a constant.
SUPPLIES = (RIGHT, WRONG, NOT_SUPPLIED)
# A start with one of these statuses has used the constants.
USED = ("OK", "CONSTANT_INCONSISTENT")


@dataclass(frozen=True)
class Supply:
    """Constants that the host writes for a start; all operands are legal.

    Attributes:
        r_squared: one of :data:`SUPPLIES`.
        m_prime: one of :data:`SUPPLIES`.
        modulus: the host writes M again, with the same value.
    """

    r_squared: str
    m_prime: str
    modulus: bool = False

    @property
    def nothing(self) -> bool:
        """Whether the host writes neither a constant nor M."""
        return (self.r_squared, self.m_prime, self.modulus) == (NOT_SUPPLIED, NOT_SUPPLIED, False)

    @property
    def name(self) -> str:
        """Name of this supply for the next start."""
        written = "written again" if self.modulus else "kept"
        return f"R**2 {self.r_squared}, m' {self.m_prime}, M {written}"

    def after(self, *, kept: bool) -> str:
        """Return the name for a start; ``kept``: R**2 of the previous start is still kept."""
        before = "kept" if kept else "gone"
        return f"R**2 {self.r_squared}, m' {self.m_prime}, R**2 of before {before}"


class ConstantCoverage:
    """Covers each way to keep or lose a constant, and each next supply under the same M.

    Cores without a Montgomery domain ignore constants, so their groups are empty.

    Attributes:
        single: supply of a start x whether an R**2 is kept.
        chains: bin of a start in :attr:`single` x supply of the next start.
        way: bin of the last start in :attr:`single`; empty if it did not use its constants.

    Args:
        model: bus model of the top.
    """

    def __init__(self, model: BusModel) -> None:
        self._supplies: list[Supply] = []
        if isinstance(model, ExponentiationBus) and model.description.montgomery:
            of_m_prime = SUPPLIES if model.description.m_prime_bits else SUPPLIES[2:]
            self._supplies = [Supply(*part) for part in product(SUPPLIES, of_m_prime)]
        ways = [s.after(kept=kept) for s in self._supplies for kept in (False, True)]
        if self._supplies:  # writing M discards all kept constants
            self._supplies.append(Supply(NOT_SUPPLIED, NOT_SUPPLIED, modulus=True))
        self.single = Covergroup(ways)
        self.chains = Covergroup(
            f"{way}; then {supply.name}" for way, supply in product(ways, self._supplies)
        )
        self.way = ""
        self._modulus = 0

    def sample(self, model: BusModel, command: str) -> None:
        """Count a start; call it before the start is granted to the model."""
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
        """Return the constants written for the next start, of those that the core uses."""
        description, operands = model.description, model.operands
        m = operands[MODULUS].value
        kinds = []
        for address, right in ((R_SQUARED, description.r_squared), (M_PRIME, description.m_prime)):
            used = operands[address].supplied and (address == R_SQUARED or description.m_prime_bits)
            kind = RIGHT if used and operands[address].value == right(m) else WRONG
            kinds.append(kind if used else NOT_SUPPLIED)
        return Supply(*kinds, modulus=operands[MODULUS].supplied)

    def missing_single(self, model: ExponentiationBus) -> list[Supply]:
        """Return the supplies that are not yet covered with the constants kept now."""
        return [
            supply
            for supply in self._supplies
            if not supply.modulus and not self.single.hits[supply.after(kept=model.r_squared_kept)]
        ]

    def missing_next(self, way: str) -> list[Supply]:
        """Return the supplies not yet covered after a start with this bin of :attr:`single`."""
        return [
            supply
            for supply in self._supplies
            if not self.chains.hits[f"{way}; then {supply.name}"]
        ]

    @property
    def complete(self) -> bool:
        """Whether all bins of the chains are hit."""
        return set(self.chains.goal) <= set(self.chains.hits)

    @property
    def supplies(self) -> list[Supply]:
        """All possible supplies; empty if the core ignores constants."""
        return list(self._supplies)
