"""Regression lists: reads and checks YAML files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from regress.core.context import Context
from regress.core.errors import UsageError, not_accepted
from regress.core.formats.files import Document, read_yaml
from regress.core.formats.model import (
    taken,
)
from regress.core.listformat import BUDGET_SEEDS, Draw, EntryFormat, ListFormat, list_format
from regress.core.point import MappingAxis, Point, PointError
from regress.core.project import Project
from regress.core.selecting import is_pattern, matching


class ListEntry(EntryFormat):
    """A list entry and its position. Its number of seeds follows from its time budget, if any.

    Attributes:
        line: line in the file, 1 for the first.
        values: by axis, the values to run, or the values from which configurations are drawn.
        pattern: the list names the test by a pattern; an entry that names it itself comes first.
    """

    path: Path
    line: int
    values: Mapping[str, tuple[Any, ...]]
    draw: Draw | None = None
    pattern: bool = False

    @property
    def place(self) -> str:
        """File and line, for messages and to identify the list entry."""
        return f"{self.path}:{self.line}"

    @property
    def draws_classes(self) -> bool:
        """Whether the entry draws configurations until every class occurs."""
        return self.draw is not None and self.draw.configurations is None

    def drawn(
        self, project: Project, master: int, selected: Mapping[str, Sequence[Any]]
    ) -> list[ListEntry]:
        """Return one entry for each drawn configuration; the entry itself if it draws none.

        Args:
            project: project that draws the configurations.
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
        if not project.subject.open and (wanted := selected.get(axis)):
            # The search for classes takes seconds a subject, so only selected ones are drawn.
            subjects = [subject for subject in subjects if subject in wanted]
        return [
            self.at({name: (value,) for name, value in point.items()})
            for subject in subjects
            for point in project.draw(
                self.test, {**self.values, axis: (subject,)}, selected,
                self.draw.configurations, master,
            )
        ]  # fmt: skip

    def at(self, values: Mapping[str, tuple[Any, ...]]) -> ListEntry:
        """Return the same entry with other values."""
        return self.model_copy(update={"values": values})


class RegressionList(ListFormat):
    """A list as read from its file, including the entries and goals of the lists it includes."""

    name: str
    path: Path
    include: tuple[str, ...] = ()
    jobs: tuple[ListEntry, ...]


def available_lists(folder: Path) -> dict[str, Path]:
    """Return the lists of a folder by name."""
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def find_list(project: Project, name: str) -> Path:
    """Return the file of a list given by name or by path.

    Raises:
        UsageError: the name is neither a list of the project nor a file.
    """
    known = available_lists(project.list_folder)
    if name in known:
        return known[name]
    path = Path(name)
    if path.is_file():
        return path
    raise UsageError(not_accepted("list", name, known) + " or the path of a YAML file")


def load_list(context: Context, path: Path, parents: tuple[Path, ...] = ()) -> RegressionList:
    """Read and check a list and the lists it includes.

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
    own = [entry for number in range(len(value.jobs)) for entry in _rows(document, number, of)]
    chain = (*parents, path.resolve())
    lists = [_included(context, document, number, chain) for number in range(len(value.include))]
    document.stop_if_any()
    included = [item for item in lists if item]
    list_entries = (*(entry for item in included for entry in item.jobs), *own)
    tops = {of.tests[entry.test].top for entry in list_entries}
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
        jobs=list_entries,
    )


def _included(
    context: Context, document: Document[ListFormat], number: int, chain: tuple[Path, ...]
) -> RegressionList | None:
    """Load an included list, given as a project list's name or as a path relative to this list."""
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


def _rows(document: Document[ListFormat], number: int, of: Project) -> list[ListEntry]:
    """Return the list entry once for each test that it names."""
    given = document.value.jobs[number]
    place = ("jobs", number)
    if given.budget and "seeds" in given.model_fields_set:
        document.complain((*place, "budget"), "accepted is either 'seeds' or 'budget'")
    for axis in of.axes if given.draw else ():
        if isinstance(axis, MappingAxis) and axis.key in given.model_fields_set:
            text = f"accepted is either {axis.key!r} or 'draw', which draws them"
            document.complain((*place, "draw"), text)
    return [_entry(document, number, of, test) for test in matching(given.test, of.tests)]


def _entry(document: Document[ListFormat], number: int, of: Project, test: str) -> ListEntry:
    given = document.value.jobs[number]
    place = ("jobs", number)
    values = {axis.name: getattr(given, axis.key) for axis in of.axes}
    for combination in product(*(enumerate(choice) for choice in values.values())):
        point = Point({name: v for name, (_, v) in zip(values, combination, strict=True)})
        try:
            of.resolved(test, point)
        except PointError as error:
            index = dict(zip(values, combination, strict=True)).get(error.axis, (0,))[0]
            blamed = (of.axis(error.axis).key, index) if error.axis else ()
            document.complain((*place, *blamed), str(error))
    return taken(
        ListEntry,
        given,
        path=document.path,
        line=document.line(*place),
        test=test,
        pattern=is_pattern(given.test),
        values=values,
        seeds=BUDGET_SEEDS if given.budget else given.seeds,
    )
