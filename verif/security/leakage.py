"""Fixed against random: does the number of toggles depend on a secret?"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from statistics import NormalDist

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

from regress.core.errors import UsageError
from verif.bench.configuration.design import EXPONENTIATION
from verif.library.lanes.bench import LaneBench
from verif.library.lanes.host import differing
from verif.library.lanes.machine import PINS, Observers, Ran, Words
from verif.library.lanes.uniform import DifferenceError, UniformOperations
from verif.security.blinding import Blinding, Values
from verif.security.configuration import DATA, EXPONENT, MODULUS, draw_operation

# Probability that a design without a leak is called leaking, all tests together.
FALSE_ALARM = 1e-3
SIGMAS = 5.0
BATCHES = 16
MAX_WIDTH = 64


def check_width(width: int) -> None:
    """Raise :class:`UsageError` if the values of a lane do not fit into 64 bits."""
    if width > MAX_WIDTH:
        raise UsageError(f"width {width}: accepted are widths up to {MAX_WIDTH}")


def square_free(modulus: int) -> bool:
    """Return True if no square above 1 divides a modulus: the core promises no leak for others."""
    return all(power == 1 for _, power in fmpz(modulus).factor())


@dataclass(frozen=True)
class Secret:
    """The value that is fixed in one class and random in the other.

    Attributes:
        address: the operand.
        design: that has it.
        one_bit: not the whole operand: the classes differ in its middle bit alone.
    """

    address: int
    design: str
    one_bit: bool = False


SECRETS: Mapping[str, Secret] = {
    "exponent": Secret(EXPONENT, EXPONENTIATION.name),
    "bit": Secret(EXPONENT, EXPONENTIATION.name, one_bit=True),
    "base": Secret(DATA, EXPONENTIATION.name),
    "operand": Secret(0, "multiplier"),
}


@dataclass
class Counts:
    """Sums over traces.

    Attributes:
        traces: of each class.
        toggles: toggles by class, cycle and register.
        distances: sum of a group's toggles, and of their squares, by class, group and cycle; the
            first group has all registers, each other group those of one module.
        weights: these sums for the bits that are 1.
        differing: lanes whose register differs from that of another lane, by cycle and register.
    """

    traces: NDArray[np.int64]
    toggles: NDArray[np.uint32]
    distances: NDArray[np.int64]
    weights: NDArray[np.int64]
    differing: NDArray[np.uint32]

    def add(self, other: Counts) -> None:
        """Add the counts of more traces."""
        for field in fields(self):
            sums = getattr(self, field.name)
            sums += getattr(other, field.name)


class LeakageCampaign:
    """Traces of one shape of operation; every answer of every lane is compared.

    Args:
        bench: the design, of at most 64 bits.
        secret: value in which the classes differ.
        seed: seed of every random choice.
        jobs: threads.
        bit: the bit of a secret of one bit; default: the middle bit.
        blind: the host blinds exponent and base.

    Raises:
        DifferenceError: an operation does not end as predicted.
    """

    def __init__(
        self,
        bench: LaneBench,
        secret: Secret,
        seed: int,
        jobs: int,
        bit: int | None = None,
        *,
        blind: bool = False,
    ) -> None:
        self._bench, self._secret, self._seed = bench, secret, seed
        self._bit = np.uint64(1 << (bench.width // 2 if bit is None else bit))
        rng = random.Random(seed)
        operation = draw_operation(bench, rng)
        while not square_free(operation.operands[MODULUS][0]):
            operation = draw_operation(bench, rng)
        self._blinding = Blinding.draw(bench.width, rng) if blind else None
        if self._blinding:
            operation.operands[MODULUS][0] = self._blinding.modulus
            operation.operands[DATA][0] %= self._blinding.modulus
        # S and C are the model's, bit by bit: gmpy2 compares the result alone. The operation after
        # the reset reads them, too.
        self._leader = replace(operation, reads=(0,))
        self._fixed = draw_operation(bench, rng).operands[secret.address][0]
        if secret.address != EXPONENT:
            self._fixed %= self._leader.operands[MODULUS][0]
        if self._blinding:
            self._fixed = self._unblinded(np.random.default_rng(seed), 1)[secret.address][0]
        benches = [bench]
        benches += [replace(bench, machine=bench.machine.another()) for _ in range(jobs - 1)]
        for index, each in enumerate(benches):
            each.machine.randomise(np.random.default_rng([seed, index]))
        self._workers = [
            (each, UniformOperations(each, self._leader, operation)) for each in benches
        ]

    @property
    def cycles(self) -> int:
        """Cycles of a trace: loading, operation, reading."""
        return self._workers[0][1].planned.program.cycles

    @property
    def window(self) -> range:
        """Cycles of the operation itself; with the first idle one, to which its last edge leads."""
        (phase,) = self._workers[0][1].planned.phases
        return range(phase.start + 1, phase.last + 2)

    def run(self, traces: int, *, null: bool) -> Counts:
        """Count toggles.

        Args:
            traces: least number of traces; only full batches run.
            null: both classes are random, so that every difference is chance.

        Raises:
            DifferenceError: a lane's answer is wrong.
        """
        lanes = self._bench.machine.lanes * BATCHES
        parts = -(-traces // lanes)
        shares = [range(i, parts, len(self._workers)) for i in range(len(self._workers))]
        with ThreadPoolExecutor(len(self._workers)) as pool:
            pairs = zip(self._workers, shares, strict=True)
            found = list(pool.map(lambda pair: self._share(*pair, null), pairs))
        for other in found[1:]:
            found[0].add(other)
        return found[0]

    def _share(
        self, worker: tuple[LaneBench, UniformOperations], parts: range, null: bool
    ) -> Counts:
        bench, uniform = worker
        registers = len(bench.machine.registers)
        groups = [range(registers), *bench.modules().values()]
        counts = Counts(
            np.zeros(2, np.int64),
            np.zeros((2, self.cycles, registers), np.uint32),
            np.zeros((2, len(groups), self.cycles, 2), np.int64),
            np.zeros((2, len(groups), self.cycles, 2), np.int64),
            np.zeros((self.cycles, registers), np.uint32),
        )
        for part in parts:
            rng = np.random.default_rng([self._seed, int(null), part])
            classes = rng.integers(0, 2, BATCHES * bench.machine.lanes).astype(np.bool_)
            operands = self._operands(rng, classes, null)
            results = {0: self._results(operands)}
            observers = Observers(
                toggles=counts.toggles,
                differing=counts.differing,
                groups=groups,
                distances=counts.distances,
                weights=counts.weights,
                classes=classes.reshape(BATCHES, -1),
            )
            ran = uniform.run_unchecked(uniform.words(operands), observers)
            _check(bench, ran, uniform.answers(results))
            counts.traces += np.bincount(classes, minlength=2)
        return counts

    def _operands(
        self, rng: np.random.Generator, classes: NDArray[np.bool_], null: bool
    ) -> dict[int, Values]:
        modulus = self._leader.operands[MODULUS][0]
        found: dict[int, Values] = {}
        for address in self._leader.operands:
            if address == MODULUS:
                found[address] = np.full(len(classes), modulus, np.uint64)
            else:
                bound = self._bench.design.bound(address, self._bench.width, modulus)
                found[address] = rng.integers(0, bound - 1, len(classes), np.uint64, endpoint=True)
        if self._blinding:
            found |= self._unblinded(rng, len(classes))
        values = found[self._secret.address]
        if not null and self._secret.one_bit:
            bit = self._bit
            found[self._secret.address] = np.where(classes, values | bit, values & ~bit)
        elif not null:
            values[classes] = self._fixed
        if self._blinding:
            found[EXPONENT] = self._blinding.exponent(found[EXPONENT], rng)
            found[DATA] = self._blinding.base(found[DATA], rng)
        return found

    def _unblinded(self, rng: np.random.Generator, count: int) -> dict[int, Values]:
        assert self._blinding is not None
        exponents = self._blinding.exponents(rng, count)
        return {EXPONENT: exponents, DATA: self._blinding.units(rng, count)}

    def _results(self, operands: Mapping[int, Values]) -> Sequence[int]:
        columns = (operands[address].tolist() for address in range(3))
        core = self._bench.made.core
        return self._bench.design.results(core, self._bench.width, zip(*columns, strict=True))


def _check(bench: LaneBench, ran: Ran, answers: Words) -> None:
    """Demand the predicted answers, and the predicted pins in every cycle."""
    for pin, name in enumerate(PINS):
        lanes = int(ran.wrong[:, :, pin].sum())
        if lanes:
            cycle = min(first for first in ran.first[:, pin] if first >= 0)
            raise DifferenceError(
                f"{name} of {bench.recipe.top} is not as predicted in {lanes:,} of "
                f"{ran.wrong[:, 0, 0].size:,} lanes, first in cycle {cycle}: "
                "the time of an operation depends on its operands"
            )
    if wrong := int(differing(ran, answers).sum()):
        raise DifferenceError(f"{bench.recipe.top}: {wrong:,} lanes have a wrong answer")


def proportion_scores(counts: Counts) -> NDArray[np.float64]:
    """z of a test of two proportions for each cycle and register; 0 where nothing ever toggles."""
    n0, n1 = (float(n) for n in counts.traces)
    p0, p1 = counts.toggles[0] / n0, counts.toggles[1] / n1
    pooled = (counts.toggles[0].astype(np.float64) + counts.toggles[1]) / (n0 + n1)
    variance = pooled * (1 - pooled) * (1 / n0 + 1 / n1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 0, (p1 - p0) / np.sqrt(variance), 0.0)


def group_scores(
    traces: NDArray[np.int64], sums: NDArray[np.int64], sigma: float
) -> NDArray[np.float64]:
    """Return Welch's t of each group's sum in each cycle, [groups][cycles].

    Args:
        traces: of each class.
        sums: :attr:`Counts.distances` or :attr:`Counts.weights`.
        sigma: sigma of a measurement's noise in bits; its square is added to both variances.
    """
    n = traces.astype(np.float64)[:, np.newaxis, np.newaxis]
    mean = sums[..., 0] / n
    variance = np.maximum(sums[..., 1] / n - mean**2, 0) + sigma**2
    error = np.sqrt((variance / n).sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, (mean[1] - mean[0]) / error, 0.0)


def corrected_limit(tests: int) -> float:
    """Return the score that chance exceeds in any of the tests with :data:`FALSE_ALARM`."""
    return -NormalDist().inv_cdf(FALSE_ALARM / max(tests, 1) / 2)


def negative_log10_p(score: float) -> float:
    """-log10 of the two-sided probability of a score under chance alone."""
    z = abs(score)
    if z < 30:
        return max(0.0, -math.log10(math.erfc(z / math.sqrt(2))))
    return z * z / 2 / math.log(10) + math.log10(z * math.sqrt(math.pi / 2))


def traces_needed(score: float, traces: int) -> int:
    """Return the number of traces at which the score reaches five sigma; 0: not visible."""
    return math.ceil(traces * (SIGMAS / score) ** 2) if abs(score) > SIGMAS else 0
