"""Runs in the simulator's Python: the tests of a job, as cocotb runs them.

The variable ``PYGPI_USERS`` names :func:`run` in the place of cocotb's own last entry point.
Differences to that one: exactly the wanted tests run, a skipped test is skipped with its reason, a
limit of simulated time holds for each test, and every way in which Python can end leaves a
``results.xml``. This module imports nothing but cocotb: each job imports it.
"""

from __future__ import annotations

import faulthandler
import inspect
import json
import os
import signal
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import cocotb
from cocotb import regression
from cocotb._xunit_reporter import XUnitReporter
from cocotb.simtime import convert, get_sim_time

from regress.core.protocol import PLACE_FILE, SETTINGS_VARIABLE, STACK_FILE, WAITS

SKIP_OPTION = "skip=True"
STOP_SIGNAL = signal.SIGUSR1


class NoSuchTest(Exception):
    """A module has no test of the wanted name."""


class ProcessExit(Exception):
    """A test ended the process of the simulation."""


class _Reporter(XUnitReporter):
    """Adds what cocotb leaves out: why a test was skipped, and where it waited at its timeout."""

    reason = ""
    waits = ""

    def add_testcase(self, *arguments: Any, **details: Any) -> None:
        """See :class:`XUnitReporter`."""
        if details.get("status") == "skipped":
            details["reason"] = self.reason or SKIP_OPTION
        elif self.waits:
            details["extra_properties"] = {**details["extra_properties"], WAITS: self.waits}
        super().add_testcase(*arguments, **details)


def run() -> None:
    """Run the tests that the variable :data:`SETTINGS_VARIABLE` describes."""
    settings = json.loads(os.environ[SETTINGS_VARIABLE])
    try:
        sys.path[:] = [*settings["path"], *sys.path]
        _note_exits(settings)
        _note_place(settings)
        regression.RegressionManager = _manager(settings, _noted_reasons())
        if settings["list"]:
            _write_list(settings)
        else:
            regression._run_regression()
    except BaseException as error:
        _write_error(settings, error)
        raise


def _manager(settings: dict[str, Any], reasons: dict[Any, str]) -> type[Any]:
    """Return cocotb's class of managers with the differences that :func:`run` needs."""
    wanted, limit = settings["test"], settings["limit_ns"]

    class Manager(regression.RegressionManager):
        def __init__(self) -> None:
            super().__init__()
            self.xunit = _Reporter()

        def register_test(self, test: Any) -> None:
            if wanted and test.name != wanted:
                return
            if limit and (test.timeout is None or convert(*test.timeout, to="ns") > limit):
                test.timeout = (limit, "ns")
            super().register_test(test)

        def _init_test(self) -> Any:
            running = super()._init_test()
            end = running._on_timeout

            def timeout() -> None:
                self.xunit.waits = _waiting_place()
                end()

            running._on_timeout = timeout
            return running

        def _record_test_skipped(self, *arguments: Any, **details: Any) -> None:
            said = details.get("msg") or reasons.get(self._test.func) or SKIP_OPTION
            self.xunit.reason = said.strip()
            super()._record_test_skipped(*arguments, **details)

        def discover_tests(self, *modules: str) -> None:
            try:
                super().discover_tests(*modules)
            except RuntimeError as error:
                if not str(error).startswith("No tests were discovered"):
                    raise
                names = ", ".join(modules)
                what = f"test {wanted!r}" if wanted else "test"
                raise NoSuchTest(f"no {what} in module {names}") from None

    return Manager


def _noted_reasons() -> dict[Any, str]:
    """Let ``cocotb.skipif`` note the reasons by test function: cocotb drops them."""
    reasons: dict[Any, str] = {}
    original = cocotb.skipif

    def skipif(condition: bool, *, reason: str | None = None) -> Callable[[Any], Any]:
        mark = original(condition, reason=reason)

        def wrapper(test: Any) -> Any:
            generator = mark(test)
            if condition and reason:
                reasons[generator.func] = reason
            return generator

        return wrapper

    cocotb.skipif = skipif
    return reasons


def _write_error(settings: dict[str, Any], error: BaseException) -> None:
    """Write the ``results.xml`` of a job whose tests could not run to their end."""
    reporter = XUnitReporter()
    reporter.add_testcase(
        name=settings["test"] or settings["modules"],
        classname=settings["modules"],
        status="failed",
        reason=error,
        extra_properties={"sim_time_stop": get_sim_time("ns")},
    )
    reporter.write(os.environ["COCOTB_RESULTS_FILE"])


def _note_exits(settings: dict[str, Any]) -> None:
    """Let ``os._exit`` write the results first; a forked process does as before."""
    process, leave = os.getpid(), os._exit

    def exit_process(code: int) -> NoReturn:
        if os.getpid() == process:
            frame, trace = sys._getframe(1), None
            while frame:
                trace = types.TracebackType(trace, frame, frame.f_lasti, frame.f_lineno)
                frame = frame.f_back
            error = ProcessExit(f"os._exit({code}) ended the simulation")
            _write_error(settings, error.with_traceback(trace))
        leave(code)

    os._exit = exit_process


def _note_place(settings: dict[str, Any]) -> None:
    """On :data:`STOP_SIGNAL`, write where the test is: the job's time is over."""
    folder = Path(settings["folder"])

    def note(number: int, frame: types.FrameType | None) -> None:
        place = {"time_ns": get_sim_time("ns"), "waits": _waiting_place()}
        (folder / PLACE_FILE).write_text(json.dumps(place))

    signal.signal(STOP_SIGNAL, note)
    # Kept open: the signal's handler writes into it, even while no Python code runs.
    stack = (folder / STACK_FILE).open("w")
    faulthandler.register(STOP_SIGNAL, file=stack, all_threads=False, chain=True)


def _waiting_place() -> str:
    """Return file and line at which the running test waits for a trigger; may be empty."""
    try:
        coroutine = regression._manager_inst._running_test._main_task._coro
    except AttributeError:
        return ""
    place = ""
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None)
        if frame is None:
            break
        file = frame.f_code.co_filename
        if "site-packages" not in file:
            place = f"{file}:{frame.f_lineno}"
        coroutine = coroutine.cr_await
    return place


def _write_list(settings: dict[str, Any]) -> None:
    """Write the list of tests instead of running them, and stop the simulator."""
    path = settings["list"]
    manager = regression.RegressionManager()
    manager.discover_tests(*settings["modules"].split(","))
    Path(path).write_text(json.dumps([described(test) for test in manager._test_queue]))
    cocotb.simulator.stop_simulator()


def described(test: Any) -> dict[str, Any]:
    """Return what the manager needs to know about a test."""
    function = inspect.unwrap(test.func)
    try:
        file, line = inspect.getsourcefile(function), inspect.getsourcelines(function)[1]
    except (OSError, TypeError):
        file, line = "", 0
    lines = [line.strip() for line in (test.doc or "").splitlines()]
    text = "; ".join(filter(None, lines))
    return {"name": test.name, "text": text, "file": file, "line": line}
