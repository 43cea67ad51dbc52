"""The published PKCS#1 v1.5 signatures of FIPS 186-2, read from NIST's ``SigGen15`` file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import cryptography_vectors

# The file with these signatures that also has the private exponents.
VECTOR_FILE = "asymmetric/RSA/FIPS_186-2/SigGen15_186-2.txt"


@dataclass(frozen=True)
class FipsVector:
    """One published signature.

    Attributes:
        name: bits, digest and line of the file.
        modulus: modulus of the key.
        d: private exponent of the key.
        algorithm: digest algorithm: SHA1, SHA224, SHA256, SHA384 or SHA512.
        message: signed message.
        signature: published signature.
    """

    name: str
    modulus: int
    d: int
    algorithm: str
    message: bytes
    signature: int


def published_signatures(bits: int) -> tuple[FipsVector, ...]:
    """Return the signatures for keys of ``bits`` bits: 1024, 1536, 2048, 3072 or 4096."""
    return _published().get(bits, ())


def parse(lines: Iterable[str]) -> dict[int, tuple[FipsVector, ...]]:
    """Read a ``SigGen15`` file with private exponents: bits of the key -> its vectors.

    The ``n`` and ``d`` of a key apply to all following vectors. A vector ends with its ``S``.

    Raises:
        ValueError: a line is not ``name = value``, or a required value is missing.
    """
    found: dict[int, list[FipsVector]] = {}
    fields: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip().strip("[]")
        if not text:
            continue
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ValueError(f"line {number}: expected 'name = value'")
        if name == "mod":
            fields.clear()
        elif name == "n":  # another key of this size
            fields = {"mod": fields["mod"]} if "mod" in fields else {}
        fields[name] = value
        if name == "S":
            vector = _vector(fields, number)
            found.setdefault(int(fields["mod"]), []).append(vector)
            del fields["Msg"]
    return {bits: tuple(vectors) for bits, vectors in found.items()}


def _vector(fields: dict[str, str], number: int) -> FipsVector:
    missing = [key for key in ("mod", "n", "d", "SHAAlg", "Msg") if key not in fields]
    if missing:
        raise ValueError(f"line {number}: a signature without {', '.join(missing)}")
    return FipsVector(
        name=f"fips-{fields['mod']}-{fields['SHAAlg'].lower()}-line{number}",
        modulus=int(fields["n"], 16),
        d=int(fields["d"], 16),
        algorithm=fields["SHAAlg"],
        message=bytes.fromhex(fields["Msg"]),
        signature=int(fields["S"], 16),
    )


@cache
def _published() -> dict[int, tuple[FipsVector, ...]]:
    with cryptography_vectors.open_vector_file(VECTOR_FILE, "r") as file:
        return parse(file)
