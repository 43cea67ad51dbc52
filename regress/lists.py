"""Regression lists: YAML files read, checked and turned into rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from regress.draw import Draw
from regress.errors import UsageError, not_accepted
from regress.point import Axis, MappingAxis, Point, PointError
from regress.project import project
from regress.simulators import SIMULATORS
from regress.yaml_file import Problems, item_line, line_of, read_yaml

DEFAULT_SEED = 1
DEFAULT_OPERATIONS = 100
DEFAULT_TIMEOUT = 300.0
# Two hundred million clocks: more than any job of the project's lists needs.
DEFAULT_TIME_LIMIT = 2.0
# A row with a time budget is cut off by it, not by this.
BUDGET_SEEDS = 1000
DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|m|min|h)")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class ExpectedFailure:
    """A failure that is known and not yet mended.

    Attributes:
        reason: why it is expected, for people.
        message: regular expression that the job's message must match somewhere.
    """

    reason: str
    message: str


@dataclass(frozen=True)
class Row:
    """One row of a list: a test times points, simulators and seeds.

    Attributes:
        path: the list's file.
        line: line of that file, 1 for the first.
        test: name of a test of the project.
        values: of each axis, by its name.
        simulators: names of :data:`regress.simulators.SIMULATORS`.
        operations: random operations of one job.
        seeds: number of jobs for each point of the matrix.
        timeout: wall-clock limit of one job in seconds.
        time_limit: simulated-time limit of one job in seconds.
        budget: seconds of the row's jobs together after which no other starts; 0 for no limit.
        tags: names by which the command line selects rows.
        expected: the failure its jobs must end in, None for rows that must pass.
        draw: how many configurations are drawn from its values; None to run at
            every one of them.
    """

    path: Path
    line: int
    test: str
    values: Mapping[str, tuple[Any, ...]]
    simulators: tuple[str, ...]
    operations: int = DEFAULT_OPERATIONS
    seeds: int = 1
    timeout: float = DEFAULT_TIMEOUT
    time_limit: float = DEFAULT_TIME_LIMIT
    budget: float = 0.0
    tags: tuple[str, ...] = ()
    expected: ExpectedFailure | None = None
    draw: Draw | None = None

    @property
    def place(self) -> str:
        """File and line, for messages and to tell rows apart."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class RegressionList:
    """A list as read from its file.

    Attributes:
        name: file name without its ending.
        path: the file.
        description: one line for people.
        seed: master seed, unless the command line gives another.
        goals: coverage groups whose goal bins must all be hit, wherever it ran.
        rows: what to run, included lists' rows first.
        budget: wall-clock seconds after which no other job starts; 0 for no limit.
        code_coverage: jobs on Verilator count lines, branches and toggles.
    """

    name: str
    path: Path
    description: str
    seed: int
    goals: tuple[str, ...]
    rows: tuple[Row, ...]
    budget: float = 0.0
    code_coverage: bool = False


def available_lists() -> dict[str, Path]:
    """The lists of the project by name."""
    folder = project().root / project().lists
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def find_list(name: str) -> Path:
    """The file of a list given by name or by path.

    Raises:
        UsageError: neither a list of the project nor a file.
    """
    known = available_lists()
    if name in known:
        return known[name]
    path = Path(name)
    if path.is_file():
        return path
    raise UsageError(not_accepted("list", name, known) + " or the path of a YAML file")


def load_list(path: Path) -> RegressionList:
    """Read and check a list, with the lists it includes.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    return _load(path, ())


def duration(text: str | float) -> float:
    """Seconds of a number, or of a text such as ``90s``, ``10m``, ``1.5h``, ``20ms``.

    Raises:
        ValueError: anything else, zero too; the message says what is accepted.
    """
    match = DURATION.fullmatch(str(text).strip())
    try:
        seconds = float(match[1]) * UNITS[match[2]] if match else float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ValueError(f"{text!r} is no duration; accepted: seconds, or a number with {_units()}")
    return seconds


def _units() -> str:
    *most, last = UNITS
    return f"{', '.join(most)} or {last}"


def _load(path: Path, parents: tuple[Path, ...]) -> RegressionList:
    data = read_yaml(path, "the list", "'description' and 'jobs' or 'include'")
    problems = Problems(path)
    validator = Draft202012Validator(_schema())
    for error in validator.iter_errors(data):
        problems.add_schema_error(data, error)
    problems.stop_if_any()
    own = tuple(
        _row(path, entry, item_line(data["jobs"], index), problems)
        for index, entry in enumerate(data.get("jobs", ()))
    )
    chain = (*parents, path.resolve())
    included = [
        _include(name, path, chain, problems, line_of(data, ["include", index]))
        for index, name in enumerate(data.get("include", ()))
    ]
    problems.stop_if_any()
    lists = [item for item in included if item]
    rows = (*(row for item in lists for row in item.rows), *own)
    tops = {project().tests[row.test].top for row in rows}
    for index, goal in enumerate(data.get("goals", ())):
        top = project().top_of_group(goal)
        if top not in tops:
            text = f"goal {goal!r} can never be met: no job of this list runs the {top}"
            problems.add(line_of(data, ["goals", index]), text)
    budget = _duration(data, "budget", 0.0, problems)
    problems.stop_if_any()
    goals = (*data.get("goals", ()), *(goal for item in lists for goal in item.goals))
    return RegressionList(
        name=path.stem,
        path=path,
        description=str(data["description"]).strip(),
        seed=int(data.get("seed", DEFAULT_SEED)),
        goals=tuple(dict.fromkeys(goals)),
        rows=rows,
        budget=budget,
        code_coverage=bool(data.get("code_coverage", False)),
    )


def _include(
    name: str,
    path: Path,
    chain: tuple[Path, ...],
    problems: Problems,
    line: int,
) -> RegressionList | None:
    """An included list: the name of one of the project's, or a file relative to the including."""
    beside = path.parent / name
    try:
        file = beside if beside.is_file() else find_list(name)
    except UsageError as error:
        problems.add(line, f"include: {error.lines[0]}")
        return None
    if file.resolve() in chain:
        names = [step.name for step in (*chain[chain.index(file.resolve()) :], file)]
        problems.add(line, f"include: the lists include each other: {' > '.join(names)}")
        return None
    return _load(file, chain)


