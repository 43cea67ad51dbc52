"""Vector files: routing of good lines, and one clear line for each bad one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from models.registry import architectures, hardware_architectures
from regress.core.errors import UsageError
from regress.tests.conftest import write_json_lines
from verif.library.vectors.file import VectorReader, only
from verif.library.vectors.line import Vector
from verif.tests.context import CONTEXT
from verif.vectors.jobs import remarks, size_line, vector_jobs

HARDWARE = list(hardware_architectures())
ODD_ONLY = [name for name, entry in hardware_architectures().items() if entry.montgomery]
GOOD = {"x": "0x12", "y": "34", "m": "0x71"}
LARGE = {"x": "0x80", "y": "34", "m": "0x71", "width": 8}
THESIS = Path(__file__).resolve().parents[3] / "models" / "vectors" / "thesis.jsonl"


def read(folder: Path, *lines: dict[str, Any] | str, arch: tuple[str, ...] = ()) -> list[Vector]:
    path = write_json_lines(folder / "v.jsonl", *lines)
    return VectorReader(architectures(), arch).read(path)


def test_without_architecture_a_vector_goes_everywhere_it_is_legal(tmp_path: Path) -> None:
    odd = read(tmp_path, GOOD)
    assert [vector.architecture for vector in odd] == HARDWARE
    assert {vector.width for vector in odd} == {7}
    even = read(tmp_path, {**GOOD, "m": "0x70"})
    assert {vector.architecture for vector in even} == set(HARDWARE) - set(ODD_ONLY)


def test_a_rejected_vector_goes_where_it_is_illegal(tmp_path: Path) -> None:
    even = read(tmp_path, {**GOOD, "m": "0x70", "expect": "reject"})
    assert [vector.architecture for vector in even] == ODD_ONLY
    assert all(vector.reject for vector in even)
    assert len(read(tmp_path, {**LARGE, "expect": "reject"})) == len(HARDWARE)
    named = read(tmp_path, {**GOOD, "expect": "reject", "architecture": "fast_montgomery"})
    assert [vector.architecture for vector in named] == ["fast_montgomery"]


@pytest.mark.parametrize(("m", "width"), [("0", 4), ("0x1", 4), ("0x1ff", 9)])
def test_the_width_defaults_to_that_of_the_modulus(tmp_path: Path, m: str, width: int) -> None:
    vectors = read(tmp_path, {"x": "0", "y": "0", "m": m, "expect": "reject"} if width == 4 else
                   {"x": "0", "y": "0", "m": m})  # fmt: skip
    assert {vector.width for vector in vectors} == {width}


def test_operands_out_of_range_with_s_and_c_are_raw(tmp_path: Path) -> None:
    (vector,) = read(tmp_path, {**LARGE, "s": "1", "c": "2", "architecture": "fast_montgomery"})
    assert (vector.raw, vector.reject) == (True, False)
    (reduced,) = read(tmp_path, {**GOOD, "s": "1", "c": "2"}, arch=("fast_montgomery",))
    assert not reduced.raw


def test_jobs_are_grouped_and_carry_hex_strings(tmp_path: Path) -> None:
    vectors = read(
        tmp_path, {**GOOD, "name": "a", "note": "ignored"}, GOOD, {**GOOD, "name": "a", "p": "F"}
    )
    jobs = vector_jobs(CONTEXT, vectors, ["verilator", "icarus"])
    assert len(jobs) == len(HARDWARE) * 2
    assert {job.job.test for job in jobs} == {"vectors"}
    first = jobs[0].job.cases
    assert [vector["name"] for vector in first] == ["a (line 1)", "line 2", "a (line 3)"]
    assert first[2] == {
        "x": "0x12", "y": "0x34", "m": "0x71", "p": "0xf",
        "name": "a (line 3)", "line": 3, "raw": False, "reject": False,
    }  # fmt: skip


def test_arch_narrows(tmp_path: Path) -> None:
    lines = [GOOD, {**GOOD, "architecture": "fast_montgomery"}]
    found = read(tmp_path, *lines, arch=("faster_montgomery",))
    assert [(vector.line, vector.architecture) for vector in found] == [(1, "faster_montgomery")]
    with pytest.raises(UsageError, match="no vector is for faster_montgomery"):
        read(tmp_path, lines[1], arch=("faster_montgomery",))


def test_a_line_may_be_for_architectures_that_were_not_chosen(tmp_path: Path) -> None:
    even = {**GOOD, "m": "0x70"}
    found = read(tmp_path, GOOD, even, arch=("fast_montgomery",))
    assert [vector.line for vector in found] == [1]
    rejected = read(tmp_path, GOOD, {**even, "expect": "reject"}, arch=("optimized_interleaved",))
    assert [vector.line for vector in rejected] == [1]
    for arch in ("fast_montgomery", "optimized_interleaved"):
        with pytest.raises(UsageError, match=r"2: illegal for every architecture \(modulus zero"):
            read(tmp_path, GOOD, {"x": "0", "y": "0", "m": "1"}, arch=(arch,))


def test_the_examples_of_the_thesis() -> None:
    vectors = VectorReader(architectures()).read(THESIS)
    assert [(v.name, v.architecture, v.width, v.raw) for v in vectors] == [
        ("thesis-fig7", "fast_montgomery", 1024, True),
        ("thesis-fig8", "faster_montgomery", 1024, True),
        ("thesis-fig9", "optimized_interleaved", 1024, True),
        ("thesis-fig18", "fast_montgomery", 16, False),
    ]


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON: "),
        ('{"x": "1", "y": "1", "m": "3"} {}', "not JSON: Extra data"),
        ("[" * 100000, "JSON is nested too deeply"),
        ('{"x": ' + "1" * 5000 + "}", "not JSON: a number has too many digits"),
        ("[1]", "expected a JSON object"),
        ("7", "expected a JSON object"),
        ('{"x": "1", "x": "2", "y": "1", "m": "3"}', "field 'x' is given twice"),
        (without("x"), "missing 'x'"),
        (without("m"), "missing 'm'"),
        ({}, "missing 'x', 'y', 'm'"),
        ({**GOOD, "modulus": "3"}, "unknown field 'modulus'; accepted: x, y, m"),
        ({"name": "a"}, "missing 'x', 'y', 'm' or 'base', 'exponent', 'modulus'"),
        ({**GOOD, "widht": 8}, "did you mean 'width'?"),
        ({**GOOD, "x": 18}, "x: expected a hex string, not 18"),
        ({**GOOD, "x": None}, "x: expected a hex string, not null"),
        ({**GOOD, "x": ""}, "x: not a hex number: ''"),
        ({**GOOD, "x": "0x"}, "x: not a hex number"),
        ({**GOOD, "x": "-1"}, "x: not a hex number"),
        ({**GOOD, "x": "1_0"}, "x: not a hex number"),
        ({**GOOD, "x": "12\n"}, "x: not a hex number"),
        ({**GOOD, "p": "xyz"}, "p: not a hex number: 'xyz'"),
        ({**GOOD, "name": ""}, "name: must not be empty"),
        ({**GOOD, "name": " "}, "'name' must not be blank"),
        ({"x": "1", "y": "1", "mod": "3"}, "unknown field 'mod'"),
        ({"x": "1", "b": "1", "n": "3"}, "did you mean 'y'?"),
        ({"x": "1", "y": "1", "n": "3"}, "did you mean 'm'?"),
        ({**GOOD, "name": 3}, "name: should be a valid string, found 3"),
        ({**GOOD, "width": "8"}, "width: should be a valid integer, found '8'"),
        ({**GOOD, "width": True}, "width: should be a valid integer, found True"),
        ({**GOOD, "width": 3}, f"width 3 of {HARDWARE[0]}: accepted are 4 to"),
        ({**GOOD, "width": 6}, "'m' has 7 bits, more than the width 6"),
        ({**GOOD, "x": "0x100"}, "'x' has 9 bits, more than the width 7; give a larger 'width'"),
        ({**GOOD, "architecture": "fast"}, "unknown architecture 'fast'; accepted:"),
        ({**GOOD, "architecture": "montgomery"}, "architecture 'montgomery' is model only"),
        ({**GOOD, "expect": "pass"}, "unknown expect 'pass'; accepted: reject"),
        ({**GOOD, "expect": "reject"}, "the operands are legal everywhere"),
        ({**LARGE, "expect": "reject", "p": "1"}, "'expect' and 'p' exclude each other"),
        ({**GOOD, "product": "1", "p": "1"}, "'product' and 'p' exclude each other"),
        (LARGE, "operand out of range (x >= m): give 'expect'"),
        ({**LARGE, "s": "1"}, "'s' and 'c' differ between architectures"),
        ({**LARGE, "s": "1", "architecture": "fast_montgomery"}, "operand out of range (x >= m)"),
        (
            {**LARGE, "s": "1", "c": "1", "p": "1", "architecture": "fast_montgomery"},
            "'p' cannot be checked",
        ),
        ({**GOOD, "m": "0x70", "architecture": "fast_montgomery"}, "(modulus even): give"),
        ({"x": "0", "y": "0", "m": "1"}, "illegal for every architecture (modulus zero or one)"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: dict[str, Any] | str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, GOOD, "", line, GOOD)
    assert len(caught.value.lines) == 1, caught.value.lines
    assert caught.value.lines[0].startswith(f"{tmp_path}/v.jsonl:3: ")
    assert message in caught.value.lines[0]
    assert "\n" not in caught.value.lines[0]


def test_all_bad_lines_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, "{", GOOD, without("y"), "[]")
    assert [text.split(":")[1] for text in caught.value.lines] == ["1", "3", "4"]


@pytest.mark.parametrize("content", [b"", b"\n  \n"])
def test_an_empty_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "v.jsonl").write_bytes(content)
    with pytest.raises(UsageError, match="no vectors"):
        VectorReader(architectures()).read(tmp_path / "v.jsonl")


def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        VectorReader(architectures()).read(tmp_path / "nothing.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(json.dumps(GOOD).encode() + b"\n\xff\n")
    with pytest.raises(UsageError, match=r"latin\.jsonl:2: not UTF-8"):
        VectorReader(architectures()).read(tmp_path / "latin.jsonl")


def test_only_keeps_what_is_named(tmp_path: Path) -> None:
    lines = [{**GOOD, "name": "a"}, GOOD, {**GOOD, "name": "a"}]
    vectors = read(tmp_path, *lines, arch=("fast_montgomery", "mm42"))
    path = tmp_path / "v.jsonl"

    def kept(*names: str) -> list[int]:
        return [vector.line for vector in only(vectors, names, path)]

    assert kept("line 2") == [2, 2]
    assert kept("a (line 3)", "line 2") == [2, 2, 3, 3]
    with pytest.raises(UsageError, match=r"v\.jsonl: unknown vector 'line 4'; accepted: a \(line"):
        kept("line 4")


def test_few_vectors_are_one_job_and_many_are_several(tmp_path: Path) -> None:
    wide = {"x": "1", "y": "2", "m": hex(2**1024 - 1), "architecture": "mwr2mm"}
    assert len(vector_jobs(CONTEXT, read(tmp_path, *[wide] * 50), ["verilator"])) == 1
    jobs = vector_jobs(CONTEXT, read(tmp_path, *[wide] * 50), ["icarus"])
    assert 1 < len(jobs) < 50
    assert [job.index for job in jobs] == list(range(1, len(jobs) + 1))
    assert len({job.id for job in jobs}) == len({job.job.seed for job in jobs}) == len(jobs)
    assert sorted(case["line"] for job in jobs for case in job.job.cases) == list(range(1, 51))


def test_a_file_without_architectures_says_how_much_that_is(tmp_path: Path) -> None:
    vectors = read(tmp_path, GOOD, {**GOOD, "width": 9}, {**GOOD, "architecture": "mm42"})
    jobs = vector_jobs(CONTEXT, vectors, ["verilator"])
    count = len(HARDWARE)
    assert size_line(vectors, jobs, vectors) == (
        f"3 lines on {count} architectures at 2 widths (7, 9): {2 * count} builds, {2 * count} "
        f"jobs, {2 * count + 1} operations"
    )
    assert list(remarks(vectors)) == [
        f"2 lines name no architecture and run on {count} (--arch A,… selects some)"
    ]
    named = read(tmp_path, {**GOOD, "architecture": "mm42"})
    assert not list(remarks(named))
    alone = read(tmp_path, GOOD, arch=("mm42",))
    assert not list(remarks(alone))
    assert size_line(alone, vector_jobs(CONTEXT, alone, ["verilator", "icarus"]), alone) == (
        "1 line on 1 architecture at 1 width (7): 2 builds, 2 jobs, 2 operations"
    )


def test_an_ordinary_product_is_expected_times_the_inverse_of_r(tmp_path: Path) -> None:
    line = {**GOOD, "product": hex(0x12 * 0x34 % 0x71)}
    plain, montgomery = read(tmp_path, line, arch=("optimized_interleaved", "fast_montgomery"))
    if plain.architecture == "fast_montgomery":
        plain, montgomery = montgomery, plain
    assert plain.as_case()["p"] == line["product"]
    entry = architectures()["fast_montgomery"]
    for width in (7, 16):
        p = int(montgomery.at(width).as_case()["p"], 16)
        assert p * entry.model.radix(width) % 0x71 == int(line["product"], 16)
    assert "product" not in montgomery.as_case()
