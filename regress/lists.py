"""Regression lists: YAML files read, checked and turned into rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from regress.catalogue import SIMULATORS, Catalogue
from regress.coverage import design_of_group
from regress.errors import UsageError, not_accepted
from regress.yaml_file import Problems, item_line, line_of, read_yaml
from verif.design import DesignError, check_width, resolved_parameters
from verif.tests import design_of

LIST_FOLDER = Path(__file__).resolve().parent / "lists"
DEFAULT_SEED = 1
DEFAULT_OPERATIONS = 100
DEFAULT_TIMEOUT = 300.0


@dataclass(frozen=True)
class Row:
    """One row of a list: a test times architectures, widths, simulators and seeds.

    Attributes:
        line: line of the list's file, 1 for the first.
        test: a name of :func:`verif.tests.available_tests`.
        architectures: registry names, all with a module.
        widths: operand widths in bits.
        simulators: names of :data:`regress.catalogue.SIMULATORS`.
        parameters: SystemVerilog parameters of the design's top and of the core.
        operations: random operations of one job.
        seeds: number of jobs for each point of the matrix.
        timeout: wall-clock limit of one job in seconds.
    """

    line: int
    test: str
    architectures: tuple[str, ...]
    widths: tuple[int, ...]
    simulators: tuple[str, ...]
    parameters: tuple[tuple[str, int], ...] = ()
    operations: int = DEFAULT_OPERATIONS
    seeds: int = 1
    timeout: float = DEFAULT_TIMEOUT


@dataclass(frozen=True)
class RegressionList:
    """A list as read from its file.

    Attributes:
        name: file name without its ending.
        path: the file.
        description: one line for people.
        seed: master seed, unless the command line gives another.
        goals: coverage groups whose goal bins must all be hit, for every architecture that ran.
        rows: what to run.
    """

    name: str
    path: Path
    description: str
    seed: int
    goals: tuple[str, ...]
    rows: tuple[Row, ...]


def available_lists(folder: Path = LIST_FOLDER) -> dict[str, Path]:
    """The lists of the project by name."""
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


def load_list(path: Path, catalogue: Catalogue) -> RegressionList:
    """Read and check a list.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    data = read_yaml(path, "the list", "'description' and 'jobs'")
    problems = Problems(path)
    validator = Draft202012Validator(_schema(catalogue))
    for error in validator.iter_errors(data):
        problems.add_schema_error(data, error)
    problems.stop_if_any()
    rows = tuple(
        _row(entry, item_line(data["jobs"], index), catalogue, problems)
        for index, entry in enumerate(data["jobs"])
    )
    designs = {design_of(row.test) for row in rows}
    for index, goal in enumerate(data.get("goals", ())):
        design = design_of_group(goal)
        if design not in designs:
            text = f"goal {goal!r} can never be met: no job of this list runs the {design.name}"
            problems.add(line_of(data, ["goals", index]), text)
    problems.stop_if_any()
    return RegressionList(
        name=path.stem,
        path=path,
        description=str(data["description"]).strip(),
        seed=int(data.get("seed", DEFAULT_SEED)),
        goals=tuple(data.get("goals", ())),
        rows=rows,
    )


def _schema(catalogue: Catalogue) -> dict[str, Any]:
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
        "required": ["test", "architectures", "widths", "simulators"],
        "properties": {
            "test": {"enum": list(catalogue.tests)},
            "architectures": {
                "if": {"type": "string"},
                "then": {"enum": ["all"]},
                "else": names(catalogue.hardware),
            },
            "widths": {
                "type": "array",
                "minItems": 1,
                "uniqueItems": True,
                "items": {"type": "integer"},
            },
            "simulators": names(SIMULATORS),
            "parameters": {"type": "object", "additionalProperties": {"type": "integer"}},
            "operations": {"type": "integer", "minimum": 1},
            "seeds": {"type": "integer", "minimum": 1},
            "timeout": {"type": "number", "exclusiveMinimum": 0},
        },
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["description", "jobs"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "seed": {"type": "integer", "minimum": 0},
            "goals": {"type": "array", "items": {"type": "string"}},
            "jobs": {"type": "array", "minItems": 1, "items": row},
        },
    }


def _row(entry: Mapping[str, Any], line: int, catalogue: Catalogue, problems: Problems) -> Row:
    chosen = entry["architectures"]
    architectures = tuple(catalogue.hardware if chosen == "all" else chosen)
    parameters = {name: int(value) for name, value in entry.get("parameters", {}).items()}
    widths = tuple(int(width) for width in entry["widths"])
    for index, width in enumerate(widths):
        for name in architectures:
            try:
                check_width(catalogue.entries[name], width)
            except DesignError as error:
                problems.add(line_of(entry, ["widths", index]), str(error))
                continue
            try:
                resolved_parameters(
                    design_of(entry["test"]), catalogue.entries[name], width, parameters
                )
            except DesignError as error:
                problems.add(line_of(entry, ["parameters"]), str(error))
    return Row(
        line=line,
        test=str(entry["test"]),
        architectures=architectures,
        widths=widths,
        simulators=tuple(entry["simulators"]),
        parameters=tuple(sorted(parameters.items())),
        operations=int(entry.get("operations", DEFAULT_OPERATIONS)),
        seeds=int(entry.get("seeds", 1)),
        timeout=float(entry.get("timeout", DEFAULT_TIMEOUT)),
    )
