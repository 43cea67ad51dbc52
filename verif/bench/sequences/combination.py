"""Combines the results of two exponentiations of half the size (CRT, Garner's formula)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verif.bench.env.checkers.mismatch import mismatch

Judge = Callable[[int], str | None]


class Combiner:
    """Stores the results of a job's vectors and combines those that belong together."""

    def __init__(self) -> None:
        self._results: dict[str, int] = {}

    def judge(self, vector: Mapping[str, Any]) -> Judge:
        """Return a function that takes the result of a vector and returns the error in it.

        Args:
            vector: the vector as in the job. A vector with ``crt`` is the one mod q; ``crt`` has
                the ``name`` of the vector mod p, its modulus ``p``, the expected ``result`` mod
                p*q, and the same by ``gmpy2``.
        """
        name = str(vector["name"])

        def note(result: int) -> None:
            self._results[name] = result

        def combine(mod_q: int) -> str | None:
            crt = vector["crt"]
            if crt["name"] not in self._results:
                return f"cannot be combined with the result of {crt['name']}"
            p, q = int(crt["p"], 16), int(vector["modulus"], 16)
            mod_p = self._results[crt["name"]]
            # The unique number below p*q with these remainders.
            combined = mod_q + q * ((mod_p - mod_q) * pow(q, -1, p) % p)
            expected, right = int(crt["result"], 16), int(crt["gmpy2"], 16)
            if combined == expected:
                return None
            whose = "vector" if right == expected else "hardware: the vector is wrong"
            verdict = f"gmpy2 agrees with the {whose}" if right in (expected, combined) else (
                "gmpy2 agrees with neither"
            )  # fmt: skip
            return f"{mismatch('combined', combined, 'expected', expected)}; {verdict}"

        return combine if "crt" in vector else note
