"""Prove mutants equivalent and store the proofs."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

from regress.core.context import Context
from verif.bench.configuration.design import ROOT
from verif.faults.mutants.design import Design
from verif.faults.mutants.equivalents import EQUIVALENTS, Equivalent, Key, keys, load, stale, store
from verif.faults.mutants.mutants import Mutant
from verif.faults.mutants.prove import Finding, Prover


def prove_all(
    mutants: Iterable[Mutant],
    design: Design,
    folder: Path,
    seconds: float,
    workers: int,
    note: Callable[[str], None],
    path: Path = EQUIVALENTS,
) -> dict[str, Finding]:
    """Try to prove mutants equivalent; store each proof at once and skip stored ones.

    So a second call continues after an interrupt.

    Args:
        mutants: mutants of the design.
        design: the design.
        folder: folder for files.
        seconds: limit of each attempt in each configuration.
        workers: number of parallel attempts.
        note: called with a line for each mutant.
        path: file of proofs to add to.

    Returns:
        The finding for each mutant, by id.
    """
    prover = Prover(design.hdl, design.elaborated, design.points(), folder / "prove", seconds)
    mutants = list(mutants)
    known = keys(design.all_mutants)
    before = proved_before(mutants, design, path)
    lock = threading.Lock()

    def attempt(mutant: Mutant) -> tuple[str, Finding]:
        if mutant.id in before:
            return mutant.id, before[mutant.id]
        finding = prover.source(mutant)
        what = "proved" if finding.proved else "broken" if finding.rejected else "not proved"
        with lock:
            if finding.proved:
                _add(path, known[mutant.id], finding)
            note(f"{what}  {mutant.id}  {mutant.change}  {finding.method}")
        return mutant.id, finding

    with ThreadPoolExecutor(workers) as pool:
        return dict(pool.map(attempt, mutants))


def proved_before(
    mutants: Iterable[Mutant], design: Design, path: Path = EQUIVALENTS
) -> dict[str, Finding]:
    """Return the findings of the mutants that have a stored proof, by id."""
    known, stored = keys(design.all_mutants), load(path)
    return {
        mutant.id: Finding(True, proof.configurations, proof.why)
        for mutant in mutants
        if (proof := stored.get(known[mutant.id]))
    }


def reprove(
    design: Design,
    folder: Path,
    seconds: float,
    workers: int,
    note: Callable[[str], None],
    path: Path = EQUIVALENTS,
) -> None:
    """Prove every stored equivalence again; the file keeps the ones that are proved.

    The file is written at the end, so an interrupt loses nothing.
    """
    stored = load(path)
    places = {key: name for name, key in keys(design.all_mutants).items()}
    known = {mutant.id: mutant for mutant in design.all_mutants}
    for entry in stale(stored, places):
        note(f"not in the design any more  {entry.place}:{entry.operator}  {entry.change}")
    again = folder / path.name
    store([], again)
    mutants = [known[places[key]] for key in stored if key in places]
    prove_all(mutants, design, folder, seconds, workers, note, again)
    shutil.copy(again, path)


def drop_stale(context: Context, path: Path = EQUIVALENTS) -> int:
    """Drop the proofs of changes that are not in the design; return their number."""
    known = load(path)
    gone = stale(known, keys(Design(context, ROOT / "hdl").all_mutants).values())
    store([proof for proof in known.values() if proof not in gone], path)
    return len(gone)


def _add(path: Path, key: Key, finding: Finding) -> None:
    place, operator, change, occurrence = key
    proof = Equivalent(
        place=place, operator=operator, change=change, occurrence=occurrence,
        configurations=finding.configurations, method=finding.method,
        date=datetime.now().date().isoformat(),
    )  # fmt: skip
    store({**load(path), key: proof}.values(), path)
