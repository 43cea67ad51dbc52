"""Reads cocotb makefiles: ``make`` prints their variables."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from regress.adopt.found import Finding, take_compile_arguments

SECONDS = 20.0
VARIABLES = (
    "SIM", "TOPLEVEL", "COCOTB_TOPLEVEL", "MODULE", "COCOTB_TEST_MODULES", "VERILOG_SOURCES",
    "VHDL_SOURCES", "VERILOG_INCLUDE_DIRS", "COMPILE_ARGS", "EXTRA_ARGS", "BUILD_ARGS", "SIM_ARGS",
    "PLUSARGS", "COCOTB_PLUSARGS", "COCOTB_HDL_TIMEUNIT", "COCOTB_HDL_TIMEPRECISION",
    "MAKEFILE_LIST",
)  # fmt: skip
MARK = "regress-variable "
QUESTION = (
    "\n".join(f"$(info {MARK}{name}=$({name}))" for name in VARIABLES)
    + "\nregress-environment: ; @env\n.PHONY: regress-environment\n"
)
# Set by make, by cocotb or by the shell, even if a makefile of the project mentions it.
NOT_EXPORTED = re.compile(
    r"MAKE|MFLAGS|SHLVL|PWD|OLDPWD|_|TERM|LINES|COLUMNS|PATH|LIBPYTHON|PYGPI|GPI_|LD_LIBRARY"
    r"|COCOTB_(TOPLEVEL|TEST|RESULTS|TRUST)|TOPLEVEL|MODULE|TESTCASE|SIM$|SIM_BUILD$"
)
OVERRIDE = re.compile(r"\b(TOPLEVEL|COCOTB_TOPLEVEL|MODULE|COCOTB_TEST_MODULES)=([\w.,]+)")


def is_cocotb_makefile(path: Path) -> bool:
    """Return whether a file is a makefile that runs cocotb."""
    if path.name not in ("Makefile", "makefile", "GNUmakefile"):
        return False
    text = path.read_text(errors="replace")
    return "Makefile.sim" in text and "cocotb" in text


def read_makefile(path: Path, root: Path) -> tuple[list[Finding], list[str]]:
    """Return the benches of a makefile, and one line for each part that could not be read.

    Recipes that call make again with another top or module are benches of their own.
    """
    shown = str(path.relative_to(root))
    if not shutil.which("make"):
        return [], [f"{shown}: not read: make is not installed"]
    findings: list[Finding] = []
    problem = ""
    for overrides in _calls(path):
        said, problem = _ask(path, root, overrides)
        finding = _finding(said, path, shown) if said else None
        if finding and not any(_same(finding, other) for other in findings):
            findings.append(finding)
    return findings, [f"{shown}: not read: {problem}"] if problem and not findings else []


def _calls(path: Path) -> Iterator[dict[str, str]]:
    """Yield no overrides, then those of each recipe that calls make again."""
    yield {}
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("\t") and "make" in line.lower():
            found = dict(OVERRIDE.findall(line))
            if found:
                yield found


def _same(one: Finding, other: Finding) -> bool:
    return (one.top, one.modules) == (other.top, other.modules)


def _ask(path: Path, root: Path, overrides: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return the variables and the exported environment of a makefile, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        return _ask_with(_stand_in(Path(folder)), path, root, overrides)


def _stand_in(folder: Path) -> Path:
    """Make a ``cocotb-config`` whose makefiles do nothing.

    cocotb's own ones end with an error if a simulator is not on PATH, and export much.
    """
    (folder / "Makefile.sim").write_text("SIM ?= icarus\nall sim:\n")
    program = folder / "cocotb-config"
    program.write_text(f"#!/bin/sh\necho {shlex.quote(str(folder))}\n")
    program.chmod(0o755)
    return folder


def _ask_with(
    programs: Path, path: Path, root: Path, overrides: Mapping[str, str]
) -> tuple[dict[str, str], str]:
    places = [str(programs), str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    base = {**os.environ, "PATH": os.pathsep.join(places), "PWD": str(path.parent)}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        base.pop(name, None)
    words = [f"{name}={value}" for name, value in overrides.items()]
    try:
        done = subprocess.run(
            ["make", "-s", "-f", path.name, "-f", "-", "regress-environment", *words],
            cwd=path.parent, env=base, input=QUESTION, capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {}, f"make takes more than {SECONDS:g} s"
    said: dict[str, str] = {}
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            name, _, value = line.removeprefix(MARK).partition("=")
            said[name] = value.strip()
        elif match := re.match(r"(\w+)=(.*)", line):
            name, value = match.groups()
            if base.get(name) != value and not NOT_EXPORTED.match(name):
                said[f"export {name}"] = value
    text = _text(path, root, said.get("MAKEFILE_LIST", ""))
    for name in [name for name in said if name.startswith("export ")]:
        if not re.search(rf"\b{name.removeprefix('export ')}\b", text):
            del said[name]
    lines = done.stderr.strip().splitlines() or ["make printed no message"]
    return said, lines[-1] if done.returncode or not said else ""


def _text(path: Path, root: Path, files: str) -> str:
    """Return the text of the project's own makefiles."""
    paths = {path, *((path.parent / name).resolve() for name in files.split())}
    own = [item for item in paths if item.is_relative_to(root) and item.is_file()]
    return "\n".join(item.read_text(errors="replace") for item in own)


def _finding(said: Mapping[str, str], path: Path, shown: str) -> Finding | None:
    top = said.get("COCOTB_TOPLEVEL") or said.get("TOPLEVEL", "")
    modules = said.get("COCOTB_TEST_MODULES") or said.get("MODULE", "")
    folder = path.parent
    names = _words(said.get("VERILOG_SOURCES", "")) + _words(said.get("VHDL_SOURCES", ""))
    if not (top and modules and names):
        return None
    environment = {
        name.removeprefix("export "): value
        for name, value in said.items()
        if name.startswith("export ")
    }
    finding = Finding(
        top=top.rpartition(".")[2],
        modules=[name for name in re.split(r"[,\s]+", modules) if name],
        sources=[(folder / name).resolve() for name in names],
        folder=folder,
        origin=shown,
        simulator=said.get("SIM", "").lower(),
        includes=[(folder / n).resolve() for n in _words(said.get("VERILOG_INCLUDE_DIRS", ""))],
        environment=environment,
    )
    python = environment.pop("PYTHONPATH", "")
    finding.path = [(folder / name).resolve() for name in python.split(os.pathsep) if name]
    unit = said.get("COCOTB_HDL_TIMEUNIT", "")
    if unit:
        finding.timescale = (unit, said.get("COCOTB_HDL_TIMEPRECISION") or unit)
    compiled = [said.get(name, "") for name in ("COMPILE_ARGS", "EXTRA_ARGS", "BUILD_ARGS")]
    words = [word for text in compiled for word in _words(text)]
    run = [said.get(name, "") for name in ("SIM_ARGS", "PLUSARGS", "COCOTB_PLUSARGS")]
    for word in (word for text in run for word in _words(text)):
        if word.startswith("-g") and "=" in word:  # a generic of a VHDL simulator
            words.append(word)
        elif word not in ("-fst", "-none") and not word.startswith(("--wave", "--fst", "--vcd")):
            finding.plusargs.append(word)
    take_compile_arguments(finding, words, folder)
    return finding


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
