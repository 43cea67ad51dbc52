"""The user's own cores in the project: points, builds and tests."""

from __future__ import annotations

import codecs
import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from filelock import FileLock

from regress.core.errors import UsageError
from regress.core.formats.files import write_text
from regress.core.jobfile import Job
from regress.core.listformat import DEFAULT_SEED
from regress.core.point import Point, PointError
from regress.core.project import Build, Reach, Test
from regress.simulators.verilator import Verilator
from regress.waves.fst import WaveFile
from regress.waves.view import WaveView
from verif.bench.configuration.burst import has_two_delays
from verif.bench.configuration.design import BENCH, ROOT, VERILATOR_ARGUMENTS
from verif.bench.configuration.dut import DesignUnderTest
from verif.own_core.core import Core
from verif.own_core.core_module import constant_bits, core_module, hit_bits, is_watched, watch_group
from verif.own_core.description import DESCRIPTION_VARIABLE, CoreDescription
from verif.own_core.ports import fits
from verif.own_core.waves import core_view

TOP = "black_box_tb"
TEST = "check"
PROBE = "probe"
DESCRIPTION_FILE = "core.yaml"
# First word of a probe's note about other events.
NOTED = "note: "
TESTS: Mapping[str, Test] = MappingProxyType(
    {
        TEST: Test(
            "verif.own_core.testcases",
            "CheckTest",
            "classes of operands and claims of a core from outside (command check)",
            TOP,
            cases_move=True,
        ),
        PROBE: Test(
            "verif.own_core.probecases",
            "ProbeTest",
            "what a core from outside computes, measured (command check --probe)",
            TOP,
        ),
    }
)
# Operations per class, by the name of the list.
LISTS = {"smoke": 20, "deep": 200}
HDL = ("pkg/multiplier_pkg.sv", "loader/operand_loader.sv")
BUS = ("bench_pkg.sv", "loader_bus_agent.sv", "loader_bus_recorder.sv", "loader_bus_transactor.sv")
HERE = Path(__file__).parent
# Suffix of Verilator's waiver files.
WAIVERS = ".vlt"
# Do not lint the user's code.
FOREIGN = ("-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-BLKSEQ", "-Wno-UNOPTFLAT")


