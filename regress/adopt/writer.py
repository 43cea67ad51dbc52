"""Writes the files of ``init``: project file, list, settings, ``.gitignore`` lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from regress.adopt.found import Finding
from regress.core.project import TIMESCALE

MOST_LINES, COLUMNS = 30, 100
PROJECT_MODULE = "regress_project"
IGNORED = ("/build/", "/runs/")
FEW_TESTS, SEEDS = 8, 3
HEAD = '''\
"""The interface of this project to regress; `regress list` shows the tests that cocotb finds."""

from regress.core.cocotb_project import Bench, CocotbProject


class ThisProject(CocotbProject):
    """Attributes of a bench: see regress.core.cocotb_project.Bench."""

    name = {name}
    benches = (
'''
SETTINGS = f'[tool.regress]\nproject = "{PROJECT_MODULE}:ThisProject"\n'


def project_file(findings: Sequence[Finding], root: Path, names: Mapping[str, str]) -> str:
    """Return the text of ``regress_project.py``, at most :data:`MOST_LINES` lines.

    Args:
        findings: the benches.
        root: folder of the project.
        names: name of a simulator by the name that cocotb has for it.
    """
    head = HEAD.format(name=_literal(root.name))
    room = MOST_LINES - head.count("\n") - 1
    for comments in (3, 1, 0):
        for wide in (True, False):
            blocks = [_bench(item, root, names, wide, comments) for item in findings]
            lines = [line for block in blocks for line in block]
            if len(lines) <= room:
                return f"{head}{_text(lines)}    )\n"
    kept = lines[: room - 1]
    kept.append(f"        # {len(lines) - len(kept)} more benches were found: add them here")
    return f"{head}{_text(kept)}    )\n"


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _bench(
    finding: Finding, root: Path, names: Mapping[str, str], wide: bool, comments: int
) -> list[str]:
    """Return the lines of a bench: one line for each group of attributes, or one in all."""
    attributes = [f"{name}={_literal(value)}" for name, value in _attributes(finding, root, names)]
    said = [f"# {line}" for line in [f"from {finding.origin}", *_guesses(finding)][:comments]]
    if not wide:
        return [f"        {line}" for line in (*said, f"Bench({', '.join(attributes)}),")]
    lines, line = [], ""
    for attribute in attributes:
        if line and len(line) + len(attribute) > COLUMNS - 16:
            lines.append(f"            {line}")
            line = ""
        line += f"{attribute}, "
    lines.append(f"            {line}")
    body = [text.rstrip() for text in lines]
    return [*(f"        {line}" for line in said), "        Bench(", *body, "        ),"]


def _guesses(finding: Finding) -> list[str]:
    return [f"guessed: {text}" for text in finding.guesses]


def _attributes(finding: Finding, root: Path, names: Mapping[str, str]) -> list[tuple[str, Any]]:
    """Return the attributes that differ from the defaults."""
    simulator = names.get(finding.simulator, "")
    by_simulator = {simulator: finding.arguments} if finding.arguments and simulator else {}
    run = {simulator: finding.run_arguments} if finding.run_arguments and simulator else {}
    folder = str(finding.folder.relative_to(root))
    every = [
        ("name", finding.name),
        ("top", finding.top),
        ("modules", finding.modules),
        ("sources", _shown(finding.sources, root)),
        ("folder", "" if folder == "." else folder),
        ("path", _shown(finding.path, root)),
        ("includes", _shown(finding.includes, root)),
        ("defines", finding.defines),
        ("parameters", finding.parameters),
        ("timescale", finding.timescale if finding.timescale != TIMESCALE else None),
        ("arguments", by_simulator),
        ("run_arguments", run),
        ("plusargs", finding.plusargs),
        ("environment", finding.environment),
    ]
    return [(name, value) for name, value in every if value]


def _shown(paths: Sequence[Path], root: Path) -> list[str]:
    return [str(path.relative_to(root)) for path in paths]


def _literal(value: Any) -> str:
    """Return a value as Python, with double quotes where that is possible."""
    if isinstance(value, str):
        return f'"{value}"' if '"' not in value and "\\" not in value else repr(value)
    if isinstance(value, (list, tuple)):
        opening, closing = "[]" if isinstance(value, list) else "()"
        return f"{opening}{', '.join(map(_literal, value))}{closing}"
    if isinstance(value, dict):
        entries = (f"{_literal(key)}: {_literal(item)}" for key, item in value.items())
        return f"{{{', '.join(entries)}}}"
    return repr(value)


def list_file(
    findings: Sequence[Finding], simulators: Sequence[str], stated: str, tests: int
) -> str:
    """Return the text of ``lists/quick.yaml``.

    Args:
        findings: the benches.
        simulators: the simulators to use.
        stated: where the project names them; empty if nothing does.
        tests: number of test modules.
    """
    seeds = SEEDS if tests <= FEW_TESTS else 1
    comment = f" # as {stated} has it" if stated else " # guessed: those that are installed"
    named = ", ".join(simulators)
    return (
        "description: every test with a few seeds\n"
        "jobs:\n"
        f'  - {{test: "*", simulators: [{named}], seeds: {seeds}, timeout: 2m}}{comment}\n'
    )


def simulators_for(
    findings: Sequence[Finding],
    usual: Mapping[str, Sequence[str]],
    languages: Sequence[str],
    installed: Sequence[str],
    names: Mapping[str, str],
) -> tuple[list[str], str]:
    """Return the simulators for the list, and where the project names them.

    Args:
        findings: the benches.
        usual: simulators that are taken where nothing is stated, by language.
        languages: language of each bench.
        installed: simulators on this machine.
        names: see :func:`project_file`.
    """
    stated: Counter[str] = Counter()
    chosen: list[str] = []
    origin = ""
    for finding, language in zip(findings, languages, strict=True):
        name = names.get(finding.simulator, "")
        if name in installed:
            stated[name] += 1
            origin = origin or finding.origin
            chosen.append(name)
        else:
            known = [name for name in usual[language] if name in installed]
            chosen += known or list(usual[language])[:1]
    everywhere = len(stated) > 0 and sum(stated.values()) == len(findings)
    return list(dict.fromkeys(chosen)), origin if everywhere else ""


def ignore_lines(old: str) -> str:
    """Return the lines that a ``.gitignore`` lacks."""
    present = {re.sub(r"^/|/$", "", line.strip()) for line in old.splitlines()}
    return "".join(f"{line}\n" for line in IGNORED if line.strip("/") not in present)
