"""The smallest variant of each command that users call: targets of the Makefile and subcommands.

Every target, every subcommand of ``regress`` and every command of a page runs in ``make test``: in
a block of a page marked ``run: test``, or as one of :data:`COMMANDS`. A block marked ``nightly``,
``by hand`` or with a file counts only where a smaller variant of its command runs there.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from ci.documentation import TEST, Block

# A word that assigns a variable, in front of a command.
ASSIGNMENT = re.compile(r"[A-Z_]+=")
TARGET = re.compile(r"^([a-z][a-z-]*):.*## ", re.MULTILINE)
SEPARATORS = ("&&", "||", "|", ";")
MAKE, REGRESS = "make", "regress"


def subjects(command: str) -> Iterator[str]:
    """Yield what a line of a page calls: ``make TARGET``, ``regress SUBCOMMAND`` or a script."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    part: list[str] = []
    for word in [*lexer, ";"]:
        if word not in SEPARATORS:
            part.append(word)
            continue
        if subject := _subject(part):
            yield subject
        part = []


def _subject(words: list[str]) -> str:
    while words and (ASSIGNMENT.match(words[0]) or words[0] == "time"):
        words = words[1:]
    if not words:
        return ""
    program, *rest = words
    if program.endswith("python") and rest[:1] == ["-m"]:
        program, *rest = rest[1:]
    if program in (MAKE, REGRESS):
        if rest[:1] == ["-o"]:
            rest = rest[2:]
        plain = [word for word in rest if not word.startswith("-") and "=" not in word]
        return f"{program} {plain[0]}" if plain else program
    return program if program.startswith("ci") else ""


def targets(makefile: Path) -> list[str]:
    """Return the targets that ``make help`` lists."""
    return [f"{MAKE} {name}" for name in TARGET.findall(makefile.read_text(encoding="utf-8"))]


def recipes(makefile: Path) -> dict[str, set[str]]:
    """Return what the recipe of each target calls."""
    found: dict[str, set[str]] = {}
    current: set[str] = set()
    for line in makefile.read_text(encoding="utf-8").splitlines():
        if target := TARGET.match(line):
            current = found.setdefault(f"{MAKE} {target[1]}", set())
        elif line.startswith("\t"):
            current |= set(subjects(line.lstrip("\t@").replace("$(python)", "python")))
    return found


def in_pages(blocks: Iterable[Block], where: str = "") -> dict[str, str]:
    """Return what the blocks of pages call, with the place of a call.

    Args:
        blocks: blocks of pages.
        where: only blocks that run there, for instance ``test``; all if empty.
    """
    return {
        subject: f"{block.place}: {command.text}"
        for block in blocks
        if block.kind == "run" and (not where or block.value == where)
        for command in block.commands
        for subject in subjects(command.text)
    }


def not_run(
    wanted: Iterable[str], blocks: Iterable[Block], smallest: Iterable[str], makefile: Path
) -> list[str]:
    """Return the wanted subjects that neither a page's block nor a smallest variant runs."""
    run = {subject for command in smallest for subject in subjects(command)}
    of_targets = recipes(makefile)
    run |= {called for target in run for called in of_targets.get(target, ())}
    return sorted(set(wanted) - run - set(in_pages(blocks, TEST)))


_JOB = "random-mm42-8-icarus-s1"
# Each in a copy of the checkout. `-o setup` leaves out the set-up, because the copy shares the
# checkout's .venv. Where a comment after a command says `exit code 1`, it ends so.
COMMANDS = (
    "make help",
    'make -o setup regress LIST=quick ARGS="--test random --arch mm42 --width 8 --sim icarus"'
    f" && make -o setup debug JOB={_JOB}",
    'make -o setup nightly ARGS="--test raw --arch mm42 --width 8 --sim icarus --budget 5m"',
    'make -o setup coverage ARGS="--arch mm42 --dry-run"',
    'make -o setup test JOBS=0 PYTEST_ARGS="-q ci/tests/test_cluster_result.py"',
    'make -o setup lint ARGS="--only columns"',
    'make -o setup formal ARGS="--proof montgomery_step --arch fast_montgomery --width 4"',
    'make -o setup mutate ARGS="--show --arch mm42 --file lib/carry_save_adder.sv"',
    'make -o setup faults ARGS="--show"',
    'make -o setup implement ARGS="--arch mm42 --width 8 --dry-run"',
    'make -o setup rsa-demo ARGS="--bits 512 --architecture fast_montgomery"',
    'make -o setup soc-demo ARGS="README.md --bits 490 --arch fast_montgomery"',
    "python -m regress table",
    "python -m regress blocks quick  # not every block has a build: exit code 1",
    "python -m regress leakage --width 4 --parameter BusWidth=8 --traces 200",
    "python -m regress upsets --width 4 --parameter BusWidth=8 --sample 200",
    "make clean",
    "make distclean",
)