class BlackBoxes(DesignUnderTest):
    """The user's own cores; each is stored in a folder with all of its files as they were checked.

    A point names the folder, so a rerun of a failure uses the files that failed, even if the user
    has changed the originals.

    Args:
        folder: folder that holds the cores.
    """

    name = TOP
    tests = TESTS

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`; the core of the point must be stored."""
        self.core(point["architecture"])
        return point

    def keep(self, core: Core) -> str:
        """Copy a core's files; return its name in points."""
        description = core.description
        for path in core.includes:
            if self._folder.resolve().is_relative_to(path.resolve()):
                raise UsageError(
                    f"{core.path}: include: {path} contains {self._folder}, where copies of cores "
                    "are; accepted are folders of the core alone"
                )
        digest = hashlib.sha256(description.model_dump_json().encode())
        for path in [*core.sources, *_included(core)]:
            digest.update(path.name.encode() + path.read_bytes())
        name = f"{description.name}-{digest.hexdigest()[:8]}"
        folder = self._folder / name
        with self._lock(name):
            if not folder.is_dir():
                part = folder.with_name(f".{name}")
                shutil.rmtree(part, ignore_errors=True)  # a killed process may have left it
                _copy(core, part)
                part.rename(folder)
        return name

    def _lock(self, name: str) -> FileLock:
        """Return the lock of a core's folder; other processes may check the same core."""
        locks = self._folder / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        return FileLock(locks / f"{name}.lock")

    def core(self, name: str) -> Core:
        """Return the core of a point.

        Raises:
            PointError: the core is not stored here.
        """
        path = self._folder / name / DESCRIPTION_FILE
        if not path.is_file():
            raise PointError(f"core {name!r} is not in {self._folder}; run check again")
        return Core(path, CoreDescription.model_validate_json(path.read_text()))

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """Return the build for a point.

        Raises:
            PointError: the core does not exist.
        """
        core, width = self.core(point["architecture"]), point["width"]
        description = core.description
        folder = core.folder / f"width{width}"
        sources = core.sources_at(width)
        text = core_module(description, width, takes_width=core.takes_width(width))
        module, timing = folder / "black_box_core.sv", folder / "timing.vlt"
        with self._lock(core.folder.name):
            _update(module, text)
            _update(timing, _timing(core))
        config: tuple[Path, ...] = ()
        arguments: tuple[str, ...] = ()
        if simulator.runner == Verilator.runner:
            waivers = (path for path in sources if path.suffix == WAIVERS)
            config = (HERE / "tb" / f"{TOP}.vlt", timing, *waivers)
            arguments = (*VERILATOR_ARGUMENTS, *FOREIGN)
        include = "+incdir+" if simulator.runner == Verilator.runner else "-I"
        return Build(
            sources=(
                *config,
                *((hdl or ROOT / "hdl") / name for name in HDL),
                *(BENCH / "agent" / name for name in BUS),
                *(HERE / "tb" / f"{name}.sv" for name in ("black_box", TOP)),
                module,
                # Last, because its `timescale, `default_nettype and macros apply to later files.
                *(path for path in sources if path.suffix != WAIVERS),
            ),
            toplevel=TOP,
            defines={
                name: description.at(text, width) for name, text in description.defines.items()
            },
            parameters={
                "Width": width,
                "ConstantWidth": constant_bits(description, width),
                "Hits": hit_bits(description),
            },
            arguments=(*arguments, *(f"{include}{path}" for path in core.includes)),
            files=tuple(_included(core)),
        )

    def simpler(self, point: Point) -> Iterator[Point]:
        """Yield the same core at narrower widths that its ports have, the narrowest first."""
        core, width = self.core(point["architecture"]), point["width"]
        widths = core.description.widths
        steps = [width >> half for half in range(1, width.bit_length())]
        halves = [(width - step) // widths.multiple_of * widths.multiple_of for step in steps]
        for narrower in dict.fromkeys(widths if widths.values else halves):
            if narrower < width and narrower in widths and fits(core, narrower):
                yield point.with_value("width", narrower)

    def environment(self, job: Job) -> Mapping[str, str]:
        """Return the simulation's variables with the core description.

        The simulation may run on a machine without this folder.
        """
        return {DESCRIPTION_VARIABLE: self.description(job).model_dump_json()}

    def wave_view(self, job: Job, waves: WaveFile, message: str, time_ns: float) -> WaveView:
        """Return the wave view of a job."""
        return core_view(self.description(job), job.point["width"], waves, message, time_ns)

    def description(self, job: Job) -> CoreDescription:
        """Return the description of a job's core."""
        return self.core(job.point["architecture"]).description

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """Return the values of the watched signals that must be observed."""
        description = self.description(job)
        return {
            watch_group(description, watch.name): [watch.bin(value) for value in watch.goal]
            for watch in description.watch
        }

    def owns(self, group: str) -> bool:
        """See :class:`DesignUnderTest`; these are the groups of watched signals."""
        return is_watched(group)

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """See :class:`DesignUnderTest`."""
        return Reach((TEST,))

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`."""
        return check_words(job, source)


def check_words(job: Job, source: str) -> list[str]:
    """Return the command that repeats a job."""
    words = [
        "check",
        *["--probe"] * (job.test == PROBE),
        source,
        "--width",
        str(job.point["width"]),
    ]
    words += ["--list", "deep"] if job.operations > LISTS["smoke"] else []
    return [*words, *(["--seed", str(job.seed)] if job.seed != DEFAULT_SEED else [])]


def _update(path: Path, text: str) -> None:
    """Write a file, unless it has this text; a compiler may read the file meanwhile."""
    path.parent.mkdir(exist_ok=True)
    if not path.is_file() or path.read_text() != text:
        write_text(path, text)


def _copy(core: Core, folder: Path) -> None:
    """Copy a core's files into a new folder, with a description that names the copies."""
    description = core.description
    folder.mkdir(parents=True)
    moved = description.model_dump(mode="json")
    moved["sources"], moved["include"] = [], []
    for index, source in enumerate(description.sources):
        moved["sources"].append(f"{index}/{Path(source).name}")
        (folder / str(index)).mkdir()
        for path in core.variants(source):
            _keep(path, folder / str(index) / path.name)
    for index, path in enumerate(core.includes):
        moved["include"].append(f"include{index}")
        shutil.copytree(path, folder / f"include{index}")
    (folder / DESCRIPTION_FILE).write_text(json.dumps(moved, indent=1) + "\n")


def _keep(path: Path, copy: Path) -> None:
    """Copy a source so that compilers report the user's file, not the copy."""
    head = b"" if path.suffix == WAIVERS else f'`line 1 "{path}" 0\n'.encode()
    copy.write_bytes(head + path.read_bytes().removeprefix(codecs.BOM_UTF8))


def _timing(core: Core) -> str:
    """Return a Verilator configuration: Verilator 5.48 loses values with rise and fall delays."""
    files = (path for path in core.sources if has_two_delays(path))
    return "`verilator_config\n" + "".join(f'timing_off -file "*/{path.name}"\n' for path in files)


def _included(core: Core) -> list[Path]:
    return sorted(path for folder in core.includes for path in folder.rglob("*") if path.is_file())
