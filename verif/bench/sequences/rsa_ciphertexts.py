"""Generates the ciphertexts of ``models/vectors/rsa_openssl.jsonl``.

``python -m verif.bench.sequences.rsa_ciphertexts > models/vectors/rsa_openssl.jsonl`` replaces
them by new ones. They are stored because OpenSSL's padding is random.
"""

from __future__ import annotations

import json
import random

from cryptography.hazmat.primitives.asymmetric import padding

from verif.bench.sequences.rsa_keys import RsaKey

WIDTHS = (128, 256, 512, 1024, 2048)
MESSAGES = ("OK", "R\u00b2")


def ciphertext_line(name: str, key: RsaKey, message: str) -> str:
    """Return ``message``, encrypted by OpenSSL, as a line of a vectors file."""
    ciphertext = key.public.encrypt(message.encode(), padding.PKCS1v15())
    fields = {
        "name": name,
        "base": hex(int.from_bytes(ciphertext, "big")),
        "exponent": hex(key.d),
        "modulus": hex(key.modulus),
        "note": message,
    }
    return json.dumps(fields, ensure_ascii=False)


def main() -> None:
    """Print the file."""
    for bits in WIDTHS:
        for number, message in enumerate(MESSAGES, start=1):
            key = RsaKey.generate(bits, random.Random(f"ciphertext {bits} {number}"))
            print(ciphertext_line(f"openssl-{bits}-{number}", key, message))


if __name__ == "__main__":
    main()
