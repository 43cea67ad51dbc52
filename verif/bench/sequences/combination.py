"""Two exponentiations of half the size and what their results combine to, after Garner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verif.bench.env.checkers.mismatch import mismatch

Judge = Callable[[int], str | None]


class Combiner:
    """Notes the results of the vectors of a job, and combines those that belong together."""

    def __init__(self) -> None:
        self._results: dict[str, int] = {}

    def judge(self, vector: Mapping[str, Any]) -> Judge:
        """What the result of a vector is given to; says what is wrong with it.

        Args:
            vector: as the job carries it. With ``crt`` it is the one mod q: ``name`` of the other,
                its modulus ``p``, the ``result`` mod p*q, and what gmpy2 says it is.
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
            # The only number below p*q with these remainders.
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
