"""Reads a user's vectors (JSON lines) and groups them into jobs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from models.architecture import Architecture
from models.status import Status
from regress.errors import UsageError, not_accepted
from regress.lists import DEFAULT_SEED, DEFAULT_TIMEOUT
from regress.plan import PlannedJob, derived_seed, planned_job
from verif.design import DesignError, check_width, resolved_parameters
from verif.job import Job

FIELDS = ("x", "y", "m", "name", "architecture", "width", "p", "s", "c", "expect", "note")
REQUIRED = ("x", "y", "m")
HEX_FIELDS = ("x", "y", "m", "p", "s", "c")
HEX = re.compile(r"(0[xX])?[0-9a-fA-F]+")
SECONDS_PER_VECTOR = 20.0


class _LineError(ValueError):
    """What is wrong with one line."""


@dataclass(frozen=True)
class Vector:
    """One line of the file, on one architecture.

    Attributes:
        line: line number, 1 for the first.
        name: unique in the file.
        architecture: registry name.
        width: operand width in bits.
        values: x, y, m and the expectations p, s, c that were given.
        raw: the operands are not below the modulus; (S, C) are the result.
        reject: the hardware must refuse the operands.
    """

    line: int
    name: str
    architecture: str
    width: int
    values: tuple[tuple[str, int], ...]
    raw: bool
    reject: bool

    def as_job_vector(self) -> dict[str, Any]:
        """The form in which a job carries it."""
        numbers = {name: hex(value) for name, value in self.values}
        return {
            **numbers,
            "name": self.name,
            "line": self.line,
            "raw": self.raw,
            "reject": self.reject,
        }


class VectorReader:
    """Checks vectors against the architectures they are meant for.

    Args:
        entries: the whole registry.
        selected: hardware architectures chosen on the command line; empty for all.
    """

    def __init__(self, entries: Mapping[str, Architecture], selected: Sequence[str] = ()) -> None:
        self._hardware = {name: entry for name, entry in entries.items() if entry.module}
        self._models = entries.keys() - self._hardware.keys()
        self._selected = tuple(selected) or tuple(self._hardware)

    def read(self, path: Path) -> list[Vector]:
        """All vectors of a file, in its order; one for each architecture a line goes through.

        Raises:
            UsageError: the file cannot be read, is empty, or has malformed lines (all are named).
        """
        try:
            lines = path.read_bytes().splitlines()
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
        parsed: list[tuple[int, dict[str, Any]]] = []
        problems: dict[int, str] = {}
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    parsed.append((number, _parse(line)))
                except _LineError as error:
                    problems[number] = str(error)
        names = _unique_names(parsed)
        vectors: list[Vector] = []
        for number, fields in parsed:
            try:
                vectors += self._vectors(number, names[number], fields)
            except _LineError as error:
                problems[number] = str(error)
        if problems:
            found = sorted(problems.items())
            raise UsageError(*(f"{path}:{number}: {message}" for number, message in found))
        if not parsed:
            raise UsageError(f"{path}: no vectors; expected one JSON object a line")
        if not vectors:
            raise UsageError(f"{path}: no vector is for {', '.join(self._selected)}")
        return vectors

    def _vectors(self, line: int, name: str, fields: dict[str, Any]) -> list[Vector]:
        values = {key: int(fields[key], 16) for key in HEX_FIELDS if key in fields}
        candidates = self._candidates(fields, "s" in values or "c" in values)
        vectors: list[Vector] = []
        refused: set[Status] = set()
        for architecture, entry in candidates.items():
            width = fields.get("width", max(values["m"].bit_length(), entry.min_width))
            _check_widths(entry, values, width, "width" in fields)
            vector = Vector(
                line=line,
                name=name,
                architecture=architecture,
                width=width,
                values=tuple(values.items()),
                raw=False,
                reject="expect" in fields,
            )
            operands = (values["x"], values["y"], values["m"], width)
            status = entry.operand_status(*operands)
            if vector.reject:
                # A named architecture is tried even if it should accept: that is the test.
                if status is not Status.OK or "architecture" in fields:
                    vectors.append(vector)
            elif status is Status.OK:
                vectors.append(vector)
            elif entry.operand_status(*operands, raw=True) is Status.RAW and {"s", "c"} <= set(
                values
            ):
                if "p" in values:
                    raise _LineError("'p' cannot be checked: operands out of range have only s, c")
                vectors.append(replace(vector, raw=True))
            else:
                refused.add(status)
        if not vectors and "expect" in fields:
            raise _LineError("'expect' is \"reject\", but the operands are legal everywhere")
        if not vectors:
            raise _LineError(_illegal(fields.get("architecture"), values, refused))
        return [vector for vector in vectors if vector.architecture in self._selected]

    def _candidates(self, fields: dict[str, Any], redundant: bool) -> dict[str, Architecture]:
        """The architectures a line is meant for, before its operands are looked at."""
        if "architecture" in fields:
            name = fields["architecture"]
            if name in self._models:
                known = ", ".join(self._hardware)
                raise _LineError(f"architecture {name!r} is model only; accepted: {known}")
            if name not in self._hardware:
                raise _LineError(not_accepted("architecture", name, self._hardware))
            return {name: self._hardware[name]}
        if redundant and len(self._selected) > 1:
            raise _LineError("'s' and 'c' differ between architectures: give 'architecture'")
        return {name: entry for name, entry in self._hardware.items() if name in self._selected}


def vector_jobs(vectors: Iterable[Vector], simulators: Sequence[str]) -> list[PlannedJob]:
    """One job for each architecture, width and simulator."""
    groups: dict[tuple[str, int], list[Vector]] = {}
    for vector in vectors:
        groups.setdefault((vector.architecture, vector.width), []).append(vector)
    jobs = []
    for (name, width), group in groups.items():
        for simulator in simulators:
            job = Job(
                test="vectors",
                architecture=name,
                width=width,
                simulator=simulator,
                seed=derived_seed(DEFAULT_SEED, ["vectors", name, width], 1),
                parameters=resolved_parameters({}),
                vectors=tuple(vector.as_job_vector() for vector in group),
            )
            timeout = max(DEFAULT_TIMEOUT, SECONDS_PER_VECTOR * len(group))
            jobs.append(planned_job(job, 1, timeout))
    return jobs


def _parse(line: bytes) -> dict[str, Any]:
    """One line's fields, each of the right type."""
    try:
        fields = json.loads(line.decode("utf-8-sig"), object_pairs_hook=_without_duplicates)
    except UnicodeDecodeError:
        raise _LineError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise _LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except _LineError:
        raise
    except ValueError:
        raise _LineError("not JSON: a number has too many digits") from None
    except RecursionError:
        raise _LineError("not JSON: nested too deeply") from None
    if not isinstance(fields, dict):
        raise _LineError("expected a JSON object")
    for name in fields:
        if name not in FIELDS:
            raise _LineError(not_accepted("field", name, FIELDS))
    missing = [name for name in REQUIRED if name not in fields]
    if missing:
        raise _LineError(f"missing {', '.join(map(repr, missing))}")
    for name in HEX_FIELDS:
        if name in fields:
            _check_hex(name, fields[name])
    for name in ("name", "architecture"):
        if name in fields and not (isinstance(fields[name], str) and fields[name].strip()):
            raise _LineError(f"{name!r} must be a string that is not empty")
    width = fields.get("width", 1)
    if not isinstance(width, int) or isinstance(width, bool):
        raise _LineError(f"'width' must be an integer, not {json.dumps(width)}")
    if fields.get("expect", "reject") != "reject":
        raise _LineError(f"'expect' must be \"reject\", not {json.dumps(fields['expect'])}")
    given = [name for name in ("p", "s", "c") if name in fields]
    if "expect" in fields and given:
        raise _LineError(f"'expect' and {given[0]!r} exclude each other")
    return fields


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise _LineError(f"field {twice[0]!r} is given twice")
    return dict(pairs)


