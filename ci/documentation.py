"""Runs the commands in the code blocks of every page.

A comment before each block states where its commands run:

``<!-- run: test -->``
    by ``make test``, in a copy of the checkout; the output shown is compared, ``…`` stands for
    anything. If a comment after a command says ``exit code 1``, it must end with that code.
``<!-- run: nightly -->``
    by ``ci/nightly.sh``, in the checkout itself; the output shown is compared, too.
``<!-- run: FILE -->``
    by that script or workflow, in which each of the commands stands; output shown has no figures.
``<!-- run: by hand, DATE: WHY -->``
    by no test; they are as old as their last run.
``<!-- file: NAME -->``
    the block is a file that the commands after it find under this name.

A figure with a unit is measured or set: its paragraph or table is generated (between
``<!-- table: … -->`` and ``<!-- /table -->``), or followed by ``<!-- measured: COMMAND, DATE -->``
``<!-- set: FILE -->``, the file that has it, or ``<!-- cited: WHERE -->``.

``python -m ci.documentation`` runs the blocks for the nightly; with ``--write`` it writes the
tables and pages of :mod:`ci.tables` instead.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ci.tables import current, written
from regress.core.errors import UsageError
from regress.core.terminal import FAILED, PASSED, USAGE
from verif.library.marked import END, TABLE

ROOT = Path(__file__).resolve().parent.parent
TEST, NIGHTLY = "test", "nightly"
# A night has one page that takes longer than anything else: an hour, on a slow machine.
TIMEOUT_SECONDS = {TEST: 300.0, NIGHTLY: 3 * 3600.0}
DATE = r"\d{4}-\d\d-\d\d"
MARK = re.compile(r"<!-- (?P<kind>run|file): (?P<value>.*?) -->", re.DOTALL)
BY_HAND = re.compile(rf"by hand, {DATE}: \S.*", re.DOTALL)
SOURCE = re.compile(
    rf"<!-- (?:measured: \S.*, {DATE}|set: (?P<file>\S+)|cited: \S.*) -->", re.DOTALL
)
PROMPT = "$ "
FIGURE = re.compile(
    r"\d[\d.,\u202f\u00a0]*[ \u202f\u00a0]?"
    r"(?:%|(?:ns|µs|ms|s|min|h|kB|MB|GB|MHz|seconds|minutes|hours|times|tests|jobs|mutants|proofs)\b)"
)
EXIT_CODE = re.compile(r" # .*exit code (\d+)")
FOR_WHOM = re.compile(r"For (?:the|every) .*?\. After this page you (?:can|know) ")


@dataclass(frozen=True)
class Command:
    """One command of a block.

    Attributes:
        text: what follows the prompt.
        output: the lines shown below it; empty if none are.
    """

    text: str
    output: str


@dataclass(frozen=True)
class Block:
    """A block of code in a page.

    Attributes:
        page: path of the page, relative to the root.
        line: of its fence, 1 for the first.
        kind: ``run`` or ``file``; empty if it is not marked.
        value: what the mark says.
        text: the lines inside.
    """

    page: Path
    line: int
    kind: str
    value: str
    text: str

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.page}:{self.line}"

    @property
    def commands(self) -> list[Command]:
        """Return the commands with the output shown; a file has no commands."""
        found: list[list[str]] = []
        for line in self.text.splitlines():
            if line.startswith(PROMPT):
                found.append([line.removeprefix(PROMPT)])
            elif found:
                found[-1].append(line)
        return [Command(first, "\n".join(rest).strip("\n")) for first, *rest in found]

    def problem(self, root: Path = ROOT) -> str:
        """Return the problem of the mark; empty if the mark is right."""
        if not self.kind:
            return "no comment in front of the block says where it runs"
        if self.kind == "file":
            return "" if Path(self.value).name == self.value else "a file has a plain name"
        if not self.commands:
            return f"no command: none of its lines starts with {PROMPT!r}"
        if self.value == TEST:
            made = [command.text for command in self.commands if "make " in command.text]
            # It would prepare the .venv of the copy, which is that of the checkout.
            return f"{made[0]!r} is nothing for a test: make changes .venv" if made else ""
        if self.value == NIGHTLY or BY_HAND.fullmatch(self.value):
            return ""
        script = root / self.value
        if not script.is_file():
            return f"{self.value!r} is neither test, nightly, a file, nor 'by hand, DATE: WHY'"
        known = script.read_text()
        for command in self.commands:
            if _bare(command.text) not in known:
                return f"{self.value} does not run {_bare(command.text)!r}"
            if re.search(r"\d", command.output):
                return "no test compares the output shown: it has no figures"
        return ""


def _bare(command: str) -> str:
    """A command without the comment after it."""
    return re.sub(r"\s+#.*", "", command).strip()


def pages(root: Path = ROOT) -> list[Path]:
    """Every page of the project, relative to the root."""
    return sorted(path for path in files_of(root) if path.suffix == ".md")


def files_of(root: Path) -> list[Path]:
    """The files of the project, relative to the root, also new ones."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    # The list also has files that are removed but not yet committed.
    return [Path(name) for name in listed.split("\0") if name and (root / name).is_file()]


