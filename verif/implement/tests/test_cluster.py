"""Points measured by the workers of a Dask cluster; the jobs are real child processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from regress.cli.command_line import main
from regress.executors.batch import NO_DASHBOARD
from verif.implement.flow.record import IMPLEMENT_FILE
from verif.library.netlist.toolbox import default_toolbox_folder
from verif.tests.context import PROJECT, make_workspace


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


def points_of(cluster: LocalCluster, out: Path) -> tuple[int, list[dict]]:
    argv = ["implement", "--arch", "faster_montgomery", "--width", "8", "--target", "gates"]
    where = ["--scheduler", cluster.scheduler_address, "--out", str(out)]
    code = main([*argv, *where], make_workspace(out.parent))
    return code, json.loads((out / IMPLEMENT_FILE).read_text())["points"]


def test_a_worker_runs_the_child_of_implement(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing can be installed there: that only the right child can say.
    monkeypatch.setenv("REGRESS_TOOLS", str(tmp_path / "file" / "tools"))
    (tmp_path / "file").touch()
    code, (point,) = points_of(cluster, tmp_path / "run")
    assert code == 1
    assert point["message"].startswith(f"cannot install tools below {tmp_path / 'file' / 'tools'}")


@pytest.mark.slow
@pytest.mark.tools
def test_a_worker_measures_a_point(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGRESS_TOOLS", str(default_toolbox_folder(PROJECT.root)))
    code, (point,) = points_of(cluster, tmp_path / "run")
    assert code == 0
    assert point["gates"] > 100
    assert point["provenance"]["seconds"] > 0
