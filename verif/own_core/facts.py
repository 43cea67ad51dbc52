"""The file of facts of a core from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from regress.core.errors import UsageError
from regress.core.formats.files import Document, read_yaml
from regress.core.formats.model import Format, Positive, Text
from verif.own_core.formula import Formula

NAME = re.compile(r"[A-Za-z_]\w*")
HIERARCHY = re.compile(r"[A-Za-z_][\w$]*(\[\d+\])?(\.[A-Za-z_][\w$]*(\[\d+\])?)*")
PRODUCT = "product"
# Variable of a simulation with the facts of its core.
FACTS_VARIABLE = "BLACK_BOX_FACTS"
MAX_WIDTH = 8192
MAX_WATCH_BITS = 8
MAX_K = 16 * MAX_WIDTH
MAX_PARAMETER = (1 << 31) - 1
# Clocks that can be counted; no operation is waited for so long.
MAX_LATENCY = (1 << 32) - 1


def _formula_of(*names: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        try:
            return Formula(value, names).text
        except ValueError as error:
            raise PydanticCustomError("formula", "{message}", {"message": str(error)}) from None

    return check


_SCHEMA = WithJsonSchema({"type": ["integer", "string"], "x-kind": "formula"})
WidthFormula = Annotated[str, BeforeValidator(_formula_of("n")), _SCHEMA]
ClockFormula = Annotated[str, BeforeValidator(_formula_of("n", "length")), _SCHEMA]


class Widths(Format):
    """Legal operand widths n in bits."""

    minimum: Annotated[int, Field(ge=2, le=MAX_WIDTH)] = 4
    """Smallest one."""
    maximum: Annotated[int, Field(ge=2, le=MAX_WIDTH)] = 1024
    """Largest one."""
    multiple_of: Positive = 1
    """All are multiples of it."""

    def __contains__(self, width: object) -> bool:
        """Whether a width is legal."""
        return (
            isinstance(width, int)
            and self.minimum <= width <= self.maximum
            and width % self.multiple_of == 0
        )

    def __iter__(self) -> Iterator[int]:  # type: ignore[override]  # over widths, not over the fields
        """All legal widths, ascending."""
        first = -(-self.minimum // self.multiple_of) * self.multiple_of
        return iter(range(first, self.maximum + 1, self.multiple_of))


class Modulus(Format):
    """Legal moduli."""

    parity: Literal["odd", "any"] = "odd"
    """Whether M may be even."""
    minimum: Annotated[int, Field(ge=1)] = 3
    """Smallest one."""
    top_bit: bool = False
    """Bit n - 1 must be set: no leading zeros."""


class Latency(Format):
    """A range of clocks from the start to done."""

    minimum: ClockFormula
    """Formula of the least."""
    maximum: ClockFormula
    """Formula of the most."""


class Claims(Format):
    """What the core is said to do; what is left out is not claimed, and not held against it."""

    latency: ClockFormula | Latency | None = None
    """Clocks from the clock of `start_i` to that of `done_o`: a formula of n (and, of an
    exponentiation with a length, of `length`), or `minimum` and `maximum`."""
    constant_time: bool = False
    """The same number of clocks for all values at one width (and length)."""
    reset: bool = False
    """After a reset in any clock of an operation the next one is right."""
    reduced: bool = True
    """The result is below M; else it is only congruent."""
    start_while_busy: Literal["ignored"] | None = None
    """A second start during an operation changes nothing."""
    operands: Literal["sampled", "held"] = "held"
    """`sampled`: they are taken with the start and may change behind it."""


class Status(Format):
    """The core's own status, on the shim's port `status_o` (8 bits) in the clock of done."""

    ok: int = 0
    """When the result is right."""
    refused: tuple[int, ...] = ()
    """When operands are not legal: these are then given to the core, too, and must be refused."""


class Watch(Format):
    """A signal inside the core whose values are counted."""

    name: Text
    """Name of the coverage group."""
    signal: Text
    """Hierarchical name below the shim: `u_core.state`."""
    bits: Annotated[int, Field(ge=1, le=MAX_WATCH_BITS)]
    """Its width."""
    values: tuple[int, ...] = ()
    """Those that must be seen; default all that have a name, or all."""
    names: dict[int, Text] = Field(default_factory=dict)
    """What values are called, in pictures and coverage."""

    @property
    def goal(self) -> tuple[int, ...]:
        """Values that must be seen."""
        return self.values or tuple(self.names) or tuple(range(1 << self.bits))

    def bin(self, value: int) -> str:
        """What coverage calls a value."""
        return self.names.get(value, str(value))


class Facts(Format):
    """What has to be known of a core from outside to verify it."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z]\w*$")]
    """Of the core, in reports."""
    sources: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Verilog and SystemVerilog files in compile order, the shim too; relative to this file."""
    include: tuple[Text, ...] = ()
    """Folders of include files, relative to this file."""
    defines: dict[str, str] = Field(default_factory=dict)
    """Macros."""
    shim: Text
    """Module with the ports of the page on shims."""
    parameters: dict[str, WidthFormula] = Field(default_factory=dict)
    """Of the shim beside Width, as formulas of n."""
    computes: Literal["product", "exponentiation"]
    """X·Y·2^-k mod M, or base^exponent mod M."""
    k: WidthFormula = "0"
    """Of a product: exponent of 1/2, 0 for an ordinary one."""
    widths: Widths = Field(default_factory=Widths)
    """Legal operand widths n."""
    modulus: Modulus = Field(default_factory=Modulus)
    """Legal moduli."""
    operands_below: Literal["m", "2*m", "2**n"] = "m"
    """Bound of X and Y, or of the base."""
    length: bool = False
    """Of an exponentiation: the shim has `length_i`, the number of exponent bits that count;
    exponents are below 2^length."""
    exponent_minimum: Annotated[int, Field(ge=0)] = 0
    """Smallest legal exponent."""
    constants: tuple[Literal["r_squared", "m_prime"], ...] = ()
    """Ports `r_squared_i` (2^(2k) mod M) and `m_prime_i` (-1/M mod 2^m_prime_bits) of the shim."""
    m_prime_bits: WidthFormula = "1"
    """Width of `m_prime_i`."""
    status: Status | None = None
    """The shim has `status_o`."""
    claims: Claims = Field(default_factory=Claims)
    """What is to be held against it."""
    watch: tuple[Watch, ...] = ()
    """Signals inside to be covered."""

    @property
    def is_product(self) -> bool:
        """A multiplier; else an exponentiation core."""
        return self.computes == PRODUCT

    @property
    def operand_ports(self) -> tuple[str, str, str]:
        """Ports of the shim with the operands."""
        names = ("x", "y", "m") if self.is_product else ("base", "exponent", "modulus")
        first, second, third = (f"{name}_i" for name in names)
        return first, second, third

    def k_at(self, width: int) -> int:
        """k at a width."""
        return Formula(self.k)(n=width)

    def m_prime_width(self, width: int) -> int:
        """Bits of m' at a width."""
        return Formula(self.m_prime_bits)(n=width)

    def latency(self, width: int, length: int) -> tuple[int, int] | None:
        """Least and most clocks that are claimed; None if nothing is."""
        claimed = self.claims.latency
        if claimed is None:
            return None
        both = (
            (claimed, claimed) if isinstance(claimed, str) else (claimed.minimum, claimed.maximum)
        )
        least, most = (Formula(text, ("n", "length"))(n=width, length=length) for text in both)
        return least, most

    def operand_bound(self, m: int, width: int) -> int:
        """X and Y (the base) are below it."""
        return {"m": m, "2*m": min(2 * m, 1 << width), "2**n": 1 << width}[self.operands_below]

    def legal_modulus(self, m: int, width: int) -> bool:
        """Whether the core is said to work with M."""
        rule = self.modulus
        return (
            rule.minimum <= m < 1 << width
            and (rule.parity == "any" or m % 2 == 1)
            and (not rule.top_bit or m >> (width - 1) == 1)
        )


