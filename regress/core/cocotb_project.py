"""A project whose tests are found by asking cocotb: no test is named by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from regress.core.errors import UsageError
from regress.core.hdlsources import SourceList, in_order, language_of, source_files
from regress.core.jobfile import Job, Launch
from regress.core.point import Point
from regress.core.project import TIMESCALE, Build, Project, Test


@dataclass(frozen=True)
class Bench:
    """Python modules with tests, and the design on which they run. Paths are below the root.

    Attributes:
        top: module or entity to elaborate.
        modules: Python modules with cocotb or pyuvm tests.
        sources: files in compile order, patterns (``rtl/**/*.sv``) and ``.f`` files. Packages are
            compiled before the files that use them.
        folder: working directory: where relative paths of tests and design start.
        path: folders added to PYTHONPATH beside ``folder``.
        files: files and folders that are copied into the working directory, in addition to those
            of ``folder``.
        includes: folders of include files.
        parameters: parameters or generics; a text is passed as it is, with its own quotes.
        timescale: unit and precision for sources that state none.
        arguments: more options of a simulator's compiler, by simulator.
        run_arguments: more options of a simulator's run, by simulator.
        plusargs: plusargs of the simulation: ``+verbose``.
        environment: variables of the simulation.
        simulators: the only simulators that can run it; empty for all that read its language.
        name: name of the bench where another has the same top; empty for ``top``.
    """

    top: str
    modules: Sequence[str]
    sources: Sequence[str]
    folder: str = "."
    path: Sequence[str] = ()
    files: Sequence[str] = ()
    includes: Sequence[str] = ()
    defines: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    timescale: tuple[str, str] = TIMESCALE
    arguments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    run_arguments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    plusargs: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    simulators: Sequence[str] = ()
    name: str = ""

    @property
    def key(self) -> str:
        """Name of the bench."""
        return self.name or self.top

    def check(self) -> None:
        """Check the name and the working directory, which also name folders of builds and jobs.

        Raises:
            UsageError: one of them cannot.
        """
        if "/" in self.key:
            raise UsageError(f"bench {self.key!r}: accepted: a name without '/'")
        folder = Path(self.folder)
        if folder.is_absolute() or ".." in folder.parts:
            said = f"bench {self.key}: folder {self.folder!r}"
            raise UsageError(f"{said}: accepted: a folder below the project, relative to it")

    def source_list(self, root: Path) -> SourceList:
        """Return the source files, their include folders and defines.

        Raises:
            UsageError: a file does not exist.
        """
        found = SourceList()
        for name in self.sources:
            try:
                found.add(name, root, root / self.folder)
            except UsageError as error:
                raise UsageError(f"bench {self.key}: sources: {error}") from None
        return found

    def language(self, root: Path) -> str:
        """Return the language of the design."""
        return language_of(self.source_list(root).files)


@dataclass(frozen=True)
class FoundTest:
    """A test that cocotb has found in a bench.

    Attributes:
        name: cocotb's name of the test; empty if the module cannot be imported.
        text: first lines of its description.
        place: file and line.
    """

    module: str
    name: str
    text: str = ""
    place: str = ""


class CocotbProject(Project):
    """A project of benches. Its tests are what cocotb finds in their modules.

    Attributes:
        benches: the benches, each with another name.
    """

    benches: Sequence[Bench] = ()

    def __init__(self, root: Path) -> None:
        """See :class:`Project`.

        Raises:
            UsageError: two benches have the same name, a name contains a slash, or a working
                directory is not below the root.
        """
        super().__init__(root)
        for bench in self.benches:
            bench.check()
        names = [bench.key for bench in self.benches]
        twice = next((name for name in names if names.count(name) > 1), "")
        if twice:
            raise UsageError(f"two benches are named {twice!r}: give one of them another name=")
        self._tests: Mapping[str, Test] = MappingProxyType({})

    @property
    def tests(self) -> Mapping[str, Test]:
        """The tests that cocotb has found, see :meth:`take_tests`."""
        return self._tests

    def take_tests(
        self, found: Mapping[str, Sequence[FoundTest]], simulators: Mapping[str, Sequence[str]]
    ) -> None:
        """Take the tests of every bench.

        A test's name is cocotb's. Where several benches or modules have a test of the same name,
        the names start with the bench, the module, or both.

        Args:
            found: tests by bench.
            simulators: languages that a simulator reads, by simulator.

        Raises:
            UsageError: two tests have the same name.
        """
        whole = [
            (bench, test) for bench in self.benches for test in dict.fromkeys(found[bench.key])
        ]
        names = _distinct([
            [
                test.name or test.module,
                f"{test.module}.{test.name or 'import'}",
                f"{bench.key}.{test.name or test.module}",
                f"{bench.key}.{test.module}.{test.name or 'import'}",
            ]
            for bench, test in whole
        ])  # fmt: skip
        tests: dict[str, Test] = {}
        for name, (bench, test) in zip(names, whole, strict=True):
            if name in tests:
                places = f"{tests[name].place} and {test.place}"
                raise UsageError(f"two tests are named {name!r} ({places}): rename one of them")
            language = bench.language(self.root)
            able = [known for known, read in simulators.items() if language in read]
            text = test.text.partition(";")[0]
            tests[name] = Test(
                test.module, test.name, text, bench.key, bench.top,
                tuple(bench.simulators or able), place=test.place,
            )  # fmt: skip
        self._tests = MappingProxyType(tests)

    @cached_property
    def _by_name(self) -> dict[str, Bench]:
        return {bench.key: bench for bench in self.benches}

    def build(
        self, top: str, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool
    ) -> Build:
        """See :meth:`Project.build`."""
        bench = self._by_name[top]
        found = bench.source_list(self.root)
        files = [self._moved(path, hdl) for path in in_order(found.files)]
        libraries = [self._moved(path, hdl) for path in found.libraries]
        return Build(
            sources=tuple(files),
            toplevel=bench.top,
            defines={**found.defines, **{n: str(v) for n, v in bench.defines.items()}},
            parameters={**bench.parameters, **dict(point.entries)},
            arguments=(
                *simulator.foreign_arguments,
                *simulator.library_arguments(libraries),
                *bench.arguments.get(simulator.name, ()),
            ),
            files=tuple(source_files(libraries)),
            includes=tuple(
                self._moved(path, hdl)
                for path in [*found.includes, *(self.root / name for name in bench.includes)]
            ),
            timescale=bench.timescale,
            folder=self.root / bench.folder,
        )

    def launch(self, job: Job) -> Launch:
        """See :meth:`Project.launch`."""
        bench = self._by_name[self.tests[job.test].top]
        return self.started(bench, super().launch(job), job.simulator)

    def started(self, bench: Bench, launch: Launch, simulator: str) -> Launch:
        """Return a launch with what a bench sets."""
        return replace(
            launch,
            environment={**bench.environment, **launch.environment},
            folder=bench.folder,
            files=tuple(bench.files),
            path=tuple(dict.fromkeys([bench.folder, *bench.path])),
            plusargs=tuple(bench.plusargs),
            arguments=tuple(bench.run_arguments.get(simulator, ())),
        )

    def _moved(self, path: Path, hdl: Path | None) -> Path:
        """Return a file's counterpart in an altered copy of the design."""
        if hdl is None or not path.is_relative_to(self.hdl_folder):
            return path
        return hdl / path.relative_to(self.hdl_folder)


def _distinct(choices: Iterable[Sequence[str]]) -> list[str]:
    """Return for each test the shortest of its names that no other test has."""
    rows = list(choices)
    alike: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        alike.setdefault(row[0], []).append(row)
    level = {
        name: next(
            (n for n in range(len(group[0])) if len({row[n] for row in group}) == len(group)), -1
        )
        for name, group in alike.items()
    }
    return [row[level[row[0]]] for row in rows]
