"""Find two operations that take different times and differ in one operand only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from verif.own_core.draw import Draw, Operation
from verif.own_core.trial import Trial

# Order in which the operands are made equal: keep M equal if possible, then the exponent.
FIELDS = ("first", "second", "m")
# Number of moduli to try, the smallest first, and of operands for each.
SMALL_MODULI, SMALL_OPERANDS = 5, 4
# Maximum cycles for small operations.
MOST_CYCLES = 100_000


class TimeLeak:
    """Searches for the operand that determines the time of an operation.

    Args:
        trial: runs operations.
        draw: checks which operations are legal.
    """

    def __init__(self, trial: Trial, draw: Draw) -> None:
        self._trial, self._draw = trial, draw
        self._cycles: dict[Operation, int] = {}

    async def narrowed(self, one: Operation, other: Operation) -> tuple[Operation, Operation, str]:
        """Return two operations with different times, and in words which operand decides.

        Args:
            one: an operation.
            other: an operation of the same length that takes a different time.
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
        """Return in words which operand determines the time, if the two differ in only one."""
        fields = self._differ(one, other)
        if len(fields) != 1:
            return "no operand decides alone"
        port = self._draw.description.operand_ports[FIELDS.index(fields[0])]
        return f"{port.removesuffix('_i')} decides"

    async def _leaks(self, one: Operation, other: Operation) -> bool:
        times = (await self._time(one), await self._time(other))
        return 0 not in times and times[0] != times[1]

    async def _time(self, operation: Operation) -> int:
        if operation not in self._cycles:
            self._cycles[operation] = (await self._trial.run(operation)).cycles
        return self._cycles[operation]

    def _small(self, length: int) -> Iterator[Operation]:
        draw = self._draw
        legal = (
            m
            for m in range(1, 1 << min(draw.width, 12))
            if draw.description.legal_modulus(m, draw.width)
        )
        for m, _ in zip(legal, range(SMALL_MODULI), strict=False):
            values = sorted({*range(min(m, SMALL_OPERANDS - 1)), m - 1})
            seconds = values if draw.description.is_product else [0, 1, 2, 3, (1 << length) - 1]
            for first, second in product(values, seconds):
                operation = Operation(first, second, m, length)
                if draw.legal(operation):
                    yield operation

    def _differ(self, one: Operation, other: Operation) -> list[str]:
        return [field for field in FIELDS if getattr(one, field) != getattr(other, field)]

    def _changed(self, first: Operation, second: Operation, field: str) -> Iterator[Operation]:
        """Yield the first operation with one operand of the second, or with a simple value."""
        value = getattr(second, field)
        simple = (0, 1, first.m - 1) if field != "m" else ()
        for tried in (value, value % first.m if field != "m" else value, *simple):
            operation = first._replace(**{field: tried})
            if operation != first and self._draw.legal(operation):
                yield operation
