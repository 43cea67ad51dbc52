"""Recorded proofs of configurations, and the tables of the page that show them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from models.registry import hardware_architectures
from verif.bench.configuration.design import MULTIPLIER, ROOT
from verif.formal.theorems.configuration import THEORIES
from verif.formal.theorems.jobs import read_outcome, write_outcome
from verif.formal.theorems.ladder import THEORIES as LADDER_THEORIES
from verif.formal.theorems.prove import Outcome

# One configuration a line; a configuration that is proved again takes the place of its line.
RECORDED = Path(__file__).with_name("recorded.jsonl")
PAGE = ROOT / "verif" / "docs" / "proof.md"
TABLE, LADDERS = "<!-- table: proved -->", "<!-- table: ladders -->"
HEAD = (
    "| Configuration | Registers | Gates | Netlist: slang, Yosys | Fast check: Python | "
    "A, N and U: {coq} | G: Yices | B, C, R, F and U for every n: {coq} | Commit |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---|",
)
LADDER_HEAD = (
    "| Configuration | H: Yices | S, K and L for every n: {coq} | Commit |",
    "|---|---:|---:|---|",
)
# Cores with a theorem about their products come first.
ARCHITECTURES = list(dict.fromkeys((*THEORIES, *hardware_architectures())))


def read_recorded(path: Path = RECORDED) -> list[Outcome]:
    """Return the recorded outcomes in the order of the table."""
    if not path.exists():
        return []
    return [read_outcome(json.loads(line)) for line in path.read_text().splitlines()]


def add_recorded(found: Iterable[Outcome], commit: str, path: Path = RECORDED) -> list[Outcome]:
    """Add outcomes of a commit to the recorded ones; return all of them.

    A proof that was only found kept does not replace its recorded seconds.
    """
    known = {outcome.name: outcome for outcome in read_recorded(path)}
    for outcome in found:
        if not (outcome.kept and outcome.name in known):
            known[outcome.name] = outcome.of(commit)
    every = sorted(known.values(), key=_place)
    path.write_text("".join(f"{json.dumps(write_outcome(outcome))}\n" for outcome in every))
    return every


def _place(of: Outcome) -> tuple[bool, int, int, str]:
    architecture = ARCHITECTURES.index(of.architecture)
    return of.design != MULTIPLIER.name, architecture, of.width, of.name


def page_tables(found: Iterable[Outcome]) -> dict[str, str]:
    """Return the tables of the page as Markdown, by their marks."""
    every = list(found)
    products = [outcome for outcome in every if outcome.design == MULTIPLIER.name]
    ladders = [outcome for outcome in every if outcome.design != MULTIPLIER.name]
    return {TABLE: proved_table(products), LADDERS: ladder_table(ladders)}


def ladder_table(found: Iterable[Outcome]) -> str:
    """Return the table of ladders: configuration × lemma × seconds × tool."""

    def row(outcome: Outcome) -> str:
        theories = {name: outcome.theories[name] for name in LADDER_THEORIES}
        return f"{_lemmas(outcome)} | {_theories(theories)}"

    return _table(LADDER_HEAD, found, row)


def proved_table(found: Iterable[Outcome]) -> str:
    """Return the table of products: configuration × lemma × seconds × tool."""

    def row(outcome: Outcome) -> str:
        seconds = outcome.seconds
        return (
            f"{outcome.registers} | {outcome.gates} | {seconds['elaborate']:.1f} | "
            f"{seconds['truth tables']:.1f} | {seconds['Coq']:.1f} | {_lemmas(outcome)} | "
            f"{_theories(outcome.theories)}"
        )

    return _table(HEAD, found, row)


def _table(head: Sequence[str], found: Iterable[Outcome], row: Callable[[Outcome], str]) -> str:
    """Return a table as Markdown; empty without outcomes."""
    found = list(found)
    if not found:
        return ""
    coq = " or ".join(sorted({outcome.tool for outcome in found})) or "Coq"
    lines = [line.format(coq=coq) for line in head]
    lines += [f"| `{one.name}` | {row(one)} | {one.commit[:8]} |" for one in found]
    return "\n".join(lines) + "\n"


def _lemmas(outcome: Outcome) -> str:
    """Return the seconds of the lemmas; a core alone has none."""
    seconds = outcome.lemma_seconds
    return "core alone" if seconds is None else f"{seconds:.1f}"


def _theories(seconds: Mapping[str, float]) -> str:
    return f"{sum(seconds.values()):.0f}" if seconds else ""
