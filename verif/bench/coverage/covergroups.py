"""Functional coverage, measured in the hardware and sampled once per operation.

The project does not use cocotb-coverage, because it evaluates every bin in Python for every sample.
Here the 256 address transitions of one operation arrive as one integer, and one OR merges them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, ClassVar

from verif.bench.agent.front_model import front_model
from verif.bench.agent.records import OperationRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.legal import configuration_classes

if TYPE_CHECKING:
    from verif.bench.coverage.front import FrontCoverage


@dataclass(frozen=True)
class Stimulus:
    """The tests that reach some bins.

    Attributes:
        groups: pattern of group names.
        bins: pattern of bin names.
        tests: names of :data:`verif.bench.configuration.tests_by_name.TESTS`, the likeliest first.
        operands: operand values reach these bins, not events on the bus; the registry entry may
            compute such values (see :meth:`models.coverage.Coverage.rare_operands`).
    """

    groups: str
    bins: str
    tests: tuple[str, ...]
    operands: bool = False

    def reaches(self, group: str, bin_name: str) -> bool:
        """Return whether these tests can hit a bin."""
        return fnmatchcase(group, self.groups) and fnmatchcase(bin_name, self.bins)


class Covergroup:
    """Named bins with hit counts and the bins that must be hit.

    Args:
        goal: bins that count towards the group's percentage; other bins are only reported.
    """

    def __init__(self, goal: Iterable[str] = ()) -> None:
        """Create a group without hits."""
        self.goal = tuple(goal)
        self.hits: Counter[str] = Counter()

    @property
    def reach(self) -> tuple[str, ...]:
        """The required bins that a job of this configuration can hit."""
        return self.goal

    def sample(self, bin_name: str) -> None:
        """Count one hit."""
        self.hits[bin_name] += 1

    def as_dict(self) -> dict[str, Any]:
        """Return the form stored in results: ``{"bins": {name: hits}, "goal": [names]}``."""
        return {"bins": dict(sorted(self.hits.items())), "goal": list(self.goal)}


class HitVector:
    """A covergroup whose samples are bit vectors from the hardware; bins count as hit or not."""

    def __init__(self, names: dict[int, str], goal: Iterable[str]) -> None:
        """Create a group without hits.

        Args:
            names: bin name of each bit position; another bit gets the name "unexpected bit <i>".
            goal: bins that must be hit.
        """
        self._names = names
        self._goal = tuple(goal)
        self._seen = 0

    @property
    def reach(self) -> tuple[str, ...]:
        """The required bins that a job of this configuration can hit."""
        return self._goal

    def sample(self, vector: int) -> None:
        """Merge one operation's hits."""
        self._seen |= vector

    def as_dict(self) -> dict[str, Any]:
        """Return the form of :meth:`Covergroup.as_dict`, with one hit for every observed bit."""
        bits = (i for i in range(self._seen.bit_length()) if self._seen >> i & 1)
        return {
            "bins": {self._names.get(i, f"unexpected bit {i}"): 1 for i in bits},
            "goal": list(self._goal),
        }


def modulus_class(m: int, width: int) -> str:
    """Return the class of a modulus of an n-bit multiplier, for crosses and stimulus."""
    if m <= 1:
        return "zero_or_one"
    if m == 3:
        return "three"
    if m == (1 << width) - 1:
        return "all_ones"
    if m == (1 << (width - 1)) + 1:
        return "top_bit_plus_one"
    if m % 2 == 0:
        return "even"
    return "full" if m >> (width - 1) else "leading_zeros"


def operand_class(value: int, m: int) -> str:
    """Return the class of an operand relative to the modulus."""
    if value == 0:
        return "zero"
    if value == 1:
        return "one"
    if value >= m:
        return "not_reduced"
    if value == m - 1:
        return "m_minus_1"
    if value & (value - 1) == 0:
        return "one_hot"
    if value & (value + 1) == 0:
        return "all_ones"
    return "odd" if value & 1 else "even"


class ConfigurationGroup(HitVector):
    """The classes of a job's configuration; see :mod:`verif.bench.configuration.drawn`."""

    def __init__(self, config: BenchConfig) -> None:
        """Make every class a goal: a list that names this group draws configurations.

        The derived classes count in drawn configurations only, because slang takes a tenth of a
        second to find them.
        """
        values = config.job.point["parameters"]
        classes = configuration_classes(config.design, config.entry, config.width, values)
        if config.job.drawn:
            from verif.bench.configuration.derived import derived_classes
            from verif.bench.configuration.explored import goal

            own = derived_classes(config.design, config.entry, config.width, values)
            classes |= {name: name in own for name in goal(config.design, config.entry.name)}
        super().__init__(dict(enumerate(classes)), classes)
        self._own = sum(of << bit for bit, of in enumerate(classes.values()))
        self._reach = tuple(name for name, of in classes.items() if of)

    @property
    def reach(self) -> tuple[str, ...]:
        """The classes of this configuration."""
        return self._reach

    def operation(self) -> None:
        """Count an operation of this configuration."""
        self.sample(self._own)


class CoverageModel(ABC):
    """All covergroups of one design; independent of any simulator.

    Attributes:
        stimuli: which tests reach which bins; the first entry that matches a bin counts.
        vectors: groups whose bins are bits measured in the hardware, by name.
        groups: groups counted in Python, by name.
        front: coverage of the accesses of a front; None without a front.
        front_groups: its group, by name.
        inside: those of ``groups`` that need signals inside the design, as all ``vectors`` do.
    """

    stimuli: ClassVar[tuple[Stimulus, ...]]
    inside: ClassVar[tuple[str, ...]] = ()

    def __init__(self, config: BenchConfig) -> None:
        """Derive groups and goals from the job's registry entry and width."""
        self._drawn = config.job.drawn
        self.configuration = ConfigurationGroup(config)
        self.front: FrontCoverage | None = None
        self.front_groups: dict[str, Covergroup] = {}
        if config.front:
            # Import here to avoid a cycle: this coverage is made of groups.
            from verif.bench.coverage.front import FrontCoverage

            name = f"{config.design.group_prefix}front_{config.front}_access"
            self.front = FrontCoverage(front_model(config))
            self.front_groups[name] = self.front.group
        self._window = config.window
        self.vectors: dict[str, HitVector] = {}
        self.groups: dict[str, Covergroup] = {}

    @abstractmethod
    def sample(self, record: OperationRecord) -> None:
        """Sample one operation's record."""

    def as_dict(self) -> dict[str, dict[str, Any]]:
        """Return every group in the form stored in results.

        A group that cannot be counted has neither bins nor goals, so that a list may name it as a
        goal and still run on netlists.
        """
        left_out = set(self.left_out)
        found = {}
        for name, group in sorted({**self.vectors, **self.groups}.items()):
            found[name] = group.as_dict()
            if name in left_out:
                found[name] = {"bins": {}, "goal": []}
            elif self._drawn and group is not self.configuration:
                found[name]["goal"] = []
        return found

    @property
    def left_out(self) -> list[str]:
        """Groups that cannot be counted: in a black box, those that need signals inside it."""
        return [] if self._window else sorted({*self.vectors, *self.inside})
