"""A project that stands for any in the manager's own tests: made-up multipliers, no design.

It has an axis of each kind, two tops, drawn configurations, coverage goals that differ from point
to point, and a message with operands in front. Its legal values and goals are made up, too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from regress.core.errors import not_accepted
from regress.core.jobfile import Job
from regress.core.point import IntegerAxis, MappingAxis, NamedAxis, Point, PointError
from regress.core.project import Project, Reach, Table, Test

MULTIPLIER, EXPONENTIATION = "multiplier", "exponentiation"
SELECTS = {MULTIPLIER: 2, EXPONENTIATION: 3}
# Those of rings have a parameter of their own.
RINGS = ("mwrkmm", "mwr2mm")
ARCHITECTURES = (
    "dual_radix", "fast_montgomery", "faster_montgomery", "mm42", "optimized_interleaved",
    "unfolded_faster_montgomery", "interleaved", "csa_montgomery", "radix4_montgomery",
    "wide_montgomery", *RINGS,
)  # fmt: skip
MODEL_ONLY = ("montgomery",)
WIDTHS = (4, 4096)
NETLISTS = {"ecp5": 1, "gates": 2}
WHERE = re.compile(r"\b\w+ \d+ bits(?: [^:]*?)? at \d+ ns: (?:[^:]*=[^:]*: )?")
STATUS = ("OK", "RAW")
IN_CORE = "in its core "
OPERANDS = ("random", "corners")


def point_of(architecture: str, width: int, parameters: Mapping[str, int] | None = None) -> Point:
    """The point with these values."""
    return Point({"architecture": architecture, "width": width, "parameters": parameters or {}})


def job_of(
    test: str,
    architecture: str,
    width: int,
    simulator: str,
    seed: int,
    operations: int = 0,
    parameters: Mapping[str, int] | None = None,
    **others: Any,
) -> Job:
    """A job at one point; ``others`` are further fields of the job."""
    point = point_of(architecture, width, parameters)
    return Job(test, point, simulator, seed, operations, **others)


def defaults(test: str, architecture: str, width: int = WIDTHS[0]) -> dict[str, int]:
    """Every parameter of a test's top and of a core; those of rings depend on the width."""
    wide = width >= 1024
    ring = {"WordWidth": 16 + wide, "DigitWidth": 16, "Elements": 1 + wide, "Latency": 3}
    own = ring if architecture in RINGS else {}
    top = EXPONENTIATION if test.startswith("exp_") else MULTIPLIER
    return {"BusWidth": 32, "AddressWidth": SELECTS[top], "AddWidth": 32, **own}


def goals_of(job: Job) -> dict[str, list[str]]:
    """Bins by group: addresses of a table, which of some cores depend on more."""
    name, width = job.subject, job.point["width"]
    addresses = [f"{number:04b}" for number in range(16)]
    if job.test.startswith("exp_"):
        return {"exp_status": list(STATUS)}
    found = {"status": list(STATUS), "configuration": ["even width", "odd width"]}
    if name == "unfolded_faster_montgomery":
        found["table_address_of_iteration_0"] = addresses
    elif name in RINGS:
        found["word_carry"] = []
    else:
        found |= {"table_address": addresses, "word_carry": []}
    if name == "optimized_interleaved":
        found["table_transition"] = [str(number) for number in range(2 * width)]
    return found


def _whole(test: str, point: Point) -> dict[str, int]:
    """The defaults at a point: one of them depends on another parameter."""
    found = defaults(test, point["architecture"], point["width"])
    if point["parameters"].get("WordWidth", 16) < 16:
        found["Elements"] = 2
    return found


@dataclass(frozen=True)
class Architectures(NamedAxis):
    """Names, one of which has no hardware."""

    def read(self, value: Any) -> str:
        """See :class:`regress.core.point.Axis`."""
        if value in MODEL_ONLY:
            known = ", ".join(self.names())
            raise PointError(f"architecture {value!r} is model only; accepted: {known}")
        return super().read(value)


