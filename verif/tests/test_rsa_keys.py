"""RSA keys and their judges, with gmpy2 in the place of the core. Every judge fails once."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise

import gmpy2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from verif.bench.sequences import fips_vectors, rsa_ciphertexts
from verif.bench.sequences.rsa_jobs import (
    CIPHERTEXTS,
    RsaJob,
    ciphertext_jobs,
    decryption_job,
    fips_job,
    public_job,
    rsa_jobs,
    signature_job,
)
from verif.bench.sequences.rsa_keys import (
    MIN_HASHED_BITS,
    MIN_KEY_BITS,
    RsaKey,
    decrypted_message,
    digest_info,
    encryption_block,
    openssl_version,
    signature_block,
)

# Up to 88: too short for padding. 89: the shortest with it.
WIDTHS = (32, 64, 88, 89, 97, 256, MIN_HASHED_BITS - 1, MIN_HASHED_BITS, 512, 1024)
MESSAGE = b"The bus is the only way in."


def core(job: RsaJob) -> int:
    """What the hardware should deliver."""
    assert job.exponent >> job.length == 0
    assert 0 <= job.base < job.modulus
    return int(gmpy2.powmod(job.base, job.exponent, job.modulus))


def check(job: RsaJob, by: str) -> None:
    """The right result is accepted, wrong ones are rejected in the name of ``by``."""
    result = core(job)
    assert job.verdict(result) is None
    swapped = int(gmpy2.powmod(job.base, job.exponent >> 1, job.modulus))
    for wrong in (result ^ 1, 0, 1, job.base, job.modulus - result, swapped):
        problem = job.verdict(wrong)
        assert problem is not None, hex(wrong)
        assert by in problem
        assert "\n" not in problem
    for wrong in (result + job.modulus, job.modulus, -1, 1 << 2 * job.modulus.bit_length()):
        assert "not below the modulus" in str(job.verdict(wrong))


def judge_of(key: RsaKey) -> str:
    return "OpenSSL" if key.bits >= 89 else "gmpy2"


@pytest.fixture(scope="module", params=WIDTHS)
def key(request: pytest.FixtureRequest) -> RsaKey:
    return RsaKey.generate(request.param, random.Random(request.param))


def test_a_key_is_one_to_openssl(key: RsaKey) -> None:
    assert gmpy2.is_prime(key.p)
    assert gmpy2.is_prime(key.q)
    assert key.p != key.q
    assert key.e * key.d % ((key.p - 1) * (key.q - 1)) == 1
    numbers = key.private.private_numbers()
    assert (numbers.p, numbers.q, numbers.d) == (key.p, key.q, key.d)


def test_a_key_has_the_bits_asked_for() -> None:
    widths = range(MIN_KEY_BITS, 200)
    assert [RsaKey.generate(bits, random.Random(bits)).bits for bits in widths] == list(widths)


def test_same_seed_same_key() -> None:
    keys = [RsaKey.generate(256, random.Random(seed)) for seed in (1, 1, 2)]
    assert keys[0] == keys[1] != keys[2]


def test_a_key_that_is_too_short_is_rejected() -> None:
    RsaKey.generate(MIN_KEY_BITS, random.Random(1))
    with pytest.raises(ValueError, match="31 bits; accepted are 32 and more"):
        RsaKey.generate(MIN_KEY_BITS - 1, random.Random(1))


def test_signatures(key: RsaKey) -> None:
    job = signature_job(key, MESSAGE)
    assert (job.exponent, job.length) == (key.d, key.bits)
    check(job, judge_of(key))


@pytest.mark.parametrize("bits", [MIN_HASHED_BITS, 1024])
def test_a_signature_is_the_one_openssl_makes(bits: int) -> None:
    key = RsaKey.generate(bits, random.Random(3))
    made = key.private.sign(MESSAGE, padding.PKCS1v15(), hashes.SHA256())
    assert core(signature_job(key, MESSAGE)) == int.from_bytes(made, "big")


def test_a_key_too_short_for_a_digest_signs_less() -> None:
    key = RsaKey.generate(MIN_HASHED_BITS - 1, random.Random(3))
    with pytest.raises(ValueError, match="too long for key size"):
        key.private.sign(MESSAGE, padding.PKCS1v15(), hashes.SHA256())
    assert signature_job(key, MESSAGE).base == signature_block(MESSAGE, key.size)


def test_a_signature_of_another_message_is_rejected() -> None:
    for bits in (64, 256, 512):
        key = RsaKey.generate(bits, random.Random(bits))
        other = core(signature_job(key, b"x" + MESSAGE))
        assert signature_job(key, MESSAGE).verdict(other) is not None


def test_public_key_operations(key: RsaKey) -> None:
    job = public_job(key, MESSAGE)
    assert (job.exponent, job.length) == (65537, 17)
    check(job, judge_of(key))
    assert core(job) == signature_job(key, MESSAGE).base


def test_decryptions(key: RsaKey) -> None:
    job = decryption_job(key, MESSAGE, random.Random(5))
    assert (job.exponent, job.length) == (key.d, key.bits)
    check(job, judge_of(key))
    if key.bits >= 89:
        message = decrypted_message(core(job), key.size)
        assert message == MESSAGE[: key.size - 11]


@pytest.mark.parametrize("bits", [128, 256, 512, 1024, 2048])
def test_ciphertexts_made_by_openssl(bits: int) -> None:
    jobs = ciphertext_jobs(bits)
    assert len(jobs) == 2
    for job in jobs:
        assert job.modulus.bit_length() == job.length == bits
        check(job, "OpenSSL")


def test_the_message_of_a_stored_ciphertext_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.loads(CIPHERTEXTS.read_text().splitlines()[0])
    monkeypatch.setattr(
        "verif.bench.sequences.rsa_jobs._lines", lambda path: [{**line, "note": "another"}]
    )
    (job,) = ciphertext_jobs(128)
    assert job.verdict(core(job)) == "the result does not hold the message 'another'"


def test_a_fresh_ciphertext_has_the_form_of_the_stored_ones() -> None:
    key = RsaKey.generate(256, random.Random(4))
    fresh = json.loads(rsa_ciphertexts.ciphertext_line("fresh", key, "hello"))
    stored = json.loads(CIPHERTEXTS.read_text().splitlines()[0])
    assert fresh.keys() == stored.keys()
    block = gmpy2.powmod(int(fresh["base"], 16), int(fresh["exponent"], 16), key.modulus)
    assert decrypted_message(int(block), key.size) == b"hello"


@pytest.mark.parametrize("bits", [1024, 1536, 2048])
def test_published_signatures(bits: int) -> None:
    jobs = [fips_job(vector) for vector in fips_vectors.published_signatures(bits)[::5]]
    assert Counter(job.name.split("-")[2] for job in jobs) == dict.fromkeys(
        ("sha1", "sha224", "sha256", "sha384", "sha512"), 2
    )
    for job in jobs:
        check(job, "FIPS 186-2 published another signature")


def test_published_signatures_are_as_many_as_there_are() -> None:
    published = fips_vectors.published_signatures(1024)
    assert len(published) == 50
    assert len({fips_job(vector).name for vector in published}) == 50
    assert fips_vectors.published_signatures(512) == ()


VECTOR_FILE = """
# comment
[mod = 16]
n = c001
e = 3
d = 5
SHAAlg = SHA1
Msg = 00ff
S = 1234
Msg = 01
S = 5
n = c003
"""


def test_the_parser_of_published_signatures() -> None:
    first, second = fips_vectors.parse(VECTOR_FILE.splitlines())[16]
    assert (first.modulus, first.d, first.message, first.signature) == (
        0xC001,
        5,
        b"\0\xff",
        0x1234,
    )
    assert (second.message, second.signature) == (b"\1", 5)
    assert first.name == "fips-16-sha1-line9"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("S = 1", "line 13: a signature without d, SHAAlg, Msg"),
        ("d = 1\nSHAAlg = SHA1\nS = 1", "line 15: a signature without Msg"),
        ("[mod = 8]\nS = 1", "line 14: a signature without n, d, SHAAlg, Msg"),
        ("nonsense", "line 13: expected 'name = value'"),
    ],
)
def test_a_broken_vector_file_is_rejected(more: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fips_vectors.parse((VECTOR_FILE + more).splitlines())


def test_padding() -> None:
    assert hex(signature_block(b"\xaa", 12)) == "0x1ffffffffffffffff00aa"
    block = encryption_block(b"\0\0", 16, random.Random(1))
    assert decrypted_message(block, 16) == b"\0\0"
    for wrong in (
        block | 1 << 120,
        block ^ 1 << 112,
        2 << 112,
        int.from_bytes(b"\0\2" + b"\1" * 14, "big"),
    ):
        assert decrypted_message(wrong, 16) is None
    short = int.from_bytes(b"\0\2" + b"\1" * 7 + b"\0" + b"\1" * 6, "big")
    assert decrypted_message(short, 16) is None
    for too_long in (
        signature_block,
        lambda data, size: encryption_block(data, size, random.Random()),
    ):
        with pytest.raises(ValueError, match="2 bytes do not fit"):
            too_long(b"ab", 12)


def test_digests_have_openssls_encoding() -> None:
    key = RsaKey.generate(1024, random.Random(6))
    algorithms = {
        "SHA1": hashes.SHA1(), "SHA224": hashes.SHA224(), "SHA256": hashes.SHA256(),
        "SHA384": hashes.SHA384(), "SHA512": hashes.SHA512(),
    }  # fmt: skip
    for name, algorithm in algorithms.items():
        signature = key.private.sign(MESSAGE, padding.PKCS1v15(), algorithm)
        data = key.public.recover_data_from_signature(signature, padding.PKCS1v15(), None)
        assert digest_info(MESSAGE, name) == data


@pytest.mark.parametrize("bits", [64, 128, 512, 1024])
def test_a_mix_of_jobs(bits: int) -> None:
    jobs = rsa_jobs(bits, random.Random(7), 12)
    again = rsa_jobs(bits, random.Random(7), 12)
    other = rsa_jobs(bits, random.Random(8), 12)
    assert len(jobs) == 12
    assert len({job.name for job in jobs}) == 12
    assert all(job.verdict(core(job)) is None for job in jobs)
    assert all(job.modulus.bit_length() == bits for job in jobs)

    def stimulus(some: list[RsaJob]) -> list[tuple[str, int, int, int, int]]:
        return [(job.name, job.base, job.exponent, job.modulus, job.length) for job in some]

    assert stimulus(jobs) == stimulus(again) != stimulus(other)
    kinds = {job.name.split("-")[0] for job in jobs}
    expected = {"signature", "public", "decryption"}
    expected |= {"openssl"} if bits in (128, 512, 1024) else set()
    expected |= {"fips"} if bits == 1024 else set()
    assert kinds == expected
    # The modulus is kept at least once and changed at least once from one job to the next.
    kept = {a.modulus == b.modulus for a, b in pairwise(jobs)}
    assert kept == {True, False}


def test_a_short_mix_begins_with_what_others_made() -> None:
    jobs = rsa_jobs(1024, random.Random(1), 3)
    assert [job.name.split("-")[0] for job in jobs] == ["signature", "openssl", "fips"]
    assert rsa_jobs(1024, random.Random(1), 0) == []


def test_the_version_of_openssl_is_told() -> None:
    assert openssl_version().startswith("OpenSSL ")
    assert "(cryptography " in openssl_version()
