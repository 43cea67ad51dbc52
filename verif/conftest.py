"""Tests that are marked ``tools`` run where the tools of ``implement`` are installed."""

from __future__ import annotations

import os

import pytest

from verif.bench.configuration.design import ROOT
from verif.library.netlist.toolbox import Toolbox, default_toolbox_folder

REASON = (
    "needs the tools of implement: make test never installs them, the nightly runs this after "
    "make implement"
)
# If this environment variable is set, a test that lacks its tools fails.
MUST_RUN = "IMPLEMENT_TOOLS_REQUIRED"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a marked test before any of its fixtures would install the tools."""
    if item.get_closest_marker("tools") and not Toolbox(default_toolbox_folder(ROOT)).complete:
        (pytest.fail if os.environ.get(MUST_RUN) else pytest.skip)(REASON)
