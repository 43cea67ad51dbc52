"""Lint by elaboration: every module of the design and every test bench, by three tools."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ci.checks import ROOT, SCRATCH, Result, Tool, is_package, run, sources
from models.registry import hardware_architectures
from verif.bench.configuration.derived import elaborated_modules
from verif.bench.configuration.design import (
    DESIGNS,
    EXPONENTIATION,
    MULTIPLIER,
    SimulationBuild,
    hardware,
    simulation_build,
)
from verif.library.modules import declared_parameters
from verif.library.yosys import YOSYS

# Besides the smallest legal width: not a multiple of any word, and one where sizes overflow. That
# takes long, so only the test benches have it, and only with --every: all tops that take a core are
# in them.
ODD_WIDTH, LARGE_WIDTH = 33, 2048


SELECTS = ("parallel_core_select", "ring_core_select")

# For the tools that elaborate once a core.
ONE_WIDTH = 32


@dataclass(frozen=True)
class Top:
    """A module of ``hdl``, with the architecture of its core where it takes one."""

    module: str
    path: Path
    architecture: str | None = None

    @property
    def name(self) -> str:
        """Name in messages."""
        return f"{self.module} with {self.architecture}" if self.architecture else self.module

    def settings(self, width: int) -> tuple[dict[str, str], dict[str, int]]:
        """Macros and parameters that put the core into it; none for a module without a core."""
        if not self.architecture:
            return {}, {}
        # Modules below a design's top take some of the parameters of the larger design.
        design = next((d for d in DESIGNS.values() if d.top == self.module), EXPONENTIATION)
        build = simulation_build(design, hardware_architectures()[self.architecture], width, {})
        own = declared_parameters(ROOT / self.path)
        # A parameter that no design has keeps its default.
        given = build.parameters
        return build.defines, {name: given[name] for name in own if name in given}


def tops(only: Sequence[str]) -> list[Top]:
    """Modules of ``hdl`` as tops of their own, once an architecture if they take a core.

    Args:
        only: these modules; all if empty.
    """
    paths = [path for path in sources("hdl") if not is_package(path)]
    taking = modules_with_core({path.stem: (ROOT / path).read_text() for path in paths})
    return [
        Top(path.stem, path, architecture)
        for path in paths
        if not only or path.stem in only
        for architecture in (cores_of(path.stem) if path.stem in taking else [None])
    ]


def cores_of(module: str) -> list[str]:
    """The architectures with which a module that takes a core is elaborated."""
    entries = hardware_architectures()
    return [
        name
        for name, entry in entries.items()
        if module not in hardware(EXPONENTIATION, entry, ONE_WIDTH, {}).absent
    ]


@dataclass(frozen=True)
class Scope:
    """Designs that a run of the lint elaborates.

    Attributes:
        tops: only these modules; all if empty.
        architectures: only these; all if empty.
        every: all configurations, not one of each class.
    """

    tops: Sequence[str] = ()
    architectures: Sequence[str] = ()
    every: bool = False

    @property
    def skipped(self) -> str:
        """Why a tool without test benches has nothing to elaborate; empty if it has."""
        benches = {design.toplevel for design in DESIGNS.values()}
        return "only test benches are asked for" if self.tops and benches >= {*self.tops} else ""

    def widths(self, architecture: str, more: Sequence[int] = ()) -> list[int]:
        """Return the widths at which an architecture is elaborated.

        Args:
            architecture: its name.
            more: widths that are added with --every.
        """
        smallest = hardware_architectures()[architecture].min_width
        return [smallest, ODD_WIDTH, *more] if self.every else [ODD_WIDTH]

    def has(self, architecture: str | None) -> bool:
        """Return whether an architecture is elaborated at all, None for a module without a core."""
        return not (architecture and self.architectures) or architecture in self.architectures

    def below_a_bench(self, architecture: str | None) -> bool:
        """Return whether a module is elaborated as a top of its own with an architecture.

        The test benches contain the module with every architecture. One architecture of each
        SystemVerilog module of a core shows what is wrong with the module's own ports.
        """
        if architecture is None or self.every or self.architectures:
            return self.has(architecture)
        entries = hardware_architectures()
        module = entries[architecture].module
        return architecture == next(n for n, entry in entries.items() if entry.module == module)


def standalone_tops(scope: Scope) -> list[Top]:
    """Return the tops that the tools elaborate by themselves.

    These are the designs, and the modules that no design contains: a tool sees a module when it
    elaborates the design around it.
    """
    found = [top for top in tops(scope.tops) if scope.below_a_bench(top.architecture)]
    if scope.every or scope.tops:
        return found
    in_designs = frozenset[str]().union(
        *(
            elaborated_modules(design, entry, ONE_WIDTH, {})
            for design in DESIGNS.values()
            for name, entry in hardware_architectures().items()
            if Scope().below_a_bench(name)
        )
    )
    return [top for top in found if is_design(top) or top.module not in in_designs]


def is_design(top: Top) -> bool:
    """Return whether a module is the top of a design."""
    return top.module in {design.top for design in DESIGNS.values()}


def modules_with_core(texts: dict[str, str]) -> set[str]:
    """Return the modules that instantiate a core, directly or below; ``texts`` has all modules."""
    found = {name for name in texts if name in SELECTS}
    while True:
        instance = re.compile(rf"^ *({'|'.join(sorted(found))}) #\(", re.MULTILINE)
        above = {name for name, text in texts.items() if found and instance.search(text)}
        if above <= found:
            return found
        found |= above


def libraries() -> list[str]:
    """Search paths for the modules that a top instantiates."""
    folders = sorted({str(path.parent) for path in sources("hdl")})
    return [word for folder in folders for word in ("-y", folder)]


def files_of(top: Top) -> list[Path]:
    """Packages and the top's own file, in compile order."""
    return [*(path for path in sources("hdl") if is_package(path)), top.path]


