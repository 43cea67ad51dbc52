"""Select the mutants of a campaign."""

from __future__ import annotations

import random
from collections.abc import Sequence

from verif.faults.mutants.mutants import Mutant

# Share of static mutants; each of them needs its own build and process.
STATIC_SHARE = 0.08


def selected(mutants: Sequence[Mutant], count: int | None, seed: int) -> list[Mutant]:
    """Return ``count`` mutants (all if None), from every file and operator in proportion.

    The result depends only on the arguments and is in the order of the text.
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
    """Return every k-th mutant, sorted by file and operator, and at random within these."""
    rng = random.Random(f"{seed}/mutants")
    keyed = sorted((m.file, m.operator, rng.random(), m.id, m) for m in mutants)
    if count >= len(keyed):
        return [m for *_, m in keyed]
    start = rng.random()
    return [keyed[int((index + start) * len(keyed) / count)][-1] for index in range(count)]
