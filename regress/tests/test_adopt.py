"""``init`` reads makefiles, runner calls and folders, and names each file that it cannot read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from regress.adopt.evaluate import UNKNOWN, Evaluator
from regress.adopt.hdl import Design, include_folders
from regress.adopt.layout import Layout
from regress.adopt.runner_calls import read_runner
from regress.adopt.writer import ignore_lines, project_file
from regress.core.cocotb_project import Bench, CocotbProject
from regress.core.errors import UsageError
from regress.core.hdlsources import SourceList, in_order
from regress.core.point import Point
from regress.simulators.icarus import Icarus
from regress.simulators.verilator import Verilator
from regress.tests.forked import regress


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[Path('a') / 'b.v', *['c.v']]", [Path("a/b.v"), "c.v"]),
        ("{**{'W': 8}, f'{2 * 4}': 1 if 3 > 2 else 0}", {"W": 8, "8": 1}),
        ("[f'{x}.v' for x in ('a', 'b') if x != 'b']", ["a.v"]),
        ("{f'P_{k}': str(v) for k, v in {'W': 8}.items()}", {"P_W": "8"}),
        ("os.path.join(os.path.dirname('/x/y.py'), '..')", "/x/.."),
        ("os.getenv('NO_SUCH_VARIABLE', 'icarus')", "icarus"),
        ("open('/etc/passwd').read()", UNKNOWN),
        ("Path('x').unlink()", UNKNOWN),
        ("__import__('os').system('true')", UNKNOWN),
        ("1 / 0", UNKNOWN),
    ],
)
def test_simple_python_is_evaluated_and_nothing_else(text: str, value: object) -> None:
    evaluator = Evaluator(Path("/x/test.py"), lambda name, values, named: UNKNOWN)
    assert evaluator.value(ast.parse(text, mode="eval").body) == value


RUNNER = """\
import os
from pathlib import Path
from cocotb_tools.runner import get_runner

def sources(root):
    found = [root / "rtl" / "a.sv"]
    found += sorted((root / "rtl").glob("b*.sv"))
    return found

def test_it():
    root = Path(__file__).resolve().parents[1]
    sim = os.getenv("NO_SUCH_VARIABLE", "icarus")
    arguments = []
    if sim == "icarus":
        arguments.append("-DFAST")
    runner = get_runner(sim)
    runner.build(sources=sources(root), hdl_toplevel="a", build_args=arguments,
                 includes=[root / "rtl"], parameters={"W": 8, "NAME": '"x"'})
    runner.test(hdl_toplevel="a", test_module="test_a,test_b", plusargs=["+fast"])
