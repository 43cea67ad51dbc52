#!/usr/bin/env python3
"""Every static check of the project: HDL elaboration and style, Python style.

``make lint`` runs them all, ``make lint ARGS=--fix`` reformats first, ``make lint ARGS="--top
NAME"`` elaborates one module of the design instead of each. Verilator elaborates one configuration
of each class; with ``ARGS=--every``, which the nightly uses, all of them. A summary line per tool,
then the output of what failed. Exit code 1 when any check failed.

Waivers are in ``ci/waivers.vlt`` (Verilator), the style rules in ``ci/verible.rules`` and
``ci/verible.format``.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from ci.checks import ROOT, SCRATCH, Result, Tool, is_package, run, sources
from ci.elaboration import Scope, icarus, verilator, yosys
from models.registry import hardware_architectures
from verif.bench.configuration.design import (
    DESIGNS,
)
from verif.library.yosys import BIN

MOST_COLUMNS = 100


# --------------------------------------------------------------------------------------------------
# The tools
# --------------------------------------------------------------------------------------------------


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
    """Each comment that silences a check or skips a test has a reason."""
    command = [sys.executable, "-m", "ci.silencers", "."]
    return Tool("silencers", "run", [lambda: [run("reasons", command)]])


def prose() -> Tool:
    """No comment, message or page has a word that ``ci/prose.py`` lists."""
    return Tool("prose", "run", [lambda: [run("words", [sys.executable, "-m", "ci.prose", "."])]])


def codes() -> Tool:
    """Files generated from the table of codes and registers are current."""
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
    """Print the output of a tool's failed checks; print a message of several tops once."""
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
    parser.add_argument(
        "--arch", nargs="+", choices=hardware_architectures(), default=[], metavar="ARCH",
        help="elaborate these architectures only",
    )  # fmt: skip
    parser.add_argument(
        "--every", action="store_true",
        help="elaborate every configuration instead of one of each class",
    )  # fmt: skip
    options = parser.parse_args()
    scope = Scope(options.top, options.arch, options.every)

    (ROOT / SCRATCH).mkdir(parents=True, exist_ok=True)
    if options.fix:
        fix()
    chosen = [build(scope) for name, build in ELABORATING.items() if name in options.only]
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
