"""Regression lists: YAML files read, checked and turned into rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    create_model,
    model_validator,
)
from typing_extensions import Self

from regress.core.context import Context
from regress.core.errors import UsageError, not_accepted
from regress.core.formats.files import Document, read_yaml
from regress.core.formats.model import (
    Duration,
    Format,
    Line,
    Positive,
    Text,
    among,
    described,
    refused,
    taken,
)
from regress.core.point import MappingAxis, Point, PointError
from regress.core.project import Project

DEFAULT_SEED = 1
DEFAULT_OPERATIONS = 100
DEFAULT_TIMEOUT = 300.0
# Two hundred million cycles: more than any job of the project's lists needs.
DEFAULT_TIME_LIMIT = 2.0
# A row with a time budget is cut off by it, not by this.
BUDGET_SEEDS = 1000
CLASSES, CONFIGURATIONS = "classes", "configurations"


def _regular(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from None
    return text


@dataclass(frozen=True)
class Draw:
    """How many configurations a row draws.

    Attributes:
        configurations: of each value on the first axis; None for as many as have one of every
            class.
        subjects: so many of the row's values on the first axis are drawn first; 0 for all of them.
    """

    configurations: int | None
    subjects: int = 0

    @classmethod
    def of(cls, given: Any, subject: str) -> Draw:
        """What a list says: a number, ``classes``, or a mapping with both.

        Args:
            given: in the list.
            subject: key of the second attribute: that of the first axis.

        Raises:
            ValueError: anything else; the message says what is accepted.
        """
        values = given if isinstance(given, Mapping) else {CONFIGURATIONS: given}
        for key in values:
            if key not in (CONFIGURATIONS, subject):
                accepted = not_accepted("key", key, (CONFIGURATIONS, subject))
                raise ValueError(f"draw: {accepted}")
        count, subjects = values.get(CONFIGURATIONS), values.get(subject)
        if count != CLASSES and not _is_number(count):
            raise ValueError(
                f"draw: configurations: {count!r} is not accepted; accepted: 1 and more, {CLASSES}"
            )
        if subjects is not None and not _is_number(subjects):
            raise ValueError(f"draw: {subject}: {subjects!r} is not accepted; accepted: 1 and more")
        return cls(None if count == CLASSES else int(count), subjects or 0)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _draw(given: Any, info: ValidationInfo) -> Any:
    try:
        return given if given is None else Draw.of(given, info.context["subject"])
    except ValueError as error:
        raise refused(str(error)) from None


@described()
class ExpectedFailure:
    """A failure that is known and not yet mended."""

    reason: Text
    """Why it is expected, for people."""
    message: Annotated[Text, BeforeValidator(_regular)]
    """Regular expression that the job's message must match somewhere; any other failure, and a
    pass, fail."""


class RowFormat(Format):
    """A test times values on each axis, simulators and seeds."""

    test: Annotated[str, among("test", "tests")]
    """Name of a test; `python -m regress list` shows them."""
    simulators: Annotated[
        tuple[Annotated[str, among("simulator", "simulators")], ...], Field(min_length=1)
    ]
    """Where it runs; on more than one with the same stimulus, and they must agree."""
    operations: Positive = DEFAULT_OPERATIONS
    """Random operations of one job."""
    seeds: Positive = 1
    """Jobs for each point of the matrix."""
    budget: Duration | None = None
    """Instead of `seeds`: as many as take so long together."""
    timeout: Duration = DEFAULT_TIMEOUT
    """Wall-clock limit of one job."""
    time_limit: Duration = DEFAULT_TIME_LIMIT
    """Simulated-time limit of one job."""
    draw: Annotated[Any, AfterValidator(_draw)] = None
    """So many configurations instead of every combination of values: a number, `classes`, or a
    mapping with `configurations` and so many values of the first axis."""
    tags: tuple[Annotated[str, Field(pattern="^[a-z][a-z0-9_-]*$")], ...] = ()
    """For `--tag`."""
    expect_failure: ExpectedFailure | None = None
    """The failure its jobs must end in."""


class ListFormat(Format):
    """A regression list."""

    description: Line
    """What it is for, in one line."""
    seed: Annotated[int, Field(ge=0)] = DEFAULT_SEED
    """Master seed; each job's seed derives from it and from what the job is."""
    budget: Duration | None = None
    """Start no job after this time."""
    code_coverage: bool = False
    """Count lines, branches and toggles where the simulator can."""
    include: Annotated[tuple[str, ...], Field(min_length=1)] = ()
    """The jobs and goals of other lists, first: names, or files beside this one."""
    goals: tuple[str, ...] = ()
    """Coverage groups that must be complete; `*` stands for anything."""
    jobs: Annotated[tuple[RowFormat, ...], Field(min_length=1)] = ()
    """The rows."""

    @model_validator(mode="after")
    def _has_jobs(self) -> Self:
        if not {"jobs", "include"} & self.model_fields_set:
            raise ValueError("missing 'jobs' or 'include'")
        return self


@cache
def list_format(of: Project) -> type[ListFormat]:
    """The format of a project's lists: a row has the values on each of the project's axes."""
    values: dict[str, Any] = {
        axis.key: (
            Annotated[axis.format, Field(description=axis.help or f"Values of {axis.name}.")],
            ... if axis.default is None else axis.default,
        )
        for axis in of.axes
    }
    row = create_model("RowFormat", __base__=RowFormat, __doc__=RowFormat.__doc__, **values)
    about = ListFormat.model_fields["jobs"].description
    jobs = Annotated[tuple[row, ...], Field(min_length=1, description=about)]
    return create_model(
        "ListFormat", __base__=ListFormat, __doc__=ListFormat.__doc__, jobs=(jobs, ())
    )


