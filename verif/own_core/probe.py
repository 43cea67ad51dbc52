"""What a core does, told from operations at small widths: proposals for its file of facts.

Each finding holds for the operations that were tried and no others; ``check`` is what tries it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regress.core.errors import UsageError
from verif.own_core.draw import Draw, Operation
from verif.own_core.facts import Facts, Modulus
from verif.own_core.fit import fitted, formula_among

# Widths that tell formulas of whole words from those of bits; the legal ones nearest to them.
WIDTHS = {"product": (8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 49), "exponentiation": (8, 16, 17)}
SMALLEST = 4
OPERATIONS = 16
# k is looked for up to so many times the width, and somewhat.
MOST_FACTOR, MOST_MORE = 2, 64
# A core with a defect is wrong now and then; what explains this share of its results is its k.
SHARE = 0.75

FULL, SHORT, EVEN, ONE, TWO = "full width", "leading zeros", "M even", "M = 1", "M = 2"
DOUBLE, ANY, EXPONENTS = "operands up to 2M", "operands up to 2^n", "small exponents"


@dataclass(frozen=True)
class Seen:
    """One operation and what came of it; ``result`` and ``clocks`` None: it did not end."""

    operation: Operation
    result: int | None
    clocks: int | None


@dataclass
class Findings:
    """What was measured.

    Attributes:
        facts: keys of the file of facts, those of its parts as mappings.
        evidence: how each was told, in a line.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, value: Any, evidence: str) -> None:
        """Note ``value`` under a key such as ``claims.latency``."""
        part, _, name = key.rpartition(".")
        place = self.facts.setdefault(part, {}) if part else self.facts
        place[name] = value
        self.evidence[key] = evidence


def probe_widths(facts: Facts) -> list[int]:
    """Legal widths to measure at."""
    legal = list(facts.widths)
    near = (min(legal, key=lambda w, goal=goal: abs(w - goal)) for goal in WIDTHS[facts.computes])
    return sorted({*legal[:SMALLEST], *near})


