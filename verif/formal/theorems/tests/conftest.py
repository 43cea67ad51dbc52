"""A prover whose compiled theories and results stay for the next test."""

from __future__ import annotations

import pytest

from regress.core.processes import ProcessGroups
from verif.formal.theorems.coq import INSTALL, Coq, coq_version
from verif.formal.theorems.prove import FOLDER

TIMEOUT = 900.0


@pytest.fixture(scope="session")
def coq() -> Coq:
    """Coq with the theories compiled; without Coq the test is skipped."""
    if not coq_version():
        pytest.skip(INSTALL)
    made = Coq(FOLDER, ProcessGroups(), TIMEOUT)
    made.theories()
    return made