class StandIn(Project):
    """See the module."""

    name = "stand-in"
    axes = (
        Architectures(
            "architecture",
            plural="architectures",
            option="arch",
            letters="A",
            names=lambda: ARCHITECTURES,
        ),
        IntegerAxis("width", plural="widths", unit="bits", low=WIDTHS[0], high=WIDTHS[1]),
        MappingAxis(
            "parameters",
            option="parameter",
            named={"Netlist": NETLISTS},
            displaced={"Netlist": ("BusWidth",)},
        ),
    )
    tests: Mapping[str, Test] = MappingProxyType(
        {
            name: Test("regress.tests.stand_in.bench", name, f"made-up test {name}", top)
            for top, names in {
                MULTIPLIER: (
                    "random", "corners", "bus", "bad_input", "reset", "raw", "throughput", "vectors"
                ),
                EXPONENTIATION: ("exp_random", "exp_corners", "exp_vectors"),
            }.items()
            for name in names
        }
    )  # fmt: skip
    counts_operations = True
    traces = True
    command = (".venv/bin/python", "-m", "regress")
    hdl = "hdl"
    hdl_file = "multiplier.sv"
    shipped = ("__init__.py", "pyproject.toml")

    def resolved(self, test: str, point: Point) -> Point:
        """See :class:`regress.core.project.Project`."""
        name, width = point["architecture"], point["width"]
        low, high = WIDTHS
        if name not in ARCHITECTURES:
            raise PointError(not_accepted("architecture", name, ARCHITECTURES), "architecture")
        if not low <= width <= high:
            raise PointError(f"width {width} of {name}: accepted are {low} to {high}", "width")
        whole = _whole(test, point)
        for entry, value in point["parameters"].items():
            if entry not in (*whole, "Netlist"):
                known = ", ".join(whole)
                message = f"unknown parameter {entry!r} of {name}; accepted: {known}"
                raise PointError(message, "parameters")
            if entry == "BusWidth" and value == 9 and point["parameters"].get("Netlist"):
                raise PointError("BusWidth = 9: no netlist has it", "parameters")
            if entry == "AddressWidth" and value < 2:
                raise PointError(f"AddressWidth = {value}: accepted are 2 to 99", "parameters")
            if entry == "DigitWidth" and width % value and 2 * value >= width:
                raise PointError(f"DigitWidth = {value}: does not go with {width}", "parameters")
        return point.with_value("parameters", {**whole, **point["parameters"]})

    def shortest(self, test: str, point: Point) -> Point:
        """See :class:`regress.core.project.Project`."""
        whole = _whole(test, point)
        said = {k: v for k, v in point["parameters"].items() if whole.get(k) != v}
        return point.with_value("parameters", dict(sorted(said.items())))

    def simulators(self, test: str, point: Point) -> Sequence[str]:
        """See :class:`regress.core.project.Project`."""
        return ("verilator",) if point["parameters"].get("Netlist") else ()

    def draw(
        self,
        test: str,
        values: Mapping[str, Sequence[Any]],
        selected: Mapping[str, Sequence[Any]],
        count: int | None,
        seed: int,
    ) -> Sequence[Point]:
        """See :class:`regress.core.project.Project`."""
        low, high = min(values["width"]), max(values["width"])
        wanted = selected.get("width", ())
        widths = [width for width in wanted if low <= width <= high] if wanted else []
        (name,) = values["architecture"]
        dice = random.Random(f"{seed}/{name}/{low}-{high}")
        found: dict[Point, None] = {}
        while len(found) < (count or len(STATUS)) and (widths or not wanted):
            width = dice.choice(widths or range(low, high + 1))
            parameters = {"BusWidth": dice.choice((8, 16, 64))}
            found[point_of(name, width, parameters)] = None
        return list(found)

    def simpler(self, test: str, point: Point) -> Iterator[Point]:
        """See :class:`regress.core.project.Project`: nothing said first, then half the width."""
        if point["parameters"]:
            yield point.with_value("parameters", {})
        if point["width"] >= 2 * WIDTHS[0]:
            yield point.with_value("width", point["width"] // 2)

    def case_command(self, job: Job, case: str, source: str) -> Sequence[str]:
        """See :class:`regress.core.project.Project`."""
        words = ["vectors", source, "--arch", job.subject]
        return [*words, *(["--only", case] if case else []), "--sim", job.simulator]

    def normalised(self, message: str) -> str:
        """See :class:`regress.core.project.Project`."""
        return re.sub(
            rf"\b(?:{'|'.join(ARCHITECTURES)})\b", "<architecture>", WHERE.sub("", message)
        )

    def goals(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`regress.core.project.Project`."""
        return goals_of(job)

    def in_reach(self, job: Job) -> Mapping[str, Iterable[str]]:
        """See :class:`regress.core.project.Project`: a job has one width."""
        own = "odd width" if job.point["width"] % 2 else "even width"
        goals = goals_of(job)
        return {**goals, "configuration": [own]} if "configuration" in goals else goals

    def top_of_group(self, group: str) -> str:
        """See :class:`regress.core.project.Project`."""
        return EXPONENTIATION if group.startswith("exp_") else MULTIPLIER

    def reach(self, group: str, bin_name: str, points: Iterable[Point]) -> Reach:
        """See :class:`regress.core.project.Project`."""
        if group.startswith(("table_", "modulus")):
            rare = any(point["architecture"] == "optimized_interleaved" for point in points)
            note = "the entry solves operands for rare cases" if rare else ""
            return Reach(OPERANDS, note)
        return Reach(("raw",)) if (group, bin_name) == ("status", "RAW") else Reach()

    def kind_of_finding(self, finding: str) -> str:
        """See :class:`regress.core.project.Project`."""
        return finding.rpartition(IN_CORE)[2].partition(" (")[0]

    def tables(self) -> Sequence[Table]:
        """See :class:`regress.core.project.Project`."""
        rows = [[name, "made up"] for name in ARCHITECTURES]
        rows += [[name, "model only"] for name in MODEL_ONLY]
        return [Table("Architectures", ("Name", "What"), rows)]
