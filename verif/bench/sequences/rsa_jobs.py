"""RSA jobs of the exponentiation core: signatures, verifications and decryptions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from models.reference import modular_power
from verif.bench.configuration.design import ROOT
from verif.bench.sequences.fips_vectors import FipsVector, published_signatures
from verif.bench.sequences.powers import PUBLIC_EXPONENT, PUBLIC_LENGTH
from verif.bench.sequences.rsa_keys import (
    MIN_PADDED_BYTES,
    RsaKey,
    decrypted_message,
    digest_info,
    encryption_block,
    signature_block,
)

CIPHERTEXTS = ROOT / "models" / "vectors" / "rsa_openssl.jsonl"

Judge = Callable[[int], str | None]


@dataclass(frozen=True)
class RsaJob:
    """One exponentiation with an RSA key, and the check of its result.

    Attributes:
        name: name, unique among the jobs of one call.
        base: base, below the modulus.
        exponent: private or public exponent.
        modulus: modulus of full width.
        length: number of exponent bits to process.
        judge: function that returns the error in a result; None if the result is correct.
    """

    name: str
    base: int
    exponent: int
    modulus: int
    length: int
    judge: Judge

    def verdict(self, result: int) -> str | None:
        """Return None if ``result`` is correct, otherwise one line with the judge and the error."""
        if not 0 <= result < self.modulus:
            return f"the result has {result.bit_length()} bits and is not below the modulus"
        return self.judge(result)


def rsa_jobs(bits: int, rng: random.Random, count: int) -> list[RsaJob]:
    """Return ``count`` exponentiations with keys of ``bits`` bits.

    The order is: a signature, a ciphertext made by OpenSSL, a published signature (the last two if
    this size has any), a public-key operation, and the decryption of a ciphertext made here. Then
    the same follows with the next key. So the key changes between most jobs, but not between all.

    Raises:
        ValueError: fewer than 32 bits.
    """
    jobs = islice(_all_jobs(bits, rng), count)
    return [replace(job, name=f"{job.name}-{number}") for number, job in enumerate(jobs, start=1)]


def signature_job(key: RsaKey, message: bytes) -> RsaJob:
    """Return a PKCS#1 v1.5 signature; OpenSSL verifies the result.

    A key of :data:`MIN_HASHED_BITS` bits or more signs the SHA-256 digest. A shorter key signs the
    first bytes of the message, and OpenSSL reads them back from the signature. Below 89 bits, gmpy2
    raises the result to e and compares.
    """
    data = _signed_data(key, message)
    if data is None:
        return _private_job("signature", key, _unpadded(key, message), _raw_judge)
    hashed = data == digest_info(message)

    def judge(result: int) -> str | None:
        signature = key.bytes_of(result)
        try:
            if hashed:
                key.public.verify(signature, message, padding.PKCS1v15(), hashes.SHA256())
                return None
            found = key.public.recover_data_from_signature(signature, padding.PKCS1v15(), None)
        except InvalidSignature:
            return "OpenSSL rejects the signature"
        return None if found == data else f"OpenSSL reads {found.hex()}, signed was {data.hex()}"

    block = signature_block(data, key.size)
    return _private_job("signature", key, block, lambda key, base: judge)


def public_job(key: RsaKey, message: bytes) -> RsaJob:
    """Return the public-key operation on a signature, with the short exponent length.

    OpenSSL makes the signature if a SHA-256 digest fits. The result must be the padded block with
    the data that OpenSSL reads from the same signature. Below 89 bits, gmpy2 checks the result.
    """
    data = _signed_data(key, message)
    signed = _unpadded(key, message) if data is None else signature_block(data, key.size)
    if data == digest_info(message):
        signature = key.private.sign(message, padding.PKCS1v15(), hashes.SHA256())
    else:
        signature = key.bytes_of(modular_power(signed, key.d, key.modulus))

    def judge(result: int) -> str | None:
        if data is None:
            return None if result == signed else "gmpy2 has another result"
        found = key.public.recover_data_from_signature(signature, padding.PKCS1v15(), None)
        if result == signature_block(found, key.size):
            return None
        return f"OpenSSL reads {found.hex()} from the signature, the result is {result:#x}"

    base = int.from_bytes(signature, "big")
    return RsaJob("public", base, key.e, key.modulus, PUBLIC_LENGTH, judge)


def decryption_job(key: RsaKey, message: bytes, rng: random.Random) -> RsaJob:
    """Return the decryption of a PKCS#1 v1.5 ciphertext made here; OpenSSL decrypts it, too.

    Below 89 bits there is no padding, and gmpy2 checks the result. Too long messages are cut.
    """
    if key.size < MIN_PADDED_BYTES:
        ciphertext = modular_power(_unpadded(key, message), key.e, key.modulus)
        return _private_job("decryption", key, ciphertext, _raw_judge)
    block = encryption_block(message[: key.size - 11], key.size, rng)
    ciphertext = modular_power(block, key.e, key.modulus)
    return _private_job("decryption", key, ciphertext, _decryption_judge)


def ciphertext_jobs(bits: int) -> list[RsaJob]:
    """Return the decryptions of the stored OpenSSL ciphertexts for keys of ``bits`` bits.

    The result must contain the encrypted message, and OpenSSL must decrypt the same message.
    """
    return [_ciphertext_job(line) for line in _lines(CIPHERTEXTS) if _bits(line) == bits]


def fips_job(vector: FipsVector) -> RsaJob:
    """Return the exponentiation for one published signature (FIPS 186-2, ``SigGen15``).

    The result must equal the published signature.
    """
    bits = vector.modulus.bit_length()
    base = signature_block(digest_info(vector.message, vector.algorithm), -(-bits // 8))

    def judge(result: int) -> str | None:
        return None if result == vector.signature else "FIPS 186-2 published another signature"

    return RsaJob(vector.name, base, vector.d, vector.modulus, bits, judge)


def _all_jobs(bits: int, rng: random.Random) -> Iterator[RsaJob]:
    """Yield the jobs of :func:`rsa_jobs`, without end."""
    ciphertexts = ciphertext_jobs(bits)
    published = published_signatures(bits)
    while True:
        key = RsaKey.generate(bits, rng)
        yield signature_job(key, rng.randbytes(32))
        if ciphertexts:
            yield rng.choice(ciphertexts)
        if published:
            yield fips_job(rng.choice(published))
        yield public_job(key, rng.randbytes(32))
        yield decryption_job(key, rng.randbytes(rng.randrange(1, 33)), rng)


def _private_job(
    name: str, key: RsaKey, base: int, judge_for: Callable[[RsaKey, int], Judge]
) -> RsaJob:
    return RsaJob(name, base, key.d, key.modulus, key.bits, judge_for(key, base))


def _decryption_judge(key: RsaKey, ciphertext: int) -> Judge:
    def judge(result: int) -> str | None:
        expected = key.private.decrypt(key.bytes_of(ciphertext), padding.PKCS1v15())
        found = decrypted_message(result, key.size)
        if found == expected:
            return None
        shown = "no padded message" if found is None else found.hex()
        return f"OpenSSL decrypts {expected.hex()}, the result holds {shown}"

    return judge


def _raw_judge(key: RsaKey, base: int) -> Judge:
    def judge(result: int) -> str | None:
        if modular_power(result, key.e, key.modulus) == base:
            return None
        return "gmpy2: the result raised to e is not the base"

    return judge


def _ciphertext_job(line: dict[str, str]) -> RsaJob:
    """Return the job of one line of the ciphertext file; the line's note is the message."""
    ciphertext, d, modulus = (int(line[name], 16) for name in ("base", "exponent", "modulus"))
    key = RsaKey(*rsa.rsa_recover_prime_factors(modulus, PUBLIC_EXPONENT, d))
    message = line["note"].encode()
    by_openssl = _decryption_judge(key, ciphertext)

    def judge(result: int) -> str | None:
        problem = by_openssl(result)
        if problem is None and decrypted_message(result, key.size) != message:
            problem = f"the result does not hold the message {line['note']!r}"
        return problem

    return RsaJob(line["name"], ciphertext, d, modulus, key.bits, judge)


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _bits(line: dict[str, str]) -> int:
    return int(line["modulus"], 16).bit_length()


def _signed_data(key: RsaKey, message: bytes) -> bytes | None:
    """Return the signed data: a digest, or the begin of the message; None if nothing fits."""
    if key.size < MIN_PADDED_BYTES:
        return None
    data = digest_info(message)
    return data if len(data) <= key.size - 11 else message[: key.size - 11]


def _unpadded(key: RsaKey, message: bytes) -> int:
    """Return a base for a key that is too short for padding."""
    return int.from_bytes(message, "big") % key.modulus
