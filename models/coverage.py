"""Coverage of a core: what the hardware reports, and which of it legal operands reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from models.bit_true import IteratedModel
from models.capability import Capability
from models.table_reads import TableReads, TableShape
from models.words import BitSlices, quick_conditions


class Coverage(Capability):
    """Addresses of the core's lookup table, its state transitions, and operands that reach them.

    This base class describes a core without a table. Widths are in bits.

    Attributes:
        address_bits: bits of a table address; 0 without a table.
        address_meaning: names of these bits in the source, highest first.
        state_arcs: state transitions of the core in single products and resets.
    """

    address_bits: ClassVar[int] = 0
    address_meaning: ClassVar[str] = ""
    state_arcs: ClassVar[tuple[str, ...]] = (
        "starting>starting", "starting>running", "running>running", "running>finished",
        "finished>starting", "running>starting",
    )  # fmt: skip

    def names(self) -> dict[int, str]:
        """Return the names of the observation port's values: table addresses in binary."""
        bits = self.address_bits
        return {a: f"{a:0{bits}b}" for a in range(1 << bits)} if bits else {}

    def arcs(self, *, chained: bool) -> tuple[str, ...]:
        """Return :attr:`state_arcs`, and with ``chained`` also the arcs of chained products.

        A core that cannot chain products has no such arcs.
        """
        chaining = self.entry.chaining
        return (*self.state_arcs, *(chaining.arcs if chained and chaining else ()))

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """Return the table address of each iteration of a product; empty without a table.

        The scoreboard compares the addresses that the hardware reports with these.
        """
        entry = self.entry
        if not isinstance(entry.model, IteratedModel):
            return []
        constants = entry.model.constant_values(y, m, width)
        return [
            sum(bit << place for place, bit in enumerate(reversed(address)))
            for *_, address in entry.model.iterations(x, y, m, constants, width)
        ]

    def shape(self, width: int) -> TableShape:
        """Return which table reads of a product the hardware reports."""
        return TableShape(
            bits=self.address_bits,
            positions=self.entry.timing.iterations_per_cycle(width),
            shown=self.shown_iterations(width),
            # Iterations of a ring do not follow each other cycle by cycle.
            followed=bool(self.transitions(width)),
        )

    def shown_iterations(self, width: int) -> tuple[int, int]:
        """Return (k, p): the core reports the addresses of the first k of each p iterations."""
        return 1, 1

    def class_lead(self, width: int) -> int:
        """Return how many cycles a digit's class is reported before the rest of its address."""
        return 0

    def carry_words(self, width: int) -> int:
        """Return between how many words the core reports carries; 0 for a bit-serial core."""
        return 0

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Return the table addresses that legal operands can reach at this width."""
        return frozenset(range(1 << self.address_bits if self.address_bits else 0))

    def addresses_of_all_fields(self, width: int) -> frozenset[int]:
        """Return :meth:`reachable_addresses` and the addresses that GF(2**n) reaches."""
        binary = self.entry.binary
        return self.reachable_addresses(width) | (
            binary.addresses(width) if binary else frozenset()
        )

    def transitions(self, width: int) -> frozenset[tuple[int, int]]:
        """Return the address pairs (before, after) of consecutive iterations that are reachable."""
        return frozenset()

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """Return directed operands (x, y, m) for addresses that random operands rarely reach."""
        return ()

    def special_moduli(self, width: int) -> tuple[int, ...]:
        """Return extra moduli that stress this architecture, for directed and random tests."""
        return ()

    def traces(
        self, triples: Sequence[tuple[int, int, int]], width: int
    ) -> list[tuple[tuple[int, int], TableReads]]:
        """Return (S, C) and the table reads of many triples (x, y, m), one bit-sliced lane each."""
        shape, entry = self.shape(width), self.entry
        if not (entry.model.bit_sliced and isinstance(entry.model, IteratedModel) and shape.bits):
            products = entry.model.products(triples, width)
            reads = [shape.reads(self.addresses(*triple, width)) for triple in triples]
            return list(zip(products, reads, strict=True))
        lanes = len(triples)
        last: list[BitSlices] = []

        def addresses() -> Iterator[tuple[BitSlices, ...]]:
            for s, c, address in entry.model.iterations(*entry.model.packed(triples, width), width):
                last[:] = s, c
                yield address

        with quick_conditions():
            reads = shape.reads_of_lanes(addresses(), lanes)
        products = zip(*(word.unpack(lanes) for word in last), strict=True)
        return list(zip(products, reads, strict=True))