def _check_hex(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise _LineError(f"{name!r} must be a hex string, not {json.dumps(value)[:40]}")
    if not HEX.fullmatch(value):
        shown = value if len(value) <= 40 else value[:40] + "…"
        raise _LineError(f"{name!r} is not a hex number: {shown!r}")


def _unique_names(parsed: Sequence[tuple[int, dict[str, Any]]]) -> dict[int, str]:
    """A name for every line, so that an outcome can be found again."""
    given = {number: fields.get("name", f"line {number}") for number, fields in parsed}
    count = Counter(given.values())
    return {
        number: name if count[name] == 1 else f"{name} (line {number})"
        for number, name in given.items()
    }


def _check_widths(
    entry: Architecture, values: Mapping[str, int], width: int, width_given: bool
) -> None:
    try:
        check_width(entry, width)
    except DesignError as error:
        raise _LineError(str(error)) from None
    for key in REQUIRED:
        if values[key] >> width:
            hint = "" if width_given else "; give a larger 'width'"
            bits = values[key].bit_length()
            raise _LineError(f"{key!r} has {bits} bits, more than the width {width}{hint}")


def _illegal(architecture: str | None, values: Mapping[str, int], statuses: set[Status]) -> str:
    if statuses == {Status.OPERAND_RANGE}:
        too_large = " and ".join(name for name in ("x", "y") if values[name] >= values["m"])
        return (
            f"operand out of range ({too_large} >= m): give 'expect': \"reject\", "
            "or 's' and 'c' for the raw result"
        )
    why = ", ".join(sorted(status.name.lower().replace("_", " ") for status in statuses))
    where = architecture or "every architecture"
    return f"illegal for {where} ({why}): give 'expect': \"reject\""
