"""One file has the codes and registers; everything generated from it is current."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import tomli

from ci.codes import BLOCKS, CORES, HEADERS, LAYOUTS, SOURCE, VECTORS, WHOLE, main, registers
from models.front_map import VERSION
from models.status import MULTIPLIER_REGISTERS, Status

ROOT = Path(__file__).resolve().parents[2]
GENERATED = (*WHOLE, *HEADERS, *BLOCKS, *CORES, *LAYOUTS)
CHECK_OF_HEADERS = """\
#include <stddef.h>
#define CHECK(name, holds) typedef char name[(holds) ? 1 : -1];
#include "exponentiation_front.h"
#include "multiplier_front.h"
#include "front_codes.h"
CHECK(status_is_there, offsetof(exponentiation_front_t, status) == 0x30)
CHECK(modulus_is_there, offsetof(exponentiation_front_t, modulus) == 0x3000)
CHECK(m_is_there, offsetof(multiplier_front_t, m_c) == 0x3000)
CHECK(reason_is_there, MODMUL_REASON_WORD_ORDER == 8)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The source and the files generated from it."""
    for path in (SOURCE, VECTORS, *GENERATED):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def test_what_is_generated_is_current() -> None:
    assert main([]) == 0


def test_each_edited_file_is_named_and_written_again(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {path: (copy / path).read_text() for path in GENERATED}
    for path, text in texts.items():
        edited = re.sub(
            r"request_bits|\"request\"|[(]?\brejected[\";]|"
            r"StatusOk =|OK = 2|CoreMwr2mm\b|CoreMm42\b"
            r"|WindowBits =|WINDOW_BYTES =|STATUS_R__",
            "changed",
            text,
            count=1,
        )
        assert edited != text, path
        (copy / path).write_text(edited)
    assert main([], copy) == 1
    said = sorted(capsys.readouterr().err.splitlines())
    for line, path in zip(said, sorted(map(str, texts)), strict=True):
        source = "the registry" if Path(path) in CORES else SOURCE
        source = VECTORS if Path(path) in LAYOUTS else source
        assert line == f"{path}: not what {source} says; python -m ci.codes --write"
    assert main(["--write"], copy) == 0
    assert {path: (copy / path).read_text() for path in GENERATED} == texts


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bits: Width + Guard,", "bits: Width + Spare,", "'Spare' is no width; accepted: sums of"),
        ("Busy: {code: 1,", "Busy: {code: 99,", "code: "),
        ("address: 0\n", "adress: 0\n", "unknown key 'adress'; accepted: address, "),
        ("status: #", "status: [ #", "not valid YAML: "),
    ],
)
def test_a_mistake_in_the_source_is_one_line(
    copy: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    text = (copy / SOURCE).read_text()
    assert old in text
    (copy / SOURCE).write_text(text.replace(old, new, 1))
    assert main([], copy) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert re.match(rf"codes: {copy / SOURCE}:\d+: ", line) and said in line


def test_missing_marks_are_one_line(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = copy / "hdl/pkg/multiplier_pkg.sv"
    package.write_text(package.read_text().replace("// End of the generated part.", ""))
    assert main([], copy) == 2
    assert "multiplier_pkg.sv: expected a line" in capsys.readouterr().err


def test_widths_and_rights_reach_python() -> None:
    second = MULTIPLIER_REGISTERS[1].read
    assert second is not None
    assert second.width(Width=32, Guard=2) == 34
    assert second.after == {Status.OK, Status.RAW}


@pytest.mark.parametrize(
    ("bits", "message"),
    [
        ("0", "'0': accepted are products of numbers and parameters"),
        ("Width + 1", "'Width + 1': accepted are products of numbers and parameters"),
    ],
)
def test_a_width_that_is_no_product_is_one_line(
    copy: Path, bits: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copy / VECTORS
    path.write_text(path.read_text().replace("bits: WriteAddresses,", f"bits: {bits},"))
    assert main([], copy) == 2
    assert message in capsys.readouterr().err


def test_the_version_is_that_of_the_project() -> None:
    project = tomli.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = registers().fronts.version
    assert ".".join(map(str, version)) == project["version"]
    assert version == (VERSION >> 16, VERSION >> 8 & 0xFF, VERSION & 0xFF)


@pytest.mark.parametrize("compiler", ["gcc", "g++"])
def test_the_c_headers_compile(compiler: str, tmp_path: Path) -> None:
    """A register and a window are where the page has them, in C99 and in C++11."""
    source = tmp_path / ("check.cpp" if compiler == "g++" else "check.c")
    source.write_text(CHECK_OF_HEADERS)
    standard = "-std=c++11" if compiler == "g++" else "-std=c99"
    flags = [standard, "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'hdl/fronts'}"]
    subprocess.run([compiler, *flags, "-fsyntax-only", str(source)], check=True)
