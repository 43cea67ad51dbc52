"""``regress init``: a project file and a list for a folder with a cocotb test."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path

from regress.core.errors import UsageError
from regress.core.project import PROJECT_FILE, Test
from regress.core.terminal import Parser

PROJECT_MODULE = "regress_project"
LIST = Path("lists") / "quick.yaml"
HDL = (".sv", ".v")
MODULE = re.compile(r"^\s*module\s+(\w+)", re.MULTILINE)
TEMPLATE = '''"""What regress asks of this project; regress.core.project.Project has the rest."""

from regress.core.project import Build, Project, Test


class ThisProject(Project):
    """Tests, and how their design is built."""

    name = "{name}"
    tests = {{
{tests}
    }}

    def build(self, top, point, simulator, hdl, code_coverage):
        """Every source of the design; ``hdl`` is the folder of an altered copy, or None."""
        folder = hdl or self.root
        sources = sorted(path for path in folder.glob("**/*") if path.suffix in {suffixes})
        return Build(sources=tuple(sources), toplevel=top)
'''
ROWS = """\
description: every test with a few seeds on both simulators
jobs:
"""
ROW = "  - {{test: {name}, simulators: [verilator, icarus], seeds: 3}}\n"
SETTINGS = f'[tool.regress]\nproject = "{PROJECT_MODULE}:ThisProject"\n'


def main(argv: Sequence[str]) -> int:
    """Write the files; return the exit code.

    Raises:
        UsageError: no test or no design was found, or one of the files exists already.
    """
    parser = Parser(prog="regress init", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), help="default: this one")
    parser.add_argument(
        "--top", metavar="MODULE", help="module to elaborate (default: it is found)"
    )
    arguments = parser.parse_args(argv)
    folder = arguments.folder.absolute()
    tests = find_tests(folder)
    if not tests:
        raise UsageError(f"{folder}: no cocotb test; accepted: a folder with @cocotb.test() in it")
    top = arguments.top or find_top(folder)
    rows = [
        f'        "{one.name}": Test("{one.module}", "{one.name}", {one.description!r}, "{top}"),'
        for one in tests
    ]
    settings = folder / PROJECT_FILE
    old = settings.read_text() if settings.exists() else ""
    files = {
        folder / f"{PROJECT_MODULE}.py": TEMPLATE.format(
            name=folder.name, tests="\n".join(rows), suffixes=HDL
        ),
        folder / LIST: ROWS + "".join(ROW.format(name=test.name) for test in tests),
    }
    taken = [path for path in files if path.exists()]
    if taken or "[tool.regress]" in old:
        raise UsageError(
            f"{taken[0] if taken else settings}: is there already, nothing was changed"
        )
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        print(f"wrote {path.relative_to(folder)}")
    settings.write_text(f"{old.rstrip()}\n\n{SETTINGS}".lstrip())
    print(f"wrote {PROJECT_FILE}\nnow: regress run quick")
    return 0


def find_tests(folder: Path) -> list[Test]:
    """Find the cocotb and pyuvm tests in the folder's own Python files."""
    found = []
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.AsyncFunctionDef, ast.ClassDef)) and any(
                re.match(r"(cocotb|pyuvm)\.test\b", ast.unparse(mark))
                for mark in node.decorator_list
            ):
                text = (ast.get_docstring(node) or "").partition("\n")[0]
                found.append(Test(path.stem, node.name, text))
    return found


def find_top(folder: Path) -> str:
    """Return the module that no other module instantiates.

    Raises:
        UsageError: no such module exists, or several do.
    """
    texts = [p.read_text(errors="replace") for p in folder.glob("**/*") if p.suffix in HDL]
    modules = [name for text in texts for name in MODULE.findall(text)]
    if not modules:
        raise UsageError(f"{folder}: no SystemVerilog or Verilog module")
    everything = "\n".join(texts)
    tops = [n for n in modules if not re.search(rf"^\s*{n}\s+(#\s*\(|\w+\s*\()", everything, re.M)]
    if len(tops) != 1:
        raise UsageError(f"which module is the top? give one: --top {' | '.join(tops or modules)}")
    return tops[0]
