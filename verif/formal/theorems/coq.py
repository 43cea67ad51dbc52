"""Run Coq: compile the theories once, then check files against them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from regress.core.processes import ProcessGroups
from verif.formal.theorems.lemmas import PROPERTIES, print_lemmas
from verif.formal.theorems.spent import spent

THEORIES = Path(__file__).with_name("theories")
# Each theory comes after the theories that it imports.
ORDER = (
    "Logic", "Netlist", "Numbers", "Machine", "Iteration", "Fast", "Faster", "Counter", "Control",
    "Product", "Rest", "Core", "Adder", "Exists", "Unfolded", "UnfoldedProduct", "UnfoldedCore",
    "UnfoldedFast", "Mm42", "Interleaved", "InterleavedCore", "Unit", "Lemmas", "Whole",
    "LadderLemmas", "Ladder", "RingLemmas", "Ring",
)  # fmt: skip
# Translated from the properties that Yices proves, so that both tools have one text.
TRANSLATED = {of.theory: of for of in PROPERTIES}
LIBRARY = "Modmul"
# Theories are compiled in this folder, one call at a time. Then it gets its name by content.
COMPILED = "compiling"
SECONDS_FILE = "seconds.json"
# The command that asks for the axioms of a theorem, and its answer without an axiom.
ASKED, CLOSED = "Print Assumptions", "Closed under the global context"
INSTALL = "Coq is not installed: apt-get install coq (tried with 8.16)"


class CoqError(OSError):
    """Coq is missing, or a theory does not compile; the message names it."""


@dataclass(frozen=True)
class Checked:
    """Coq's result for a file.

    Attributes:
        passed: True if every proof in it is complete.
        closed: True if it asks for the axioms of its theorems, and no theorem uses one.
        output: output of Coq.
        seconds: processor time.
    """

    passed: bool
    closed: bool
    output: str
    seconds: float


def coq_version() -> str:
    """Return the version of ``coqc``; empty without Coq."""
    if not shutil.which("coqc"):
        return ""
    shown = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"version (\S+)", shown.stdout)
    return found[1] if found else ""


class Coq:
    """The compiler of Coq, with the project's theories.

    Args:
        folder: folder for compiled theories, which are stored by content.
        groups: runs the compiler.
        timeout: seconds for one file.

    Raises:
        CoqError: Coq is not installed.
    """

    def __init__(self, folder: Path, groups: ProcessGroups, timeout: float) -> None:
        version = coq_version()
        if not version:
            raise CoqError(INSTALL)
        self._texts = {name: _theory(name) for name in ORDER}
        texts = "".join(self._texts.values())
        self.key = hashlib.sha256(f"{version}\n{texts}".encode()).hexdigest()[:16]
        self.version = version
        self._library = folder / f"theories-{self.key}"
        self._compiled = folder / COMPILED
        self._groups = groups
        self._timeout = timeout

    def theories(self) -> dict[str, float]:
        """Compile the theories unless it was done before; return the seconds of each.

        Raises:
            CoqError: a theory does not compile.
        """
        record = self._library / SECONDS_FILE
        self._library.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self._compiled.with_suffix(".lock")):
            if not record.is_file():
                self._compile_all()
        return dict(json.loads(record.read_text()))

    def _compile_all(self) -> None:
        seconds = {}
        made = self._compiled
        # A killed job leaves its folder.
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        for name in ORDER:
            (made / f"{name}.v").write_text(self._texts[name])
            checked = self._compile(made / f"{name}.v", made)
            if not checked.passed:
                raise CoqError(f"{name}.v does not compile: {_first_error(checked.output)}")
            seconds[name] = round(checked.seconds, 1)
        (made / SECONDS_FILE).write_text(json.dumps(seconds) + "\n")
        shutil.rmtree(self._library, ignore_errors=True)
        made.rename(self._library)

    def check(self, file: Path) -> Checked:
        """Compile a file that imports the theories.

        Raises:
            CoqError: a theory does not compile.
        """
        self.theories()
        return self._compile(file, self._library)

    def _compile(self, file: Path, library: Path) -> Checked:
        log = file.with_suffix(".log")
        log.unlink(missing_ok=True)
        begin = spent()
        ended = self._groups.run(
            # A netlist of 4096 bits exceeds the default stack.
            ["sh", "-c", 'ulimit -s unlimited 2>/dev/null; exec coqc "$@"', "coqc",
             "-q", "-Q", str(library), LIBRARY, file.name],
            cwd=file.parent,
            env=dict(os.environ),
            log=log,
            timeout=self._timeout,
        )  # fmt: skip
        output = log.read_text(errors="replace")
        if ended.timed_out:
            output += f"\nError: no answer within {self._timeout:g} s"
        asked = file.read_text().count(ASKED)
        closed = 0 < asked == output.count(CLOSED)
        return Checked(ended.returncode == 0, closed, output, spent() - begin)


def _theory(name: str) -> str:
    if name in TRANSLATED:
        return print_lemmas(TRANSLATED[name])
    return (THEORIES / f"{name}.v").read_text()


def _first_error(output: str) -> str:
    lines = output.splitlines()
    return next((line for line in lines if line.startswith("Error")), "no message")


def differing_bits(output: str) -> Sequence[str]:
    """Return the bits in the printed value of ``differences``, such as ``RegS 697``."""
    return [f"{signal} {bit}" for signal, bit in re.findall(r"\((\w+), (\d+)(?:%N)?\)", output)]
