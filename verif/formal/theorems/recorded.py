"""Recorded proofs of configurations, and the table of the page that shows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from verif.bench.configuration.design import ROOT
from verif.formal.theorems.configuration import THEORIES
from verif.formal.theorems.jobs import read_outcome, write_outcome
from verif.formal.theorems.joints import NAMES
from verif.formal.theorems.prove import Outcome

# One configuration a line; a configuration that is proved again takes the place of its line.
RECORDED = Path(__file__).with_name("recorded.jsonl")
PAGE = ROOT / "verif" / "docs" / "proof.md"
TABLE = "<!-- table: proved -->"
HEAD = (
    "| Configuration | Registers | Gates | Netlist: slang, Yosys | Fast check: Python | "
    "A, N and U: {coq} | G: Yices | B, C, R, F and U for every n: {coq} | Commit |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---|",
)


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
    every = sorted(known.values(), key=lambda o: (THEORIES.index(o.architecture), o.width, o.name))
    path.write_text("".join(f"{json.dumps(write_outcome(outcome))}\n" for outcome in every))
    return every


def proved_table(found: Iterable[Outcome]) -> str:
    """Return the table configuration × lemma × seconds × tool as Markdown; empty without rows."""
    found = list(found)
    if not found:
        return ""
    tools = sorted({outcome.tool for outcome in found})
    lines = [line.format(coq=" or ".join(tools) or "Coq") for line in HEAD]
    for outcome in found:
        seconds = outcome.seconds
        lines.append(
            f"| `{outcome.name}` | {outcome.registers} | {outcome.gates} | "
            f"{seconds['elaborate']:.1f} | {seconds['truth tables']:.1f} | {seconds['Coq']:.1f} | "
            f"{_lemmas(seconds)} | {_theories(outcome.theories)} | "
            f"{outcome.commit[:8]} |"
        )
    return "\n".join(lines) + "\n"


def _lemmas(seconds: Mapping[str, float]) -> str:
    """Return the seconds of G; a core alone has no such lemmas."""
    found = [seconds[name] for name in NAMES if name in seconds]
    return f"{sum(found):.1f}" if found else "core alone"


def _theories(seconds: Mapping[str, float]) -> str:
    return f"{sum(seconds.values()):.0f}" if seconds else ""
