"""Coverage in the interchange format of UCIS 1.0 (Accellera), for other tools."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import groupby
from pathlib import Path

from regress.coverage.code import BRANCH, LINE, TOGGLE, CodeCoverage, Point
from regress.coverage.functional import Coverage, Group
from regress.coverage.store import RunCoverage, StoredJob

VERSION = "1.0"
TOOL = "modmul-verification"
# Functional groups have no place in the sources; the format asks for one.
FUNCTIONAL_FILE = "verif/coverage"


@dataclass(frozen=True)
class _Files:
    """Numbers of the source files."""

    numbers: dict[str, int]

    def place(self, parent: ET.Element, tag: str, file: str, line: int, count: int = 1) -> None:
        ET.SubElement(
            parent,
            tag,
            file=str(self.numbers[file]),
            line=str(max(1, line)),
            inlineCount=str(count),
        )


def write_ucis(run: RunCoverage, path: Path) -> None:
    """Write a run's coverage: an instance for each subject, a history node for each job.

    Functional groups become covergroups of one coverpoint; a bin outside the goal is of type
    ``ignore`` if it is excluded and ``default`` if it is only reported. Lines become statements,
    branches branch statements, toggles toggle objects.

    Raises:
        OSError: the file cannot be written.
    """
    tree = ET.ElementTree(_document(run))
    ET.indent(tree, " ")
    tree.write(path, encoding="utf-8", xml_declaration=True)


def _document(run: RunCoverage) -> ET.Element:
    code = run.merged.code
    names = sorted({file for part in code.values() for file in part.files})
    files = _Files({name: number for number, name in enumerate([FUNCTIONAL_FILE, *names], 1)})
    root = ET.Element(
        "UCIS", ucisVersion=VERSION, writtenBy=TOOL, writtenTime=_time(datetime.now().astimezone())
    )
    for name, number in files.numbers.items():
        ET.SubElement(root, "sourceFiles", fileName=name, id=str(number))
    for number, stored in enumerate(run.jobs):
        _history(root, number, stored, run)
    for number, name in enumerate(sorted({*run.merged.functional, *code})):
        instance = ET.SubElement(
            root, "instanceCoverages", name=name, key=name, instanceId=str(number), moduleName=name
        )
        files.place(instance, "id", FUNCTIONAL_FILE, 1)
        if name in code:
            _toggles(instance, code[name], files)
            _statements(instance, code[name], files)
            _branches(instance, code[name], files)
        _covergroups(instance, name, run.merged.functional, files)
    return root


def _time(moment: datetime) -> str:
    # In UTC and without saying so: pyucis reads no offsets.
    return moment.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="seconds")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _history(root: ET.Element, number: int, stored: StoredJob, run: RunCoverage) -> None:
    result = stored.result
    ET.SubElement(
        root,
        "historyNodes",
        historyNodeId=str(number),
        logicalName=stored.id,
        kind="UCIS:TEST",
        testStatus=_flag(stored.passed),
        simtime=str(result.sim_time_ns if result else 0.0),
        timeunit="ns",
        runCwd=str(run.folder),
        cpuTime=str(stored.seconds),
        seed=str(stored.job.seed),
        date=_time(run.started),
        toolCategory="UCIS:Simulator",
        ucisVersion=VERSION,
        vendorId=TOOL,
        vendorTool=stored.job.simulator,
        vendorToolVersion=run.sources or "unknown",
    )


def _bin(parent: ET.Element, tag: str, point: Point, code: CodeCoverage) -> None:
    excluded = point in code.excluded
    element = ET.SubElement(parent, tag, alias=point.name, excluded=_flag(excluded))
    ET.SubElement(element, "contents", coverageCount=str(code.hits[point]))


def _of_kind(code: CodeCoverage, kind: str) -> list[Point]:
    return sorted(point for point in code.hits if point.kind == kind)


def _statements(instance: ET.Element, code: CodeCoverage, files: _Files) -> None:
    points = _of_kind(code, LINE)
    if not points:
        return
    block = ET.SubElement(instance, "blockCoverage")
    for point in points:
        statement = ET.SubElement(block, "statement", alias=point.name)
        files.place(statement, "id", point.file, point.line, point.column + 1)
        _bin(statement, "bin", point, code)


def _branches(instance: ET.Element, code: CodeCoverage, files: _Files) -> None:
    points = _of_kind(code, BRANCH)
    if not points:
        return
    parent = ET.SubElement(instance, "branchCoverage")
    for _, arms in groupby(points, key=lambda point: (point.file, point.line)):
        choices = list(arms)
        statement = ET.SubElement(parent, "statement", statementType="if")
        files.place(statement, "id", choices[0].file, choices[0].line)
        for point in choices:
            branch = ET.SubElement(statement, "branch")
            files.place(branch, "id", point.file, point.line, point.column + 1)
            _bin(branch, "branchBin", point, code)


def _signal(point: Point) -> str:
    return point.name.rpartition(":")[0]


def _toggles(instance: ET.Element, code: CodeCoverage, files: _Files) -> None:
    points = sorted(_of_kind(code, TOGGLE), key=lambda p: (p.file, p.line, p.column, _signal(p)))
    if not points:
        return
    parent = ET.SubElement(instance, "toggleCoverage")
    for key, (_, bits) in enumerate(
        groupby(points, key=lambda p: (p.file, p.line, p.column, _signal(p)))
    ):
        edges = list(bits)
        signal = _signal(edges[0])
        place = f"{edges[0].file}:{edges[0].line}"
        whole = ET.SubElement(parent, "toggleObject", name=f"{signal} {place}", key=str(key))
        files.place(whole, "id", edges[0].file, edges[0].line)
        bit = ET.SubElement(whole, "toggleBit", name=signal, key=str(key))
        for point in edges:
            before, _, after = point.name.rpartition(":")[2].partition("->")
            edge = ET.SubElement(bit, "toggle", {"from": before, "to": after})
            _bin(edge, "bin", point, code)


def _covergroups(instance: ET.Element, subject: str, coverage: Coverage, files: _Files) -> None:
    groups = coverage.get(subject, {})
    if not groups:
        return
    parent = ET.SubElement(instance, "covergroupCoverage")
    for name, group in sorted(groups.items()):
        bins = list(_bins(group))
        if not bins:
            continue  # the format has no coverpoint without a bin
        inst = ET.SubElement(parent, "cgInstance", name=name, key=name)
        ET.SubElement(inst, "options")
        identity = ET.SubElement(inst, "cgId", cgName=name, moduleName=subject)
        files.place(identity, "cginstSourceId", FUNCTIONAL_FILE, 1)
        files.place(identity, "cgSourceId", FUNCTIONAL_FILE, 1)
        coverpoint = ET.SubElement(inst, "coverpoint", name=name, key=name)
        ET.SubElement(coverpoint, "options")
        for number, (bin_name, kind, hits) in enumerate(bins):
            element = ET.SubElement(
                coverpoint, "coverpointBin", name=bin_name, key=str(number), type=kind
            )
            value = {"from": str(number), "to": str(number)}
            contents = ET.SubElement(element, "range", value)
            ET.SubElement(contents, "contents", nameComponent=bin_name, coverageCount=str(hits))


def _bins(group: Group) -> Iterable[tuple[str, str, int]]:
    """Name, type and hits of each bin."""
    for name in sorted({*group.bins, *group.goal, *group.excluded}):
        kind = "bins" if name in group.goal else "ignore" if name in group.excluded else "default"
        yield name, kind, group.bins.get(name, 0)
