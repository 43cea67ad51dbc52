"""Python version of the machine of ``Machine.v``, ``Fast.v`` and ``Faster.v``, for the fast check.

``unfolded.py`` has that of ``Unfolded.v``.

Values are integers used as bit vectors, so one evaluation computes a whole truth table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from verif.formal.theorems.labels import Label

Read = Callable[[Label], int]


@dataclass(frozen=True)
class Shape:
    """Width, Guard, WordWidth, SegmentWidth and Unfolding of a configuration."""

    width: int
    guard: int
    word: int
    segment: int
    unfolding: int = 1

    @property
    def pass_words(self) -> int:
        """Words of a pass of the unit's adder."""
        return (self.width + self.guard + self.word) // self.word


def majority(a: int, b: int, c: int) -> int:
    """Return the carry of a full adder."""
    return (a & b) | ((a ^ b) & c)


class Machine(ABC):
    """Next values of registers and values of outputs, as functions of other bits.

    Args:
        shape: shape of the configuration.
        read: returns the value of a bit.
        ones: vector of ones.
    """

    def __init__(self, shape: Shape, read: Read, ones: int) -> None:
        self.shape = shape
        self._read = read
        self._ones = ones

    # What a core is

    @property
    @abstractmethod
    def iterations(self) -> int:
        """Cycles that the counter counts."""

    @property
    @abstractmethod
    def next(self) -> int:
        """The core takes bits of X."""

    @abstractmethod
    def register_next(self, label: Label) -> int:
        """Return the next value of a register."""

    @abstractmethod
    def output(self, label: Label) -> int:
        """Return the value of an output."""

    @abstractmethod
    def registers(self) -> list[Label]:
        """Return every register."""

    def wire(self, label: Label) -> int:
        """Return the value of a named wire."""
        raise KeyError(label)

    # Bits

    def bit(self, signal: str, i: int = 0) -> int:
        """A bit of a signal."""
        return self._read(Label(signal, i))

    def held(self, signal: str, i: int) -> int:
        """A bit of an operand or register of ``width`` bits, 0 above it."""
        return self.bit(signal, i) if i < self.shape.width else 0

    def no(self, a: int) -> int:
        """Complement."""
        return a ^ self._ones

    def choose(self, condition: int, a: int, b: int) -> int:
        """a where the condition holds, else b."""
        return (condition & a) | (self.no(condition) & b)

    def constant(self, value: int, i: int) -> int:
        """Bit i of a number."""
        return self._ones if value >> i & 1 else 0

    # bit_serial_control

    @property
    def starting(self) -> int:
        """The state is STARTING."""
        return self.no(self.bit("State", 0) | self.bit("State", 1))

    @property
    def running(self) -> int:
        """The state is RUNNING."""
        return self.bit("State", 0) & self.no(self.bit("State", 1))

    def count_next(self, i: int) -> int:
        """Bit i of the counter's next value."""
        carry = self._ones
        for j in range(i):
            carry &= self.bit("Count", j)
        counted = self.choose(self.running, self.bit("Count", i) ^ carry, self.bit("Count", i))
        return self.no(self.starting) & counted

    def last_next(self) -> int:
        """The counter's next value is its last one."""
        last = self.iterations - 1
        equal = self._ones
        for i in range(last.bit_length()):
            equal &= self.no(self.count_next(i) ^ self.constant(last, i))
        return equal

    def state_next(self, i: int) -> int:
        """Bit i of the next state."""
        if i:
            return self.running & self.bit("Last")
        return (self.starting & self.bit("Start")) | (self.running & self.no(self.bit("Last")))

    def control_output(self, label: Label) -> int:
        """Return the value of an output of the state machine."""
        return {
            "Busy": self.bit("State", 0) | self.bit("State", 1),
            "Done": self.bit("State", 1) & self.no(self.bit("State", 0)),
            "Next": self.next,
            "OutState": self.bit("State", label.bit),
        }[label.signal]


