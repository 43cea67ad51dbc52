"""The cache of builds, with a stand-in for the compiler."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regress.core.plan import BuildPoint, planned_job
from regress.core.point import Point
from regress.core.processes import Ended, ProcessGroups
from regress.core.project import Build
from regress.run.build import LONG_EFFORT, MANIFEST, Builder, long_points
from regress.run.job import manifest
from regress.simulators import SIMULATORS
from regress.simulators.icarus import Icarus
from regress.simulators.verilator import Verilator
from regress.simulators.xcelium import Xcelium
from regress.tests.conftest import CONTEXT
from regress.tests.stand_in import StandIn, job_of, point_of
from regress.tests.test_samples import needs_icarus

POINT = BuildPoint(
    point_of("faster_montgomery", 32), "verilator", "multiplier", unnamed="multiplier"
)


class OneFile(StandIn):
    """A project whose design is one file, ``design.sv`` below its folder."""

    def build(
        self, top: str, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool
    ) -> Build:
        settings = (self.root / "public.vlt",) if simulator.name == "verilator" else ()
        return Build(
            sources=(*settings, self.root / "design.sv"),
            arguments=("--mine",) * len(settings),
            toplevel=f"{top}_tb",
            defines={"CORE": point["architecture"]},
            parameters={"Width": point["width"], **point["parameters"]},
        )


class FakeCompiler(ProcessGroups):
    """Writes the executable, or fails; counts how often it was called."""

    def __init__(self, log: str = "", returncode: int = 0, produce: bool = True) -> None:
        super().__init__()
        self.log = log
        self.returncode = returncode
        self.produce = produce
        self.specs: list[dict[str, Any]] = []
        self.environments: list[dict[str, str]] = []
        self._calls = threading.Lock()

    def run(self, command: Any, *, env: Any, log: Path, **settings: Any) -> Ended:
        spec = json.loads(Path(command[-1]).read_text())
        with self._calls:
            self.specs.append(spec)
            self.environments.append(env)
        log.write_text(self.log)
        if self.produce:
            folder = Path(spec["folder"])
            names = {"icarus": "sim.vvp", "xcelium": "xrun_snapshot"}
            name = names.get(spec["simulator"], spec["toplevel"])
            (folder / name).write_text("binary")
            (folder / "Vtop.cpp").write_text("generated")
            (folder / "objects").mkdir()
        return Ended(self.returncode, False, False, 0.1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A design of one file."""
    file = tmp_path / "design.sv"
    file.write_text("module m; endmodule\n")
    (tmp_path / "public.vlt").write_text("`verilator_config\n")
    return file


@pytest.fixture
def make(tmp_path: Path, source: Path) -> Callable[..., Builder]:
    def builder(compiler: ProcessGroups, version: str = "5.048", waves: bool = True) -> Builder:
        tools = {
            name: simulator(
                version, "here", (Path("/opt/bin"),), {"VERILATOR_ROOT": "/opt"}, waves=waves
            )
            for name, simulator in SIMULATORS.items()
        }
        return Builder(OneFile(tmp_path), tmp_path / "build", tmp_path / "logs", tools, compiler, 1)

    return builder


def test_a_build_is_made_once_and_kept_small(make: Callable[..., Builder]) -> None:
    compiler = FakeCompiler("compiled\n")
    first = make(compiler).build(POINT)
    second = make(compiler).build(POINT)
    assert (first.cached, second.cached) == (False, True)
    assert first.folder == second.folder
    assert first.folder is not None
    assert {path.name for path in first.folder.iterdir()} == {
        "multiplier_tb", "build.log", MANIFEST
    }  # fmt: skip
    assert first.log is not None
    assert first.log.read_text() == "compiled\n"
    assert len(compiler.specs) == 1


def test_the_content_decides(make: Callable[..., Builder], source: Path) -> None:
    compiler = FakeCompiler()
    folders = [make(compiler).build(POINT).folder]
    folders.append(
        make(compiler)
        .build(BuildPoint(point_of("faster_montgomery", 33), "verilator", "multiplier"))
        .folder
    )
    folders.append(
        make(compiler)
        .build(BuildPoint(point_of("fast_montgomery", 32), "verilator", "multiplier"))
        .folder
    )
    folders.append(
        make(compiler)
        .build(BuildPoint(point_of("faster_montgomery", 32), "icarus", "multiplier"))
        .folder
    )
    other = BuildPoint(
        point_of("faster_montgomery", 32, {"AddressWidth": 3}), "verilator", "multiplier"
    )
    folders.append(make(compiler).build(other).folder)
    core = BuildPoint(point_of("faster_montgomery", 32), "verilator", "exponentiation")
    folders.append(make(compiler).build(core).folder)
    folders.append(make(compiler, version="5.050").build(POINT).folder)
    source.write_text("module m; wire w; endmodule\n")
    folders.append(make(compiler).build(POINT).folder)
    (source.parent / "public.vlt").write_text("`verilator_config\n// more\n")
    folders.append(make(compiler).build(POINT).folder)
    assert len(set(folders)) == len(folders)
    assert all(folders)


