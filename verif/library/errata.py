"""The known errata of the RTL, ``hdl/errata.yaml``, and which of them concern a configuration."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field
from simpleeval import EvalWithCompoundTypes

from models.front_map import VERSION
from models.registry import hardware_architectures
from regress.core.errors import UsageError, not_accepted
from regress.core.formats.files import read_yaml
from regress.core.formats.model import Format
from verif.bench.configuration.design import (
    DESIGNS,
    ROOT,
    DesignError,
    default_parameters,
    hardware,
)

ERRATA = ROOT / "hdl" / "errata.yaml"
# Version in the register VERSION of the bus fronts.
CURRENT = f"{VERSION >> 16}.{VERSION >> 8 & 0xFF}.{VERSION & 0xFF}"
OF_EVERY_CONFIGURATION = ("design", "architecture", "width")
PARTS = (
    ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.Name, ast.Constant,
    ast.boolop, ast.cmpop, ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip
# Beside its least width, each architecture is tried with a condition at these.
SAMPLE_WIDTHS = (256, 4096)

VersionText = Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]


class Versions(Format):
    """A range of versions."""

    first: VersionText
    """first version in the range"""
    last: VersionText
    """last version in the range"""


class Erratum(Format):
    """A known bug of the RTL."""

    id: str = Field(pattern=r"^E\d+$")
    """name of the erratum"""
    title: str = Field(min_length=1)
    """the bug in a few words"""
    versions: Versions
    """first and last affected version"""
    since: date
    """day of the first commit that has the bug"""
    fixed: date | None = None
    """day of the commit that fixed the bug; none: not fixed"""
    fix: str = ""
    """subject of that commit"""
    condition: str
    """formula that is true for the affected configurations"""
    effect: str = Field(min_length=1)
    """what goes wrong, and when"""
    workaround: str = Field(min_length=1)
    """what an integrator can do"""
    seen_by: str = Field(min_length=1)
    """what found the bug, and what shows it again"""

    @property
    def fixed_in(self) -> str:
        """The fix, in words."""
        return f"commits after {self.fixed}: {self.fix}" if self.fixed else "not fixed"


class Errata(Format):
    """Every known erratum."""

    errata: tuple[Erratum, ...]
    """known bugs, the oldest first"""


class Configuration(Format):
    """One configuration on a chip."""

    version: VersionText
    """of the register `VERSION`, or of `pyproject.toml`"""
    taken: date | None = None
    """day of the last commit of this checkout; without it, all errata of the version count"""
    design: Literal["multiplier", "exponentiation"]
    """top"""
    architecture: str
    """as `python -m regress list` shows it"""
    width: int
    """bits of an operand"""
    parameters: Mapping[str, int] = Field(default_factory=dict)
    """parameters that are not at their defaults"""


class Condition:
    """A formula over design, architecture, width and the parameters of a configuration.

    Args:
        text: comparisons, ``in (…)``, ``and``, ``or``, ``not`` and arithmetic of names, numbers and
            quoted names of designs and architectures. A name that not every configuration has
            comes after a comparison of ``architecture`` or ``design``.

    Raises:
        ValueError: the text is not such a formula, or has no truth value for some architecture.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        try:
            tree = ast.parse(text, mode="eval").body
        except SyntaxError:
            raise ValueError(f"{text!r} is not a condition: not readable") from None
        for node in ast.walk(tree):
            _check(node, text)
        for values in _samples():
            self(values)

    def __call__(self, values: Mapping[str, str | int]) -> bool:
        """Return whether a configuration is affected.

        Raises:
            ValueError: the condition has no truth value; the message names the configuration.
        """
        where = f"{values['design']} {values['architecture']} at {values['width']} bits"
        try:
            found = EvalWithCompoundTypes(names=dict(values), functions={}).eval(self._text)
        except Exception as error:  # any error that a wrong text can cause
            reason = str(error).splitlines()[0]
            raise ValueError(f"{self._text!r} cannot be computed for {where}: {reason}") from None
        if not isinstance(found, bool):
            raise ValueError(f"{self._text!r} is {found!r} for {where}, not true or false")
        return found


