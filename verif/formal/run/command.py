"""``python -m regress formal``: run the proofs of ``verif/formal``.

SymbiYosys runs every case (a proof for one architecture and width) with the solver Yices. With
``--faults`` it is short for ``faults --source proofs``: each proof's faults must be detected. With
``--exhaustive`` the command simulates every legal operand triple of a small width instead. Exit
code: 0 if all results are as expected, 1 if not, 2 for wrong input.
"""

from __future__ import annotations

import argparse
import json
import shlex
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from rich.console import Console

from models.exhaustive import MAX_WIDTH as EXHAUSTIVE_WIDTH
from models.exhaustive import MIN_WIDTH
from models.registry import hardware_architectures
from regress.cli.options import Call, add_jobs
from regress.core.errors import UsageError, not_accepted
from regress.core.processes import ProcessGroups
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, integer
from verif.bench.configuration.design import MAX_WIDTH, ROOT
from verif.formal.proof import Case, Mode
from verif.formal.registry import proofs
from verif.formal.run.exhaustive import Simulation, simulate
from verif.formal.run.prover import Outcome, Prover
from verif.formal.run.report import (
    line,
    proof_table,
    results,
    show,
    simulation_line,
    simulation_results,
    simulation_table,
)
from verif.formal.run.selection import Selection
from verif.library.marked import write_table

PROGRAM = "python -m regress"
RESULTS_FILE = "results.json"
EXHAUSTIVE_FILE = "exhaustive.json"
TABLE = "<!-- table: proofs -->"
SIMULATION_TABLE = "<!-- table: exhaustive -->"


def add_parser(commands: Any, project: Project, inject: Callable[[Call], int]) -> None:
    """Add the command ``formal``; ``inject`` runs the campaign of the proofs' faults."""
    parser = commands.add_parser("formal", help="prove properties of the design")
    _add_options(parser)
    parser.set_defaults(run=lambda call: _run(call, inject))


def _run(options: Call, inject: Callable[[Call], int]) -> int:
    console, argv = options.console, options.argv
    known = proofs()
    if options.write:
        table = proof_table(known, options.out / RESULTS_FILE)
        write_table(options.write, table, TABLE)
        table = simulation_table(options.out / EXHAUSTIVE_FILE)
        write_table(options.write, table, SIMULATION_TABLE)
        return PASSED
    if not next(options.hdl.rglob("*.sv"), None):
        raise UsageError(f"{options.hdl}: no folder with SystemVerilog files")
    if options.exhaustive:
        return _simulate(options, argv, console)
    if options.faults:
        return inject(options)
    work = Selection(options.proof, options.arch, options.width).cases(known)
    if options.list:
        for case in work:
            print(f"{case.name}: {case.proof.says}")
        named = {case.proof.name: case.proof for case in work}
        faults = sum(len(proof.injected) for proof in named.values())
        print(f"{len(named)} proofs, {len(work)} cases, {faults} faults")
        return PASSED
    options.out.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    outcomes = _prove(work, options.out, options.hdl, options.jobs, console)
    show(console, outcomes, time.monotonic() - begin)
    _write(options.out / RESULTS_FILE, results(outcomes, _command(argv)), console)
    return PASSED if all(outcome.as_wanted for outcome in outcomes) else FAILED


def _command(argv: list[str]) -> str:
    return shlex.join([*PROGRAM.split(), *argv])


def _write(file: Path, found: dict[str, Any], console: Console) -> None:
    file.write_text(json.dumps(found, indent=1) + "\n")
    console.print(f"results: {file}", markup=False, soft_wrap=True)