def verilator(scope: Scope) -> Tool:
    """Verilator's warnings, all of them, of tops and of the test bench around every core.

    The pinned Verilator, whatever is on PATH: warnings differ from version to version.
    """
    home = Path(str(importlib.metadata.distribution("verilator").locate_file("verilator")))
    environment = {"VERILATOR_ROOT": str(home)}
    command = [
        home / "bin" / "verilator_bin",
        # Compile to C++ as a build does. Lint alone does not order the logic, so it finds no
        # combinational loop.
        *("--cc", "-Wall", "--timing"),
        # One vector holds the registers of all operands: wide at the largest width.
        *("--replication-limit", "131072"),
        "ci/waivers.vlt",
    ]
    entries = hardware_architectures()

    def translate(name: str, arguments: Sequence[str | Path]) -> list[Result]:
        with tempfile.TemporaryDirectory(dir=ROOT / SCRATCH) as folder:
            return [run(name, [*command, *arguments, "--Mdir", folder], environment)]

    def options(defines: dict[str, str], parameters: dict[str, int]) -> list[str]:
        return [
            *(f"-D{name}={value}" for name, value in defines.items()),
            *(f"-G{name}={value}" for name, value in parameters.items()),
        ]

    def elaborate(top: Top, width: int, *more: str) -> list[Result]:
        name = f"{top.name}, Width {width}" if top.architecture else top.name
        arguments = [*more, *libraries(), *files_of(top), "--top-module", top.module]
        return translate(name, [*options(*top.settings(width)), *arguments])

    def elaborate_public(top: Top) -> list[Result]:
        # As cocotb's own runner does: nothing may look like a combinational loop then.
        result = elaborate(top, ONE_WIDTH, "--public-flat-rw", "-Wno-UNUSED")
        return [replace(one, name=f"{one.name}, every signal public") for one in result]

    def elaborate_bench(architecture: str, build: SimulationBuild, width: int) -> list[Result]:
        arguments = [
            *options(build.defines, build.parameters),
            *("--top-module", build.toplevel),
            build.verilator_config.relative_to(ROOT),
            *(path.relative_to(ROOT) for path in build.sources),
        ]
        return translate(f"{build.toplevel} with {architecture}, Width {width}", arguments)

    checks: list[Callable[[], list[Result]]] = []
    for top in standalone_tops(scope):
        widths = scope.widths(top.architecture) if top.architecture else [ONE_WIDTH]
        if is_design(top):
            checks.append(partial(elaborate_public, top))
            if not (scope.every or scope.tops):
                continue  # its test bench follows
        checks += [partial(elaborate, top, width) for width in widths]
    for design in DESIGNS.values():
        if scope.tops and design.toplevel not in scope.tops:
            continue
        for name, entry in entries.items():
            # The bench of the multiplier has every architecture.
            wanted = scope.has if design is MULTIPLIER else scope.below_a_bench
            for width in scope.widths(name, [LARGE_WIDTH]) if wanted(name) else ():
                build = simulation_build(design, entry, width, {})
                checks.append(partial(elaborate_bench, name, build, width))
    return Tool("verilator", "elaborations", checks)


