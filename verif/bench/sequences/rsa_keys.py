"""RSA keys, signatures and ciphertexts for the exponentiation core; OpenSSL checks the results.

Every random choice comes from the generator that the caller passes, so that the same seed gives the
same stimulus. The ciphertexts made by OpenSSL have random padding, so they are stored in a file
(written by :mod:`verif.bench.sequences.rsa_ciphertexts`). The keys are for tests only, because
``random.Random`` is not secure.

OpenSSL checks keys of 89 bits and more. PKCS#1 padding does not fit shorter keys; gmpy2 checks
those.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata

import gmpy2
from cryptography.hazmat.backends.openssl.backend import backend
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa

from verif.bench.sequences.powers import PUBLIC_EXPONENT

MIN_KEY_BITS = 32
# Two bytes of type, eight of padding, one separator (RFC 8017) and one byte of data.
MIN_PADDED_BYTES = 12
# The shortest key whose signature holds a SHA-256 digest: 19 + 32 bytes, and 11 around them.
MIN_HASHED_BITS = 489


# The DER encoding before a digest (RFC 8017, section 9.2), by the names of the FIPS vectors.
_HASHES: dict[str, tuple[hashes.HashAlgorithm, str]] = {
    "SHA1": (hashes.SHA1(), "3021300906052b0e03021a05000414"),
    "SHA224": (hashes.SHA224(), "302d300d06096086480165030402040500041c"),
    "SHA256": (hashes.SHA256(), "3031300d060960864801650304020105000420"),
    "SHA384": (hashes.SHA384(), "3041300d060960864801650304020205000430"),
    "SHA512": (hashes.SHA512(), "3051300d060960864801650304020305000440"),
}


@dataclass(frozen=True)
class RsaKey:
    """A key with two prime factors.

    Attributes:
        p: the first prime.
        q: the second prime, different from p.
        e: public exponent, coprime to p - 1 and q - 1.
    """

    p: int
    q: int
    e: int = PUBLIC_EXPONENT

    @classmethod
    def generate(cls, bits: int, rng: random.Random) -> RsaKey:
        """Return a key whose modulus has exactly ``bits`` bits.

        Raises:
            ValueError: fewer than 32 bits.
        """
        if bits < MIN_KEY_BITS:
            raise ValueError(f"an RSA key of {bits} bits; accepted are {MIN_KEY_BITS} and more")
        p = _prime(bits - bits // 2, rng)
        q = _prime(bits // 2, rng)
        while q == p:
            q = _prime(bits // 2, rng)
        return cls(p, q)

    @property
    def modulus(self) -> int:
        """M = p*q."""
        return self.p * self.q

    @property
    def bits(self) -> int:
        """Bits of the modulus."""
        return self.modulus.bit_length()

    @property
    def size(self) -> int:
        """Bytes of the modulus."""
        return -(-self.bits // 8)

    @cached_property
    def d(self) -> int:
        """Private exponent, below (p-1)*(q-1)."""
        return int(gmpy2.invert(self.e, (self.p - 1) * (self.q - 1)))

    @cached_property
    def public(self) -> rsa.RSAPublicKey:
        """OpenSSL's public key."""
        return rsa.RSAPublicNumbers(self.e, self.modulus).public_key()

    @cached_property
    def private(self) -> rsa.RSAPrivateKey:
        """OpenSSL's private key, checked by OpenSSL."""
        p, q, d = self.p, self.q, self.d
        public = rsa.RSAPublicNumbers(self.e, self.modulus)
        dp, dq, qinv = d % (p - 1), d % (q - 1), int(gmpy2.invert(q, p))
        return rsa.RSAPrivateNumbers(p, q, d, dp, dq, qinv, public).private_key()

    def bytes_of(self, value: int) -> bytes:
        """Return ``value`` as OpenSSL takes it: big-endian, with the modulus' number of bytes."""
        return value.to_bytes(self.size, "big")


def openssl_version() -> str:
    """Return the version of OpenSSL, and of the package that contains it."""
    return f"{backend.openssl_version_text()} (cryptography {metadata.version('cryptography')})"


# --------------------------------------------------------------------------------------------------
# PKCS#1 v1.5
# --------------------------------------------------------------------------------------------------


def digest_info(message: bytes, algorithm: str = "SHA256") -> bytes:
    """Return the digest of ``message`` with its DER prefix, as a signature contains it."""
    function, prefix = _HASHES[algorithm]
    digest = hashes.Hash(function)
    digest.update(message)
    return bytes.fromhex(prefix) + digest.finalize()


def signature_block(data: bytes, size: int) -> int:
    """Return ``data`` padded for a signature, as the integer that is raised to d.

    Args:
        data: data to sign, at most ``size`` - 11 bytes.
        size: bytes of the modulus.

    Raises:
        ValueError: the data does not fit.
    """
    return _block(1, b"\xff" * (size - 3 - len(data)), data)


def encryption_block(message: bytes, size: int, rng: random.Random) -> int:
    """Return ``message`` padded for encryption, as the integer that is raised to e.

    Args:
        message: at most ``size`` - 11 bytes.
        size: bytes of the modulus.
        rng: source of the padding.

    Raises:
        ValueError: the message does not fit.
    """
    filling = bytes(rng.randrange(1, 256) for _ in range(size - 3 - len(message)))
    return _block(2, filling, message)


def decrypted_message(block: int, size: int) -> bytes | None:
    """Return the message in a decrypted block; None if the padding is wrong."""
    text = block.to_bytes(size, "big")
    end = text.find(b"\0", 2)
    if text[:2] != b"\0\2" or end < 10:
        return None
    return text[end + 1 :]


def _block(kind: int, filling: bytes, data: bytes) -> int:
    if len(filling) < 8:
        raise ValueError(f"{len(data)} bytes do not fit into a block for this key")
    return int.from_bytes(bytes([0, kind]) + filling + b"\0" + data, "big")


# --------------------------------------------------------------------------------------------------
# Jobs
# --------------------------------------------------------------------------------------------------


def _prime(bits: int, rng: random.Random) -> int:
    """Return a prime of ``bits`` bits with the two top bits set, fit for the public exponent."""
    top = 3 << (bits - 2)
    while True:
        # With the two top bits set, the product of two such primes has their total length.
        p = int(gmpy2.next_prime(rng.getrandbits(bits) | top))
        if p.bit_length() == bits and (p - 1) % PUBLIC_EXPONENT:
            return p
