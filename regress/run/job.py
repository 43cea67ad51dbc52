"""Child process: runs one simulation with cocotb's runner.

``python -m regress.run.job JOB --build BUILD`` runs the job whose ``job.json`` is in folder JOB on
the simulation built in folder BUILD. The exit code is the simulator's; 128 + signal after a crash.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.jobfile import CODE_COVERAGE_FILE, JOB_FILE, JOB_VARIABLE, WAVES_FILE, Job
from regress.core.processes import end_with_parent
from regress.run.compile import MANIFEST
from regress.simulators import RunOptions, simulator_class

RESULTS_XML = "results.xml"
# As in a shell, an exit code above 128 means that the process was ended by signal code - 128.
SIGNAL_BASE = 128


def main(argv: Sequence[str] | None = None) -> int:
    """Run the job; return the exit code."""
    end_with_parent()
    parser = argparse.ArgumentParser(prog="python -m regress.run.job", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with job.json")
    parser.add_argument("--build", type=Path, required=True, help="folder with the simulation")
    arguments = parser.parse_args(argv)
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    folder = arguments.folder.resolve()
    return simulate(Job.read(folder / JOB_FILE), folder, arguments.build.resolve())


def simulate(
    job: Job,
    folder: Path,
    build: Path,
    first_modules: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> int:
    """Run one simulation; return the exit code.

    Raises:
        UsageError: the job does not state how to start the simulation.
    """
    launch = job.launch
    if launch is None:
        raise UsageError(f"{folder / JOB_FILE}: 'launch' is missing: it was written by no plan")
    waves = job.waves and can_write_waves(build)
    if job.waves and not waves:
        print(f"no waves: build {build} was made without them (the run says why)")
    simulator = simulator_class(job.simulator)
    options = RunOptions(
        seed=job.seed,
        waves=folder / WAVES_FILE if waves else None,
        code_coverage=folder / CODE_COVERAGE_FILE if job.code_coverage else None,
    )
    try:
        simulator.cocotb_runner().test(
            test_module=[*first_modules, launch.module],
            hdl_toplevel=launch.toplevel,
            hdl_toplevel_lang="verilog",
            seed=job.seed,
            build_dir=build,
            test_dir=folder,
            results_xml=RESULTS_XML,
            waves=waves,
            plusargs=simulator.run_arguments(options),
            test_filter=rf"\.{re.escape(launch.test)}$",
            extra_env={
                JOB_VARIABLE: str(folder / JOB_FILE),
                # Stops cocotb from recompiling every imported module, even numpy, for assertions.
                "COCOTB_REWRITE_ASSERTION_FILES": "",
                **launch.environment,
                **(environment or {}),
            },
        )
    except RuntimeError as error:
        print(error)
        return simulator_exit_code(str(error))
    return 0


def can_write_waves(build: Path) -> bool:
    """Return whether simulations of the build in a folder can write waves."""
    try:
        return bool(json.loads((build / MANIFEST).read_text()).get("waves"))
    except (OSError, ValueError):
        return False


def simulator_exit_code(message: str) -> int:
    """Return the simulator's exit code. cocotb's runner states it only in its message."""
    match = re.search(r"return code: (-?\d+)", message)
    code = int(match[1]) if match else 1
    return SIGNAL_BASE - code if code < 0 else code


if __name__ == "__main__":
    sys.exit(main())