class BitSerial(Machine):
    """A core with one iteration a cycle, whose addends are chosen one cycle ahead."""

    # Bits by which an operand's copies of "is added" reach further than the operand.
    extra_takes = 0

    # What a core adds

    @abstractmethod
    def next_s(self, i: int) -> int:
        """Bit i of S after the iteration."""

    @abstractmethod
    def next_c(self, i: int) -> int:
        """Bit i of C after the iteration."""

    @abstractmethod
    def table_addr(self, i: int) -> int:
        """Bit i of the observed address."""

    @property
    def iterations(self) -> int:
        """Width."""
        return self.shape.width

    @property
    def next(self) -> int:
        """The core takes a bit of X."""
        return (self.starting & self.bit("Start")) | (self.running & self.no(self.bit("Last")))

    # bit_serial_iterations

    def pair_next(self, signal: str, iterated: Callable[[int], int], i: int) -> int:
        """Bit i of the next S or C."""
        segment = i // self.shape.segment
        moved = self.choose(
            self.bit("Iterates", segment), iterated(i), self.held(signal, i + self.shape.word)
        )
        return self.choose(self.bit("Moves", segment), moved, self.bit(signal, i))

    @property
    def odd(self) -> int:
        """The sum of the next iteration would be odd."""
        lowest = self.no(self.starting) & (self.next_s(0) ^ self.next_c(0))
        return lowest ^ (self.bit("X") & self.bit("Y"))

    def register_next(self, label: Label) -> int:
        """Return the next value of a register."""
        i = label.bit
        terms: dict[str, Callable[[], int]] = {
            "RegS": lambda: self.pair_next("RegS", self.next_s, i),
            "RegC": lambda: self.pair_next("RegC", self.next_c, i),
            "TakesY": lambda: self.next & self.bit("X"),
            "TakesM": lambda: self.next & self.odd,
            "Moves": lambda: self.next | self.bit("Unload"),
            "Iterates": lambda: self.next,
            "State": lambda: self.state_next(i),
            "Count": lambda: self.count_next(i),
            "Last": self.last_next,
        }
        return terms[label.signal]()

    def output(self, label: Label) -> int:
        """Return the value of an output."""
        i = label.bit
        terms: dict[str, Callable[[], int]] = {
            "OutS": lambda: self.held("RegS", i),
            "OutC": lambda: self.held("RegC", i),
            "TableValid": lambda: 0 if i else self.running,
            "TableAddr": lambda: self.table_addr(i),
        }
        return terms[label.signal]() if label.signal in terms else self.control_output(label)

    def registers(self) -> list[Label]:
        """Every register, in the order of ``Machine.v``."""
        width, segment = self.shape.width, self.shape.segment
        copies = -(-width // segment)
        takes = -(-(width + self.extra_takes) // segment)
        sizes = {
            "RegS": width, "RegC": width, "TakesY": takes, "TakesM": takes, "Moves": copies,
            "Iterates": copies, "State": 2, "Count": (width - 1).bit_length(), "Last": 1,
        }  # fmt: skip
        return [Label(signal, i) for signal, size in sizes.items() for i in range(size)]


class Fast(BitSerial):
    """fast_montgomery: two carry-save adders."""

    def _chosen(self, operand: str, takes: str, i: int) -> int:
        if i >= self.shape.width:
            return 0
        return self.bit(operand, i) & self.bit(takes, i // self.shape.segment)

    def _first(self, i: int) -> tuple[int, int, int]:
        if i < 0:
            return 0, 0, 0
        return self.held("RegS", i), self.held("RegC", i), self._chosen("Y", "TakesY", i)

    def _second(self, i: int) -> tuple[int, int, int]:
        s, c, y = self._first(i)
        return s ^ c ^ y, majority(*self._first(i - 1)), self._chosen("M", "TakesM", i)

    def next_s(self, i: int) -> int:
        """Sum bit i + 1 of the second adder."""
        a, b, c = self._second(i + 1)
        return a ^ b ^ c

    def next_c(self, i: int) -> int:
        """Carry of position i of the second adder."""
        return majority(*self._second(i))

    def table_addr(self, i: int) -> int:
        """s_0 after the first adder, then x_i."""
        s, c, y = self._first(0)
        return (s ^ c ^ y, self.bit("TakesY"))[i] if i < 2 else 0


class Faster(BitSerial):
    """faster_montgomery: one carry-save adder and a table."""

    extra_takes = 1

    def _inputs(self, i: int) -> tuple[int, int, int]:
        segment = i // self.shape.segment
        y, m = self.bit("TakesY", segment), self.bit("TakesM", segment)
        entry = (
            (self.bit("Constant", i) & y & m)
            | (self.held("Y", i) & y & self.no(m))
            | (self.held("M", i) & m & self.no(y))
        )
        return self.held("RegS", i), self.held("RegC", i), entry

    def next_s(self, i: int) -> int:
        """Sum bit i + 1."""
        a, b, c = self._inputs(i + 1)
        return a ^ b ^ c

    def next_c(self, i: int) -> int:
        """Carry of position i."""
        return majority(*self._inputs(i))

    def table_addr(self, i: int) -> int:
        """s_0, c_0, y_0, x_i."""
        shown = ("RegS", "RegC", "Y", "TakesY")
        return self.bit(shown[i]) if i < len(shown) else 0
