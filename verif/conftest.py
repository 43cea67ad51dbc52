"""Settings of all tests of verif: where runs go."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from regress.cli.workspace import Workspace


@pytest.fixture(autouse=True)
def runs_of_a_test(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep runs of commands that a test calls, and ``latest``, out of the project's folder."""
    usual = Workspace.of
    runs = cache(lambda: tmp_path_factory.mktemp("runs"))  # most tests need none
    monkeypatch.setattr(Workspace, "of", lambda context: replace(usual(context), runs=runs()))
