"""HDL source files: patterns and ``.f`` files become a list of files in compile order."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regress.core.errors import UsageError

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
    VHDL: re.compile(r"\b(?:work|entity\s+\w+)\.(\w+)|\bpackage\s+body\s+(\w+)", re.IGNORECASE),
}


@dataclass
class SourceList:
    """Files that patterns and ``.f`` files name.

    Attributes:
        files: source files in the order in which they are named.
    """

    files: list[Path] = field(default_factory=list)
    includes: list[Path] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, folder: Path, paths_from: Path | None = None) -> None:
        """Add a file, the files that match a pattern, or the contents of a ``.f`` file.

        Args:
            name: path or pattern, relative to ``folder``.
            folder: folder of relative paths.
            paths_from: folder of the relative paths in a ``.f`` file; default: ``folder``.

        Raises:
            UsageError: no such file exists.
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
            if item.suffix in (".f", ".flist"):
                self._read(item, paths_from or folder)
            elif item not in self.files:
                self.files.append(item)

    def _read(self, path: Path, folder: Path) -> None:
        text = COMMENT[VERILOG].sub(" ", path.read_text(errors="replace"))
        text = re.sub(r"^\s*#.*", "", text, flags=re.MULTILINE)
        words = iter(shlex.split(re.sub(r"\$[({](\w+)[)}]", r"${\1}", text)))
        for word in map(os.path.expandvars, words):
            if word in ("-f", "-F"):
                name = os.path.expandvars(next(words, ""))
                self.add(name, path.parent if word == "-F" else folder, path.parent)
            elif word.startswith("+incdir+"):
                self.includes += [
                    _place(name, folder, path) for name in word[8:].split("+") if name
                ]
            elif word.startswith("+define+"):
                entries = (entry.partition("=") for entry in word[8:].split("+"))
                self.defines.update({name: value or "1" for name, _, value in entries})
            elif word.startswith("-I"):
                self.includes.append(_place(word[2:], folder, path))
            elif word in ("-v", "-y"):
                continue
            elif not word.startswith(("-", "+")):
                place = _place(word, folder, path)
                self.add(str(place), folder)


def _place(name: str, folder: Path, listed_in: Path) -> Path:
    """Return a path of a ``.f`` file: relative to the working directory or to the file itself."""
    if (folder / name).exists():
        return folder / name
    return listed_in.parent / name


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
    placed: list[Path] = []
    open_files: set[Path] = set()

    def place(path: Path) -> None:
        if path in placed or path in open_files:  # the latter: the files need each other
            return
        open_files.add(path)
        for name in _names(USED, path, texts[path]):
            if name in declared:
                place(declared[name])
        placed.append(path)

    for path in files:
        place(path)
    return placed


def _names(patterns: dict[str, re.Pattern[str]], path: Path, text: str) -> list[str]:
    language = LANGUAGES.get(path.suffix, VERILOG)
    found = ("".join(match.groups("")) for match in patterns[language].finditer(text))
    return [name.lower() if language == VHDL else name for name in found]
