"""What the hardware shows of a core, and what of it is worth reaching."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from models.bit_true import IteratedModel
from models.capability import Capability
from models.table_reads import TableReads, TableShape
from models.words import BitSlices, quick_conditions


class Coverage(Capability):
    """Addresses of the core's lookup table, changes of its state, and operands that reach them.

    This base describes a core without a table. Widths are in bits.

    Attributes:
        address_bits: bits of a table address; 0 without a table.
        address_meaning: the names of these bits in the source, the highest first.
        state_arcs: changes of the core's state that single products and resets make.
    """

    address_bits: ClassVar[int] = 0
    address_meaning: ClassVar[str] = ""
    state_arcs: ClassVar[tuple[str, ...]] = (
        "starting>starting", "starting>running", "running>running", "running>finished",
        "finished>starting", "running>starting",
    )  # fmt: skip

    def names(self) -> dict[int, str]:
        """Names of the values of the core's observation port: table addresses in binary."""
        bits = self.address_bits
        return {a: f"{a:0{bits}b}" for a in range(1 << bits)} if bits else {}

    def arcs(self, *, chained: bool) -> tuple[str, ...]:
        """:attr:`state_arcs`; if ``chained``, those of chained products too, where the core can."""
        chaining = self.entry.chaining
        return (*self.state_arcs, *(chaining.arcs if chained and chaining else ()))

    def addresses(self, x: int, y: int, m: int, width: int) -> list[int]:
        """The table address of every iteration of a product, in order; empty without a table.

        The addresses that the hardware shows are compared with these.
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
        """What is seen of the table reads of a product."""
        return TableShape(
            bits=self.address_bits,
            positions=self.entry.timing.iterations_per_cycle(width),
            shown=self.shown_iterations(width),
            # Iterations of a ring do not follow each other cycle by cycle.
            followed=bool(self.transitions(width)),
        )

    def shown_iterations(self, width: int) -> tuple[int, int]:
        """(k, p): of each p iterations the core's observation has the addresses of the first k."""
        return 1, 1

    def class_lead(self, width: int) -> int:
        """Cycles by which the class of a digit is shown before the rest of its table address."""
        return 0

    def carry_words(self, width: int) -> int:
        """Words of a product between which the core shows carries; 0 for a bit-serial core."""
        return 0

    def reachable_addresses(self, width: int) -> frozenset[int]:
        """Table addresses that some legal operands reach at this width."""
        return frozenset(range(1 << self.address_bits if self.address_bits else 0))

    def addresses_of_all_fields(self, width: int) -> frozenset[int]:
        """:meth:`reachable_addresses`, and those that operations in GF(2**n) reach."""
        binary = self.entry.binary
        return self.reachable_addresses(width) | (
            binary.addresses(width) if binary else frozenset()
        )

    def transitions(self, width: int) -> frozenset[tuple[int, int]]:
        """Address pairs (before, after) that consecutive iterations can produce."""
        return frozenset()

    def rare_operands(self, width: int) -> tuple[tuple[int, int, int], ...]:
        """Operand triples (x, y, m) that reach what random ones rarely reach; directed corners."""
        return ()

    def special_moduli(self, width: int) -> tuple[int, ...]:
        """Moduli that strain this architecture beyond the corners of all; directed and random."""
        return ()

    def traces(
        self, triples: Sequence[tuple[int, int, int]], width: int
    ) -> list[tuple[tuple[int, int], TableReads]]:
        """(S, C) and table reads of many operand triples (x, y, m), one bit-sliced lane each."""
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
