"""``python -m regress.benchmark``: checked products per second at 1024 bits, three test benches.

environment  the pyuvm environment as the lists run it (transactor, scoreboard, coverage)
polling      cocotb's default build, every clock polled from Python, P checked with gmpy2's value
harness      bare C++ around the same RTL (-O3 -march=native), P compared

All three make the same bus transfers for each product and run in turn, ``--rounds`` times; ratios
are taken round by round, so a drift of the machine's speed falls out.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cocotb_tools.runner import get_runner
from rich.console import Console
from rich.table import Table

from models.architecture import Architecture
from models.reference import modular_product
from models.registry import architecture, hardware_architectures
from regress.benchmark import polling
from regress.build import Builder, clean_environment, simulator_environment
from regress.compile import TIMESCALE, CompileSpec
from regress.job import JOB_FILE
from regress.plan import BuildPoint
from regress.processes import ProcessGroups
from regress.tools import find_verilator
from verif.design import ROOT, simulation_build
from verif.job import RESULT_FILE, Job, JobResult

HERE = Path(__file__).parent
TARGETS = {"polling": 10.0, "harness": 0.5}
Run = Callable[[], float]


def write_operands(entry: Architecture, width: int, count: int, path: Path) -> None:
    """Write ``count`` random products of full width as lines "x y m p"."""
    rng = random.Random(1)
    lines = []
    for _ in range(count):
        m = rng.getrandbits(width) | 1 << (width - 1) | 1
        x, y = rng.randrange(m), rng.randrange(m)
        p = modular_product(x, y, m, entry.radix(width))
        lines.append(f"{x:x} {y:x} {m:x} {p:x}\n")
    path.write_text("".join(lines))


def checked(command: list[str], folder: Path, env: dict[str, str]) -> str:
    """Run a command in ``folder``; its output.

    Raises:
        SystemExit: it failed; the last lines of its output are in the message.
    """
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stdout + done.stderr).strip().splitlines()
        raise SystemExit("\n".join([f"benchmark: {command[0]} failed:", *output[-15:]]))
    return done.stdout


def per_second(text: str) -> float:
    """Products per second from "products clocks seconds"."""
    products, _, seconds = text.split()
    return int(products) / float(seconds)


def prepare_harness(entry: Architecture, width: int, operands: Path, folder: Path) -> Run:
    """Build the C++ harness; returns a function that runs it."""
    design = simulation_build(entry, width, {})
    env = simulator_environment(find_verilator())
    bus = design.parameters["BusWidth"]
    flags = f"-O3 -march=native -DWIDTH={width} -DBUS_WIDTH={bus}"
    hdl = [str(path) for path in design.sources if path.is_relative_to(ROOT / "hdl")]
    command = ["verilator", "--cc", "--exe", "--build", "-j", "2", "-O3", "--x-assign", "fast"]
    command += ["--top-module", "multiplier", "--prefix", "Vtop", "-CFLAGS", flags, "-o", "harness"]
    command += [f"-D{name}={value}" for name, value in design.defines.items()]
    command += [f"-GWidth={width}", f"-GBusWidth={bus}", *hdl, str(HERE / "harness.cpp")]
    checked(command, folder, env)
    program = folder / "obj_dir" / "harness"
    return lambda: per_second(checked([str(program), str(operands)], folder, env))


def prepare_polling(entry: Architecture, width: int, operands: Path, folder: Path) -> Run:
    """Build the DUT with the runner's defaults; returns a function that polls it."""
    design = simulation_build(entry, width, {})
    env = simulator_environment(find_verilator())
    hdl = [str(path) for path in design.sources if path.is_relative_to(ROOT / "hdl")]
    CompileSpec(
        simulator="verilator",
        folder=str(folder / "build"),
        sources=hdl,
        toplevel="multiplier",
        defines=design.defines,
        parameters={name: design.parameters[name] for name in ("Width", "BusWidth")},
        arguments=[],
        processes=2,
    ).write(folder / "compile.json")
    checked([sys.executable, "-m", "regress.compile", str(folder / "compile.json")], ROOT, env)
    result = folder / "result.txt"

    def run() -> float:
        result.unlink(missing_ok=True)
        get_runner("verilator").test(
            test_module=polling.__name__,
            hdl_toplevel="multiplier",
            hdl_toplevel_lang="verilog",
            build_dir=folder / "build",
            test_dir=folder,
            timescale=TIMESCALE,
            log_file=folder / "log.txt",
            extra_env={
                polling.OPERANDS_VARIABLE: str(operands),
                polling.RESULT_VARIABLE: str(result),
            },
        )
        return per_second(result.read_text())

    return run


