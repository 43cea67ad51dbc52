"""Two operations that take different times, made alike in all operands but one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from verif.own_core.draw import Draw, Operation
from verif.own_core.trial import Trial

# In the order in which they are looked at: the two of a pair shall have the same M, then the same
# exponent.
FIELDS = ("first", "second", "m")
# Moduli that are tried, the smallest ones first, and operands of each.
SMALL_MODULI, SMALL_OPERANDS = 5, 4
# So many cycles may be spent on small ones.
MOST_CYCLES = 100_000


class TimeLeak:
    """Looks for the operand that decides on the time of an operation.

    Args:
        trial: runs operations.
        draw: knows what is legal.
    """

    def __init__(self, trial: Trial, draw: Draw) -> None:
        self._trial, self._draw = trial, draw
        self._cycles: dict[Operation, int] = {}

    async def narrowed(self, one: Operation, other: Operation) -> tuple[Operation, Operation, str]:
        """Two operations of different time, and in words which operand decides.

        Args:
            one: takes another time than the next.
            other: of the same length.
        """
        longest = max(await self._time(one), await self._time(other))
        known: list[Operation] = []
        if longest * SMALL_MODULI * SMALL_OPERANDS**2 <= MOST_CYCLES:
            for small in self._small(one.length):
                for field, before in product(FIELDS, known):
                    if self._differ(before, small) == [field] and await self._leaks(before, small):
                        return before, small, self.decides(before, small)
                known.append(small)
        for field in FIELDS:
            for first, second in ((one, other), (other, one)):
                for changed in self._changed(first, second, field):
                    if await self._leaks(first, changed):
                        return first, changed, self.decides(first, changed)
        return one, other, self.decides(one, other)

    def decides(self, one: Operation, other: Operation) -> str:
        """Which operand decides on the time, if the two differ in one alone."""
        fields = self._differ(one, other)
        if len(fields) != 1:
            return "no operand decides alone"
        port = self._draw.facts.operand_ports[FIELDS.index(fields[0])]
        return f"{port.removesuffix('_i')} decides"

    async def _leaks(self, one: Operation, other: Operation) -> bool:
        times = (await self._time(one), await self._time(other))
        return 0 not in times and times[0] != times[1]

    async def _time(self, operation: Operation) -> int:
        if operation not in self._cycles:
            self._cycles[operation] = (await self._trial.run(operation)).clocks
        return self._cycles[operation]

    def _small(self, length: int) -> Iterator[Operation]:
        draw = self._draw
        legal = (
            m for m in range(1, 1 << min(draw.width, 12)) if draw.facts.legal_modulus(m, draw.width)
        )
        for m, _ in zip(legal, range(SMALL_MODULI), strict=False):
            values = sorted({*range(min(m, SMALL_OPERANDS - 1)), m - 1})
            seconds = values if draw.facts.is_product else [0, 1, 2, 3, (1 << length) - 1]
            for first, second in product(values, seconds):
                operation = Operation(first, second, m, length)
                if draw.legal(operation):
                    yield operation

    def _differ(self, one: Operation, other: Operation) -> list[str]:
        return [field for field in FIELDS if getattr(one, field) != getattr(other, field)]

    def _changed(self, first: Operation, second: Operation, field: str) -> Iterator[Operation]:
        """The first with one operand of the second, or with a simple one."""
        value = getattr(second, field)
        simple = (0, 1, first.m - 1) if field != "m" else ()
        for tried in (value, value % first.m if field != "m" else value, *simple):
            operation = first._replace(**{field: tried})
            if operation != first and self._draw.legal(operation):
                yield operation
