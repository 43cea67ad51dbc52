"""Points measured by the workers of a Dask cluster; the jobs are real child processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import LocalCluster

from regress.cli.command_line import main
from regress.cli.workspace import Workspace
from regress.core.runfile import RUN_FILE
from regress.executors.batch import NO_DASHBOARD
from verif.tests.context import CONTEXT


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=1,
        processes=False,
        threads_per_worker=1,
        scheduler_kwargs=NO_DASHBOARD,
        local_directory=str(tmp_path / "worker"),
    ) as made:
        yield made


def run_of(cluster: LocalCluster, out: Path, target: str) -> tuple[int, dict]:
    argv = ["implement", "--arch", "faster_montgomery", "--width", "8", "--target", target]
    where = ["--scheduler", cluster.scheduler_address, "--out", str(out)]
    own = Workspace.of(CONTEXT)
    workspace = replace(own, builds=out.parent / "build", runs=out.parent / "runs")
    code = main([*argv, *where], workspace)
    return code, json.loads((out / RUN_FILE).read_text())["jobs"][0]


def test_a_worker_runs_the_child_of_implement(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing can be installed there: only the right child can state that.
    monkeypatch.setenv("REGRESS_TOOLS", str(tmp_path / "file" / "tools"))
    (tmp_path / "file").touch()
    code, job = run_of(cluster, tmp_path / "run", "nangate45")
    assert code == 1
    assert f"cannot install tools below {tmp_path / 'file' / 'tools'}" in job["message"]


@pytest.mark.slow
def test_a_worker_measures_a_point(cluster: LocalCluster, tmp_path: Path) -> None:
    code, job = run_of(cluster, tmp_path / "run", "gates")
    assert code == 0
    assert job["result"]["metrics"]["gates"]["value"] > 100
