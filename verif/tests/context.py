"""What the command line would hand to tests of this project."""

from __future__ import annotations

from functools import partial

from regress.cli.composition import context_of
from regress.core.loading import load_project
from regress.tests import conftest
from verif.bench.configuration.design import ROOT

PROJECT = load_project(ROOT)
CONTEXT = context_of(PROJECT)
make_workspace = partial(conftest.make_workspace, context=CONTEXT)
