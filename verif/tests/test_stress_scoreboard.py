"""Messages of the scoreboard for a wrong answer."""

from __future__ import annotations

import pytest

from models.bus.loader_bus import CONTROL, Answer, Request
from verif.bench.stress.checker import answer_problem

STATUS, READ, WRITE = Request(False, CONTROL), Request(False, 0), Request(True, 0, 9)


@pytest.mark.parametrize(
    ("request_", "seen", "expected", "kind", "text"),
    [
        (WRITE, (0, 0), (1, 3), "accepted", "accepted, must be rejected with BUSY"),
        (WRITE, (1, 3), (0, 0), "rejected", "rejected with BUSY, must be accepted"),
        (READ, (1, 3), (1, 5), "reason", "rejected with BUSY, must be rejected with NO_RESULT"),
        (WRITE, (0, 9), (0, 0), "write answer", "answered with 0x9, must be 0"),
        (READ, (0, 9), (0, 8), "data", "is 0x9, must be 0x8"),
        (STATUS, (0, 2), (0, 1), "status", "is OK, must be BUSY"),
        (STATUS, (0, 0x12), (0, 2), "error field",
         "is OK with error field UNKNOWN_ADDRESS, must be OK"),
        (STATUS, (0, 0x102), (0, 2), "error field", "is OK and 0x1 above, must be OK"),
        (STATUS, (0, 0xF2), (0, 2), "error field", "is OK with error field code 15, must be OK"),
    ],
)  # fmt: skip
def test_wrong_answer(
    request_: Request, seen: tuple, expected: tuple, kind: str, text: str
) -> None:
    found = answer_problem(
        request_, Answer(bool(seen[0]), seen[1]), Answer(bool(expected[0]), expected[1])
    )
    assert found == (kind, text)


def test_right_answer() -> None:
    assert answer_problem(READ, Answer(False, 8), Answer(False, 8)) is None