class Row(RowFormat):
    """A row of a list, and where it stands; its ``seeds`` follow from its budget if it has one.

    Attributes:
        line: line of the file, 1 for the first.
        values: by axis, what it is run at, or what is drawn from.
    """

    path: Path
    line: int
    values: Mapping[str, tuple[Any, ...]]
    draw: Draw | None = None

    @property
    def place(self) -> str:
        """File and line, for messages and to tell rows apart."""
        return f"{self.path}:{self.line}"

    def drawn(
        self, project: Project, master: int, selected: Mapping[str, Sequence[Any]]
    ) -> list[Row]:
        """The rows it stands for: one for each configuration drawn, itself if it draws none.

        Args:
            project: that draws.
            master: seed of the run.
            selected: see :meth:`regress.core.project.Project.draw`.
        """
        if self.draw is None:
            return [self]
        axis = project.subject.name
        subjects = list(self.values[axis])
        if self.draw.subjects:
            others = {name: given for name, given in self.values.items() if name != axis}
            text = f"{master}/{axis}/{self.test}/{others}"
            subjects = Random(text).sample(subjects, min(self.draw.subjects, len(subjects)))
        return [
            self.at({name: (value,) for name, value in point.items()})
            for subject in subjects
            for point in project.draw(
                self.test, {**self.values, axis: (subject,)}, selected,
                self.draw.configurations, master,
            )
        ]  # fmt: skip

    def at(self, values: Mapping[str, tuple[Any, ...]]) -> Row:
        """The same row with other values."""
        return self.model_copy(update={"values": values})


class RegressionList(ListFormat):
    """A list as read from its file, with the rows and goals of those that it includes."""

    name: str
    path: Path
    include: tuple[str, ...] = ()
    jobs: tuple[Row, ...]


def available_lists(folder: Path) -> dict[str, Path]:
    """The lists of a folder by name."""
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def find_list(project: Project, name: str) -> Path:
    """The file of a list given by name or by path.

    Raises:
        UsageError: neither a list of the project nor a file.
    """
    known = available_lists(project.list_folder)
    if name in known:
        return known[name]
    path = Path(name)
    if path.is_file():
        return path
    raise UsageError(not_accepted("list", name, known) + " or the path of a YAML file")


def load_list(context: Context, path: Path, parents: tuple[Path, ...] = ()) -> RegressionList:
    """Read and check a list, with the lists it includes.

    Raises:
        UsageError: one line for each mistake, with the file and the line number.
    """
    of = context.project
    accepted = {
        "tests": list(of.tests),
        "simulators": list(context.simulators),
        "subject": of.subject.key,
    }
    document = read_yaml(path, list_format(of), "the list", accepted)
    value = document.value
    own = [_row(document, number, of) for number in range(len(value.jobs))]
    chain = (*parents, path.resolve())
    lists = [_included(context, document, number, chain) for number in range(len(value.include))]
    document.stop_if_any()
    included = [item for item in lists if item]
    rows = (*(row for item in included for row in item.jobs), *own)
    tops = {of.tests[row.test].top for row in rows}
    for number, goal in enumerate(value.goals):
        top = of.top_of_group(goal)
        if top not in tops:
            text = f"goal {goal!r} can never be met: no job of this list runs the {top}"
            document.complain(("goals", number), text)
    document.stop_if_any()
    goals = (*value.goals, *(goal for item in included for goal in item.goals))
    return taken(
        RegressionList,
        value,
        name=path.stem,
        path=path,
        goals=tuple(dict.fromkeys(goals)),
        jobs=rows,
    )


def _included(
    context: Context, document: Document[ListFormat], number: int, chain: tuple[Path, ...]
) -> RegressionList | None:
    """An included list: the name of one of the project's, or a file relative to the including."""
    name = document.value.include[number]
    beside = document.path.parent / name
    try:
        file = beside if beside.is_file() else find_list(context.project, name)
    except UsageError as error:
        document.complain(("include", number), f"include: {error.lines[0]}")
        return None
    if file.resolve() in chain:
        names = [step.name for step in (*chain[chain.index(file.resolve()) :], file)]
        text = f"include: the lists include each other: {' > '.join(names)}"
        document.complain(("include", number), text)
        return None
    return load_list(context, file, chain)


def _row(document: Document[ListFormat], number: int, of: Project) -> Row:
    given = document.value.jobs[number]
    place = ("jobs", number)
    values = {axis.name: getattr(given, axis.key) for axis in of.axes}
    for combination in product(*(enumerate(choice) for choice in values.values())):
        point = Point({name: v for name, (_, v) in zip(values, combination, strict=True)})
        try:
            of.resolved(given.test, point)
        except PointError as error:
            index = dict(zip(values, combination, strict=True)).get(error.axis, (0,))[0]
            blamed = (of.axis(error.axis).key, index) if error.axis else ()
            document.complain((*place, *blamed), str(error))
    if given.budget and "seeds" in given.model_fields_set:
        document.complain((*place, "budget"), "accepted is either 'seeds' or 'budget'")
    for axis in of.axes if given.draw else ():
        if isinstance(axis, MappingAxis) and axis.key in given.model_fields_set:
            text = f"accepted is either {axis.key!r} or 'draw', which draws them"
            document.complain((*place, "draw"), text)
    return taken(
        Row,
        given,
        path=document.path,
        line=document.line(*place),
        values=values,
        seeds=BUDGET_SEEDS if given.budget else given.seeds,
    )
