"""Report the outcomes: lines, a table, a results file, the table of the docs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from regress.core.errors import UsageError
from verif.formal.proof import Mode, Proof
from verif.formal.run.exhaustive import Simulation
from verif.formal.run.prover import Outcome, Result, tool_versions
from verif.library.yosys import yosys_version

MODES = {Mode.PROVE: "induction", Mode.BMC: "all runs", Mode.COVER: "reached"}
HEADINGS = ("Proof", "What is proved", "For", "How", "Seconds")


def line(outcome: Outcome) -> str:
    """Return one outcome in a line."""
    words = [outcome.result.name, outcome.case.name, f"{outcome.seconds:.1f} s"]
    if not outcome.as_wanted and outcome.detail:
        words.append(f"({outcome.detail})")
    return " ".join(words)


def show(console: Console, outcomes: Sequence[Outcome], seconds: float) -> None:
    """Print the table, and the files of failed cases."""
    table = Table(title="proofs")
    for name in ("proof", "architecture"):
        table.add_column(name)
    for name in ("n", "depth"):
        table.add_column(name, justify="right")
    for name in ("mode", "result"):
        table.add_column(name)
    table.add_column("seconds", justify="right")
    table.add_column("says")
    for outcome in outcomes:
        case = outcome.case
        style = "green" if outcome.as_wanted else "bold red"
        table.add_row(
            case.proof.name,
            case.architecture or "-",
            str(case.width),
            str(outcome.depth),
            case.proof.mode.value,
            f"[{style}]{outcome.result.value}[/]",
            f"{outcome.seconds:.1f}",
            escape(case.proof.says),
        )
    console.print(table)
    wrong = [outcome for outcome in outcomes if not outcome.as_wanted]
    for outcome in wrong:
        console.print(f"{line(outcome)}", markup=False, style="bold red")
        for what, path in (("trace", outcome.trace), ("log", outcome.log)):
            if path:
                console.print(f"  {what}: {path}", markup=False, soft_wrap=True)
    verdict = "FAILED" if wrong else "PASSED"
    total = len(outcomes)
    console.print(f"{verdict}: {total - len(wrong)} of {total} proved in {seconds:.0f} s")


def results(outcomes: Iterable[Outcome], command: str) -> dict[str, Any]:
    """Return the content of the results file."""
    return {
        "command": command,
        "date": datetime.now(timezone.utc).date().isoformat(),
        "tools": tool_versions(),
        "cases": [_case(outcome) for outcome in outcomes],
    }


def simulation_line(simulation: Simulation) -> str:
    """Return one exhaustive simulation in a line."""
    verdict = "FAIL" if simulation.finding else "PASS"
    detail = f": {simulation.finding}" if simulation.finding else ""
    return (
        f"{verdict} {simulation.architecture} n = {simulation.width}, "
        f"{simulation.operations:,} operations, {simulation.cycles:,} cycles, "
        f"{simulation.seconds:.1f} s{detail}"
    )


def simulation_results(simulations: Iterable[Simulation], command: str) -> dict[str, Any]:
    """Return the content of the exhaustive simulations' results file."""
    return {
        "command": command,
        "date": datetime.now(timezone.utc).date().isoformat(),
        "tools": {"pyosys": yosys_version()},
        "simulations": [asdict(simulation) for simulation in simulations],
    }


def simulation_table(file: Path) -> str:
    """Return the Markdown table of the exhaustive simulations.

    Raises:
        UsageError: the file is not a results file, or something in it failed.
    """
    found = _read(file, "simulations")
    rows = [("Architecture", "n", "Operations", "Cycles", "Seconds")]
    rows.append(("---", "---:", "---:", "---:", "---:"))
    for each in found["simulations"]:
        if each["finding"]:
            raise UsageError(f"{file}: {each['architecture']} did not pass")
        rows.append((
            f"`{each['architecture']}`",
            str(each["width"]),
            f"{each['operations']:,}",
            f"{each['cycles']:,}",
            f"{each['seconds']:.0f}",
        ))  # fmt: skip
    return _markdown(rows, found)


def _read(file: Path, key: str) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        if not {"command", "date", "tools", key} <= set(found):
            raise ValueError(f"no {key!r}")
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"{file}: not a results file of this command: {error}") from None
    return found


def _markdown(rows: Iterable[Sequence[str]], found: dict[str, Any]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    versions = ", ".join(f"{tool} {version}" for tool, version in found["tools"].items())
    return "\n".join([*lines, "", f"`{found['command']}`, {found['date']}, {versions}."]) + "\n"


def _case(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    return {
        "proof": case.proof.name,
        "says": case.proof.says,
        "source": case.proof.source,
        "architecture": case.architecture,
        "width": case.width,
        "mode": case.proof.mode.value,
        "depth": outcome.depth,
        "result": outcome.result.value,
        "seconds": round(outcome.seconds, 1),
        "detail": outcome.detail,
        "trace": str(outcome.trace) if outcome.trace else None,
    }


def proof_table(known: dict[str, Proof], file: Path) -> str:
    """Return the Markdown table of the docs, from the registry and a results file.

    Raises:
        UsageError: the file is not a results file, or something in it failed.
    """
    found = _read(file, "cases")
    cases = found["cases"]
    rows = [HEADINGS, ("---", "---", "---", "---", "---:")]
    for name, proof in known.items():
        mine = [c for c in cases if c["proof"] == name]
        passed = {(c["architecture"], c["width"]) for c in mine if c["result"] == Result.PASS.value}
        if not passed >= set(product(proof.architectures or ("",), proof.widths)):
            raise UsageError(f"{file}: no run of {name} in which every case passed")
        depths = sorted({c["depth"] for c in mine})
        span = str(depths[0]) if len(depths) == 1 else f"{depths[0]} to {depths[-1]}"
        steps = "steps" if proof.mode is Mode.PROVE else "cycles"
        source = f" ({proof.source})" if proof.source else ""
        rows.append((
            f"`{name}`",
            proof.says + source,
            _for(mine),
            f"{MODES[proof.mode]}, {span} {steps}",
            f"{sum(c['seconds'] for c in mine):.0f}",
        ))  # fmt: skip
    return _markdown(rows, found)


def _for(cases: list[dict[str, Any]]) -> str:
    """Return architectures and widths; architectures with the same widths are grouped."""
    widths: dict[str, list[int]] = {}
    for case in cases:
        widths.setdefault(case["architecture"], []).append(case["width"])
    groups: dict[tuple[int, ...], list[str]] = {}
    for architecture, values in widths.items():
        groups.setdefault(tuple(values), []).append(architecture)
    parts = []
    for values, names in groups.items():
        numbers = f"n = {', '.join(map(str, values))}"
        known = ", ".join(f"`{name}`" for name in names if name)
        parts.append(f"{known}: {numbers}" if known else numbers)
    return "; ".join(parts)
