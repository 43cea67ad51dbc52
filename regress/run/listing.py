"""Child process: asks cocotb which tests are in the modules of benches, without a simulator.

Reads the benches as JSON on stdin and writes an answer for each of them on stdout. Each bench has a
fork of its own: modules of different benches can have the same name. The answer for a module that
needs the simulation while it is imported (``cocotb.top``, ``cocotb.plusargs``, …), or whose import
fails here for another reason than a missing module, is ``simulate``: only cocotb in a simulation
knows its tests.
"""

from __future__ import annotations

import json
import logging
import os
import random
import sys
import traceback
import types
from pathlib import Path
from typing import Any

import cocotb
from cocotb import regression

from regress.run.inside import described

# Modules that cocotb has only in a simulation.
ONLY_SIMULATED = (
    "top",
    "tops",
    "argv",
    "plusargs",
    "packages",
    "SIM_NAME",
    "SIM_VERSION",
    "is_simulation",
)


def main() -> int:
    """Answer for each bench; return the exit code."""
    benches = json.load(sys.stdin)
    answers = {bench["key"]: _forked(bench) for bench in benches}
    json.dump(answers, sys.stdout)
    return 0


def _forked(bench: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the answer of a fork; its output goes nowhere."""
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        os.close(reader)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        try:
            answer = json.dumps(_asked(bench))
        except BaseException as error:  # a module may even call sys.exit
            answer = json.dumps([_broken(name, error) for name in bench["modules"]])
        with os.fdopen(writer, "w") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(process, 0)
    return json.loads(text) if text else [{"module": name} for name in bench["modules"]]


def _asked(bench: dict[str, Any]) -> list[dict[str, Any]]:
    os.environ.update(bench["environment"])
    os.chdir(bench["folder"])
    sys.path[:] = [*bench["path"], "", *sys.path]
    cocotb.RANDOM_SEED = 1
    random.seed(1)
    cocotb.log = logging.getLogger("test")
    asked = _wire(cocotb)
    answers = []
    for name in bench["modules"]:
        os.environ["COCOTB_TEST_MODULES"] = name
        manager, failed = regression.RegressionManager(), False
        try:
            manager.discover_tests(name)
        except BaseException as error:
            answers.append(_broken(name, error))
            alike = isinstance(error, ImportError | SyntaxError)  # fails in a simulation, too
            failed = name not in sys.modules and not alike
        else:
            tests = [described(test) for test in manager._test_queue]
            answers.append({"module": name, "tests": tests})
        answers[-1]["simulate"] = bool(asked) or failed
        asked.clear()
    return answers


def _wire(module: types.ModuleType) -> list[str]:
    """Note when a user's module asks for what cocotb has only in a simulation."""
    asked: list[str] = []
    for name in ONLY_SIMULATED:
        module.__dict__.pop(name, None)

    def missing(name: str) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if name in ONLY_SIMULATED and not caller.startswith(("cocotb.", "pyuvm")):
            asked.append(name)
        if name == "is_simulation":
            return False
        raise AttributeError(f"module 'cocotb' has no attribute {name!r}")

    module.__getattr__ = missing  # type: ignore[method-assign]  # as PEP 562 defines it
    return asked


def _broken(module: str, error: BaseException) -> dict[str, Any]:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if "site-packages" not in frame.filename and "<" not in frame.filename
              and Path(frame.filename) != Path(__file__)]  # fmt: skip
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return {"module": module, "error": f"{type(error).__name__}: {error}{place}"}


if __name__ == "__main__":
    sys.exit(main())
