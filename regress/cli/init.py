"""``regress init``: a project file and a list for a folder with cocotb tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from regress.adopt.found import Finding
from regress.adopt.layout import Layout
from regress.adopt.writer import (
    PROJECT_MODULE,
    SETTINGS,
    ignore_lines,
    list_file,
    project_file,
    simulators_for,
)
from regress.core.errors import UsageError
from regress.core.hdlsources import VERILOG, VHDL, language_of
from regress.core.project import PROJECT_FILE
from regress.core.terminal import Parser
from regress.simulators import BOTH, SIMULATORS, Simulator

LIST = Path("lists") / "quick.yaml"
GITIGNORE = ".gitignore"


def main(argv: Sequence[str], simulators: Mapping[str, type[Simulator]] = SIMULATORS) -> int:
    """Write the files; return the exit code.

    Raises:
        UsageError: no test or no design was found, or one of the files exists already.
    """
    parser = Parser(prog="regress init", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), help="default: this one")
    parser.add_argument(
        "--top", metavar="MODULE", default="", help="module to elaborate (default: it is found)"
    )
    arguments = parser.parse_args(argv)
    root = arguments.folder.resolve()
    if not root.is_dir():
        raise UsageError(f"{arguments.folder}: no such folder")
    settings = root / PROJECT_FILE
    old = settings.read_text() if settings.exists() else ""
    _stop_if_there(root, old)
    layout = Layout(root)
    findings = layout.benches(arguments.top)
    for line in dict.fromkeys(layout.notes):
        print(f"note: {line}")
    ignored = root / GITIGNORE
    ignored_before = ignored.read_text() if ignored.exists() else ""
    _write(root / f"{PROJECT_MODULE}.py", project_file(findings, root, _names(simulators)))
    _write(root / LIST, _list(findings, simulators))
    _write(settings, f"{old.rstrip()}\n\n{SETTINGS}".lstrip())
    if lines := ignore_lines(ignored_before):
        ends = ignored_before if not ignored_before or ignored_before.endswith("\n") \
            else f"{ignored_before}\n"  # fmt: skip
        _write(ignored, ends + lines)
    print("now: regress run quick")
    return 0


def _stop_if_there(root: Path, settings: str) -> None:
    """Raise an error if the project has one of the files."""
    for path in (root / f"{PROJECT_MODULE}.py", root / LIST):
        if path.exists():
            raise UsageError(f"{path}: exists already; nothing was changed")
    if "[tool.regress]" in settings:
        raise UsageError(f"{root / PROJECT_FILE}: exists already; nothing was changed")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    print(f"wrote {path.parent.name + '/' if path.name == LIST.name else ''}{path.name}")


def _names(simulators: Mapping[str, type[Simulator]]) -> dict[str, str]:
    """Return the first simulator that uses each of cocotb's runners."""
    names: dict[str, str] = {}
    for name, known in simulators.items():
        names.setdefault(known.runner, name)
    return names


def _list(findings: Sequence[Finding], simulators: Mapping[str, type[Simulator]]) -> str:
    readers = [name for name, known in simulators.items() if VHDL in known.languages]
    usual = {VERILOG: BOTH, VHDL: [name for name in readers if name not in BOTH]}
    languages = [language_of(finding.sources) for finding in findings]
    chosen, stated = simulators_for(
        findings, usual, languages, _installed(simulators), _names(simulators)
    )
    tests = sum(len(finding.modules) for finding in findings)
    return list_file(findings, chosen, stated, tests)


def _installed(simulators: Mapping[str, type[Simulator]]) -> list[str]:
    found = []
    for name, known in simulators.items():
        try:
            known.find()
        except UsageError:
            continue
        found.append(name)
    return found
