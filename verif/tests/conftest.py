"""Stand-ins for the bench."""

from __future__ import annotations

from verif.bench.env.checkers.plugin import Fail


def collector(found: list[str]) -> Fail:
    """Notes failures in a list, without their times."""

    def fail(message: str, time_ns: float | None = None) -> None:
        found.append(message)

    return fail
