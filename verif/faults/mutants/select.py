"""Which mutants a campaign takes."""

from __future__ import annotations

import random
from collections.abc import Sequence

from verif.faults.mutants.mutants import Mutant

# Each of them needs a build and a process of its own.
STATIC_SHARE = 0.08


def selected(mutants: Sequence[Mutant], count: int | None, seed: int) -> list[Mutant]:
    """``count`` of the mutants (all if None), from every file and operator by its share.

    The same for the same arguments; in the order of the text.
    """
    if count is None or count >= len(mutants):
        return list(mutants)
    static = [mutant for mutant in mutants if mutant.static]
    dynamic = [mutant for mutant in mutants if not mutant.static]
    few = min(len(static), round(count * STATIC_SHARE)) if dynamic else count
    taken = {m.id for m in _stratified(static, few, seed)}
    taken |= {m.id for m in _stratified(dynamic, count - few, seed)}
    return [mutant for mutant in mutants if mutant.id in taken]


def _stratified(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Every k-th of them, sorted by file and operator and in these at random."""
    rng = random.Random(f"{seed}/mutants")
    keyed = sorted((m.file, m.operator, rng.random(), m.id, m) for m in mutants)
    if count >= len(keyed):
        return [m for *_, m in keyed]
    start = rng.random()
    return [keyed[int((index + start) * len(keyed) / count)][-1] for index in range(count)]
