"""Workers of a Dask cluster: connects to them, checks them and detects when all are lost."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from distributed import CancelledError, Client
from distributed.client import ClosedClientError

from regress.core.limits import Limit, duration_text

CONNECT_SECONDS = 5.0
# Exceptions of Dask's calls when the scheduler or the worker is gone. AttributeError occurs because
# a client that has closed itself has no connection.
LOST = (OSError, ValueError, RuntimeError, AttributeError, CancelledError, ClosedClientError)


def connect(address: str) -> Client:
    """Connect to a scheduler.

    Raises:
        OSError: no scheduler answers at this address.
        ValueError: the address is malformed.
    """
    # The run reports lost workers itself; Dask would add tracebacks.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except AssertionError:  # Dask's only error for this case
        raise OSError("the thread of Dask did not start within its time limit") from None


class NoWorkers:
    """The limit that ends a run whose cluster has no worker left.

    Args:
        patience: accepted seconds without a worker.
        explain: returns the explanation of the batch system; may be empty.
    """

    def __init__(self, patience: float, explain: Callable[[], str] = lambda: "") -> None:
        self._patience = patience
        self._explain = explain
        self._last_seen = time.monotonic()
        self.reason = ""
        self.limit = Limit(lambda: self.reason, fatal=True)

    def see(self, slots: int) -> None:
        """Record how many jobs the workers can take."""
        if slots:
            self._last_seen = time.monotonic()
        elif not self.reason and time.monotonic() - self._last_seen >= self._patience:
            said = self._explain()
            self.reason = f"the cluster has had no worker for {duration_text(self._patience)}" + (
                f"; {said}" if said else ""
            )


def differences(here: Mapping[str, Any], there: Mapping[str, Any], packages: Iterable[str]) -> str:
    """List the relevant differences between two machines; both are described as by Dask."""
    wanted, found = _versions(here, packages), _versions(there, packages)
    return ", ".join(
        f"{name} is {found[name] or 'not installed'}, required is {version}"
        for name, version in wanted.items()
        if found[name] != version
    )


def _versions(machine: Mapping[str, Any], packages: Iterable[str]) -> dict[str, str | None]:
    found = {name: machine["packages"][name] for name in packages}
    python = ".".join(machine["packages"]["python"].split(".")[:2])
    return {"Python": python, "machine": machine["host"]["machine"], **found}
