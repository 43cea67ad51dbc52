"""Format of the verification plan, ``testplan.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import Field, field_validator

from regress.core.formats.files import Document, read_yaml
from regress.core.formats.model import Format

PLAN = Path(__file__).with_name("testplan.yaml")
# A check that is a file of pytest tests; the path is relative to the root of the project.
TEST_FILE = "test:"
MODULE, GROUP = "module:", "group:"


class Check(Format):
    """A check of the test bench.

    Attributes:
        says: what the check compares.
        message: regular expression that its failure messages match, and no others.
    """

    says: str = Field(min_length=1)
    message: str = Field(min_length=1)

    @field_validator("message")
    @classmethod
    def _compiles(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"{value!r} is not a regular expression: {error}") from None
        return value


class Feature(Format):
    """A promise of the design, and the evidence that the design keeps it.

    Attributes:
        id: name of the feature.
        claim: the promise in one or two sentences.
        source: page that makes the promise; empty for the page of the area.
        quotes: words of the statements of that page which the feature covers.
        covers: parts of the interface: ``status.OK``, ``error.BUSY``, ``command.CLEAR``,
            ``register.x``, ``parameter.Width``.
        stimulus: tests that exercise the feature.
        checks: checks of the plan, rules of ``interface_checks`` (``pins.Busy``), or files of
            tests (``test:PATH``).
        coverage: coverage groups, or patterns of groups.
        proofs: names of formal properties, ``theorem:CORE``, or ``exhaustive``.
        faults: faults of the catalogue that break the feature: names or patterns of names,
            ``group:TOPIC``, or ``module:NAME`` for those that no name and no topic selects.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$")
    claim: str = Field(min_length=1)
    source: str = ""
    quotes: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    stimulus: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    coverage: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class Area(Format):
    """Features that belong together.

    Attributes:
        name: heading of the area.
        source: page that makes the promises of the area.
        features: the features.
    """

    name: str
    source: str
    features: tuple[Feature, ...] = Field(min_length=1)


class Testplan(Format):
    """The verification plan.

    Attributes:
        checks: checks of the test bench by name. The first one whose ``message`` matches counts.
        areas: the features.
    """

    __test__ = False  # pytest must not collect this class

    checks: Mapping[str, Check]
    areas: tuple[Area, ...]

    @property
    def features(self) -> Iterator[tuple[Area, Feature]]:
        """Every feature with its area."""
        return ((area, feature) for area in self.areas for feature in area.features)


def read_testplan(path: Path = PLAN) -> Testplan:
    """Read the verification plan.

    Raises:
        UsageError: the file is not a verification plan, or two features have the same name.
    """
    document: Document[Testplan] = read_yaml(path, Testplan, "verification plan")
    seen: set[str] = set()
    for number, area in enumerate(document.value.areas):
        for index, feature in enumerate(area.features):
            if feature.id in seen:
                place = ("areas", number, "features", index, "id")
                document.complain(place, f"feature {feature.id!r} exists already")
            seen.add(feature.id)
    document.stop_if_any()
    return document.value