class Core:
    """A core from outside: its facts and where its files are.

    Attributes:
        path: of the file of facts.
        facts: what it says.
    """

    def __init__(self, path: Path, facts: Facts) -> None:
        self.path = path
        self.facts = facts

    @classmethod
    def read(cls, path: Path) -> Core:
        """Read and check a file of facts.

        Raises:
            UsageError: one line for each mistake, with file and line.
        """
        document = read_yaml(path, Facts, "the file of facts")
        for place, problem in _problems(document, path.parent):
            document.complain(place, problem)
        document.stop_if_any()
        return cls(path.resolve(), document.value)

    @cached_property
    def folder(self) -> Path:
        """Of the file of facts."""
        return self.path.parent

    @property
    def sources(self) -> list[Path]:
        """Absolute paths in compile order."""
        return [(self.folder / name).resolve() for name in self.facts.sources]

    @property
    def includes(self) -> list[Path]:
        """Absolute paths."""
        return [(self.folder / name).resolve() for name in self.facts.include]

    def check_width(self, width: int) -> None:
        """Refuse a width that is not legal, or at which a formula makes no sense.

        Raises:
            UsageError: one line, with the file.
        """
        self._check_legal(width)
        for key, text, least, most in self._formulas():
            lengths = (1, width) if "latency" in key else (width,)
            for length in lengths:
                try:
                    value = Formula(text, ("n", "length"))(n=width, length=length)
                except ValueError as error:
                    raise UsageError(f"{self.path}: {key}: {error}") from None
                if not least <= value <= most:
                    raise UsageError(
                        f"{self.path}: {key}: {text!r} is {value} at {width} bits; accepted are "
                        f"{least} to {most}"
                    )
        claimed = self.facts.latency(width, width)
        if claimed and claimed[0] > claimed[1]:
            raise UsageError(
                f"{self.path}: claims.latency: at {width} bits the minimum is {claimed[0]}, above "
                f"the maximum {claimed[1]}"
            )

    def _formulas(self) -> Iterator[tuple[str, str, int, int]]:
        """Key, text, least and greatest value of each formula."""
        facts = self.facts
        yield "k", facts.k, 0, MAX_K
        yield "m_prime_bits", facts.m_prime_bits, 1, MAX_WIDTH
        for name, text in facts.parameters.items():
            yield f"parameters.{name}", text, -MAX_PARAMETER, MAX_PARAMETER
        latency = facts.claims.latency
        if isinstance(latency, Latency):
            yield "claims.latency.minimum", latency.minimum, 0, MAX_LATENCY
            yield "claims.latency.maximum", latency.maximum, 0, MAX_LATENCY
        elif latency is not None:
            yield "claims.latency", latency, 0, MAX_LATENCY

    def _check_legal(self, width: int) -> None:
        widths = self.facts.widths
        if width not in widths:
            steps = f", multiples of {widths.multiple_of}" if widths.multiple_of > 1 else ""
            raise UsageError(
                f"width {width} of {self.facts.name}: accepted are {widths.minimum} to "
                f"{widths.maximum}{steps}"
            )


