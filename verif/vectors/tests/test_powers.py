"""Lines of a vectors file that are exponentiations: routing, halves, and one clear line each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from models.exponentiation_core import exponentiation
from models.registry import architectures, hardware_architectures
from regress.core.errors import UsageError
from regress.tests.conftest import write_json_lines
from verif.bench.env.text import grouped
from verif.bench.sequences.combination import Combiner
from verif.library.vectors.file import VectorReader, only
from verif.library.vectors.line import Vector
from verif.tests.context import CONTEXT
from verif.vectors.jobs import remarks, vector_jobs

ALL = list(hardware_architectures())
MONTGOMERY = [name for name, entry in hardware_architectures().items() if entry.montgomery]
GOOD = {"base": "0x12", "exponent": "35", "modulus": "0x71"}
PRODUCT = {"x": "0x12", "y": "34", "m": "0x71"}
# 11 * 13
FACTORS = {"base": "21", "exponent": "4d", "modulus": "8f", "p": "b", "q": "d"}


def read(folder: Path, *lines: dict[str, Any] | str, arch: tuple[str, ...] = ()) -> list[Vector]:
    path = write_json_lines(folder / "v.jsonl", *lines)
    return VectorReader(architectures(), arch).read(path)


def job_vectors(folder: Path, line: dict[str, Any], arch: str = "mwrkmm") -> list[dict[str, Any]]:
    return [vector.as_case() for vector in read(folder, line, arch=(arch,))]


def test_an_exponentiation_goes_everywhere_it_is_legal(tmp_path: Path) -> None:
    odd = read(tmp_path, GOOD)
    assert [vector.architecture for vector in odd] == ALL
    assert {(vector.width, vector.test) for vector in odd} == {(7, "exp_vectors")}
    even = read(tmp_path, {**GOOD, "modulus": "0x70"})
    assert {vector.architecture for vector in even} == set(ALL) - set(MONTGOMERY)
    rejected = read(tmp_path, {**GOOD, "modulus": "0x70", "expect": "reject"})
    assert [vector.architecture for vector in rejected] == MONTGOMERY
    assert all(vector.reject for vector in rejected)


def test_a_job_carries_what_was_given(tmp_path: Path) -> None:
    (plain,) = job_vectors(tmp_path, {**GOOD, "name": "a", "note": "ignored"})
    assert plain == {
        "name": "a", "line": 1, "base": "0x12", "exponent": "0x35", "modulus": "0x71",
        "reject": False,
    }  # fmt: skip
    model = exponentiation(architectures()["mwrkmm"], 8)
    constants = {"r_squared": hex(model.r_squared(0x71)), "m_prime": hex(model.m_prime(0x71))}
    (full,) = job_vectors(
        tmp_path, {**GOOD, **constants, "width": 8, "length": 6, "result": "0X1e"}
    )
    assert full == {
        **plain, **constants, "name": "line 1", "length": 6, "result": "0x1e"
    }  # fmt: skip


def test_files_may_be_mixed(tmp_path: Path) -> None:
    vectors = read(tmp_path, GOOD, PRODUCT, {**GOOD, "width": 16}, arch=("mwrkmm",))
    jobs = vector_jobs(CONTEXT, vectors, ["verilator", "icarus"])
    assert [(job.job.test, job.job.point["width"], len(job.job.cases)) for job in jobs[::2]] == [
        ("exp_vectors", 7, 1), ("vectors", 7, 1), ("exp_vectors", 16, 1)
    ]  # fmt: skip
    assert {job.point.top for job in jobs} == {"exponentiation", "multiplier"}
    assert len({job.id for job in jobs}) == len(jobs)


def test_long_exponentiations_get_the_time_they_need(tmp_path: Path) -> None:
    line = {"base": "2", "exponent": "3", "modulus": hex(2**1024 - 1)}
    verilator, icarus = vector_jobs(
        CONTEXT, read(tmp_path, line, arch=("mwrkmm",)), ["verilator", "icarus"]
    )
    assert verilator.timeout == 300.0
    assert 1200 > icarus.timeout > 300.0


def test_factors_make_two_exponentiations_of_half_the_size(tmp_path: Path) -> None:
    mod_p, mod_q = job_vectors(tmp_path, {**FACTORS, "name": "a"})
    assert mod_p == {
        "name": "a mod p", "line": 1, "reject": False,
        "base": "0x0", "exponent": "0x7", "modulus": "0xb",
    }  # fmt: skip
    assert mod_q == {
        "name": "a mod q, combined", "line": 1, "reject": False,
        "base": "0x7", "exponent": "0x5", "modulus": "0xd",
        "crt": {"name": "a mod p", "p": "0xb", "result": hex(pow(0x21, 0x4D, 0x8F)),
                "gmpy2": hex(pow(0x21, 0x4D, 0x8F))},
        "needs": ["a mod p"],
    }  # fmt: skip
    assert {vector.width for vector in read(tmp_path, FACTORS)} == {4}
    _, given = job_vectors(tmp_path, {**FACTORS, "result": "5", "width": 9})
    assert given["crt"]["result"] == "0x5"


@pytest.mark.parametrize(("exponent", "reduced"), [("0", "0x0"), ("a", "0xa"), ("14", "0xa")])
def test_an_exponent_that_p_minus_1_divides_stays_one(
    tmp_path: Path, exponent: str, reduced: str
) -> None:
    """11**10 mod 11 is 0, and 11**0 is 1."""
    (mod_p, _) = job_vectors(tmp_path, {**FACTORS, "base": "b", "exponent": exponent})
    assert (mod_p["base"], mod_p["exponent"]) == ("0x0", reduced)


@pytest.mark.parametrize("base", range(0, 0x8F, 7))
def test_the_halves_are_combined(tmp_path: Path, base: int) -> None:
    """As the results come, each under its own modulus."""
    first, second = job_vectors(tmp_path, {**FACTORS, "base": hex(base)})
    results = [
        pow(int(v["base"], 16), int(v["exponent"], 16), int(v["modulus"], 16))
        for v in (first, second)
    ]

    def combined(mod_p: int | None = results[0], **changes: str) -> str | None:
        combiner = Combiner()
        if mod_p is not None:
            assert combiner.judge(first)(mod_p) is None
        return combiner.judge({**second, "crt": {**second["crt"], **changes}})(results[1])

    right = pow(base, 0x4D, 0x8F)
    assert combined() is None
    assert combined(result="0x8f") == (
        f"combined = {right:#x}, expected 0x8f; gmpy2 agrees with the hardware: the vector is wrong"
    )
    assert str(combined((results[0] + 1) % 0xB)).endswith("; gmpy2 agrees with the vector")
    assert str(combined(None)).startswith("cannot be combined with the result of")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"base": "1", "modulus": "3"}, "missing 'exponent'"),
        ({**GOOD, "x": "3"}, "unknown field 'base'; accepted: x, y, m"),
        ({"base": "1", "exp": "3", "mod": "7"}, "did you mean 'exponent'?"),
        ({"base": "1", "exponent": "3", "n": "7"}, "did you mean 'modulus'?"),
        ({"base": "1", "e": "3", "modulus": "7"}, "did you mean 'exponent'?"),
        ({"message": "1", "exponent": "3", "modulus": "7"}, "did you mean 'base'?"),
        ({**GOOD, "lenght": 7}, "did you mean 'length'?"),
        ({**GOOD, "s": "1"}, "unknown field 's'; accepted: base, exponent, modulus"),
        ({**GOOD, "base": 18}, "base: expected a hex string, not 18"),
        ({**GOOD, "result": "x"}, "result: not a hex number: 'x'"),
        ({**GOOD, "length": "7"}, "length: should be a valid integer, found '7'"),
        ({**GOOD, "length": 1 << 16}, "'length' = 65536: accepted are 0 to 65535"),
        ({**GOOD, "length": -1}, "'length' = -1: accepted are 0 to 65535"),
        ({**GOOD, "length": 8}, "illegal for every architecture (length range)"),
        ({**GOOD, "length": 5}, "illegal for every architecture (exponent range): give 'expect'"),
        ({**GOOD, "base": "71"}, "illegal for every architecture (operand range)"),
        ({**GOOD, "exponent": "80"}, "'exponent' has 8 bits, more than the width 7; give a larger"),
        ({"base": "0", "exponent": "3", "modulus": "1"}, "(modulus zero or one)"),
        ({**GOOD, "expect": "reject"}, "the operands are legal everywhere"),
        ({**GOOD, "expect": "reject", "result": "1"}, "'expect' and 'result' exclude each other"),
        ({**FACTORS, "expect": "reject"}, "'expect' and 'p' exclude each other"),
        ({**GOOD, "p": "71"}, "'p' needs 'q'"),
        ({**GOOD, "q": "71"}, "'q' needs 'p'"),
        ({**FACTORS, "p": "d"}, "'p' times 'q' is not 'modulus'"),
        ({**FACTORS, "p": "1", "q": "8f"}, "'p' is not prime"),
        ({**FACTORS, "modulus": "79", "q": "b"}, "'p' and 'q' are equal"),
        ({**FACTORS, "r_squared": "1"}, "'r_squared' and 'p' exclude each other"),
        ({**FACTORS, "width": 3}, f"width 3 of {ALL[0]}: accepted are 4 to"),
        ({**FACTORS, "length": 2}, "(exponent range)"),
        ({**GOOD, "r_squared": "1"}, "'r_squared' and 'm_prime' differ between architectures"),
        (
            {**GOOD, "r_squared": "1", "architecture": "mwrkmm"},
            "illegal for mwrkmm (constant inconsistent): give 'expect'",
        ),
        (
            {**GOOD, "r_squared": "80", "architecture": "mwrkmm"},
            "'r_squared' has 8 bits, more than 7",
        ),
        (
            {**GOOD, "r_squared": "1", "architecture": "optimized_interleaved"},
            "'r_squared' is not used by optimized_interleaved",
        ),
        (
            {**GOOD, "m_prime": "1", "architecture": "fast_montgomery"},
            "'m_prime' is not used by fast_montgomery",
        ),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, GOOD, "", line, PRODUCT)
    assert len(caught.value.lines) == 1, caught.value.lines
    assert caught.value.lines[0].startswith(f"{tmp_path}/v.jsonl:3: ")
    assert message in caught.value.lines[0]
    assert "\n" not in caught.value.lines[0]


def test_vectors_under_one_modulus_follow_each_other(tmp_path: Path) -> None:
    other = {**GOOD, "modulus": "0x75"}
    vectors = read(tmp_path, GOOD, other, GOOD, FACTORS, other, FACTORS, arch=("mwrkmm",))
    small, large = vector_jobs(CONTEXT, vectors, ["verilator"])
    assert [case["line"] for case in small.job.cases] == [1, 3, 2, 5]
    assert [case["modulus"] for case in large.job.cases] == ["0xb", "0xb", "0xd", "0xd"]


def test_no_vector_comes_before_one_it_needs(tmp_path: Path) -> None:
    """The moduli of three keys go round in a circle: no order of them would do."""
    keys = [("3", "5"), ("5", "7"), ("7", "3")]
    lines = [
        {"base": "2", "exponent": "3", "p": p, "q": q, "modulus": hex(int(p) * int(q))}
        for p, q in keys
    ]
    (job,) = vector_jobs(CONTEXT, read(tmp_path, *lines, arch=("mwrkmm",)), ["verilator"])
    seen: set[str] = set()
    for case in job.job.cases:
        assert seen.issuperset(case.get("needs", ()))
        seen.add(case["name"])


def test_one_half_brings_the_other(tmp_path: Path) -> None:
    vectors = read(tmp_path, GOOD, {**FACTORS, "name": "a"}, arch=("mwrkmm",))
    path = tmp_path / "v.jsonl"
    for name in ("a", "a mod q, combined"):
        found = [vector.name for vector in only(vectors, [name], path)]
        assert found == ["a mod p", "a mod q, combined"]
    assert [vector.name for vector in only(vectors, ["a mod p"], path)] == ["a mod p"]


def test_a_short_exponent_says_what_length_would_save(tmp_path: Path) -> None:
    key = {"base": "2", "exponent": "10001", "modulus": hex(2**256 - 189), "name": "public"}
    vectors = read(tmp_path, key, {**key, "name": "other"}, arch=("mwrkmm",))
    (remark,) = remarks(vectors)
    model = exponentiation(architectures()["mwrkmm"], 256)
    long, short = (model.operation_cycles(2**256 - 189, bits) for bits in (256, 17))
    assert remark == (
        "2 lines have a short exponent and no 'length', so all bits are worked off: public takes "
        f'{grouped(long)} cycles on mwrkmm, with "length": 17 it would take {grouped(short)}'
    )
    for line in ({**key, "length": 17}, {**key, "exponent": hex(2**255)}):
        quiet = read(tmp_path, line, arch=("mwrkmm",))
        assert not list(remarks(quiet))
