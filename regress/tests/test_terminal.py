"""How a command ends: exit codes, one line an error, and a readable end after a signal."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Callable

import pytest

from regress.core.errors import UsageError
from regress.core.terminal import Parser, integer, run_command


def raising(error: BaseException) -> Callable[[], int]:
    def work() -> int:
        raise error

    return work


def terminated(*_: object, **__: object) -> int:
    """What a CI system does to a job, in mid-work."""
    os.kill(os.getpid(), signal.SIGTERM)
    signal.pause()
    return 0


@pytest.mark.parametrize(
    ("work", "code", "lines"),
    [
        (lambda: 0, 0, ""),
        (lambda: 1, 1, ""),
        (raising(UsageError("no a", "no b")), 2, "demo: no a\ndemo: no b\n"),
        (
            raising(FileNotFoundError(2, "No such file", "x")),
            1,
            "demo: [Errno 2] No such file: 'x'\n",
        ),
        (raising(KeyboardInterrupt()), 130, "demo: interrupted\n"),
        (terminated, 130, "demo: interrupted\n"),
    ],
    ids=["passed", "failed", "usage", "file", "interrupt", "terminate"],
)
def test_every_end_has_its_code_and_lines(
    capsys: pytest.CaptureFixture[str], work: Callable[[], int], code: int, lines: str
) -> None:
    handler = signal.getsignal(signal.SIGTERM)
    assert run_command("demo", work) == code
    assert capsys.readouterr().err == lines
    assert signal.getsignal(signal.SIGTERM) is handler


def test_a_fault_of_the_program_itself_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        run_command("demo", raising(ZeroDivisionError()))


def test_a_wrong_option_names_the_help() -> None:
    with pytest.raises(UsageError, match=r"unrecognized arguments: --x \(see demo --help\)"):
        Parser(prog="demo").parse_args(["--x"])


@pytest.mark.parametrize(("text", "low", "high"), [("0", 0, None), ("7", 0, 7), ("-3", -5, 0)])
def test_an_integer_in_its_range(text: str, low: int, high: int | None) -> None:
    assert integer(text, low, high) == int(text)


@pytest.mark.parametrize(
    ("text", "low", "high", "accepted"),
    [("x", 1, None, "an integer from 1"), ("0", 1, 3, "1 to 3"), ("1", -3, 0, "-3 to 0")],
)
def test_another_integer_says_what_is_accepted(
    text: str, low: int, high: int | None, accepted: str
) -> None:
    message = f"'{text}' is not accepted; accepted: {accepted}$"
    with pytest.raises(argparse.ArgumentTypeError, match=message):
        integer(text, low, high)