def test_verilator_gets_its_options_and_environment(make: Callable[..., Builder]) -> None:
    compiler = FakeCompiler()
    make(compiler).build(POINT)
    (spec,), (environment,) = compiler.specs, compiler.environments
    assert spec["sources"][0].endswith("public.vlt")
    assert "--mine" in spec["arguments"]
    assert environment["VERILATOR_ROOT"] == "/opt"
    assert environment["PATH"].startswith("/opt/bin:")
    make(compiler).build(BuildPoint(point_of("faster_montgomery", 32), "icarus", "multiplier"))
    assert not any(name.endswith(".vlt") for name in compiler.specs[1]["sources"])


def test_a_build_for_code_coverage_is_another_one(make: Callable[..., Builder]) -> None:
    compiler = FakeCompiler()
    plain = make(compiler).build(POINT).folder
    measured = make(compiler).build(replace(POINT, code_coverage=True)).folder
    assert plain != measured
    arguments = [spec["arguments"] for spec in compiler.specs]
    assert "--coverage-line" not in arguments[0]
    assert {"--coverage-line", "--coverage-toggle"} <= set(arguments[1])


@pytest.mark.parametrize("able", [True, False])
def test_a_build_that_can_write_waves_is_another_one(
    make: Callable[..., Builder], able: bool
) -> None:
    compiler = FakeCompiler()
    builder = make(compiler, waves=able)
    points = (POINT, replace(POINT, waves=True))
    folders = [builder.build(point).folder for point in points]
    assert folders[0] != folders[1]
    for spec, folder, waves in zip(compiler.specs, folders, (False, able), strict=True):
        assert folder is not None
        assert spec["waves"] is manifest(folder)["waves"] is waves
        assert ("--trace-fst" in spec["arguments"]) is waves


def test_icarus_has_one_build_for_jobs_with_and_without_waves(make: Callable[..., Builder]) -> None:
    job = job_of("random", "faster_montgomery", 32, "icarus", seed=1)
    points = {
        planned_job(CONTEXT, replace(job, waves=waves), 1, 9.0).point for waves in (False, True)
    }
    assert len(points) == 1
    assert manifest(make(FakeCompiler()).build(points.pop()).folder)["waves"]


def test_only_a_build_whose_jobs_simulate_much_is_optimised(
    make: Callable[..., Builder], tmp_path: Path
) -> None:
    class Counted(OneFile):
        def effort(self, job: Any) -> float:
            return float(job.operations)

    job = replace(job_of("random", "faster_montgomery", 32, "verilator", seed=1), operations=1)
    half = replace(job, operations=int(LONG_EFFORT / 2))
    short, halves = (planned_job(CONTEXT, one, 1, 9.0) for one in (job, half))
    assert not long_points(Counted(tmp_path), [short, halves])
    assert long_points(Counted(tmp_path), [halves, halves]) == {halves.point}
    compiler = FakeCompiler()
    builder = make(compiler)
    quick = builder.build(POINT).folder
    builder._long = {POINT}
    assert builder.build(POINT).folder != quick
    flags = [environment["MAKEFLAGS"] for environment in compiler.environments]
    assert ["OPT_FAST=-O3" in words.split() for words in flags] == [False, True]


def test_builders_at_once_build_once(make: Callable[..., Builder]) -> None:
    compiler = FakeCompiler()
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda _: make(compiler).build(POINT), range(16)))
    assert len(compiler.specs) == 1
    assert len({outcome.folder for outcome in outcomes}) == 1
    assert sum(not outcome.cached for outcome in outcomes) == 1


@pytest.mark.parametrize(
    ("compiler", "errors"),
    [
        (
            FakeCompiler(
                "Running command verilator error.sv\nfine\n%Error: a.sv:1: bad\nmore\n"
                "b.sv:2: syntax error\n%Error: 3\n%Error: 4\n",
                returncode=1,
            ),
            ("%Error: a.sv:1: bad", "b.sv:2: syntax error", "%Error: 3"),
        ),
        (FakeCompiler("one\ntwo\n", returncode=1, produce=False), ("one", "two")),
        (FakeCompiler("", produce=False), ("no output",)),
        (
            FakeCompiler(
                "%Warning-WIDTH: a.sv:3: 8 bits\n%Error: Exiting due to 1 warning(s)\n", 1
            ),
            ("%Warning-WIDTH: a.sv:3: 8 bits",),
        ),
    ],
    ids=["errors", "other output", "no executable", "only warnings"],
)
def test_a_failed_build_leaves_its_errors_and_log_only(
    make: Callable[..., Builder], tmp_path: Path, compiler: FakeCompiler, errors: tuple[str, ...]
) -> None:
    outcome = make(compiler).build(POINT)
    assert outcome.folder is None
    assert outcome.errors == errors
    assert outcome.log == tmp_path / "logs" / f"{POINT.name}.log"
    assert [path.name for path in (tmp_path / "build").iterdir()] == ["locks"]
    assert make(FakeCompiler()).build(POINT).folder is not None