def blocks(page: Path, root: Path = ROOT) -> list[Block]:
    """The blocks of a page, in its order; indented ones, too, which can have no mark."""
    found = []
    tokens = _tokens(page, root)
    for number, token in enumerate(tokens):
        if token.type not in ("fence", "code_block"):
            continue
        mark = None
        if number and tokens[number - 1].type == "html_block" and token.type == "fence":
            mark = MARK.search(tokens[number - 1].content)
        kind, value = (mark["kind"], " ".join(mark["value"].split())) if mark else ("", "")
        found.append(Block(page, _line(token), kind, value, token.content))
    return found


def loose_figures(page: Path, root: Path = ROOT) -> Iterator[str]:
    """The figures of a page that no command writes and no comment says the source of."""
    tokens = _tokens(page, root)
    generated = False
    for number, token in enumerate(tokens):
        if token.type == "html_block":
            generated = (generated or TABLE in token.content) and END not in token.content
        if token.type != "inline" or generated:
            continue
        figure = FIGURE.search(_words(token))
        if figure and not _source(tokens[number:], root):
            yield f"{page}:{_line(token)}: where does {figure[0]!r} come from?"


def _source(tokens: Sequence[Token], root: Path) -> bool:
    """Whether a comment after the part of the page that begins here says its figures' source."""
    for token in tokens:
        if token.type == "html_block":
            found = SOURCE.search(token.content)
            return bool(found and (not found["file"] or (root / found["file"]).is_file()))
        if token.type in ("heading_open", "fence", "paragraph_open", "table_open"):
            return False
    return False


def _words(token: Token) -> str:
    """The text of a part of a page in one line, without code."""
    parts = (part for part in token.children or () if part.type != "code_inline")
    return "".join(" " if part.type == "softbreak" else part.content for part in parts)


def _links(tokens: Iterable[Token]) -> list[str]:
    """The paths that links and pictures lead to, without those to other sites."""
    parts = (part for token in tokens for part in token.children or ())
    found = (urlsplit(str(part.attrs.get("href") or part.attrs.get("src", ""))) for part in parts)
    return [unquote(link.path) for link in found if link.path and not link.scheme]


def dead_links(page: Path, root: Path = ROOT) -> Iterator[str]:
    """The links of a page that lead nowhere in the checkout."""
    for path in _links(_tokens(page, root)):
        if not (root / page.parent / path).exists():
            yield f"{page}: {path} does not exist"


def linked_pages(page: Path, root: Path = ROOT) -> set[Path]:
    """The pages that a page leads to, relative to the root."""
    paths = {(root / page.parent / path).resolve() for path in _links(_tokens(page, root))}
    return {path.relative_to(root.resolve()) for path in paths if path.suffix == ".md"}


def reading_problems(page: Path, root: Path = ROOT) -> Iterator[str]:
    """Yield what a page lacks: a first line for its reader, a link to the next page at its end."""
    texts = [token for token in _tokens(page, root) if token.type == "inline"]
    if len(texts) < 2 or not FOR_WHOM.match(_words(texts[1])):
        yield f"{page}: the first line must be 'For the …. After this page you can (or know) …'"
    if not any(path.endswith(".md") for path in _links(texts[-1:])):
        yield f"{page}: the last paragraph must link to the next page"


