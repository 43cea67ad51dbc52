"""Asks cocotb for the tests of a project's benches: without a simulator if possible."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from regress.core.cocotb_project import Bench, CocotbProject, FoundTest
from regress.core.errors import UsageError
from regress.core.jobfile import JOB_FILE, Job, Launch
from regress.core.plan import BuildPoint
from regress.core.point import Point
from regress.core.processes import ProcessGroups, clean_environment
from regress.core.results import shown_path
from regress.run.build import Builder
from regress.simulators import Simulator

SECONDS = 120.0
LIST_FILE = "tests.json"
MakeBuilder = Callable[..., Builder]


class Discovery:
    """Asks cocotb for the tests of a project.

    Args:
        builds: folder of the builds.
        simulators: known simulators by name.
        say: shows a line to the user.
    """

    def __init__(
        self,
        project: CocotbProject,
        builds: Path,
        simulators: Mapping[str, type[Simulator]],
        say: Callable[[str], None],
    ) -> None:
        self._project = project
        self._builds = builds
        self._simulators = simulators
        self._say = say

    def run(self) -> None:
        """Give the project its tests.

        Raises:
            UsageError: cocotb cannot list the tests.
        """
        answers = self._answers()
        found = {
            bench.key: [
                test for answer in answers[bench.key] for test in self._tests(bench, answer)
            ]
            for bench in self._project.benches
        }
        languages = {name: known.languages for name, known in self._simulators.items()}
        self._project.take_tests(found, languages)

    def _answers(self) -> dict[str, list[dict[str, Any]]]:
        root = self._project.root
        benches = [
            {
                "key": bench.key,
                "modules": list(bench.modules),
                "folder": str(_folder(root, bench)),
                "path": [str(root / name) for name in (bench.folder, *bench.path)],
                "environment": {**self._environment(bench), **bench.environment},
            }
            for bench in self._project.benches
        ]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "regress.run.listing"],
                input=json.dumps(benches),
                env=clean_environment(root / "build" / "bytecode"),
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=True,
            )
            return json.loads(done.stdout)
        except subprocess.TimeoutExpired:
            names = ", ".join(bench.key for bench in self._project.benches)
            raise UsageError(
                f"the import of the tests of {names} takes more than {SECONDS:g} s"
            ) from None
        except (subprocess.CalledProcessError, ValueError) as error:
            said = getattr(error, "stderr", "").strip().splitlines() or [str(error)]
            raise UsageError(f"cocotb cannot list the tests: {said[-1]}") from None

    def _environment(self, bench: Bench) -> dict[str, str]:
        """Return what tests ask for, as if the first simulator that can run the bench did."""
        able = self._able(bench)
        return {
            "TOPLEVEL": bench.top,
            "COCOTB_TOPLEVEL": bench.top,
            "TOPLEVEL_LANG": bench.language(self._project.root),
            "COCOTB_RANDOM_SEED": "1",
            **({"SIM": able[0].runner} if able else {}),
        }

    def _able(self, bench: Bench) -> list[type[Simulator]]:
        language = bench.language(self._project.root)
        return [
            known
            for name, known in self._simulators.items()
            if language in known.languages and (not bench.simulators or name in bench.simulators)
        ]

    def _tests(self, bench: Bench, answer: dict[str, Any]) -> Sequence[FoundTest]:
        module = answer["module"]
        listed = answer.get("tests", [])
        if answer.get("simulate"):
            listed = self._simulated(bench, module) or listed
        if not listed:  # a job of the whole module shows why
            return [FoundTest(module, "", answer.get("error", "no test was found"))]
        return [FoundTest(module, test["name"], test["text"], self._place(test)) for test in listed]

    def _place(self, test: dict[str, Any]) -> str:
        return f"{shown_path(test['file'], self._project.root)}:{test['line']}"

    def _simulated(self, bench: Bench, module: str) -> list[dict[str, Any]]:
        """Return the tests that cocotb lists inside a simulation; empty if none can be built."""
        groups = ProcessGroups()
        # An interpreter builds faster than a compiler.
        for known in sorted(self._able(bench), key=lambda known: -known.slowdown):
            try:
                simulator = known.find()
            except UsageError:
                continue
            self._say(f"{module} needs the simulation: listing its tests on {known.name}")
            self._builds.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(prefix=".listing-", dir=self._builds))
            try:
                builder = Builder(
                    self._project, self._builds, folder, {known.name: simulator}, groups, 2
                )
                point = BuildPoint(Point({}), known.name, bench.key)
                build = builder.build(point).folder
                if build is not None:
                    return self._listed(bench, module, known.name, folder, build, groups)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        return []

    def _listed(
        self,
        bench: Bench,
        module: str,
        simulator: str,
        folder: Path,
        build: Path,
        groups: ProcessGroups,
    ) -> list[dict[str, Any]]:
        launch = Launch(module, "", bench.top, plain=True)
        launch = self._project.started(bench, launch, simulator)
        Job(bench.key, Point({}), simulator, 1, launch=launch).write(folder / JOB_FILE)
        listed = folder / LIST_FILE
        groups.run(
            [sys.executable, "-m", "regress.run.job", str(folder), "--build", str(build),
             "--list", str(listed)],
            cwd=self._project.root,
            env=clean_environment(self._project.root / "build" / "bytecode"),
            log=folder / "log.txt",
            timeout=SECONDS,
        )  # fmt: skip
        try:
            return json.loads(listed.read_text())
        except (OSError, ValueError):
            return []


def _folder(root: Path, bench: Bench) -> Path:
    """Return the working directory of a bench.

    Raises:
        UsageError: it does not exist.
    """
    folder = root / bench.folder
    if not folder.is_dir():
        raise UsageError(f"bench {bench.key}: folder {bench.folder!r} does not exist")
    return folder