def icarus(scope: Scope) -> Tool:
    """Icarus Verilog elaborates tops: what the second simulator does not accept."""
    if not shutil.which("iverilog"):
        return Tool("icarus", "elaborations", [], skipped="iverilog is not installed")

    def elaborate(top: Top) -> list[Result]:
        defines, parameters = top.settings(ONE_WIDTH)
        options = [f"-D{name}={value}" for name, value in defines.items()]
        options += [f"-P{top.module}.{name}={value}" for name, value in parameters.items()]
        # All files, as macros of the package do not reach the files of a library.
        command = ["iverilog", "-g2012", "-t", "null", "-s", top.module, *options]
        command += [str(path) for path in sources("hdl")]
        return [run(top.name, command)]

    checks = [partial(elaborate, top) for top in standalone_tops(scope)]
    return Tool("icarus", "elaborations", checks, scope.skipped)


def yosys(scope: Scope) -> Tool:
    """Yosys elaborates tops for synthesis: no undriven, multiply driven or looping signal."""
    marker = "lint: next is "

    def script(remaining: list[Top]) -> str:
        lines = []
        for top in remaining:
            # All files in one unit, as macros of the package do not reach the files of a library.
            files = " ".join(map(str, sources("hdl")))
            defines, parameters = top.settings(ONE_WIDTH)
            # The script splits words at blanks, and a macro's value may well do without them.
            options = [f"-D {name}={value.replace(' ', '')}" for name, value in defines.items()]
            options += [f"-G {name}={value}" for name, value in parameters.items()]
            lines += [
                "design -reset",
                f"log {marker}{top.name}",
                f"read_slang --single-unit --threads 1 {' '.join(options)} "
                f"--top {top.module} {files}",
                f"hierarchy -check -top {top.module}",
                "proc",
                "check -assert",
            ]
        return "\n".join(lines) + "\n"

    def check() -> list[Result]:
        # One process for all, since each start costs; it ends at the first failure, so go on after.
        results: list[Result] = []
        remaining = standalone_tops(scope)
        file = SCRATCH / "lint.ys"
        while remaining:
            (ROOT / file).write_text(script(remaining))
            result = run("yosys", [*YOSYS, file])
            reached = re.findall(f"^{marker}(.*)$", result.output, re.MULTILINE)
            if result.passed and len(reached) == len(remaining):
                return [*results, *(Result(top.name, True) for top in remaining)]
            if not reached:
                return [*results, Result("start of yosys", False, result.output)]
            done, failed = remaining[: len(reached) - 1], remaining[len(reached) - 1]
            output = result.output.rpartition(marker)[2].partition("\n")[2]
            results += [Result(top.name, True) for top in done]
            results.append(Result(failed.name, False, output.strip()))
            remaining = remaining[len(reached) :]
        return results

    return Tool("yosys", "elaborations", [check], scope.skipped)
