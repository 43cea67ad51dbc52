"""HDL source files: patterns and ``.f`` files become a list of files in compile order."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from regress.core.errors import UsageError

File = TypeVar("File")
VERILOG, VHDL = "verilog", "vhdl"
LANGUAGES = {".sv": VERILOG, ".v": VERILOG, ".vhd": VHDL, ".vhdl": VHDL}
COMMENT = {
    VERILOG: re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL),
    VHDL: re.compile(r"--[^\n]*"),
}
# Names that a file declares, and names that another file must declare before it.
DECLARED = {
    VERILOG: re.compile(r"^\s*(?:package|interface)\s+(?:automatic\s+)?(\w+)", re.MULTILINE),
    VHDL: re.compile(r"^\s*(?:package(?!\s+body)|entity)\s+(\w+)\s+is\b", re.MULTILINE | re.I),
}
USED = {
    VERILOG: re.compile(r"\b(\w+)::|^\s*(\w+)\.\w+\s+\w+\s*[,)]", re.MULTILINE),
    VHDL: re.compile(
        r"\b(?:work|entity\s+\w+)\.(\w+)|\bpackage\s+body\s+(\w+)"
        r"|\b(?:architecture|configuration)\s+\w+\s+of\s+(\w+)",
        re.IGNORECASE,
    ),
}
LISTS = (".f", ".flist", ".vc")
# Options of a ``.f`` file that are read. Other options and their arguments have no meaning here.
INCLUDE, DEFINE = ("-I", "-incdir", "+incdir"), ("-D", "-define", "+define")
READ = ("-f", "-F", "-v", "-y", *INCLUDE, *DEFINE)
# An option with its argument in one word.
JOINED = re.compile(r"(\+incdir|\+define)\+(.*)|(-[ID])(.+)")


@dataclass
class SourceList:
    """Files that patterns and ``.f`` files name.

    Attributes:
        files: source files in the order in which they are named.
        libraries: folders with a file for each module that no source file declares.
    """

    files: list[Path] = field(default_factory=list)
    includes: list[Path] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    libraries: list[Path] = field(default_factory=list)
    _open: list[Path] = field(default_factory=list, init=False)

    def add(self, name: str, folder: Path, paths_from: Path | None = None) -> None:
        """Add a file, the files that match a pattern, or the contents of a ``.f`` file.

        Args:
            name: path or pattern, relative to ``folder``.
            folder: folder of relative paths.
            paths_from: folder of the relative paths in a ``.f`` file; default: ``folder``.

        Raises:
            UsageError: no such file exists, or a ``.f`` file cannot be read.
        """
        path = Path(os.path.expandvars(name))
        found = [folder / path]
        if any(letter in name for letter in "*?["):
            top = Path(path.anchor) if path.is_absolute() else folder
            pattern = str(path.relative_to(path.anchor)) if path.is_absolute() else str(path)
            found = sorted(item for item in top.glob(pattern) if item.suffix in LANGUAGES)
        if not found or not all(item.is_file() for item in found):
            raise UsageError(f"{name}: no such source file (looked in {folder})")
        for item in found:
            if item.suffix in LISTS:
                self._read(item, paths_from or folder)
            elif item not in self.files:
                self.files.append(item)

    def _read(self, path: Path, folder: Path) -> None:
        """Add the contents of a ``.f`` file."""
        if path.resolve() in self._open:
            raise UsageError(f"{path}: the file includes itself")
        self._open.append(path.resolve())
        option = ""
        for number, line in enumerate(_lines(path), 1):
            try:
                words = shlex.split(line)
            except ValueError as error:
                raise UsageError(f"{path}:{number}: {error}") from None
            # Only options that are read can have their argument in the next line.
            option = option if option in READ else ""
            for word in map(os.path.expandvars, words):
                option = self._take(option, word, path, folder)
        self._open.pop()

    def _take(self, option: str, word: str, path: Path, folder: Path) -> str:
        """Add a word of a ``.f`` file that follows ``option``; return the option it is itself."""
        joined = JOINED.fullmatch(word)
        if joined:
            option, word = joined[1] or joined[3], joined[2] or joined[4] or ""
        elif word.startswith(("-", "+")):
            return word
        parts = [part for part in word.split("+") if part] if option[:1] == "+" else [word]
        if option in ("-f", "-F"):
            self.add(word, path.parent if option == "-F" else folder, path.parent)
        elif option in INCLUDE:
            self.includes += [_place(part, folder, path) for part in parts]
        elif option in DEFINE:
            entries = (part.partition("=") for part in parts)
            self.defines.update({name: value or "1" for name, _, value in entries})
        elif option == "-y":
            library = _place(word, folder, path)
            if not library.is_dir():
                raise UsageError(f"{path}: -y {word}: no such folder")
            self.libraries.append(library)
        elif option in ("", "-v") or Path(word).suffix in (*LANGUAGES, *LISTS):
            self.add(str(_place(word, folder, path)), folder)
        return ""


def _lines(path: Path) -> list[str]:
    """Return the lines of a ``.f`` file without comments."""
    text = path.read_text(errors="replace")
    text = COMMENT[VERILOG].sub(lambda found: "\n" * found[0].count("\n") or " ", text)
    text = re.sub(r"^\s*#.*", "", text, flags=re.MULTILINE)
    return re.sub(r"\$[({](\w+)[)}]", r"${\1}", text).splitlines()


def _place(name: str, folder: Path, listed_in: Path) -> Path:
    """Return a path of a ``.f`` file: relative to the working directory or to the file itself."""
    if (folder / name).exists():
        return folder / name
    return listed_in.parent / name


def source_files(folders: Iterable[Path]) -> list[Path]:
    """Return the source files that are in folders, not below them."""
    found = (item for folder in folders for item in sorted(folder.iterdir()))
    return [item for item in found if item.suffix in LANGUAGES]


def language_of(files: Iterable[Path]) -> str:
    """Return the language of the last file: the top is usually last."""
    found = [LANGUAGES[path.suffix] for path in files if path.suffix in LANGUAGES]
    return found[-1] if found else VERILOG


def code_of(path: Path) -> str:
    """Return a file's text without comments."""
    comment = COMMENT[LANGUAGES.get(path.suffix, VERILOG)]
    return comment.sub(" ", path.read_text(errors="replace"))


def in_order(files: Sequence[Path]) -> list[Path]:
    """Put packages and interfaces before the files that use them; otherwise keep the order."""
    texts = {path: code_of(path) for path in files}
    declared: dict[str, Path] = {}
    for path, text in texts.items():
        for name in _names(DECLARED, path, text):
            declared.setdefault(name, path)
    return used_first(
        files,
        lambda path: [
            declared[name] for name in _names(USED, path, texts[path]) if name in declared
        ],
    )


def used_first(files: Iterable[File], used: Callable[[File], Iterable[File]]) -> list[File]:
    """Return files and all that they use, directly or not, each after those that it uses.

    If files use each other, the one that is met first comes last.
    """
    placed: list[File] = []
    started: set[File] = set()

    def place(file: File) -> None:
        if file not in started:
            started.add(file)
            for other in used(file):
                place(other)
            placed.append(file)

    for file in files:
        place(file)
    return placed


def _names(patterns: dict[str, re.Pattern[str]], path: Path, text: str) -> list[str]:
    language = LANGUAGES.get(path.suffix, VERILOG)
    found = ("".join(match.groups("")) for match in patterns[language].finditer(text))
    return [name.lower() if language == VHDL else name for name in found]