def test_an_incomplete_folder_is_built_again(make: Callable[..., Builder]) -> None:
    compiler = FakeCompiler()
    folder = make(compiler).build(POINT).folder
    assert folder is not None
    (folder / MANIFEST).unlink()
    assert make(compiler).build(POINT).folder == folder
    assert len(compiler.specs) == 2


HEADERS = ("rtl/inc/defs.vh", "tests/here.vh", "inc2/two.vh", "lib/sub.v", "more.f")
INCLUDING = """\
`include "inc/defs.vh"
`include "here.vh"
`include "two.vh"
module top; sub s(); endmodule
"""


class WithHeaders(StandIn):
    """A project that reads a file in every way in which a compiler finds one."""

    def build(
        self, top: str, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool
    ) -> Build:
        return Build(
            sources=(self.root / "rtl/top.sv",),
            toplevel="top",
            arguments=("-I../inc2", "-y", "../lib", "-f", "../more.f"),
            includes=(self.root / "rtl",),
            folder=self.root / "tests",
        )


@pytest.fixture
def headers(tmp_path: Path) -> Path:
    """The folder of such a project; the headers were there before its first build."""
    for name in (*HEADERS, "rtl/top.sv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / "rtl/top.sv").write_text(INCLUDING)
    (tmp_path / "lib/sub.v").write_text("module sub; endmodule\n")
    return tmp_path


def change(path: Path) -> None:
    path.write_text(path.read_text() + "\n")
    os.utime(path, (1, 1))


@needs_icarus
def test_a_change_of_any_file_that_the_compiler_read_is_another_build(
    headers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    tools = {"icarus": Icarus.find()}
    builder = Builder(
        WithHeaders(headers), headers / "build", headers / "logs", tools, ProcessGroups(), 1
    )
    point = BuildPoint(POINT.point, "icarus", "multiplier")
    first = builder.build(point)
    assert first.folder, first.errors
    folders = {first.folder}
    for name in HEADERS:
        change(headers / name)
        made = builder.build(point)
        assert made.folder and not made.cached, name
        folders.add(made.folder)
        assert builder.build(point).cached, name
    assert len(folders) == 1 + len(HEADERS)
    (headers / "tests/other.vh").write_text("no source includes it")
    assert builder.build(point).cached


def test_a_compiler_that_states_no_files_is_asked_again_for_every_header(headers: Path) -> None:
    compiler = FakeCompiler()
    tools = {"xcelium": Xcelium("1", "here")}
    builder = Builder(WithHeaders(headers), headers / "build", headers / "logs", tools, compiler, 1)
    point = BuildPoint(POINT.point, "xcelium", "multiplier")
    assert not builder.build(point).cached
    for name in HEADERS:
        change(headers / name)
        assert not builder.build(point).cached, name
        assert builder.build(point).cached, name


def test_verilator_and_its_compiler_state_the_files(tmp_path: Path) -> None:
    folder, cwd = tmp_path / "build", tmp_path / "tests"
    folder.mkdir()
    (folder / "Vtop__verFiles.dat").write_text(
        '# DESCRIPTION\nC "-cc top.sv"\n'
        'S 99 1 2 3 4 5 "/opt/bin/verilator_bin"\n'
        'S 1 1 2 3 4 5 "hash" "../my headers/a.vh"\n'
        'S 1 1 2 3 4 5 "b.vh"\n'
        'T 1 1 2 3 4 5 "Vtop.cpp"\n'
    )
    (folder / "dpi.d").write_text("dpi.o: ../tests/dpi.cpp \\\n ../my\\ headers/dpi.h\n")
    read = Verilator.files_read(folder, cwd)
    found = {os.path.normpath(path) for path in read}
    assert not any(f"{folder}/.." in str(path) for path in read), "the folder will be renamed"
    assert found >= {
        str(tmp_path / name)
        for name in ("my headers/a.vh", "tests/b.vh", "tests/dpi.cpp", "my headers/dpi.h")
    }
    assert not any("verilator_bin" in name or "Vtop.cpp" in name for name in found)