def prepare_environment(entry: Architecture, width: int, products: int, folder: Path) -> Run:
    """Build as the lists do; returns a function that runs the ``throughput`` test."""
    verilator = find_verilator()
    builder = Builder(ROOT / "build", folder, {"verilator": verilator}, ProcessGroups(), 2)
    outcome = builder.build(BuildPoint(entry.name, width, "verilator"))
    if outcome.folder is None:
        raise SystemExit("\n".join(["benchmark: the build failed:", *outcome.errors]))
    job = Job("throughput", entry.name, width, "verilator", seed=1, operations=products)
    job.write(folder / JOB_FILE)
    command = [sys.executable, "-m", "regress.job", str(folder), "--build", str(outcome.folder)]

    def run() -> float:
        checked(command, ROOT, clean_environment())
        result = JobResult.read(folder / RESULT_FILE)
        if result.failures or result.operations != products:
            raise SystemExit(f"benchmark: the environment failed: {result.failures[:1]}")
        return result.operations / result.wall_seconds

    return run


def measure(
    entry: Architecture, width: int, products: int, rounds: int, folder: Path, console: Console
) -> dict[str, list[float]]:
    """Products per second of each test bench, one value a round."""
    few = max(4, products // 100)
    for name, count in (("many", products), ("few", few)):
        write_operands(entry, width, count, folder / name)
    benches: dict[str, Run] = {}
    for name, prepare, argument in (
        ("environment", prepare_environment, products),
        ("polling", prepare_polling, folder / "few"),
        ("harness", prepare_harness, folder / "many"),
    ):
        console.print(f"benchmark: building {name} for {entry.name}", highlight=False)
        (folder / name).mkdir()
        benches[name] = prepare(entry, width, argument, folder / name)
    rates: dict[str, list[float]] = {name: [] for name in benches}
    for index in range(rounds):
        for name, run in benches.items():
            rates[name].append(run())
        console.print(f"benchmark: round {index + 1} of {rounds} done", highlight=False)
    return rates


def main() -> int:
    """Measure, print a table and the ratios; exit code 0 whatever the figures are."""
    known = list(hardware_architectures())
    parser = argparse.ArgumentParser(prog="python -m regress.benchmark", description=__doc__)
    parser.add_argument("--arch", choices=known, action="append", help="repeatable (all)")
    parser.add_argument("--width", type=int, default=1024, help="operand bits (1024)")
    parser.add_argument("--products", type=int, default=4096, help="products a run (4096)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each test bench (3)")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    arguments = parser.parse_args()
    console = Console()
    table = Table(title=f"checked products per second, {arguments.width} bits")
    for column in ("architecture", "environment", "polling", "harness", "/ polling", "/ harness"):
        table.add_column(column, justify="left" if column == "architecture" else "right")
    figures = {}
    begin = time.monotonic()
    for name in arguments.arch or known:
        with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
            rates = measure(
                architecture(name), arguments.width, arguments.products, arguments.rounds,
                Path(folder), console,
            )  # fmt: skip
        ratios = {
            other: statistics.median(
                a / b for a, b in zip(rates["environment"], rates[other], strict=True)
            )
            for other in TARGETS
        }
        figures[name] = {"rates": rates, "ratios": ratios}
        table.add_row(
            name,
            *(f"{statistics.median(rates[bench]):.1f}" for bench in rates),
            *(f"{ratios[bench]:.2f}" for bench in TARGETS),
        )
    console.print(table)
    aims = ", ".join(f"{value:g} x {bench}" for bench, value in TARGETS.items())
    console.print(
        f"median of {arguments.rounds} rounds, {time.monotonic() - begin:.0f} s; aims: {aims}"
    )
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
