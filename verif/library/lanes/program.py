"""Programs of bus transfers, the same in each cycle for all lanes; only written words differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.bus.loader_bus import COMMAND_CODES, CONTROL

LIMB = 32
# The same layout as in runtime.c.
STEP = np.dtype(
    [
        *((name, "u1") for name in ("reset", "request", "write", "address")),
        *((name, "<i4") for name in ("phase", "word", "answer")),
    ]
)
NONE = -1
TRANSFER_CYCLES = 2
# Numbers, one per lane. Arrays of 64 bits each, or from packed_numbers, are faster.
Values = Sequence[int] | NDArray[Any]


@dataclass(frozen=True)
class Transfer:
    """A transfer, granted in cycle ``cycle`` and acknowledged in the next one.

    Attributes:
        cycle: cycle of the grant.
        write: True for a write, False for a read.
        address: address.
        word: row in the written words; -1 for a read.
        answer: row in the answers.
    """

    cycle: int
    write: bool
    address: int
    word: int
    answer: int


class Program:
    """Transfers and waits, one after the other.

    Attributes:
        transfers: transfers in order.
        resets: cycles in which ``rst_ni`` is low.
        words: number of rows of written words.
        answers: number of rows of answers, one per transfer.
        cycles: length of the program.
        fixed: words that are the same in all lanes, by row.
        boundaries: first cycles of phases; pins are compared by phase.
    """

    def __init__(self) -> None:
        self.transfers: list[Transfer] = []
        self.resets: list[int] = []
        self.words = self.answers = self.cycles = 0
        self.fixed: dict[int, int] = {}
        self.boundaries = [0]

    @property
    def phases(self) -> int:
        """Number of phases."""
        return len(self.boundaries)

    def phase(self) -> None:
        """Begin a new phase."""
        self.boundaries.append(self.cycles)

    def reset(self, cycles: int = 2) -> None:
        """Hold the reset for ``cycles`` cycles."""
        self.resets += range(self.cycles, self.cycles + cycles)
        self.cycles += cycles

    def wait(self, cycles: int) -> None:
        """Make no request for ``cycles`` cycles."""
        self.cycles += cycles

    def write(self, address: int) -> int:
        """Write a word that may differ in each lane; return its row."""
        row = self.words
        self.words += 1
        self._transfer(True, address, row)
        return row

    def command(self, name: str) -> None:
        """Write a command."""
        self.fixed[self.write(CONTROL)] = COMMAND_CODES[name]

    def read(self, address: int) -> int:
        """Read a word; return the row of its answer."""
        self._transfer(False, address, NONE)
        return self.answers - 1

    def _transfer(self, write: bool, address: int, word: int) -> None:
        self.transfers.append(Transfer(self.cycles, write, address, word, self.answers))
        self.answers += 1
        self.cycles += TRANSFER_CYCLES

    def steps(self) -> NDArray[Any]:
        """Return records of :data:`STEP`; a request stays until the end of its acknowledge."""
        steps = np.zeros(self.cycles, STEP)
        steps["word"] = steps["answer"] = NONE
        steps["reset"][self.resets] = 1
        for boundary in self.boundaries[1:]:
            steps["phase"][boundary:] += 1
        for transfer in self.transfers:
            last = transfer.cycle + TRANSFER_CYCLES - 1
            for cycle in range(transfer.cycle, last + 1):
                steps[cycle]["request"] = 1
                steps[cycle]["write"] = transfer.write
                steps[cycle]["address"] = transfer.address
                steps[cycle]["word"] = transfer.word
            steps[last]["answer"] = transfer.answer
        return steps


def limbs_of(bus_width: int) -> int:
    """Return the number of 32-bit words per bus word."""
    return -(-bus_width // LIMB)


def packed_numbers(values: Values) -> NDArray[np.uint32]:
    """Return numbers as 32-bit words, [numbers][words], lowest first; packed input is unchanged."""
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return values
    if isinstance(values, np.ndarray) and values.dtype == np.uint64:
        return values.view(np.uint32).reshape(len(values), 2)
    numbers = [int(value) for value in values]
    size = LIMB // 8 * max(1, -(-max(number.bit_length() for number in numbers) // LIMB))
    raw = b"".join(number.to_bytes(size, "little") for number in numbers)
    return np.frombuffer(raw, np.uint32).reshape(len(numbers), -1)


def rows_of(values: Values, words: int, bus_width: int) -> NDArray[np.uint32]:
    """Return numbers, one per lane, as bus words: [words][limbs][lanes], lowest first."""
    packed = packed_numbers(values)
    rows = np.zeros((words, limbs_of(bus_width), len(packed)), np.uint32)
    for word in range(words):
        for limb in range(rows.shape[1]):
            bits = min(LIMB, bus_width - limb * LIMB)
            place, shift = divmod(word * bus_width + limb * LIMB, LIMB)
            if place < packed.shape[1]:
                rows[word, limb] = packed[:, place] >> np.uint32(shift)
            if shift and place + 1 < packed.shape[1]:
                rows[word, limb] |= packed[:, place + 1] << np.uint32(LIMB - shift)
            if bits < LIMB:
                rows[word, limb] &= np.uint32((1 << bits) - 1)
    return rows


def numbers_of(rows: NDArray[np.uint32], bus_width: int) -> list[int]:
    """Return the numbers, one per lane, of bus words: the inverse of :func:`rows_of`."""
    found = [0] * rows.shape[-1]
    for word, limbs in enumerate(rows):
        for limb, lanes in enumerate(limbs):
            shift = word * bus_width + limb * LIMB
            found = [f | int(v) << shift for f, v in zip(found, lanes.tolist(), strict=True)]
    return found
