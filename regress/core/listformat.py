"""The format of regression lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    create_model,
    model_validator,
)
from typing_extensions import Self

from regress.core.errors import UsageError, not_accepted
from regress.core.formats.model import (
    Duration,
    Format,
    Line,
    Positive,
    Text,
    among,
    described,
    rejected,
)
from regress.core.jobfile import CODE_KINDS
from regress.core.project import Project
from regress.core.selecting import checked

DEFAULT_SEED = 1
DEFAULT_OPERATIONS = 100
DEFAULT_TIMEOUT = 300.0
# Two hundred million cycles: enough for every job of the project's lists.
DEFAULT_TIME_LIMIT = 2.0
# Maximum for an entry with a time budget. The budget ends the entry earlier.
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
    """Number of configurations that an entry draws.

    Attributes:
        configurations: number for each value on the first axis; None: draw until every class
            occurs.
        subjects: number of the entry's values on the first axis that are drawn first; 0 for all.
    """

    configurations: int | None
    subjects: int = 0

    @classmethod
    def of(cls, given: Any, subject: str) -> Draw:
        """Parse the value in a list: a number, ``classes``, or a mapping with both keys.

        Args:
            given: value in the list.
            subject: key of the second attribute, which is the key of the first axis.

        Raises:
            ValueError: the value is not legal; the message states what is accepted.
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


def _named(given: Any, info: ValidationInfo) -> Any:
    names = (info.context or {}).get("tests")
    if names is not None and isinstance(given, str):
        try:
            checked("test", given, names)
        except UsageError as error:
            raise rejected(str(error)) from None
    return given


def _draw(given: Any, info: ValidationInfo) -> Any:
    try:
        return given if given is None else Draw.of(given, info.context["subject"])
    except ValueError as error:
        raise rejected(str(error)) from None


@described()
class ExpectedFailure:
    """A failure that is known and not yet mended."""

    reason: Text
    """Why it is expected, for people."""
    message: Annotated[Text, BeforeValidator(_regular)]
    """Regular expression that the job's message must match somewhere; any other failure, and a
    pass, fail."""


class EntryFormat(Format):
    """A test times values on each axis, simulators and seeds."""

    test: Annotated[str, BeforeValidator(_named)]
    """Name of a test or a pattern such as `steps/*`; `python -m regress list` shows the tests."""
    simulators: Annotated[
        tuple[Annotated[str, among("simulator", "simulators")], ...], Field(min_length=1)
    ]
    """Simulators of the jobs. Several simulators get the same stimulus and must agree."""
    operations: Positive = DEFAULT_OPERATIONS
    """Random operations of one job."""
    seeds: Positive = 1
    """Jobs for each point of the matrix."""
    budget: Duration | None = None
    """Instead of `seeds`: add seeds until the jobs of the entry have taken this time together."""
    timeout: Duration = DEFAULT_TIMEOUT
    """Limit of one job; time without a processor does not count."""
    time_limit: Duration = DEFAULT_TIME_LIMIT
    """Simulated-time limit of one job."""
    draw: Annotated[Any, AfterValidator(_draw)] = None
    """Draw configurations instead of all combinations of values: their number, `classes`, or a
    mapping with `configurations` and the number of drawn values of the first axis."""
    tags: tuple[Annotated[str, Field(pattern="^[a-z][a-z0-9_-]*$")], ...] = ()
    """For `--tag`."""
    expect_failure: ExpectedFailure | None = None
    """The failure that its jobs must end in."""


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
    code_goals: tuple[Literal[CODE_KINDS], ...] = ()
    """Kinds of code coverage that all jobs together must complete; a part of the list need not."""
    jobs: Annotated[tuple[EntryFormat, ...], Field(min_length=1)] = ()
    """The entries."""

    @model_validator(mode="after")
    def _has_jobs(self) -> Self:
        if not {"jobs", "include"} & self.model_fields_set:
            raise ValueError("missing 'jobs' or 'include'")
        return self


@cache
def list_format(of: Project) -> type[ListFormat]:
    """Return the list format of a project: list entries have the values on the project's axes."""
    values: dict[str, Any] = {
        axis.key: (
            Annotated[axis.format, Field(description=axis.help or f"Values of {axis.name}.")],
            ... if axis.default is None else axis.default,
        )
        for axis in of.axes
    }
    entry = create_model("EntryFormat", __base__=EntryFormat, __doc__=EntryFormat.__doc__, **values)
    jobs = Annotated[tuple[entry, ...], Field(min_length=1)]
    return create_model(
        "ListFormat", __base__=ListFormat, __doc__=ListFormat.__doc__, jobs=(jobs, ())
    )