def _duration(entry: Any, key: str, default: float, problems: Problems) -> float:
    if key not in entry:
        return default
    try:
        return duration(entry[key])
    except ValueError as error:
        problems.add(line_of(entry, [key]), f"{key}: {error}")
        return default


def _schema() -> dict[str, Any]:
    def names(accepted: Iterable[str]) -> dict[str, Any]:
        return {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {"enum": list(accepted)},
        }

    row = {
        "type": "object",
        "additionalProperties": False,
        "required": [
            "test",
            *(axis.key for axis in project().axes if axis.default is None),
            "simulators",
        ],
        "properties": {
            "test": {"enum": list(project().tests)},
            **{axis.key: {} for axis in project().axes},
            "simulators": names(SIMULATORS),
            "operations": {"type": "integer", "minimum": 1},
            "draw": {},
            "seeds": {"type": "integer", "minimum": 1},
            "timeout": {"type": ["number", "string"]},
            "time_limit": {"type": ["number", "string"]},
            "budget": {"type": ["number", "string"]},
            "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z][a-z0-9_-]*$"}},
            "expect_failure": {
                "type": "object",
                "additionalProperties": False,
                "required": ["reason", "message"],
                "properties": {
                    "reason": {"type": "string", "minLength": 1},
                    "message": {"type": "string", "minLength": 1},
                },
            },
        },
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["description"],
        "anyOf": [{"required": ["jobs"]}, {"required": ["include"]}],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "seed": {"type": "integer", "minimum": 0},
            "budget": {"type": ["number", "string"]},
            "code_coverage": {"type": "boolean"},
            "include": {"type": "array", "minItems": 1, "items": {"type": "string"}},
            "goals": {"type": "array", "items": {"type": "string"}},
            "jobs": {"type": "array", "minItems": 1, "items": row},
        },
    }


def _row(path: Path, entry: Mapping[str, Any], line: int, problems: Problems) -> Row:
    values = {axis.name: _values(axis, entry, problems) for axis in project().axes}
    for numbers in product(*(range(len(given)) for given in values.values())):
        places = dict(zip(values, numbers, strict=True))
        point = Point({name: values[name][number] for name, number in places.items()})
        test = str(entry["test"])
        try:
            project().resolved(test, point)
        except PointError as error:
            problems.add(_line(entry, error.axis, places, line), str(error))
    if "seeds" in entry and "budget" in entry:
        problems.add(line_of(entry, ["budget"]), "accepted is either 'seeds' or 'budget'")
    budget = _duration(entry, "budget", 0.0, problems)
    return Row(
        path=path,
        line=line,
        test=str(entry["test"]),
        values=values,
        simulators=tuple(entry["simulators"]),
        operations=int(entry.get("operations", DEFAULT_OPERATIONS)),
        seeds=BUDGET_SEEDS if budget else int(entry.get("seeds", 1)),
        timeout=_duration(entry, "timeout", DEFAULT_TIMEOUT, problems),
        time_limit=_duration(entry, "time_limit", DEFAULT_TIME_LIMIT, problems),
        budget=budget,
        tags=tuple(entry.get("tags", ())),
        expected=_expected(entry, problems),
        draw=_draw(entry, problems),
    )


def _draw(entry: Any, problems: Problems) -> Draw | None:
    if "draw" not in entry:
        return None
    line = line_of(entry, ["draw"])
    for axis in project().axes:
        if isinstance(axis, MappingAxis) and axis.key in entry:
            problems.add(line, f"accepted is either {axis.key!r} or 'draw', which draws them")
    try:
        return Draw.of(entry["draw"])
    except ValueError as error:
        problems.add(line, str(error))
        return None


def _values(axis: Axis, entry: Any, problems: Problems) -> tuple[Any, ...]:
    """What a row says of an axis; nothing if that is wrong."""
    if axis.key not in entry:
        return axis.default or ()
    given = entry[axis.key]
    try:
        return axis.values(given)
    except PointError as error:
        line = line_of(entry, [axis.key])
        for index, value in enumerate(given if isinstance(given, list) else ()):
            try:
                axis.read(value)
            except PointError:
                line = line_of(entry, [axis.key, index])
                break
        problems.add(line, str(error))
        return ()


def _line(entry: Any, axis: str, places: Mapping[str, int], line: int) -> int:
    """Where the value of an axis stands that is to blame; the row's line if none is."""
    keys = {known.name: known.key for known in project().axes}
    if keys.get(axis) not in entry:
        return line
    given = entry[keys[axis]]
    return line_of(entry, [keys[axis], places[axis]] if isinstance(given, list) else [keys[axis]])


def _expected(entry: Any, problems: Problems) -> ExpectedFailure | None:
    if "expect_failure" not in entry:
        return None
    known = entry["expect_failure"]
    try:
        re.compile(known["message"])
    except re.error as error:
        line = line_of(known, ["message"])
        problems.add(line, f"message: no regular expression: {error}")
    return ExpectedFailure(str(known["reason"]), str(known["message"]))
