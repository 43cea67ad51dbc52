"""Child process: runs one simulation with cocotb's runner.

``python -m regress.run.job JOB --build BUILD`` runs the job whose ``job.json`` is in folder JOB on
the simulation built in folder BUILD. The exit code is the simulator's; 128 + signal after a crash.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from regress.core.errors import UsageError
from regress.core.jobfile import (
    CODE_COVERAGE_FILE,
    JOB_FILE,
    JOB_VARIABLE,
    RESULTS_XML,
    WAVES_FILE,
    Job,
    Launch,
)
from regress.core.processes import end_with_parent
from regress.core.protocol import ENTRY_POINTS, SETTINGS_VARIABLE, STACK_FILE
from regress.run.compile import manifest
from regress.run.workdir import make_work_folder
from regress.simulators import RunOptions, Simulator, simulator_class

# As in a shell, an exit code above 128 means that the process was ended by signal code - 128.
SIGNAL_BASE = 128
# Limit of the number of Python files beside a test. Above it, pytest rewrites only the files with
# the usual names of tests.
MOST_REWRITTEN = 400


def main(argv: Sequence[str] | None = None) -> int:
    """Run the job; return the exit code."""
    end_with_parent()
    parser = argparse.ArgumentParser(prog="python -m regress.run.job", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with job.json")
    parser.add_argument("--build", type=Path, required=True, help="folder with the simulation")
    parser.add_argument("--list", type=Path, help="write the list of tests here, run none")
    arguments = parser.parse_args(argv)
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    folder = arguments.folder.resolve()
    job = Job.read(folder / JOB_FILE)
    return simulate(job, folder, arguments.build.resolve(), list_file=arguments.list)


def simulate(
    job: Job,
    folder: Path,
    build: Path,
    first_modules: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    list_file: Path | None = None,
) -> int:
    """Run one simulation; return the exit code.

    Args:
        job: the job.
        folder: folder of the job, for its results.
        build: folder of the simulation.
        first_modules: modules that cocotb imports before the test's.
        environment: more variables of the simulation.
        list_file: write the list of tests there, and run none.

    Raises:
        UsageError: the job does not state how to start the simulation.
        OSError: the working directory cannot be made.
    """
    launch = job.launch
    if launch is None:
        raise UsageError(
            f"{folder / JOB_FILE}: 'launch' is missing; accepted: the file of a job of a run"
        )
    made = manifest(build)
    waves = job.waves and bool(made.get("waves"))
    if job.waves and not waves:
        print(f"no waves: build {build} cannot record waves; the log of the build has the reason")
    simulator = simulator_class(job.simulator)
    options = RunOptions(
        seed=job.seed,
        waves=folder / WAVES_FILE if waves else None,
        code_coverage=folder / CODE_COVERAGE_FILE if job.code_coverage else None,
        build=build,
        arguments=tuple(made.get("arguments", ())),
    )
    runner = simulator.cocotb_runner()
    simulator.prepare(runner, options)
    work = folder
    if launch.folder or launch.files:
        work = make_work_folder(Path.cwd(), launch.folder, launch.files, folder)
    modules = [*first_modules, launch.module]
    try:
        runner.test(
            test_module=modules,
            hdl_toplevel=launch.toplevel,
            hdl_toplevel_lang=made.get("language") or simulator.languages[0],
            seed=job.seed,
            build_dir=build,
            test_dir=work,
            results_xml=str(folder / RESULTS_XML),
            waves=waves and simulator.runner_waves,
            test_args=[*simulator.simulator_arguments(options), *launch.arguments],
            plusargs=[*launch.plusargs, *simulator.run_arguments(options)],
            parameters=made.get("parameters") if simulator.parameters_at_run else None,
            test_filter=None if launch.plain else rf"\.{re.escape(launch.test)}$",
            extra_env={
                JOB_VARIABLE: str(folder / JOB_FILE),
                **_plain(job, launch, folder, simulator, modules, list_file),
                **launch.environment,
                **(environment or {}),
            },
        )
    except RuntimeError as error:
        print(error)
        return simulator_exit_code(str(error))
    finally:
        _remove_if_empty(folder / STACK_FILE)
    return 0


def _remove_if_empty(path: Path) -> None:
    if path.is_file() and not path.stat().st_size:
        path.unlink()


def _plain(
    job: Job,
    launch: Launch,
    folder: Path,
    simulator: type[Simulator],
    modules: Sequence[str],
    list_file: Path | None,
) -> dict[str, str]:
    """Return the variables that depend on whether the test is a plain one."""
    # Stops cocotb from recompiling every imported module, even numpy, for assertions.
    if not launch.plain:
        return {"COCOTB_REWRITE_ASSERTION_FILES": ""}
    root = Path.cwd()
    path = [str(root / name) for name in launch.path]
    settings: dict[str, Any] = {
        "modules": ",".join(modules),
        "test": launch.test,
        "limit_ns": job.time_limit_ns,
        "folder": str(folder),
        "path": path,
        "list": str(list_file or ""),
    }
    names = rewritten_files(launch.module, [*path, *sys.path])
    return {
        "COCOTB_REWRITE_ASSERTION_FILES": " ".join(map(shlex.quote, names)),
        "PYGPI_USERS": ENTRY_POINTS,
        SETTINGS_VARIABLE: json.dumps(settings),
        # Tests read these variables, which cocotb's makefiles set.
        "SIM": simulator.runner,
        "TOPLEVEL": launch.toplevel,
    }


def rewritten_files(module: str, path: Sequence[str]) -> list[str]:
    """Return the names of the Python files whose assertions show their values.

    These are the files beside the test's module and below. Rewriting every imported module, numpy
    too, would take longer than most tests.
    """
    file = Path(*module.split(".")).with_suffix(".py")
    folder = next((Path(name) for name in path if (Path(name or ".") / file).is_file()), None)
    if folder is None:
        return [file.name]
    names = {file.name}
    for name in _python_files((folder / file).parent):
        names.add(name)
        if len(names) > MOST_REWRITTEN:
            return [file.name, "test_*.py", "*_test.py", "tb_*.py"]
    return sorted(names)


def _python_files(folder: Path) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        hidden = {name for name in folders if name.startswith((".", "_"))}
        foreign = {name for name in folders if (Path(place) / name / "pyvenv.cfg").exists()}
        folders[:] = [name for name in folders if name not in hidden | foreign | {"build", "runs"}]
        yield from (name for name in files if name.endswith(".py") and name != "__init__.py")


def simulator_exit_code(message: str) -> int:
    """Return the simulator's exit code. cocotb's runner states it only in its message."""
    match = re.search(r"return code: (-?\d+)", message)
    code = int(match[1]) if match else 1
    return SIGNAL_BASE - code if code < 0 else code


if __name__ == "__main__":
    sys.exit(main())
