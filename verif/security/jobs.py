"""Attacks as jobs of lists, and what the report of a run shows of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from models.registry import architecture
from regress.core.jobfile import Job
from regress.core.project import Table, Test
from regress.run.record import RunRecord
from verif.bench.configuration.design import DESIGNS, Design, Hardware, hardware
from verif.library.lanes.tool import lanes_test
from verif.security.attacks import Leakage, Upsets
from verif.security.leakage import SECRETS
from verif.security.outcome import Outcome, plain
from verif.security.upsets import FAULTS
from verif.security.upsets_report import Expectation

PROGRAM = "verif.security.job"
NAME, TABLES, PICTURES = "name", "tables", "pictures"
# Upsets of the idle core: flips, as in :class:`Upsets`.
IDLE = "idle"
# Seed of every job of upsets: the stored expectation belongs to it.
UPSETS_SEED = 1


def _tests() -> dict[str, Test]:
    found = {}
    for design in DESIGNS.values():
        for name, secret in SECRETS.items():
            if secret.design == design.name and not secret.one_bit:
                says = f"fixed against random {name}, and equal control (command leakage)"
                found[f"{design.group_prefix}leakage_{name}"] = lanes_test(design, PROGRAM, says)
        for name in FAULTS:
            says = f"fault {name} in each register and cycle (command upsets)"
            found[f"{design.group_prefix}upsets_{name}"] = lanes_test(design, PROGRAM, says)
        says = "flip in each register and cycle of the idle core (command upsets --idle)"
        found[f"{design.group_prefix}upsets_{IDLE}"] = lanes_test(design, PROGRAM, says)
    return found


TESTS: Mapping[str, Test] = MappingProxyType(_tests())


def design_of(test: str) -> Design:
    """Return the design that a test attacks."""
    return next(each for each in DESIGNS.values() if each.top == TESTS[test].toplevel)


def hardware_of(job: Job) -> Hardware:
    """Return the configuration of a job."""
    point = job.point
    entry = architecture(job.subject)
    return hardware(design_of(job.test), entry, point["width"], point["parameters"])


def attack_of(job: Job) -> Leakage | Upsets:
    """Return the attack of a job; ``operations`` are the traces of a leakage test."""
    kind, _, choice = job.test.removeprefix(design_of(job.test).group_prefix).partition("_")
    if kind == "leakage":
        return Leakage(choice, job.operations, job.seed)
    fault, idle = ("flip", True) if choice == IDLE else (choice, False)
    return Upsets(fault, seed=UPSETS_SEED, expectation=Expectation(), idle=idle)


def cases_of(job: Job) -> list[dict[str, Any]]:
    """Return the only case of a job."""
    return [{NAME: f"{job.test} of {job.subject}, {job.point['width']} bits"}]


def facts_of(outcome: Outcome, folder: Path) -> dict[str, Any]:
    """Write the pictures of an outcome into a job's folder; return the facts of its case."""
    pictures = {}
    for number, (title, svg) in enumerate(outcome.pictures().items()):
        pictures[f"{outcome.title}: {title}"] = f"picture{number}.svg"
        (folder / f"picture{number}.svg").write_text(svg)
    tables = [plain(table) for table in outcome.tables]
    titled = [{**table, "title": f"{outcome.title}: {table['title']}"} for table in tables]
    return {TABLES: titled, PICTURES: pictures}


def sections(record: RunRecord) -> list[Table]:
    """Return the tables of each attack of a run, for its report."""
    facts = [case.facts for job in record.jobs for case in job.cases if TABLES in case.facts]
    return [Table(**table) for each in facts for table in each[TABLES]]


def plots(record: RunRecord) -> dict[str, str]:
    """Return the pictures of each attack of a run, SVG by title."""
    found = {}
    for job in record.jobs:
        for case in job.cases:
            for title, name in case.facts.get(PICTURES, {}).items():
                path = record.folder / job.folder / name
                if path.is_file():
                    found[title] = path.read_text()
    return found