def copy_checkout(folder: Path) -> None:
    """A copy of the project's files, with the environment and the builds of the checkout.

    The copy also has the compiled modules, which Python uses as long as a source keeps its time.
    """
    for path in files_of(ROOT):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
        compiled = Path(importlib.util.cache_from_source(str(ROOT / path)))
        if path.suffix == ".py" and compiled.is_file():
            beside = (folder / path).parent / "__pycache__" / compiled.name
            beside.parent.mkdir(exist_ok=True)
            shutil.copy2(compiled, beside)
    (ROOT / "build").mkdir(exist_ok=True)
    for name in (".venv", "build"):
        (folder / name).symlink_to((ROOT / name).resolve())


def copy_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a command in a copy of the checkout.

    Python keeps compiled modules beside their sources: in the copy and in the .venv that it shares.
    A pytest that the command starts has its temporary folders in the copy: it does not remove those
    of earlier runs, which takes minutes on a slow disk.
    """
    left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    path = f"{folder / '.venv' / 'bin'}{os.pathsep}{kept['PATH']}"
    return {**kept, "PATH": path, "COLUMNS": "120", "PYTEST_DEBUG_TEMPROOT": str(folder)}


def run_page(found: Sequence[Block], where: str, folder: Path) -> Iterator[str]:
    """Run the blocks of a page that run somewhere, in order; yields what went wrong.

    The files of the page are there for its commands, and afterwards as before.

    Args:
        found: the blocks.
        where: ``test`` or ``nightly``.
        folder: the checkout or a copy of it.
    """
    files = [folder / block.value for block in found if block.kind == "file"]
    before = {file: file.read_bytes() if file.exists() else None for file in files}
    try:
        for block in found:
            if block.kind == "file":
                (folder / block.value).write_text(block.text, encoding="utf-8")
            for command in block.commands if (block.kind, block.value) == ("run", where) else ():
                if problem := run_command(command, folder, TIMEOUT_SECONDS[where]):
                    yield f"{block.place}: {command.text}: {problem}"
    finally:
        for file, content in before.items():
            if content is None:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(content)


def run_command(command: Command, folder: Path, timeout: float = TIMEOUT_SECONDS[TEST]) -> str:
    """Run a command and end what it leaves running; return its error, or an empty text.

    Args:
        command: the command.
        folder: the checkout or a copy of it.
        timeout: seconds.
    """
    with subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", command.text],
        cwd=folder,
        env=copy_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            printed, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            return f"not done after {timeout:g} s"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    stated = EXIT_CODE.search(command.text)
    if process.returncode != (int(stated[1]) if stated else 0):
        return f"exit code {process.returncode}\n{printed}"
    if "Traceback (most" in printed:
        return f"a traceback\n{printed}"
    return difference(command.output, printed)


def difference(shown: str, printed: str) -> str:
    """Return the difference between shown and printed output; empty if they agree."""
    if not shown:
        return ""
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    wanted = shown.replace("…", doctest.ELLIPSIS_MARKER) + "\n"
    if checker.check_output(wanted, printed.replace("…", doctest.ELLIPSIS_MARKER), flags):
        return ""
    return f"the page shows\n{shown}\nbut printed is\n{printed}"


def _tokens(page: Path, root: Path) -> list[Token]:
    return _parsed((root / page).read_text(encoding="utf-8"))


@cache  # several checks read each page
def _parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the blocks of all pages, or of some; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m ci.documentation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pages", nargs="*", type=Path, help="default: every page")
    parser.add_argument("--run", choices=(TEST, NIGHTLY), default=NIGHTLY, help="which blocks")
    parser.add_argument("--write", action="store_true", help="write the tables and stop")
    arguments = parser.parse_args(argv)
    try:
        return (
            _write() if arguments.write else _run_pages(arguments.pages or pages(), arguments.run)
        )
    except (UsageError, OSError) as error:
        print(f"documentation: {error}", file=sys.stderr)
        return USAGE


def _write() -> int:
    for page in written():
        (ROOT / page).write_text(current(page, ROOT), encoding="utf-8")
    return PASSED


def _run_pages(chosen: Iterable[Path], where: str) -> int:
    failed = False
    for page in chosen:
        found = blocks(page)
        count = sum(len(block.commands) for block in found if block.value == where)
        if not count:
            continue
        print(f"{page}: {count} commands", flush=True)
        for problem in run_page(found, where, ROOT):
            print(f"FAIL {problem}", flush=True)
            failed = True
    return FAILED if failed else PASSED


if __name__ == "__main__":
    sys.exit(main())
