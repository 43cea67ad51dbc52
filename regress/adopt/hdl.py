"""The HDL files of a project: which modules they declare, what they need, which one is the top."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regress.core.hdlsources import DECLARED, LANGUAGES, USED, VHDL, code_of, used_first

UNIT = {
    False: re.compile(r"^\s*module\s+(?:automatic\s+|static\s+)?(\w+)", re.MULTILINE),
    True: re.compile(r"^\s*entity\s+(\w+)\s+is\b", re.MULTILINE | re.IGNORECASE),
}
INSTANCE = {
    False: re.compile(r"(\w+)\s+(?:\w+\s+)?(?:#\s*\(|(?:\[[^\]]*\]\s*)?\()"),
    True: re.compile(r"(?:\bentity\s+\w+\.|\bcomponent\s+|:\s*)(\w+)", re.IGNORECASE),
}
INCLUDE = re.compile(r'`include\s+"([^"]+)"')
PORT = re.compile(r"\b(?:input|output|inout|in|out)\b([^;)]*)", re.IGNORECASE)
VHDL_PORT = re.compile(r"(\w+(?:\s*,\s*\w+)*)\s*:\s*(?:in|out|inout)\b", re.IGNORECASE)
SIMULATION = re.compile(r"(^|_)(tb|testbench|bench|sim|dump)(_|$)", re.IGNORECASE)


@dataclass(frozen=True)
class HdlFile:
    """A source file."""

    path: Path

    @property
    def vhdl(self) -> bool:
        """Whether it is VHDL: names then do not depend on case."""
        return LANGUAGES[self.path.suffix] == VHDL

    @cached_property
    def code(self) -> str:
        """Text without comments."""
        return code_of(self.path)

    @cached_property
    def units(self) -> list[str]:
        """Modules or entities that the file declares."""
        return [self._cased(name) for name in UNIT[self.vhdl].findall(self.code)]

    @cached_property
    def packages(self) -> list[str]:
        """Packages and interfaces that the file declares."""
        found = DECLARED[LANGUAGES[self.path.suffix]].findall(self.code)
        return [self._cased(name) for name in found if self._cased(name) not in self.units]

    @cached_property
    def needs(self) -> set[str]:
        """Names of units and packages that the file may use."""
        language = LANGUAGES[self.path.suffix]
        used = {"".join(match.groups("")) for match in USED[language].finditer(self.code)}
        return {self._cased(name) for name in used | set(INSTANCE[self.vhdl].findall(self.code))}

    @cached_property
    def instances(self) -> set[str]:
        """Names of units that the file may instantiate."""
        declared = re.sub(r"\bmodule\s+\w+", "", self.code)
        return {self._cased(name) for name in INSTANCE[self.vhdl].findall(declared)}

    @cached_property
    def includes(self) -> list[str]:
        """Files that the file includes."""
        return INCLUDE.findall(self.code)

    def ports(self, unit: str) -> set[str]:
        """Return the words of a unit's port declarations."""
        if self.vhdl:
            found = " ".join(VHDL_PORT.findall(self.code))
        else:
            start = re.search(rf"\bmodule\s+{re.escape(unit)}\b", self.code)
            text = self.code[start.start() :] if start else ""
            found = " ".join(PORT.findall(text.partition("endmodule")[0]))
        return {word.lower() for word in re.findall(r"[A-Za-z_]\w*", found)}

    def _cased(self, name: str) -> str:
        return name.lower() if self.vhdl else name


class Design:
    """HDL files that are searched for tops."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.files = [HdlFile(path) for path in files if path.suffix in LANGUAGES]
        self._by_name: dict[str, HdlFile] = {}
        for file in self.files:
            for name in (*file.units, *file.packages):
                self._by_name.setdefault(name, file)

    def units(self) -> list[str]:
        """Return all modules and entities."""
        return [name for file in self.files for name in file.units]

    def tops(self) -> list[str]:
        """Return the units that no other unit instantiates."""
        used = {
            name
            for file in self.files
            for name in file.instances
            if name not in file.units or len(file.units) > 1
        }
        return [name for name in self.units() if name not in used]

    def has(self, unit: str) -> bool:
        """Return whether a unit is declared."""
        return unit in self._by_name or unit.lower() in self._by_name

    def closure(self, top: str) -> list[Path]:
        """Return the files that a top needs, those that are used first."""
        first = self._by_name.get(top) or self._by_name[top.lower()]
        return [file.path for file in used_first([first], self._used)]

    def _used(self, file: HdlFile) -> list[HdlFile]:
        return [self._by_name[name] for name in sorted(file.needs) if name in self._by_name]

    def score(self, unit: str, signals: set[str]) -> int:
        """Return how many of the signals that a test uses a unit has."""
        file = self._by_name.get(unit) or self._by_name[unit.lower()]
        return len(file.ports(unit) & {name.lower() for name in signals})


def include_folders(files: Sequence[Path], known: Iterable[Path]) -> list[Path]:
    """Return the folders of the files that sources include and that exist in the project."""
    by_name: dict[str, list[Path]] = {}
    for path in known:
        by_name.setdefault(path.name, []).append(path)
    folders: list[Path] = []
    waiting, seen = [path for path in files if path.suffix in LANGUAGES], set(files)
    while waiting:
        path = waiting.pop()
        for name in INCLUDE.findall(code_of(path)):
            for found in by_name.get(Path(name).name, []):
                if not str(found).endswith(name):
                    continue
                folder = found.parents[len(Path(name).parts) - 1]
                if folder not in folders:
                    folders.append(folder)
                if found not in seen:
                    seen.add(found)
                    waiting.append(found)
                break
    return folders


def top_for(design: Design, module: str, signals: set[str]) -> tuple[str, str]:
    """Return the top for a test module, and why it was taken if nothing states it.

    A unit that has all the signals the test uses is preferred, then one that no other instantiates,
    then one whose name is in the name of the module.
    """
    tops, units = design.tops(), design.units()
    stem = re.sub(r"^(test|tb)_|_(test|tb)$", "", module.rpartition(".")[2])

    def rank(unit: str) -> tuple[int, int, int, int]:
        named = unit.lower() in (stem.lower(), f"tb_{stem}".lower(), f"{stem}_tb".lower())
        wrapper = unit in tops and bool(SIMULATION.search(unit))
        return (design.score(unit, signals), unit in tops, named, wrapper)

    best = max(units, key=rank)
    if tops == [best] or len(units) == 1:
        return best, ""
    others = [unit for unit in tops if unit != best][:4]
    more = f" (other tops: {', '.join(others)})" if others else ""
    return best, f"top {best}: it has the signals that {module} uses{more}"
