"""Settings of all tests of verif: where runs go, and which tests need tools."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache

import pytest

from regress.cli.workspace import Workspace
from verif.bench.configuration.design import ROOT
from verif.library.netlist.toolbox import Toolbox, default_toolbox_folder

REASON = "pyosys and its tools are not installed; make test installs them"
# If this environment variable is set, a test that lacks its tools fails.
MUST_RUN = "IMPLEMENT_TOOLS_REQUIRED"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a marked test before any of its fixtures would install the tools."""
    if item.get_closest_marker("tools") and not Toolbox(default_toolbox_folder(ROOT)).complete:
        (pytest.fail if os.environ.get(MUST_RUN) else pytest.skip)(REASON)


@pytest.fixture(autouse=True)
def runs_of_a_test(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep runs of commands that a test calls, and ``latest``, out of the project's folder."""
    usual = Workspace.of
    runs = cache(lambda: tmp_path_factory.mktemp("runs"))  # most tests need none
    monkeypatch.setattr(Workspace, "of", lambda context: replace(usual(context), runs=runs()))
