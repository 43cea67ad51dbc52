"""Derive proposals for a core description from operations at small widths.

Each finding holds only for the operations that were run; use ``check`` to verify it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regress.core.errors import UsageError
from regress.core.formats.model import as_json
from verif.own_core.description import CoreDescription
from verif.own_core.draw import Draw, Operation
from verif.own_core.explain import SHARE, Explanations, Seen
from verif.own_core.fit import LEAST_MEASURED, fitted
from verif.own_core.formula import Formula

# Widths that distinguish formulas of whole words from formulas of bits; the nearest legal widths
# are used.
WIDTHS = {"product": (8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 49), "exponentiation": (8, 16, 17)}
SMALLEST = 4
OPERATIONS = 16

# Maximum widths without an explanation for which an operation is shown.
MOST_EXAMPLES = 3

FULL, SHORT, EVEN, ONE, TWO = "full width", "leading zeros", "M even", "M = 1", "M = 2"
DOUBLE, ANY, EXPONENTS = "operands up to 2M", "operands up to 2^n", "small exponents"
EXTREMES = "extreme operands"


@dataclass
class Findings:
    """Measured properties.

    Attributes:
        description: keys and values for the core description; parts are mappings.
        evidence: evidence for each, one line.
    """

    description: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, value: Any, evidence: str) -> None:
        """Add ``value`` under a key such as ``claims.latency``."""
        part, _, name = key.rpartition(".")
        place = self.description.setdefault(part, {}) if part else self.description
        place[name] = value
        self.evidence[key] = evidence


def probe_widths(description: CoreDescription) -> list[int]:
    """Return the legal widths at which to measure."""
    legal = list(description.widths)
    near = (
        min(legal, key=lambda w, goal=goal: abs(w - goal)) for goal in WIDTHS[description.computes]
    )
    return sorted({*legal[:SMALLEST], *near})


def probe_operations(
    description: CoreDescription, width: int, rng: random.Random
) -> dict[str, list[Operation]]:
    """Return the operations of the measurement, by the property that they measure.

    Moduli are within the bounds of the description. Operations that any core supports come first,
    because the measurement ends if several operations do not.
    """
    odd = description.modulus.model_copy(update={"parity": "odd"})
    draw = Draw(description.model_copy(update={"modulus": odd, "operands_below": "m"}), width, rng)
    full = 1 << (draw.full - 1)

    def some(modulus: Callable[[], int], bound: Callable[[int], int]) -> list[Operation]:
        found = []
        for number in range(2 * OPERATIONS):
            m = modulus()
            length = draw.length()
            # Every other operation is at the top of the range.
            values = [bound(m) - 1 - rng.randrange(bound(m) if number % 2 else 2) for _ in range(2)]
            second = values[1] if description.is_product else draw.exponent(length)
            found.append(Operation(values[0], second, m, length))
        return found

    def at(m: int) -> list[Operation]:
        return [Operation(first, second, m, width) for first in range(m) for second in range(m)]

    def below(m: int) -> int:
        return m

    def wide() -> int:
        return draw.fitting(rng.getrandbits(draw.full) | full | 1)

    def short() -> int:
        return draw.fitting(rng.randrange(3, max(4, full)) | 1)

    found = {FULL: some(wide, below)}
    for _ in range(OPERATIONS // 4):  # the result is 0, or M if the core takes > for >=
        try:
            found[FULL].append(draw.zero_divisors())
        except ValueError:
            break
    m = wide()
    top = (1 << width) - 1
    ends = (0, 1, m >> 1, m - 1)
    found[EXTREMES] = [
        Operation(first, second, m, width)
        for first in ends
        for second in (ends if description.is_product else (1, top ^ top >> 1, top))
    ]
    if not description.is_product:
        found[EXPONENTS] = [
            Operation(draw.operand(m), exponent, m, width)
            for exponent in (0, 1, 2, 3, top)
            for m in (wide(), wide())
        ]
    most = description.most_modulus(width)
    return found | {
        SHORT: some(short, below),
        EVEN: some(lambda: min(rng.getrandbits(draw.full) | full, most) & ~1, below),
        ONE: at(1),
        TWO: at(2),
        DOUBLE: some(short, lambda m: 2 * m),
        ANY: some(
            lambda: draw.fitting(rng.getrandbits(rng.randrange(2, draw.full + 1)) | 3),
            lambda m: 1 << width,
        ),
    }


class Analysis:
    """Derives findings from observed operations.

    Args:
        description: known part of the description: what the core computes, and its ports.
        seen: operations by width and by the names of :func:`probe_operations`; operations that did
            not run are missing.
    """

    def __init__(
        self, description: CoreDescription, seen: Mapping[int, Mapping[str, Sequence[Seen]]]
    ) -> None:
        self._description = description
        self._seen = {width: some for width, some in seen.items() if some.get(FULL)}
        self._found = Findings()
        self._k: str | None = None

    @property
    def widths(self) -> set[int]:
        """Widths whose results have an explanation; valid after :meth:`findings`."""
        return set(self._seen)

    def findings(self) -> Findings:
        """Return all findings; widths without an explanation are named and left out.

        Raises:
            UsageError: no width has an explanation; the message states what was tried.
        """
        if not self._seen:
            raise UsageError(f"{self._description.name}: no operation was measured")
        if all(one.result is None for some in self._seen.values() for one in some[FULL]):
            raise UsageError(f"{self._description.name}: no operation ended")
        if self._description.is_product:
            self._find_k()
        else:
            self._check_powers()
        self._find_moduli()
        if not self._description.is_product:
            self._find_exponents()
        self._find_reduction()
        self._find_operands()
        self._find_latency()
        return self._found

    def _find_k(self) -> None:
        explanations = Explanations({width: seen[FULL] for width, seen in self._seen.items()})
        choices = explanations.choices
        shown = _shown({width: str(min(found)) for width, found in choices.items()})
        formula = explanations.formula()
        if formula is None:
            best = explanations.best()
            hint = (
                best and f"; the best over all widths is {best}: {explanations.shares(best)} bits"
            )
            what = f"no formula for k was found: it is {shown}"
            if not choices:
                what = "no k explains the results at any width"
            raise UsageError(
                f"{self._description.name}: {what}{hint}; {self._examples(sorted(self._seen))}"
            )
        self._k = formula
        self._found.add("k", formula, self._keep(sorted(choices), shown))

    def _check_powers(self) -> None:
        right = []
        for width, seen in self._seen.items():
            good = sum(self._congruent(one, width) for one in seen[FULL])
            if good >= SHARE * len(seen[FULL]):
                right.append(width)
        if not right:
            raise UsageError(
                f"{self._description.name}: results are base^exponent mod M at no width; "
                f"{self._examples(sorted(self._seen))}"
            )
        text = self._keep(right, "")
        if text:
            self._found.evidence["widths"] = text

    def _keep(self, right: Sequence[int], text: str) -> str:
        """Leave out the widths without an explanation; return ``text`` with these widths added."""
        wrong = sorted(set(self._seen) - set(right))
        if wrong:
            text += (
                f"{'; ' if text else ''}right at {_names(right)}, wrong at {_names(wrong)} bits: "
            )
            text += self._examples(wrong)
            self._seen = {width: self._seen[width] for width in right}
        return text

    def _examples(self, widths: Sequence[int]) -> str:
        """Return the first wrong result at each of some widths, with its cycles."""
        texts = []
        for width in widths[:MOST_EXAMPLES]:
            wrong = [one for one in self._seen[width][FULL] if not self._congruent(one, width)]
            texts.append(
                f"{width} bits: {_example(self._description, wrong or self._seen[width][FULL])}"
            )
        return f"look at {'; '.join(texts)}"

    def _congruent(self, one: Seen, width: int) -> bool:
        """Return True if a result is right modulo M."""
        if one.result is None:
            return False
        first, second, m, _ = one.operation
        if not self._description.is_product:
            return one.result % m == pow(first, second, m)
        k = Formula(self._k or "0")(n=width)
        if m % 2 == 0 and k:
            return False
        return one.result * pow(2, k, m) % m == first * second % m

    def _each(self, name: str) -> list[bool]:
        """Return for each operation of a kind whether it is right, and reduced if others are."""
        reduced = self._found.description.get("claims", {}).get("reduced", False)
        return [
            self._congruent(one, width) and (not reduced or (one.result or 0) < one.operation.m)
            for width, seen in self._seen.items()
            for one in seen.get(name, ())
        ]

    def _all(self, name: str) -> bool:
        """Return True if operations of a kind ran and all were right."""
        return bool(every := self._each(name)) and all(every)

    def _share(self, name: str) -> str:
        every = self._each(name)
        if not every:
            return f"not tried with {name}"
        return f"{sum(every)} of {len(every)} right with {name}"

    def _find_moduli(self) -> None:
        parity = "any" if self._all(EVEN) else "odd"
        self._found.add("modulus.parity", parity, self._share(EVEN))
        least = 1 if self._all(ONE) else 2 if parity == "any" and self._all(TWO) else 3
        self._found.add("modulus.minimum", least, f"{self._share(ONE)}, {self._share(TWO)}")
        # A bug may make a few results wrong; a core that needs the top bit set is mostly wrong.
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
            for one in seen.get(EXPONENTS, ())
            if one.operation.second < 3 and not self._congruent(one, width)
        ]
        least = max(wrong) + 1 if wrong else 0
        self._found.add("exponent_minimum", least, self._share(EXPONENTS))

    def _legal(self) -> Iterable[tuple[int, Seen]]:
        """Yield the operations for which the core must be right, with their widths."""
        found = self._found.description
        names = [FULL, EXTREMES, *([] if found["modulus"]["top_bit"] else [SHORT])]
        names += [EVEN] if found["modulus"]["parity"] == "any" else []
        names += [] if self._description.is_product else [EXPONENTS]
        names += {"2*m": [DOUBLE], "2**n": [DOUBLE, ANY]}.get(found.get("operands_below", ""), [])
        least = found.get("exponent_minimum", 0)
        for width, seen in self._seen.items():
            for name in names:
                for one in seen.get(name, ()):
                    if one.result is not None and one.operation.second >= least:
                        yield width, one

    def _find_reduction(self) -> None:
        legal = [(w, one) for w, one in self._legal() if self._congruent(one, w)]
        above = [one for _, one in legal if (one.result or 0) >= one.operation.m]
        text = f"{len(above)} of {len(legal)} right results are not below M"
        if above:
            text += f", such as {_example(self._description, above)}"
        self._found.add("claims.reduced", not above, text)

    def _find_latency(self) -> None:
        cycles: dict[tuple[int, int], list[int]] = {}
        for width, one in self._legal():
            length = one.operation.length if self._description.length else 0
            cycles.setdefault((width, length), []).append(one.cycles or 0)
        ranges = {place: (min(found), max(found)) for place, found in cycles.items()}
        shown = _shown(
            {
                width: str(least) if least == most else f"{least} to {most}"
                for (width, length), (least, most) in ranges.items()
                if length in (0, width)
            }
        )
        constant = all(least == most for least, most in ranges.values())
        self._found.add("claims.constant_time", constant, shown)
        claimed, held = self._description.claims.latency, self._claimed_holds(ranges)
        if held and isinstance(claimed, str):  # in any spelling
            self._found.add("claims.latency", claimed, f"{shown}, as the file says")
            return
        least, most = (
            fitted([(_values(place), found[end]) for place, found in ranges.items()])
            for end in (0, 1)
        )
        if constant and least:
            self._found.add("claims.latency", least, shown)
        elif not constant and (least or most):
            both = {"minimum": least, "maximum": most}
            missing = " and ".join(name for name, formula in both.items() if not formula)
            text = f"{shown}; no formula of the {missing} was found" if missing else shown
            formulas = {name: formula for name, formula in both.items() if formula}
            self._found.add("claims.latency", formulas, text)
        elif held:
            self._found.add("claims.latency", as_json(claimed), f"{shown}, as the file says")
        else:
            few = len(ranges) < LEAST_MEASURED
            more = f"; a formula needs {LEAST_MEASURED} widths or more" if few else ""
            self._found.evidence["claims.latency"] = f"no formula was found: {shown}{more}"

    def _claimed_holds(self, ranges: Mapping[tuple[int, int], tuple[int, int]]) -> bool:
        """Return True if all cycles are within the range that the file states."""
        for (width, length), (least, most) in ranges.items():
            claimed = self._description.latency(width, length or width)
            if not claimed or not claimed[0] <= least <= most <= claimed[1]:
                return False
        return bool(ranges)


def _shown(numbers: Mapping[int, str]) -> str:
    """Return the observed values by width; consecutive widths with the same value are merged."""
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


def _names(widths: Sequence[int]) -> str:
    return ", ".join(map(str, widths))


def _example(description: CoreDescription, seen: Sequence[Seen]) -> str:
    one = seen[0]
    result = "did not end"
    if one.result is not None:
        result = f"gave {one.result:#x} after {one.cycles} cycles"
    return f"{one.operation.text(description)}, which {result}"