def probe_operations(facts: Facts, width: int, rng: random.Random) -> dict[str, list[Operation]]:
    """Operations to measure with, by what they tell."""
    full = 1 << (width - 1)
    odd = facts.model_copy(update={"modulus": Modulus(parity="odd"), "operands_below": "m"})
    draw = Draw(odd, width, rng)

    def some(modulus: Callable[[], int], bound: Callable[[int], int]) -> list[Operation]:
        found = []
        for number in range(2 * OPERATIONS):
            m = modulus()
            length = draw.length()
            # Every other one at the top of the range.
            values = [bound(m) - 1 - rng.randrange(bound(m) if number % 2 else 2) for _ in range(2)]
            second = values[1] if facts.is_product else draw.exponent(length)
            found.append(Operation(values[0], second, m, length))
        return found

    def at(m: int) -> list[Operation]:
        return [Operation(first, second, m, width) for first in range(m) for second in range(m)]

    def below(m: int) -> int:
        return m

    found = {
        FULL: some(lambda: rng.getrandbits(width) | full | 1, below),
        SHORT: some(lambda: rng.randrange(3, full) | 1, below),
        EVEN: some(lambda: (rng.getrandbits(width) | full) & ~1, below),
        ONE: at(1),
        TWO: at(2),
        DOUBLE: some(lambda: rng.randrange(3, full) | 1, lambda m: 2 * m),
        ANY: some(lambda: rng.getrandbits(rng.randrange(2, width + 1)) | 3, lambda m: 1 << width),
    }
    for _ in range(OPERATIONS // 4):  # the result is 0, or M if the core takes > for >=
        try:
            found[FULL].append(draw.zero_divisors())
        except ValueError:
            break
    if not facts.is_product:
        found[EXPONENTS] = [
            Operation(draw.operand(m), exponent, m, width)
            for exponent in (0, 1, 2, 3, (1 << width) - 1)
            for m in (draw.modulus() | full, draw.modulus() | full)
        ]
    return found


class Analysis:
    """Tells facts from what was seen.

    Args:
        facts: what is known already: what the core computes, the ports it has.
        seen: by width and by the names of :func:`probe_operations`.
    """

    def __init__(self, facts: Facts, seen: Mapping[int, Mapping[str, Sequence[Seen]]]) -> None:
        self._facts, self._seen = facts, seen
        self._widths = ", ".join(map(str, sorted(seen)))
        self._found = Findings()
        self._k: str | None = None

    def findings(self) -> Findings:
        """Everything that can be told.

        Raises:
            UsageError: the results have no explanation; the message says what was tried.
        """
        if self._facts.is_product:
            self._find_k()
        else:
            self._check_powers()
        self._find_moduli()
        if not self._facts.is_product:
            self._find_exponents()
        self._find_reduction()
        self._find_operands()
        self._find_latency()
        return self._found

    def _find_k(self) -> None:
        choices = {}
        for width, seen in self._seen.items():
            counts = Counter(k for one in seen[FULL] for k in self._explaining(one, width))
            least = SHARE * len(seen[FULL])
            best = max(counts.values(), default=0)
            if best < least:
                raise UsageError(
                    f"{self._facts.name}: no k from 0 to {_most_k(width)} explains the results at "
                    f"{width} bits: the best, {_likeliest(counts)}, explains {best} of "
                    f"{len(seen[FULL])}; look at {_example(self._facts, seen[FULL])}"
                )
            choices[width] = {k for k, count in counts.items() if count == best}
        self._k = formula_among(choices)
        shown = _shown({width: str(min(k)) for width, k in choices.items()})
        if self._k is None:
            raise UsageError(f"{self._facts.name}: no formula for k was found: it is {shown}")
        self._found.add("k", self._k, shown)

    def _explaining(self, one: Seen, width: int) -> set[int]:
        """Values of k with which a result is right."""
        if one.result is None:
            return set()
        x, y, m, _ = one.operation
        found, value = set(), one.result % m
        for k in range(_most_k(width) + 1):
            if value == x * y % m:
                found.add(k)
            value = 2 * value % m
        return found

    def _check_powers(self) -> None:
        for width, seen in self._seen.items():
            good = sum(self._congruent(one, width) for one in seen[FULL])
            if good < SHARE * len(seen[FULL]):
                raise UsageError(
                    f"{self._facts.name}: only {good} of {len(seen[FULL])} results are "
                    f"base^exponent mod M at {width} bits; look at "
                    f"{_example(self._facts, seen[FULL])}"
                )

    def _congruent(self, one: Seen, width: int) -> bool:
        """Whether a result is right modulo M."""
        if one.result is None:
            return False
        first, second, m, _ = one.operation
        if not self._facts.is_product:
            return one.result % m == pow(first, second, m)
        k = self._facts.model_copy(update={"k": self._k}).k_at(width)
        if m % 2 == 0 and k:
            return False
        return one.result * pow(2, k, m) % m == first * second % m

    def _each(self, name: str) -> list[bool]:
        """Whether each operation of a kind is right, and reduced if others are."""
        reduced = self._found.facts.get("claims", {}).get("reduced", False)
        return [
            self._congruent(one, width) and (not reduced or (one.result or 0) < one.operation.m)
            for width, seen in self._seen.items()
            for one in seen[name]
        ]

    def _all(self, name: str) -> bool:
        return all(self._each(name))

    def _share(self, name: str) -> str:
        every = self._each(name)
        return f"{sum(every)} of {len(every)} right with {name}"

    def _find_moduli(self) -> None:
        parity = "any" if self._all(EVEN) else "odd"
        self._found.add("modulus.parity", parity, self._share(EVEN))
        least = 1 if self._all(ONE) else 2 if parity == "any" and self._all(TWO) else 3
        self._found.add("modulus.minimum", least, f"{self._share(ONE)}, {self._share(TWO)}")
        # A defect may spoil a few; a core that wants the top bit is wrong mostly.
        good = self._each(SHORT)
        top_bit = sum(good) < SHARE * len(good)
        self._found.add("modulus.top_bit", top_bit, self._share(SHORT))

    def _find_operands(self) -> None:
        bound = "2**n" if self._all(ANY) else "2*m" if self._all(DOUBLE) else "m"
        self._found.add("operands_below", bound, f"{self._share(DOUBLE)}, {self._share(ANY)}")

    def _find_exponents(self) -> None:
        wrong = [
            one.operation.second
            for width, seen in self._seen.items()
            for one in seen[EXPONENTS]
            if one.operation.second < 3 and not self._congruent(one, width)
        ]
        least = max(wrong) + 1 if wrong else 0
        self._found.add("exponent_minimum", least, self._share(EXPONENTS))

    def _legal(self) -> Iterable[tuple[int, Seen]]:
        """Operations with which the core has to be right, by width."""
        names = [FULL, *([] if self._found.facts["modulus"]["top_bit"] else [SHORT])]
        names += [EVEN] if self._found.facts["modulus"]["parity"] == "any" else []
        names += [] if self._facts.is_product else [EXPONENTS]
        least = self._found.facts.get("exponent_minimum", 0)
        for width, seen in self._seen.items():
            for name in names:
                for one in seen[name]:
                    if one.result is not None and one.operation.second >= least:
                        yield width, one

    def _find_reduction(self) -> None:
        legal = [(w, one) for w, one in self._legal() if self._congruent(one, w)]
        above = [one for _, one in legal if (one.result or 0) >= one.operation.m]
        text = f"{len(above)} of {len(legal)} right results are not below M"
        if above:
            text += f", such as {_example(self._facts, above)}"
        self._found.add("claims.reduced", not above, text)

    def _find_latency(self) -> None:
        clocks: dict[tuple[int, int], list[int]] = {}
        for width, one in self._legal():
            length = one.operation.length if self._facts.length else 0
            clocks.setdefault((width, length), []).append(one.clocks or 0)
        ranges = {place: (min(found), max(found)) for place, found in clocks.items()}
        shown = _shown(
            {
                width: str(least) if least == most else f"{least} to {most}"
                for (width, length), (least, most) in ranges.items()
                if length in (0, width)
            }
        )
        constant = all(least == most for least, most in ranges.values())
        self._found.add("claims.constant_time", constant, shown)
        ends = [
            fitted([(_values(place), found[end]) for place, found in ranges.items()])
            for end in (0, 1)
        ]
        if constant and ends[0]:
            self._found.add("claims.latency", ends[0], shown)
        elif not constant and all(ends):
            both = {"minimum": ends[0], "maximum": ends[1]}
            self._found.add("claims.latency", both, shown)
        else:
            self._found.evidence["claims.latency"] = f"no formula was found: {shown}"


def _shown(numbers: Mapping[int, str]) -> str:
    """What was seen, by width; widths in a row with the same together."""
    groups: list[tuple[str, list[int]]] = []
    for width, number in sorted(numbers.items()):
        if not groups or groups[-1][0] != number:
            groups.append((number, []))
        groups[-1][1].append(width)
    texts = (
        f"{number} at {widths[0]}" + (f" to {widths[-1]}" if len(widths) > 1 else "")
        for number, widths in groups
    )
    return f"{', '.join(texts)} bits"


def _values(place: tuple[int, int]) -> dict[str, int]:
    width, length = place
    return {"n": width, "length": length} if length else {"n": width}


def _most_k(width: int) -> int:
    return MOST_FACTOR * width + MOST_MORE


def _likeliest(counts: Counter[int]) -> str:
    return str(counts.most_common(1)[0][0]) if counts else "none"


def _example(facts: Facts, seen: Sequence[Seen]) -> str:
    one = seen[0]
    result = "did not end" if one.result is None else f"gave {one.result:#x}"
    return f"{one.operation.text(facts)}, which {result}"