def _problems(
    document: Document[Facts], folder: Path
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What is wrong beyond the format: the place of each and what to say."""
    facts = document.value
    for key, names in (("sources", facts.sources), ("include", facts.include)):
        for index, name in enumerate(names):
            path = folder / name
            if key == "sources" and not path.is_file():
                yield (key, index), f"{key}: there is no file {path}"
            if key == "include" and not path.is_dir():
                yield (key, index), f"{key}: there is no folder {path}"
    if not NAME.fullmatch(facts.shim):
        yield ("shim",), f"shim: {facts.shim!r} is no name of a module"
    if not list(facts.widths):
        yield ("widths",), "widths: no width lies between minimum and maximum"
    for index, watch in enumerate(facts.watch):
        if not HIERARCHY.fullmatch(watch.signal):
            yield ("watch", index, "signal"), f"signal: {watch.signal!r} is no hierarchical name"
        for key, values in (("values", watch.values), ("names", watch.names)):
            if any(not 0 <= value < 1 << watch.bits for value in values):
                yield ("watch", index, key), f"{key}: one does not fit into {watch.bits} bits"
    if facts.is_product and facts.length:
        yield ("length",), "length: only an exponentiation has one"
    if not facts.is_product and facts.k != "0" and not facts.constants:
        yield ("k",), "k: of an exponentiation it only says what r_squared is"
