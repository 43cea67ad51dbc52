"""Tables and pages that follow from code and records: ``python -m ci.documentation --write``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from ci.codes import Code, Fronts, Registers, Top, registers, snake
from ci.pages import page, table
from models.registry import hardware_architectures
from regress.cli.formats_command import FORMATS
from regress.simulators import SIMULATORS
from verif.bench.configuration.design import ROOT
from verif.library.errata import Configuration, Errata
from verif.library.marked import replaced
from verif.library.vectors.powers import ExponentiationLine
from verif.library.vectors.products import ProductLine
from verif.own_core.description import CoreDescription
from verif.project.cycle_table import cycle_table, rsa_table
from verif.project.hardening import PAGE as HARDENING
from verif.project.hardening import (
    Records,
    hardening_pictures,
    hardening_tables,
    watchdog_table,
)

DOCS = Path("regress/docs")
# Formats of files that people write: the table of each is between the marks of a page.
WRITTEN = {"list": "lists.md", "exclusions": "lists.md", "cluster": "cluster.md"}
# Files that a run writes: a page each.
LEFT = {DOCS / f"{name}-json.md": name for name in ("run", "plan", "result")}

# A table takes up to a second, so it is made only for a page that is asked for.
Table = Callable[[], str]


def tables() -> Iterator[tuple[Path, str, Table]]:
    """Page, name and text of each."""
    cycles = Path("verif/docs/cycles.md")
    yield cycles, "cycles", lambda: cycle_table(hardware_architectures().values())
    yield cycles, "rsa cycles", rsa_table
    source, codes = registers(), Path("hdl/docs/codes.md")
    yield codes, "status", lambda: code_table(source.status)
    yield codes, "rejections", lambda: code_table(source.rejections)
    yield codes, "commands", lambda: code_table(source.commands)
    for name, top in source.tops.items():
        yield codes, f"registers of {name}", partial(register_table, top)
    fronts = Path("hdl/docs/fronts.md")
    yield fronts, "registers of a front", lambda: front_registers(source.fronts)
    yield fronts, "fields of a front", lambda: front_fields(source.fronts)
    yield fronts, "reasons of a front", lambda: code_table(source.fronts.reasons)
    yield fronts, "windows", lambda: windows(source)
    errata = Path("hdl/docs/errata.md")
    yield errata, "configuration", lambda: table(Configuration)
    yield errata, "errata", lambda: table(Errata)
    yield Path("verif/docs/own_core.md"), "description", lambda: table(CoreDescription)
    yield Path("verif/docs/vectors.md"), "product line", lambda: table(ProductLine)
    yield Path("verif/docs/vectors.md"), "exponentiation line", lambda: table(ExponentiationLine)
    for name, file in WRITTEN.items():
        yield DOCS / file, f"{name} format", partial(table, FORMATS[name])
    yield DOCS / "simulators.md", "simulators", simulators_table
    security = HARDENING.relative_to(ROOT)
    yield security, "watchdog", lambda: watchdog_table(Records.read())
    yield security, "hardening", lambda: hardening_tables(Records.read())
    yield security, "hardening pictures", hardening_pictures


def written() -> list[Path]:
    """The pages with such tables, and those that are generated as a whole."""
    return sorted({*LEFT, *(page for page, _, _ in tables())})


def simulators_table() -> str:
    """The simulators, for their page."""
    rows = ["| Name | What it does | Code coverage | Where it comes from |", "|---|---|---|---|"]
    for name, simulator in SIMULATORS.items():
        about = str(simulator.__doc__).splitlines()[0]
        measures = "yes" if simulator.measures_code else "–"
        rows.append(f"| `{name}` | {about} | {measures} | {simulator.install} |")
    return "\n".join(rows) + "\n"


def code_table(codes: Mapping[str, Code]) -> str:
    """The codes of one kind."""
    rows = [f"| {c.code} | `{snake(name).upper()}` | {c.meaning} |" for name, c in codes.items()]
    return "\n".join(["| Code | Name | |", "| ---: | --- | --- |", *rows]) + "\n"


def register_table(top: Top) -> str:
    """The registers of one top: what a write reaches, what a read returns and when."""
    rows = ["| Address | Name | Write | Bits | Read | Bits | After |",
            "| ---: | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for name, register in top.registers.items():
        cells = [str(register.address), f"`{snake(name).upper()}`"]
        if register.write or register.read:
            for part in (register.write, register.read):
                cells += [part.name, part.bits] if part else ["–", ""]
            cells.append(", ".join(register.read.after) if register.read else "")
        else:
            cells += ["command", "all", "status word", "8", "always"]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def front_registers(fronts: Fronts) -> str:
    """The registers of a front: address and access."""
    access = {"read": "read", "write": "write", "both": "read, write", "clear": "read, clear"}
    rows = [
        f"| {fronts.offset(name):#06x} | `{snake(name).upper()}` "
        f"| {access[register.access]} | {register.meaning} |"
        for name, register in fronts.registers.items()
    ]
    return "\n".join(["| Address | Name | Access | |", "| ---: | --- | --- | --- |", *rows]) + "\n"


def front_fields(fronts: Fronts) -> str:
    """The fields of the registers of a front."""
    rows = [
        f"| `{snake(name).upper()}` | {field.low + field.bits - 1}:{field.low} "
        f"| `{snake(part).upper()}` | {field.meaning} |"
        for name, register in fronts.registers.items()
        for part, field in register.fields.items()
    ]
    return "\n".join(["| Register | Bits | Field | |", "| --- | ---: | --- | --- |", *rows]) + "\n"


def windows(source: Registers) -> str:
    """The windows of a front: which operand a write reaches and which result a read returns."""
    rows = [
        f"| {top_name} | {source.fronts.window(register.address):#06x} | `{snake(name).upper()}` "
        f"| {register.write.name if register.write else '–'} "
        f"| {register.read.name if register.read else '–'} |"
        for top_name, top in source.tops.items()
        for name, register in top.registers.items()
        if (register.write or register.read) and name not in source.fronts.registers
    ]
    head = ["| Core | Address | Name | Write | Read |", "| --- | ---: | --- | --- | --- |"]
    return "\n".join([*head, *rows]) + "\n"


def current(path: Path, root: Path) -> str:
    """The text of a page as it should be.

    Args:
        path: of the page, relative to the root.
        root: of the project.

    Raises:
        UsageError: a table's marks are missing.
    """
    if path in LEFT:
        return page(f"{LEFT[path]}.json", FORMATS[LEFT[path]])
    text = (root / path).read_text(encoding="utf-8")
    for found, name, made in tables():
        if found == path:
            text = replaced(text, made(), path, f"<!-- table: {name} -->")
    return text
