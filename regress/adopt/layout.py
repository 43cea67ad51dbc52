"""Finds the benches of a project: from its makefiles, its runner calls, else from its folders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from regress.adopt.found import Finding, files_below
from regress.adopt.hdl import Design, include_folders, top_for
from regress.adopt.makefile import is_cocotb_makefile, read_makefile
from regress.adopt.runner_calls import calls_runner, read_runner
from regress.adopt.tests_found import TestModule, read_modules
from regress.core.errors import UsageError
from regress.core.hdlsources import LANGUAGES

INCLUDED = (*LANGUAGES, ".vh", ".svh", ".inc", ".h")
DESIGN_FOLDERS = ("hdl", "rtl", "src", "design", "source", "sources", "verilog", "vhdl")


class Layout:
    """Contents of a folder.

    Attributes:
        notes: what was left out, one line each.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files = list(files_below(root))
        self._modules, self.notes = read_modules(self._files, root)

    def benches(self, top: str = "") -> list[Finding]:
        """Return the benches.

        Args:
            top: module to elaborate, for tests for which nothing states it.

        Raises:
            UsageError: the folder holds no test or no design.
        """
        tests = [module for module in self._modules if module.has_tests]
        if not tests:
            said = [*self.notes, f"{self.root}: no cocotb test"]
            more = "accepted: a folder with @cocotb.test() in it or below"
            raise UsageError(*said[:-1], f"{said[-1]}; {more}")
        found = [self._checked(finding) for finding in [*self._made(), *self._run()]]
        findings: list[Finding] = []
        for finding in filter(None, found):
            if not any(_alike(finding, known) for known in findings):
                findings.append(finding)
        covered = {path for finding in findings for path in self._files_of(finding)}
        left = [module for module in tests if module.path not in covered]
        findings += self._guessed(left, top, bool(findings))
        if not findings:
            raise UsageError(f"{self.root}: no SystemVerilog, Verilog or VHDL file for its tests")
        for finding in findings:
            self._complete(finding)
        return _named(findings)

    def _made(self) -> list[Finding]:
        findings: list[Finding] = []
        for path in self._files:
            if is_cocotb_makefile(path):
                found, problems = read_makefile(path, self.root)
                findings += found
                self.notes += problems
        return findings

    def _run(self) -> list[Finding]:
        return [
            finding
            for module in self._modules
            if calls_runner(module.tree)
            for finding in read_runner(module.path, module.tree, self.root)
        ]

    def _checked(self, finding: Finding) -> Finding | None:
        """Return a bench without missing files; None if no file of it exists."""
        missing = [path for path in finding.sources if not path.is_file()]
        found = [path for path in finding.sources if path.is_file()]
        if missing:
            names = ", ".join(path.name for path in missing[:3])
            self.notes.append(f"{finding.origin}: sources that do not exist: {names}")
        modules = []
        for name in finding.modules:
            if self._find(name, finding):
                modules.append(name)
            else:
                self.notes.append(f"{finding.origin}: no module {name} was found")
        if not (found and modules) or not all(path.is_relative_to(self.root) for path in found):
            return None
        return replace(finding, sources=found, modules=modules)

    def _find(self, name: str, finding: Finding) -> Path | None:
        """Return the file of a module; add the folder from which it can be imported."""
        file = Path(*name.split(".")).with_suffix(".py")
        for folder in [finding.folder, *finding.path]:
            if (folder / file).is_file():
                if folder != finding.folder and folder not in finding.path:
                    finding.path.append(folder)
                return folder / file
        for module in self._modules:
            if module.path.is_relative_to(self.root) and str(module.path).endswith(f"/{file}"):
                folder = module.path.parents[len(file.parts) - 1]
                finding.path.append(folder)
                return module.path
        return None

    def _files_of(self, finding: Finding) -> Iterable[Path]:
        for name in finding.modules:
            path = self._find(name, finding)
            if path:
                yield path

    def _guessed(self, tests: Sequence[TestModule], top: str, others: bool) -> list[Finding]:
        """Return a bench for each test module whose design no file states."""
        findings: list[Finding] = []
        for module in tests:
            design, folder = self._design_of(module)
            if not design.units():
                shown = module.path.relative_to(self.root)
                self.notes.append(f"{shown}: left out: no design was found for it")
                continue
            if top and not design.has(top):
                names = " | ".join(design.tops() or design.units())
                raise UsageError(f"--top {top}: no such module; accepted: {names}")
            signals = self._signals(module)
            chosen, why = (top, "") if top else top_for(design, module.path.stem, signals)
            known = next((item for item in findings if item.top == chosen
                          and item.folder == module.path.parent), None)  # fmt: skip
            if known:
                known.modules.append(module.path.stem)
                continue
            guesses = [why] if why else []
            if others or folder not in (self.root, module.path.parent):
                guesses.append(f"sources of {module.path.stem}: from {self._shown(folder)}")
            findings.append(
                Finding(
                    top=chosen,
                    modules=[module.path.stem],
                    sources=design.closure(chosen),
                    folder=module.path.parent,
                    origin=str(module.path.relative_to(self.root)),
                    guesses=guesses,
                )
            )
        return findings

    def _shown(self, folder: Path) -> str:
        return "this folder" if folder == self.root else str(folder.relative_to(self.root))

    def _signals(self, module: TestModule) -> set[str]:
        """Return the signals of a test and of the modules beside it, which may be its helpers."""
        found = set(module.signals)
        for other in self._modules:
            if not other.has_tests and other.path.parent == module.path.parent:
                found |= other.signals
        return found

    def _design_of(self, module: TestModule) -> tuple[Design, Path]:
        """Return the HDL files for a test: of its folder and of the nearest folder of sources."""
        own = self._hdl(module.path.parent)
        place = module.path.parent
        while True:
            for name in DESIGN_FOLDERS:
                files = self._hdl(place / name)
                if files:
                    near = [path for path in own if path.parent == module.path.parent]
                    return Design(dict.fromkeys([*files, *near])), place / name
            if place == self.root:
                break
            place = place.parent
        if own:
            return Design(own), module.path.parent
        return Design(self._hdl(self.root)), self.root

    def _hdl(self, folder: Path) -> list[Path]:
        return [p for p in self._files if p.suffix in LANGUAGES and p.is_relative_to(folder)]

    def _complete(self, finding: Finding) -> None:
        """Add folders of include files; drop duplicates."""
        hdl = [path for path in self._files if path.suffix in INCLUDED]
        folders = [*finding.includes, *include_folders(finding.sources, hdl)]
        finding.includes = [
            path
            for path in dict.fromkeys(folders)
            if path.is_dir() and path.is_relative_to(self.root)
        ]
        finding.sources = list(dict.fromkeys(finding.sources))
        finding.path = [
            path
            for path in dict.fromkeys(finding.path)
            if path != finding.folder and path.is_dir() and path.is_relative_to(self.root)
        ]


def _alike(one: Finding, other: Finding) -> bool:
    """Return whether two places describe the same bench: a makefile, and a runner beside it."""
    same = (one.top, one.modules, one.folder) == (other.top, other.modules, other.folder)
    return same and (one.origin != other.origin or one.parameters == other.parameters)


def _named(findings: list[Finding]) -> list[Finding]:
    """Give benches with the same top different names."""
    names = [finding.name or finding.top for finding in findings]
    named: list[Finding] = []
    for finding, name in zip(findings, names, strict=True):
        if names.count(name) > 1:
            name = f"{name}-{finding.folder.name}"
        if any(name == other.name for other in named):
            name = f"{name}-{len(named) + 1}"
        named.append(replace(finding, name=name))
    return [
        replace(finding, name="" if finding.name == finding.top else finding.name)
        for finding in named
    ]