def read_errata(path: Path = ERRATA) -> tuple[Erratum, ...]:
    """Read the errata.

    Raises:
        UsageError: the file is malformed; one line for each mistake.
    """
    document = read_yaml(path, Errata, "errata file")
    errata: tuple[Erratum, ...] = document.value.errata
    for number, erratum in enumerate(errata):
        place = ("errata", number)
        if erratum.id in [one.id for one in errata[:number]]:
            document.complain((*place, "id"), f"erratum {erratum.id} exists already")
        first, last = _key(erratum.versions.first), _key(erratum.versions.last)
        if not first <= last <= _key(CURRENT):
            document.complain(
                (*place, "versions"), f"accepted: first up to last, last up to {CURRENT}"
            )
        if erratum.fixed and (erratum.fixed < erratum.since or not erratum.fix):
            document.complain((*place, "fixed"), "accepted: no day before 'since', with 'fix'")
        try:
            Condition(erratum.condition)
        except ValueError as error:
            document.complain((*place, "condition"), str(error))
    document.stop_if_any()
    return errata


def read_configuration(path: Path) -> tuple[Configuration, dict[str, str | int]]:
    """Read a configuration; also return its values by the names that conditions use.

    Raises:
        UsageError: the file is malformed, or no such version or configuration exists.
    """
    document = read_yaml(path, Configuration, "configuration")
    asked: Configuration = document.value
    if _key(asked.version) > _key(CURRENT):
        document.complain(
            ("version",), f"version {asked.version} is unknown; accepted: up to {CURRENT}"
        )
    known = hardware_architectures()
    if asked.architecture not in known:
        document.complain(
            ("architecture",), not_accepted("architecture", asked.architecture, known)
        )
    document.stop_if_any()
    try:
        made = hardware(
            DESIGNS[asked.design], known[asked.architecture], asked.width, asked.parameters
        )
    except DesignError as error:
        raise UsageError(f"{path}: {error}") from None
    return asked, _values(asked.design, asked.architecture, asked.width, made.values)


def affecting(
    errata: Iterable[Erratum], asked: Configuration, values: Mapping[str, str | int]
) -> list[Erratum]:
    """Return the errata of a configuration; the days of the bug and of its fix count as affected.

    Raises:
        UsageError: a condition has no truth value for the configuration.
    """
    try:
        return [one for one in errata if _in_time(one, asked) and Condition(one.condition)(values)]
    except ValueError as error:
        raise UsageError(f"{ERRATA.name}: {error}") from None


def errata_table(errata: Iterable[Erratum]) -> Sequence[Sequence[str]]:
    """Return the cells of the sign-off page, with :data:`HEADINGS`."""
    return [
        [one.id, one.title, f"`{one.condition}`", one.effect, one.workaround, one.fixed_in]
        for one in errata
    ]


HEADINGS = ("Erratum", "Bug", "Configurations", "Effect", "Workaround", "Fixed in")


def _in_time(erratum: Erratum, asked: Configuration) -> bool:
    versions, version = erratum.versions, _key(asked.version)
    if not _key(versions.first) <= version <= _key(versions.last):
        return False
    if asked.taken is None:
        return True
    return erratum.since <= asked.taken and (erratum.fixed is None or asked.taken <= erratum.fixed)


def _key(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _values(
    design: str, architecture: str, width: int, parameters: Mapping[str, int]
) -> dict[str, str | int]:
    own = zip(OF_EVERY_CONFIGURATION, (design, architecture, width), strict=True)
    options = {name: option.default for name, option in DESIGNS[design].options.items()}
    return {**options, **parameters, **dict(own)}


@cache
def _samples() -> tuple[dict[str, str | int], ...]:
    """Return every design with every architecture at some widths, with default parameters."""
    return tuple(
        _values(design.name, name, width, default_parameters(design, entry, width))
        for design in DESIGNS.values()
        for name, entry in hardware_architectures().items()
        for width in (entry.min_width, *SAMPLE_WIDTHS)
    )


def _check(node: ast.AST, text: str) -> None:
    """Raise ValueError if a condition must not have a node of its syntax tree."""
    known = hardware_architectures()
    names = {
        *OF_EVERY_CONFIGURATION,
        *(name for design in DESIGNS.values() for name in (*design.parameters, *design.options)),
        *(parameter.name for entry in known.values() for parameter in entry.parameters),
    }
    subjects = [*DESIGNS, *known]
    match node:
        case ast.Name(id=name) if name not in names:
            raise ValueError(f"{text!r}: {not_accepted('name', name, sorted(names))}")
        case ast.Constant(value=str(value)) if value not in subjects:
            raise ValueError(f"{text!r}: {not_accepted('design or architecture', value, subjects)}")
        case _ if not isinstance(node, PARTS):
            raise ValueError(f"{text!r}: {type(node).__name__} is not accepted")