"""


def test_calls_of_the_runner_are_read(tmp_path: Path) -> None:
    root = written(tmp_path, {"tests/run.py": RUNNER, "rtl/a.sv": "", "rtl/b1.sv": ""})
    path = root / "tests" / "run.py"
    (found,) = read_runner(path, ast.parse(RUNNER), root)
    assert [source.name for source in found.sources] == ["a.sv", "b1.sv"]
    assert (found.top, found.modules, found.simulator) == ("a", ["test_a", "test_b"], "icarus")
    assert (found.parameters, found.defines) == ({"W": 8, "NAME": '"x"'}, {"FAST": "1"})
    assert (found.plusargs, found.includes) == (["+fast"], [root / "rtl"])


def test_packages_come_before_their_users(tmp_path: Path) -> None:
    root = written(tmp_path, {
        "a.sv": "module a import p_pkg::*; (); // z_pkg::x\nendmodule",
        "p_pkg.sv": "package p_pkg;\n localparam X = q_pkg::Y;\nendpackage",
        "q_pkg.sv": "package q_pkg;\nendpackage",
        "top.vhd": "use work.types.all;\nentity top is\nend;",
        "types.vhd": "package types is\nend package;",
        "body.vhd": "architecture rtl of late is\nbegin\nend;",
        "late.vhd": "entity late is\nend;",
    })  # fmt: skip
    names = [path.name for path in in_order(sorted(root.iterdir()))]
    assert names == [
        "q_pkg.sv", "p_pkg.sv", "a.sv", "late.vhd", "body.vhd", "types.vhd", "top.vhd"
    ]  # fmt: skip


def test_a_file_list_names_sources_includes_and_defines(tmp_path: Path) -> None:
    root = written(tmp_path, {
        "sim/all.f": "// all\n+incdir+../inc\n+define+A=1+B\n../rtl/a.sv\n-F more/more.f\n",
        "sim/more/more.f": "# more\nb.sv",
        "sim/more/b.sv": "", "rtl/a.sv": "",
    })  # fmt: skip
    found = SourceList()
    found.add("sim/all.f", root)
    assert [path.resolve().name for path in found.files] == ["a.sv", "b.sv"]
    assert [path.resolve() for path in found.includes] == [root / "inc"]
    assert found.defines == {"A": "1", "B": "1"}
    with pytest.raises(UsageError, match=r"no/such\.sv: no such source file"):
        found.add("no/such.sv", root)


def test_a_file_list_of_another_flow_is_read(tmp_path: Path) -> None:
    root = written(tmp_path, {
        "all.f": "-sverilog a.v -top a --top-module a -timescale 1ns/1ps -l a.log\n-y lib\n"
                 "-v cells.v +libext+.v\n-I inc -Iinc2 -D X=1+2 -D\nY -DZ=2\n+define+V+W=3\n",
        "a.v": "", "a.log": "", "cells.v": "", "lib/b.v": "", "lib/notes": "",
    })  # fmt: skip
    found = SourceList()
    found.add("all.f", root)
    assert [path.name for path in found.files] == ["a.v", "cells.v"]
    assert [path.name for path in found.includes] == ["inc", "inc2"]
    assert found.defines == {"X": "1+2", "Y": "1", "Z": "2", "V": "1", "W": "3"}
    project = type("Its", (CocotbProject,), {"benches": (Bench("a", ["t"], ["all.f"]),)})(root)
    for simulator, suffixes in ((Verilator, "+libext+.v+.sv"), (Icarus, "-Y.sv")):
        build = project.build("a", Point({}), simulator("1.0", "x"), None, False)
        assert build.arguments[-3:] == (suffixes, "-y", str(root / "lib"))
        assert build.files == (root / "lib" / "b.v",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.v // it's\n/* 2\n*/ -- don't", "all.f:3: No closing quotation"),
        ("-f more.f", "all.f: the file includes itself"),
        ("-y a.v", "all.f: -y a.v: no such folder"),
        ("-top a\nlib", "lib: no such source file"),
    ],
)
def test_a_mistake_in_a_file_list_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    written(tmp_path, {"all.f": text, "more.f": "-F all.f", "a.v": ""})
    with pytest.raises(UsageError, match=message) as caught:
        SourceList().add("all.f", tmp_path)
    assert len(caught.value.lines) == 1


def test_only_what_a_top_needs_is_compiled(tmp_path: Path) -> None:
    root = written(tmp_path, {
        "top.v": "module top (input clk);\n leaf #(.W(3)) u (.clk(clk));\nendmodule",
        "leaf.v": '`include "defs.vh"\nmodule leaf #(parameter W = 1) (input clk);\nendmodule',
        "other.v": "module other (input x);\nendmodule",
        "inc/defs.vh": "",
    })  # fmt: skip
    design = Design(sorted(root.glob("*.v")))
    assert design.tops() == ["other", "top"]
    assert [path.name for path in design.closure("top")] == ["leaf.v", "top.v"]
    assert include_folders(design.closure("top"), root.glob("**/*")) == [root / "inc"]


TEST = "import cocotb\n@cocotb.test()\nasync def t(dut):\n    dut.x.value = 1\n"
UNIT = "module unit{0} (input x{0});\nendmodule\n"


def test_what_cannot_be_read_is_one_line_each(tmp_path: Path) -> None:
    root = written(tmp_path, {
        "tests/test_a.py": TEST, "tests/old.py": "import cocotb\nprint 'x'\n",
        "tests/broken.py": "import cocotb\ndef (:\n", "rtl/a.v": UNIT.format(""),
        "sim/Makefile": "include no_such.mk\n# cocotb Makefile.sim\n",
    })  # fmt: skip
    done = regress(root, "init")
    assert done.returncode == 0, done.stderr
    notes = [line for line in done.stdout.splitlines() if line.startswith("note: ")]
    assert [note.partition(" left")[0] for note in notes[:2]] == [
        "note: tests/broken.py:2:", "note: tests/old.py:2:"
    ]  # fmt: skip
    assert "Python 2" in notes[1]
    assert notes[2].startswith("note: sim/Makefile: not read: ") and len(notes) == 3


def test_a_project_file_has_at_most_30_lines(tmp_path: Path) -> None:
    files = {f"rtl/unit{n}.v": UNIT.format(n) for n in range(30)}
    files |= {f"tests/test_unit{n}.py": TEST.replace("dut.x", f"dut.x{n}") for n in range(30)}
    root = written(tmp_path, files)
    text = project_file(Layout(root).benches(), root, {})
    assert len(text.splitlines()) <= 30 and " more benches were found" in text
    compile(text, "regress_project.py", "exec")


def test_lines_of_gitignore_are_added_once() -> None:
    assert ignore_lines("build\n") == "/runs/\n"
    assert ignore_lines("/build/\n/runs/\n") == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def (:\n", "regress_project.py:1: SyntaxError: "),
        ("import no_such\n", "regress_project.py:1: ModuleNotFoundError: No module named"),
        ("x = 1\ny = z\n", "regress_project.py:2: NameError: name 'z' is not defined"),
        (
            "from regress.core.cocotb_project import Bench, CocotbProject\n"
            "class ThisProject(CocotbProject):\n"
            "    benches = (Bench(top='a', modules=['t'], sources=['no.sv']),)\n",
            "bench a: sources: no.sv: no such source file",
        ),
    ],
)
def test_a_mistake_in_the_project_file_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    root = written(tmp_path, {
        "regress_project.py": text,
        "pyproject.toml": '[tool.regress]\nproject = "regress_project:ThisProject"\n',
    })  # fmt: skip
    done = regress(root, "list")
    assert done.returncode == 2
    assert done.stderr.startswith(f"regress: {message}") and done.stderr.count("\n") == 1


def test_help_and_version_work_anywhere(tmp_path: Path) -> None:
    for options in (["--help"], ["run", "--help"], ["--version"]):
        done = regress(tmp_path, *options)
        assert done.returncode == 0 and not done.stderr, done.stderr
    assert "regress " in regress(tmp_path, "--version").stdout
