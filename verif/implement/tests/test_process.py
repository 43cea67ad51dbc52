"""Messages about a tool that fails, crashes, does not end or takes too much memory."""

import sys
from pathlib import Path

import pytest

from verif.library.netlist.process import Limits, ToolError, run_tool

ROOMY = Limits(seconds=60, memory=4 << 30)


def run(code: str, folder: Path, limits: Limits = ROOMY) -> float:
    command = [sys.executable, "-c", code]
    return run_tool("tool", command, cwd=folder, log=folder / "tool.log", limits=limits)


def test_a_tool_that_works_says_how_long_it_took(tmp_path: Path) -> None:
    assert run("print('done')", tmp_path) >= 0
    assert (tmp_path / "tool.log").read_text() == "done\n"


def test_a_failing_tool_is_quoted_with_its_first_error(tmp_path: Path) -> None:
    code = "print('fine'); print('ERROR: no such port'); print('bye'); raise SystemExit(3)"
    with pytest.raises(ToolError, match=r"^tool failed with exit code 3: ERROR: no such port$"):
        run(code, tmp_path)


def test_a_crash_names_the_signal(tmp_path: Path) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    with pytest.raises(ToolError, match=r"tool crashed \(SIGSEGV\): it said nothing"):
        run(code, tmp_path)


def test_a_tool_that_does_not_end_is_ended(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"did not come to an end in 0\.5 s; its last line: none$"):
        run("import time; time.sleep(60)", tmp_path, Limits(0.5, 4 << 30))


def test_what_a_tool_said_last_tells_how_far_it_came(tmp_path: Path) -> None:
    code = "print('arcs  left | 12', flush=True); import time; time.sleep(60)"
    with pytest.raises(ToolError, match=r"in 1 s; its last line: arcs left \| 12$"):
        run(code, tmp_path, Limits(1, 4 << 30))


def test_a_tool_that_takes_too_much_memory_is_ended(tmp_path: Path) -> None:
    code = "x = bytearray(200 << 20); import time; time.sleep(60)"
    with pytest.raises(ToolError, match=r"tool ran out of memory: .* 0\.1 GiB allowed"):
        run(code, tmp_path, Limits(60, 100 << 20))


def test_a_tool_that_runs_out_of_its_own_memory_says_so(tmp_path: Path) -> None:
    code = "print('terminate: std::bad_alloc'); raise SystemExit(1)"
    with pytest.raises(ToolError, match="out of memory: terminate"):
        run(code, tmp_path)


def test_a_missing_tool_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"^nothing cannot be started: .*No such file"):
        run_tool(
            "nothing", ["/no/such/tool"], cwd=tmp_path, log=tmp_path / "log", limits=ROOMY
        )  # fmt: skip
