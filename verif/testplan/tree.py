"""Names that the plan can use: tests, checks, coverage groups, proofs, faults, the interface."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from models.registry import hardware_architectures
from models.status import (
    EXPONENTIATION_REGISTERS,
    MULTIPLIER_REGISTERS,
    BusError,
    Command,
    Status,
)
from regress.core.context import Context
from regress.core.lists import load_list
from regress.simulators import SIMULATORS
from verif.bench.agent.interface_rules import RULES
from verif.bench.configuration.design import (
    EXPONENTIATION,
    FRONT,
    FRONTS,
    MULTIPLIER,
    ROOT,
    Design,
)
from verif.bench.configuration.job import job_of
from verif.bench.coverage.goals import goals_of
from verif.faults.catalogue import Fault, Group, groups
from verif.formal.registry import proofs
from verif.formal.theorems.configuration import THEORIES
from verif.formal.theorems.recorded import LADDERS
from verif.formal.theorems.recorded import TABLE as PRODUCTS
from verif.library.marked import marked_table
from verif.library.modules import declared_parameters
from verif.testplan.detection import PINS

EXHAUSTIVE, THEOREM = "exhaustive", "theorem:"
# Rows of the page of proved products: a theorem of each core, and that of Ladder.v.
THEOREMS = (*THEORIES, EXPONENTIATION.name)
FORMAL_PAGE, PROOF_PAGE = Path("verif/docs/formal.md"), Path("verif/docs/proof.md")
REGISTERS = (*MULTIPLIER_REGISTERS, *EXPONENTIATION_REGISTERS)
TOPS = (Path("hdl/multiplier.sv"), Path("hdl/exponentiation/exponentiation.sv"))
PAGES = (Path("hdl/docs/interface.md"), Path("hdl/docs/rsa.md"))
# Any width at which every group of a design exists.
WIDTH = 16
ANY_ARCHITECTURE = "mwrkmm"
ANY_TEST: Mapping[Design, str] = MappingProxyType(
    {MULTIPLIER: "random", EXPONENTIATION: "exp_random"}
)
LINK = "]("
SENTENCE_END = re.compile(r"(?<=[.:]) ")
FIRST_CELL = re.compile(r"^\| (?:`(?P<name>[\w-]+)`|[^|]*) \|")


@dataclass(frozen=True)
class Tree:
    """Items that the plan can refer to.

    Attributes:
        lists: names of the lists that have a test, by test; tests in no list have none.
        rules: rules of ``interface_checks``, as names of checks.
        groups: coverage groups of both tops.
        proofs: names of the properties, theorems and the exhaustive simulation.
        proved: those of ``proofs`` that the page of a recorded run contains.
        faults: the catalogue by topic.
        interface: names of the status codes, errors, commands, registers and parameters.
        statements: bullets, table rows and paragraphs of the pages that define the interface.
    """

    lists: Mapping[str, tuple[str, ...]]
    rules: tuple[str, ...]
    groups: tuple[str, ...]
    proofs: tuple[str, ...]
    proved: frozenset[str]
    faults: Mapping[str, Group]
    interface: tuple[str, ...]
    statements: tuple[tuple[Path, str], ...]

    @property
    def fault_names(self) -> dict[str, Fault]:
        """Every fault by name."""
        return {fault.name: fault for group in self.faults.values() for fault in group.faults}


def read_tree(context: Context) -> Tree:
    """Read the tree.

    Raises:
        UsageError: a list, a page or the catalogue cannot be read.
    """
    return Tree(
        lists=_lists(context),
        rules=tuple(PINS + rule.name for rule in RULES),
        groups=tuple(_groups()),
        proofs=(*proofs(), *(THEOREM + name for name in THEOREMS), EXHAUSTIVE),
        proved=frozenset(_proved()),
        faults=groups(),
        interface=tuple(_interface()),
        statements=tuple((page, text) for page in PAGES for text in statements(ROOT / page)),
    )


def _lists(context: Context) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {test: [] for test in context.project.tests}
    for path in sorted(context.project.list_folder.glob("*.yaml")):
        for test in dict.fromkeys(entry.test for entry in load_list(context, path).jobs):
            found[test].append(path.stem)
    return {test: tuple(names) for test, names in found.items()}


def _groups() -> list[str]:
    """Return the coverage groups that some architecture has, or some front before any of them."""
    simulator = next(iter(SIMULATORS))
    plain = [
        job_of(test, name, WIDTH, simulator, seed=1)
        for test in ANY_TEST.values()
        for name, entry in hardware_architectures().items()
        if entry.chaining or not test.startswith("exp_")
    ]
    fronts = [
        job_of(test, ANY_ARCHITECTURE, WIDTH, simulator, seed=1, parameters={FRONT: front})
        for test in ANY_TEST.values()
        for front in FRONTS
    ]
    return sorted({group for job in (*plain, *fronts) for group in goals_of(job)})


def _proved() -> Iterator[str]:
    """Yield the proofs in the tables that the commands ``formal`` and ``prove`` have written."""
    formal = ROOT / FORMAL_PAGE
    yield from _first_names(marked_table(formal, "<!-- table: proofs -->"))
    if any(_first_names(marked_table(formal, "<!-- table: exhaustive -->"))):
        yield EXHAUSTIVE
    proved = ROOT / PROOF_PAGE
    cores = _first_names(marked_table(proved, PRODUCTS))
    yield from (
        THEOREM + name for name in THEORIES if any(core.startswith(f"{name}-n") for core in cores)
    )
    if any(_first_names(marked_table(proved, LADDERS))):
        yield THEOREM + EXPONENTIATION.name


def _first_names(table: str) -> list[str]:
    found = (FIRST_CELL.match(line) for line in table.splitlines())
    return [cell["name"] for cell in found if cell and cell["name"]]


def _interface() -> Iterator[str]:
    for kind, codes in (("status", Status), ("error", BusError), ("command", Command)):
        yield from (f"{kind}.{code.name}" for code in codes)
    parts = (part for one in REGISTERS for part in (one.write, one.read) if part)
    yield from dict.fromkeys(f"register.{part.name}" for part in parts)
    declared = (name for top in TOPS for name in declared_parameters(ROOT / top))
    yield from dict.fromkeys(f"parameter.{name}" for name in declared)


def statements(page: Path) -> list[str]:
    """Return the statements of a page: bullets, rows of tables and paragraphs, each in one line.

    The introduction, headings, the first row of a table, code, comments, texts of nothing but
    pointers to other pages, and sentences that end with a colon state nothing by themselves.
    """
    found: list[list[str]] = []
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    begun = in_table = False
    for line in text.splitlines():
        begun = begun or line.startswith(("## ", "- "))
        row = line.startswith("|")
        if not line.strip() or line.startswith(("#", "<!--")):
            found.append([])
        elif row and not in_table:
            pass  # the headings
        elif row and set(line) <= set("|-: "):
            pass  # the line below the headings
        elif row or line.startswith("- ") or not found:
            found.append([line] if begun else [])
        elif begun:
            found[-1].append(line.strip())
        in_table = row
    joined = [" ".join(" ".join(lines).split()) for lines in found]
    return [one for one in joined if one and not one.endswith(":") and not _is_pointer(one)]


def _is_pointer(text: str) -> bool:
    """Return whether each sentence of a text has a link, or introduces one."""
    return all(LINK in one or one.endswith(":") for one in SENTENCE_END.split(text))
