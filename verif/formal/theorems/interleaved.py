"""Python version of the machine of ``Interleaved.v``, for the fast check."""

from __future__ import annotations

from collections.abc import Callable

from verif.formal.theorems.labels import Label
from verif.formal.theorems.machine import Machine, majority

PAIRS = ("Pair0", "Pair1", "Pair2", "Pair3")
# Slots of const_i: entries 2, 4, 6, 3, 5, 7.
EVEN, ODD = (0, 1, 2), (3, 4, 5)


class Interleaved(Machine):
    """optimized_interleaved: one carry-save adder, a table that is read one cycle ahead."""

    @property
    def iterations(self) -> int:
        """Width."""
        return self.shape.width

    @property
    def again(self) -> int:
        """Another iteration follows."""
        return self.running & self.no(self.bit("Last"))

    @property
    def next(self) -> int:
        """The core takes a bit of X."""
        return (self.starting & self.bit("Start")) | self.again

    # Copies of control bits

    @property
    def _block(self) -> int:
        return (self.shape.segment + 15) // 16

    def _columns(self, positions: int) -> int:
        return -(-min(positions, self.shape.word) // self._block)

    def _groups(self, positions: int) -> int:
        return max(1, positions // (self.shape.word * self._block))

    def copy(self, positions: int, i: int) -> int:
        """Number of the copy that position i reads."""
        group = min(i // (self.shape.word * self._block), self._groups(positions) - 1)
        return group * self._columns(positions) + i % self.shape.word // self._block

    def iterates(self, i: int) -> int:
        """Position i goes through an iteration."""
        return self.bit("Iterates", self.copy(self.shape.width + 2, i))

    def _chosen(self, signal: str, i: int) -> int:
        return self.bit(signal, self.copy(self.shape.width, i))

    # The table

    def slot(self, slot: int, i: int) -> int:
        """Bit i of a constant."""
        return self.bit("Constant", slot * (self.shape.width + 1) + i)

    def wire(self, label: Label) -> int:
        """Return a bit of the added entry."""
        i = label.bit
        odd = self._chosen("Odd", i)
        entry = self.bit("Y", i) & self._chosen("Pair0", i)
        for pair, with_y, without in zip(PAIRS[1:], ODD, EVEN, strict=True):
            value = self.choose(odd, self.slot(with_y, i), self.slot(without, i))
            entry |= value & self._chosen(pair, i)
        return entry

    # Carry-save adder

    def _inputs(self, i: int) -> tuple[int, int, int]:
        width = self.shape.width
        doubled = [
            self.bit(signal, i - 1) & self.iterates(i) if i else 0 for signal in ("RegS", "RegC")
        ]
        entry = self.bit("Entry", i) if i < width else 0
        return doubled[0], doubled[1], entry | self._fallen("RegS", i)

    def _fallen(self, signal: str, i: int) -> int:
        source = i + self.shape.word
        fallen = self.bit(signal, source) if source < self.shape.width + 2 else 0
        return fallen & self.no(self.iterates(i))

    def _s_next(self, i: int) -> int:
        taken = 0
        if i <= self.shape.width:
            a, b, c = self._inputs(i)
            taken = a ^ b ^ c
        return self.choose(self.bit("Moves", i // self.shape.segment), taken, self.bit("RegS", i))

    def _c_next(self, i: int) -> int:
        carry = majority(*self._inputs(i - 1)) if i else 0
        taken = (carry & self.iterates(i)) | self._fallen("RegC", i)
        return self.choose(self.bit("Moves", i // self.shape.segment), taken, self.bit("RegC", i))

    # k of the next iteration

    @property
    def k(self) -> tuple[int, int]:
        """The low and the high bit of k."""
        top, second = self.shape.width - 1, self.shape.width - 2
        s_top = self.bit("RegS", top) ^ self.bit("RegC", top)
        above = self.bit("RegS", top) & self.bit("RegC", top)
        s, c = self.bit("RegS", second), self.bit("RegC", second)
        c_top = self.choose(self.bit("Late"), s | c, s & c)
        return s_top ^ c_top, above | (s_top & c_top)

    def _selected(self, k: int) -> int:
        condition = self.again if k else self.next & self.bit("X")
        for number, bit in enumerate(self.k):
            condition &= bit if k >> number & 1 else self.no(bit)
        return condition

    def _top_entry(self) -> int:
        low, high = self.k
        x, top = self.bit("X"), self.shape.width - 1
        entries = [x & self.bit("Y", top)]
        entries += [
            self.choose(x, self.slot(with_y, top), self.slot(without, top))
            for with_y, without in zip(ODD, EVEN, strict=True)
        ]
        return self.choose(
            high,
            self.choose(low, entries[3], entries[2]),
            self.choose(low, entries[1], entries[0]),
        )

    # Registers and outputs

    def register_next(self, label: Label) -> int:
        """Return the next value of a register."""
        i = label.bit
        terms: dict[str, Callable[[], int]] = {
            "RegS": lambda: self._s_next(i),
            "RegC": lambda: self._c_next(i),
            "Moves": lambda: self.next | self.bit("Unload"),
            "Iterates": lambda: self.again,
            "State": lambda: self.state_next(i),
            "Count": lambda: self.count_next(i),
            "Last": self.last_next,
            "Odd": lambda: self.next & self.bit("X"),
            "Late": lambda: self.next & self._top_entry(),
        }
        if label.signal in PAIRS:
            return self._selected(PAIRS.index(label.signal))
        return terms[label.signal]()

    def output(self, label: Label) -> int:
        """Return the value of an output."""
        i = label.bit
        shown = i < self.shape.width + 2
        terms: dict[str, Callable[[], int]] = {
            "OutS": lambda: self.bit("RegS", i) if shown else 0,
            "OutC": lambda: self.bit("RegC", i) if shown else 0,
            "TableValid": lambda: 0 if i else self.running,
            "TableAddr": lambda: self._table_addr(i),
        }
        return terms[label.signal]() if label.signal in terms else self.control_output(label)

    def _table_addr(self, i: int) -> int:
        pairs = [self._chosen(pair, 0) for pair in PAIRS]
        if i == 0:
            return (pairs[0] | pairs[1] | pairs[2] | pairs[3]) & self._chosen("Odd", 0)
        if i == 1:
            return pairs[3] | (self.no(pairs[2]) & pairs[1])
        return pairs[3] | pairs[2] if i == 2 else 0

    def registers(self) -> list[Label]:
        """Every register, in the order of ``Interleaved.v``."""
        width = self.shape.width
        copies = {k: self._groups(k) * self._columns(k) for k in (width, width + 2)}
        sizes = {
            "RegS": width + 2, "RegC": width + 2, "Moves": -(-(width + 2) // self.shape.segment),
            "Iterates": copies[width + 2], "State": 2, "Count": (width - 1).bit_length(), "Last": 1,
            "Odd": copies[width], **dict.fromkeys(PAIRS, copies[width]), "Late": 1,
        }  # fmt: skip
        return [Label(signal, i) for signal, size in sizes.items() for i in range(size)]
