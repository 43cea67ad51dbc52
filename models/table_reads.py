"""Table addresses that the iterations of a product read, as coverage counts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from models.words import BitSlices


@dataclass(frozen=True)
class TableReads:
    """Table reads of one product, in the two vectors of ``multiplier_observer.sv``.

    Attributes:
        hit: bit p*2**b + a: iteration p of some cycle read address a (b bits).
        transition: bit a*2**b + d: one iteration read address a and the next one read d.
    """

    hit: int
    transition: int


@dataclass(frozen=True)
class TableShape:
    """Which table reads the hardware reports.

    Attributes:
        bits: b, bits of an address; 0 without a table.
        positions: iterations per cycle.
        shown: (k, p): the hardware reports the addresses of the first k of each p iterations.
        followed: True if iterations follow each other without gaps, so that coverage counts pairs.
    """

    bits: int
    positions: int
    shown: tuple[int, int]
    followed: bool

    def reads(self, addresses: Sequence[int]) -> TableReads:
        """Return the table reads of one product from the address of each iteration."""
        hits = {
            (i % self.positions << self.bits) + addresses[i] for i in self._shown_of(len(addresses))
        }
        pairs = pairwise(addresses) if self.followed else ()
        transitions = {before << self.bits | after for before, after in pairs}
        return TableReads(sum(1 << hit for hit in hits), sum(1 << pair for pair in transitions))

    def reads_of_lanes(
        self, addresses: Iterable[Sequence[BitSlices]], lanes: int
    ) -> list[TableReads]:
        """Return the table reads of many products, one per lane.

        Args:
            addresses: the address bits of each iteration, highest first.
            lanes: number of products.
        """
        # Copy: the bits are views into whole words, which numpy would otherwise keep in memory.
        columns = [np.concatenate([one.bits for one in address], axis=1) for address in addresses]
        ones = np.ascontiguousarray(np.array(columns).transpose(2, 0, 1))  # bit, iteration, lane
        zeros = ~ones
        read = [ones[0] | zeros[0]]  # by address: the lanes of each iteration that read it
        for zero, one in zip(zeros, ones, strict=True):
            read = [before & bit for before in read for bit in (zero, one)]
        shown = self._shown_of(len(columns))
        hits = [
            np.bitwise_or.reduce(one[[i for i in shown if i % self.positions == position]])
            for position in range(self.positions)
            for one in read
        ]
        transitions = [
            np.bitwise_or.reduce(before[:-1] & after[1:]) if self.followed else before[0] & 0
            for before in read
            for after in read
        ]
        vectors = (BitSlices(np.stack(seen, axis=1)).unpack(lanes) for seen in (hits, transitions))
        return [TableReads(*both) for both in zip(*vectors, strict=True)]

    def _shown_of(self, iterations: int) -> list[int]:
        first, group = self.shown
        return [i for i in range(iterations) if i % group < first]