def _simulate(options: Call, argv: list[str], console: Console) -> int:
    """Simulate every legal operand triple of one width."""
    if options.faults or options.proof or len(options.width) > 1:
        raise UsageError(
            "--exhaustive: accepted with --arch, one --width, --hdl, --out and --jobs only"
        )
    width = options.width[0] if options.width else EXHAUSTIVE_WIDTH
    if not MIN_WIDTH <= width <= EXHAUSTIVE_WIDTH:
        raise UsageError(
            f"--exhaustive --width {width}: accepted are {MIN_WIDTH} to {EXHAUSTIVE_WIDTH}"
        )
    entries = hardware_architectures()
    for name in options.arch:
        if name not in entries:
            raise UsageError(not_accepted("architecture", name, entries))
    options.out.mkdir(parents=True, exist_ok=True)
    groups = ProcessGroups()
    begin = time.monotonic()
    found: dict[str, Simulation] = {}
    pool = ThreadPoolExecutor(options.jobs)
    try:
        futures = [
            pool.submit(simulate, entries[name], width, options.hdl.resolve(), groups)
            for name in options.arch or entries
        ]
        for done, future in enumerate(as_completed(futures), 1):
            simulation = future.result()
            found[simulation.architecture] = simulation
            console.print(
                f"[{done}/{len(futures)}] {simulation_line(simulation)}",
                markup=False,
                soft_wrap=True,
                style="bold red" if simulation.finding else None,
            )
    finally:
        groups.cancel()
        pool.shutdown(cancel_futures=True)
    simulations = [found[name] for name in entries if name in found]
    passed = not any(simulation.finding for simulation in simulations)
    total = sum(simulation.operations for simulation in simulations)
    seconds = time.monotonic() - begin
    verdict = "PASSED" if passed else "FAILED"
    console.print(f"{verdict}: {total:,} operations at {width} bits in {seconds:.0f} s")
    _write(options.out / EXHAUSTIVE_FILE, simulation_results(simulations, _command(argv)), console)
    return PASSED if passed else FAILED


def _prove(work: list[Case], out: Path, hdl: Path, jobs: int, console: Console) -> list[Outcome]:
    """Run the cases in parallel; return the outcomes in the order of ``work``."""
    groups = ProcessGroups()
    prover = Prover(out, hdl, groups)
    outcomes: dict[int, Outcome] = {}
    pool = ThreadPoolExecutor(jobs)
    try:
        # Start the cases with the longest runs first, because they end last.
        order = sorted(range(len(work)), key=lambda i: -_weight(work[i]))
        futures = {pool.submit(prover.run, work[i]): i for i in order}
        for done, future in enumerate(as_completed(futures), 1):
            outcome = future.result()
            outcomes[futures[future]] = outcome
            console.print(
                f"[{done}/{len(work)}] {line(outcome)}",
                markup=False,
                soft_wrap=True,
                style=None if outcome.as_wanted else "bold red",
            )
    finally:
        # After an interrupt or an error no process may continue in the background.
        groups.cancel()
        pool.shutdown(cancel_futures=True)
    return [outcomes[i] for i in sorted(outcomes)]


def _weight(case: Case) -> int:
    """Estimate the work: cases with runs of many cycles take long."""
    return (case.proof.mode is not Mode.PROVE) * case.settings().depth + case.width


def _add_options(parser: argparse.ArgumentParser) -> None:
    def words(text: str) -> list[str]:
        return [word for word in text.split(",") if word]

    def widths(text: str) -> list[int]:
        return [integer(word, 1, MAX_WIDTH) for word in words(text)]

    parser.add_argument("--list", action="store_true", help="only list the cases")
    parser.add_argument(
        "--proof", type=words, default=[], metavar="NAME,...", help="these proofs (all)"
    )
    parser.add_argument(
        "--arch", type=words, default=[], metavar="NAME,...", help="these architectures (all)"
    )
    parser.add_argument(
        "--width", type=widths, default=[], metavar="N,...", help="instead of each proof's widths"
    )
    add_jobs(parser, "cases at once")
    parser.add_argument(
        "--hdl", type=Path, default=ROOT / "hdl", metavar="DIR", help="altered copy of the design"
    )
    parser.add_argument(
        "--faults", action="store_true", help="inject each proof's faults; each must be detected"
    )
    parser.add_argument(
        "--exhaustive",
        action="store_true",
        help=f"simulate every legal operand triple of a width (--width, {EXHAUSTIVE_WIDTH})",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "build" / "formal",
        metavar="DIR",
        help="folder for results, logs and traces (default: build/formal)",
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the tables of both results files into FILE"
    )
