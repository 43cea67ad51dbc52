"""Benches and files found in a project, before ``init`` writes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Folders that hold no tests and no design of the project.
LEFT_OUT = frozenset({
    "__pycache__", "build", "dist", "node_modules", "runs", "sim_build", "site-packages", "venv",
})  # fmt: skip


@dataclass
class Finding:
    """A bench as found. All paths are absolute.

    Attributes:
        origin: where it was found, for a comment: ``tests/Makefile``.
        guesses: what nothing in the project states, one line each.
        simulator: cocotb's name of the simulator that the project uses; empty if unknown.
        path: folders that the tests import from.
    """

    top: str
    modules: list[str]
    sources: list[Path]
    folder: Path
    origin: str
    simulator: str = ""
    path: list[Path] = field(default_factory=list)
    includes: list[Path] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, int | str] = field(default_factory=dict)
    timescale: tuple[str, str] | None = None
    arguments: list[str] = field(default_factory=list)
    run_arguments: list[str] = field(default_factory=list)
    plusargs: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    guesses: list[str] = field(default_factory=list)
    name: str = ""


def files_below(root: Path) -> Iterator[Path]:
    """Yield the project's own files, sorted."""
    for place, folders, files in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in LEFT_OUT
            and not name.startswith(".")
            and not (Path(place) / name / "pyvenv.cfg").exists()
        )
        yield from (Path(place) / name for name in sorted(files))


def take_compile_arguments(finding: Finding, words: list[str], folder: Path) -> None:
    """Sort a compiler's arguments into parameters, defines, include folders and others."""
    rest = iter(words)
    for word in rest:
        if word in ("-P", "-D", "-I", "-G", "-y", "-f"):
            word += next(rest, "")
        if word.startswith("-P") and "=" in word:
            name, _, value = word[2:].partition("=")
            finding.parameters[name.rpartition(".")[2]] = number_or_text(value)
        elif word.startswith(("-G", "-g")) and "=" in word and not word.startswith("--"):
            name, _, value = word[2:].partition("=")
            finding.parameters[name] = number_or_text(value)
        elif word.startswith("-D"):
            name, _, value = word[2:].partition("=")
            finding.defines[name] = value or "1"
        elif word.startswith("+define+"):
            for entry in filter(None, word.removeprefix("+define+").split("+")):
                name, _, value = entry.partition("=")
                finding.defines[name] = value or "1"
        elif word.startswith("+incdir+"):
            names = filter(None, word.removeprefix("+incdir+").split("+"))
            finding.includes += [(folder / name).resolve() for name in names]
        elif word.startswith("-I"):
            finding.includes.append((folder / word[2:]).resolve())
        elif word.startswith("-f"):
            path = (folder / word[2:]).resolve()
            finding.sources += [path] if path.is_file() else []  # cocotb makes cmds.f itself
        elif not _known(word):
            finding.arguments.append(word)


def _known(word: str) -> bool:
    """Return whether regress itself sets an argument: language, waves, coverage, timing."""
    return word in ("-g2012", "--timing", "-fst", "--public-flat-rw", "--vpi") or word.startswith(
        ("--trace", "--coverage", "--threads")
    )


def number_or_text(value: str) -> int | str:
    """Return an integer if a text is one."""
    try:
        return int(value)
    except ValueError:
        return value
