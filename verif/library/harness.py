"""Builds a C++ program around the top of a design, with Verilator and without a test bench."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from models.architecture import Architecture
from regress.run.build import SHARED
from regress.simulators import BuildOptions
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import ROOT, Design, SimulationBuild, simulation_build
from verif.library.modules import declared_parameters


def build_harness(
    design: Design,
    entry: Architecture,
    width: int,
    parameters: Mapping[str, int],
    harness: Path,
    folder: Path,
    hdl: Path = ROOT / "hdl",
) -> Path:
    """Compile a C++ harness and the top of a design; return the program.

    Args:
        design: the design with the top.
        entry: registry entry of the core.
        width: operand width n in bits.
        parameters: parameters of the top and of the core; missing ones take their defaults.
        harness: C++ source, with ``loader.h``.
        folder: build folder.
        hdl: folder with the design.

    Raises:
        SystemExit: the program does not compile.
    """
    build = simulation_build(design, entry, width, parameters, hdl)
    env = Verilator.find().build_environment(BuildOptions(), ROOT / "build" / SHARED)
    flags = f"-march=native -I{Path(__file__).parent}"
    flags += f" -DWIDTH={width} -DBUS_WIDTH={build.parameters['BusWidth']}"
    command = [Verilator.name, "--cc", "--exe", "--build", "-j", "2", "-O3"]
    command += ["--x-assign", "fast", "--top-module", design.top, "--prefix", "Vtop"]
    command += ["-CFLAGS", flags, "-o", "harness"]
    command += [f"-D{name}={value}" for name, value in build.defines.items()]
    command += [f"-G{name}={value}" for name, value in top_parameters(design, build).items()]
    checked([*command, *design_sources(build, hdl), str(harness)], folder, env)
    return folder / "obj_dir" / "harness"


def checked(command: list[str], folder: Path, env: dict[str, str]) -> str:
    """Run a command in ``folder`` and return its output.

    Raises:
        SystemExit: the command failed; the message has the last lines of its output.
    """
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stdout + done.stderr).strip().splitlines()
        raise SystemExit("\n".join([f"{command[0]} failed:", *output[-15:]]))
    return done.stdout


def design_sources(build: SimulationBuild, hdl: Path = ROOT / "hdl") -> list[str]:
    """Return the design's sources without the test bench."""
    return [str(path) for path in build.sources if path.is_relative_to(hdl)]


def top_parameters(design: Design, build: SimulationBuild) -> dict[str, int]:
    """Return the parameters of the top, without those that only the test bench has."""
    (file,) = (path for path in build.sources if path.stem == design.top)
    known = build.parameters
    return {name: known[name] for name in declared_parameters(file) if name in known}
