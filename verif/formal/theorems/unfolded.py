"""Python version of the machine of ``Unfolded.v``, ``UnfoldedFast.v`` and ``Mm42.v``.

Cores that iterate from the cycle of the start on, ``Shape.unfolding`` iterations a cycle. S and C
after each iteration are named wires: bit i after iteration j is bit j * pair_bits + i.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from verif.formal.theorems.labels import Label
from verif.formal.theorems.machine import Machine, majority

TABLE_ADDRESS_WIDTH = 4


class Unfolded(Machine):
    """Registers and control around the iterations of a core."""

    # Bits by which S and C are wider than the operands.
    extra_bits = 0

    @abstractmethod
    def stage_s(self, j: int, i: int) -> int:
        """Bit i of S after iteration j of the cycle."""

    @abstractmethod
    def stage_c(self, j: int, i: int) -> int:
        """Bit i of C after iteration j of the cycle."""

    @abstractmethod
    def stage_addr(self, j: int, i: int) -> int:
        """Bit i of the observed address of iteration j."""

    @property
    def pair_bits(self) -> int:
        """Width of S and of C."""
        return self.shape.width + self.extra_bits

    @property
    def iterations(self) -> int:
        """Cycles with iterations after the cycle of the start."""
        return -(-self.shape.width // self.shape.unfolding) - 1

    @property
    def rest(self) -> int:
        """Iterations in the last cycle."""
        return self.shape.width - self.iterations * self.shape.unfolding

    @property
    def next(self) -> int:
        """The cycle iterates: it is that of the start, or a later one."""
        return (self.starting & self.bit("Start")) | self.running

    @property
    def ends(self) -> int:
        """The cycle is the last one with iterations."""
        return self.running & self.bit("Last")

    def s(self, j: int, i: int) -> int:
        """Bit i of S before iteration j."""
        return self._before("RegS", "WireS", j, i)

    def c(self, j: int, i: int) -> int:
        """Bit i of C before iteration j."""
        return self._before("RegC", "WireC", j, i)

    def _before(self, register: str, wire: str, j: int, i: int) -> int:
        if not 0 <= i < self.pair_bits:
            return 0
        return self.bit(wire, (j - 1) * self.pair_bits + i) if j else self.bit(register, i)

    def _pair_next(self, register: str, wire: str, i: int) -> int:
        bits, unfolding = self.pair_bits, self.shape.unfolding
        iterated = self.choose(
            self.ends,
            self.bit(wire, (self.rest - 1) * bits + i),
            self.bit(wire, (unfolding - 1) * bits + i),
        )
        down = i + self.shape.word
        moved = self.bit(register, down) if down < bits else 0
        taken = self.choose(self.next, iterated, moved)
        return self.choose(self.next | self.bit("Unloads"), taken, self.bit(register, i))

    def register_next(self, label: Label) -> int:
        """Return the next value of a register."""
        i = label.bit
        terms: dict[str, Callable[[], int]] = {
            "RegS": lambda: self._pair_next("RegS", "WireS", i),
            "RegC": lambda: self._pair_next("RegC", "WireC", i),
            "Unloads": lambda: self.bit("Unload"),
            "State": lambda: self.state_next(i),
            "Count": lambda: self.count_next(i),
            "Last": self.last_next,
        }
        return terms[label.signal]()

    def wire(self, label: Label) -> int:
        """Return the value of a bit of S or C after an iteration."""
        j, i = divmod(label.bit, self.pair_bits)
        return self.stage_s(j, i) if label.signal == "WireS" else self.stage_c(j, i)

    def output(self, label: Label) -> int:
        """Return the value of an output."""
        i = label.bit
        terms: dict[str, Callable[[], int]] = {
            "OutS": lambda: self.s(0, i),
            "OutC": lambda: self.c(0, i),
            "TableValid": lambda: self._table_valid(i),
            "TableAddr": lambda: self._table_addr(*divmod(i, TABLE_ADDRESS_WIDTH)),
        }
        return terms[label.signal]() if label.signal in terms else self.control_output(label)

    def _table_valid(self, i: int) -> int:
        if i >= self.shape.unfolding:
            return 0
        return self.next if i < self.rest else self.next & self.no(self.ends)

    def _table_addr(self, j: int, i: int) -> int:
        return self.stage_addr(j, i) if j < self.shape.unfolding else 0

    def registers(self) -> list[Label]:
        """Every register, in the order of ``Unfolded.v``."""
        count = max(1, (self.iterations - 1).bit_length())
        sizes = {
            "RegS": self.pair_bits, "RegC": self.pair_bits, "Unloads": 1, "State": 2,
            "Count": count, "Last": 1,
        }  # fmt: skip
        return [Label(signal, i) for signal, size in sizes.items() for i in range(size)]


class UnfoldedFast(Unfolded):
    """fast_montgomery: two carry-save adders."""

    def _odd(self, j: int) -> int:
        return self.s(j, 0) ^ self.c(j, 0) ^ (self.bit("X", j) & self.bit("Y"))

    def _first(self, j: int, i: int) -> tuple[int, int, int]:
        if i < 0:
            return 0, 0, 0
        return self.s(j, i), self.c(j, i), self.held("Y", i) & self.bit("X", j)

    def _second(self, j: int, i: int) -> tuple[int, int, int]:
        s, c, y = self._first(j, i)
        m = self.held("M", i) & self._odd(j)
        return s ^ c ^ y, majority(*self._first(j, i - 1)), m

    def stage_s(self, j: int, i: int) -> int:
        """Sum bit i + 1 of the second adder."""
        a, b, c = self._second(j, i + 1)
        return a ^ b ^ c

    def stage_c(self, j: int, i: int) -> int:
        """Carry of position i of the second adder."""
        return majority(*self._second(j, i))

    def stage_addr(self, j: int, i: int) -> int:
        """s_0 after the first adder, then x_j."""
        s, c, y = self._first(j, 0)
        return (s ^ c ^ y, self.bit("X", j))[i] if i < 2 else 0


class UnfoldedFaster(Unfolded):
    """faster_montgomery: one carry-save adder and a table."""

    def _inputs(self, j: int, i: int) -> tuple[int, int, int]:
        y = self.bit("X", j)
        m = self.s(j, 0) ^ self.c(j, 0) ^ (y & self.bit("Y"))
        entry = (
            (self.bit("Constant", i) & y & m)
            | (self.held("Y", i) & y & self.no(m))
            | (self.held("M", i) & m & self.no(y))
        )
        return self.s(j, i), self.c(j, i), entry

    def stage_s(self, j: int, i: int) -> int:
        """Sum bit i + 1."""
        a, b, c = self._inputs(j, i + 1)
        return a ^ b ^ c

    def stage_c(self, j: int, i: int) -> int:
        """Carry of position i."""
        return majority(*self._inputs(j, i))

    def stage_addr(self, j: int, i: int) -> int:
        """s_0, c_0, y_0, x_j."""
        return (self.s(j, 0), self.c(j, 0), self.bit("Y"), self.bit("X", j))[i]


class Mm42(Unfolded):
    """mm42: a 4-to-2 compressor of two carry-save adders."""

    extra_bits = 2

    def _q(self, j: int) -> int:
        return self.s(j, 0) ^ (self.bit("X", j) & self.bit("Y"))

    def _first(self, j: int, i: int) -> tuple[int, int, int]:
        if i < 0:
            return 0, 0, 0
        y, m, q = self.held("Y", i), self.held("M", i), self._q(j)
        chosen = self.choose(self.bit("X", j), self.choose(q, y ^ m, y), q & m)
        return self.s(j, i), self.c(j, i), chosen

    def _second(self, j: int, i: int) -> tuple[int, int, int]:
        a, b, c = self._first(j, i)
        d2 = self.held("Y", i - 1) & self.held("M", i - 1) if i else 0
        second = self.bit("X", j) & self._q(j) & d2
        return a ^ b ^ c, majority(*self._first(j, i - 1)), second

    def stage_s(self, j: int, i: int) -> int:
        """Sum bit i + 1 of the second adder."""
        a, b, c = self._second(j, i + 1)
        return a ^ b ^ c

    def stage_c(self, j: int, i: int) -> int:
        """Carry of position i of the second adder."""
        return majority(*self._second(j, i))

    def stage_addr(self, j: int, i: int) -> int:
        """q, then x_j."""
        return (self._q(j), self.bit("X", j))[i] if i < 2 else 0
