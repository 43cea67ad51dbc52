"""Format of a core description, the file that describes the user's own core."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema
from pydantic_core import PydanticCustomError

from regress.core.formats.model import Format, Positive, Text
from verif.own_core.formula import Formula

BRACES = re.compile(r"\{([^{}]*)\}")
PRODUCT = "product"
# Environment variable of a simulation that has its core description.
DESCRIPTION_VARIABLE = "BLACK_BOX_DESCRIPTION"
MAX_WIDTH = 8192
MAX_WATCH_BITS = 8
# Largest status code: status_o has 8 bits.
MAX_CODE = 255
# Largest number of cycles that can be counted; an operation must take fewer.
MAX_LATENCY = (1 << 32) - 1


def _formula_of(*names: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, int | str):
            raise PydanticCustomError("formula", "expected a number or a formula")
        try:
            return Formula(value, names).text
        except ValueError as error:
            raise PydanticCustomError("formula", "{message}", {"message": str(error)}) from None

    return check


def _macro_of(value: Any) -> Any:
    """Return the text of a macro whose value is a number in YAML."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_SCHEMA = WithJsonSchema({"type": ["integer", "string"], "x-kind": "formula"})
WidthFormula = Annotated[str, BeforeValidator(_formula_of("n")), _SCHEMA]
ModulusFormula = Annotated[str, BeforeValidator(_formula_of("n", "k", "m")), _SCHEMA]
CycleFormula = Annotated[str, BeforeValidator(_formula_of("n", "length")), _SCHEMA]


Macro = Annotated[str, BeforeValidator(_macro_of)]
Code = Annotated[int, Field(ge=0, le=MAX_CODE)]


class Widths(Format):
    """Legal operand widths n in bits."""

    minimum: Annotated[int, Field(ge=2, le=MAX_WIDTH)] = 4
    """Smallest one."""
    maximum: Annotated[int, Field(ge=2, le=MAX_WIDTH)] = 1024
    """Largest one."""
    multiple_of: Positive = 1
    """All are multiples of it."""
    values: tuple[Annotated[int, Field(ge=2, le=MAX_WIDTH)], ...] = ()
    """The only legal widths, for a core of fixed widths."""

    def __contains__(self, width: object) -> bool:
        """Return True if a width is legal."""
        if self.values:
            return width in self.values
        return (
            isinstance(width, int)
            and self.minimum <= width <= self.maximum
            and width % self.multiple_of == 0
        )

    def __iter__(self) -> Iterator[int]:  # type: ignore[override]  # over widths, not over the fields
        """Iterate over all legal widths, ascending."""
        if self.values:
            return iter(sorted(set(self.values)))
        first = -(-self.minimum // self.multiple_of) * self.multiple_of
        return iter(range(first, self.maximum + 1, self.multiple_of))


class Modulus(Format):
    """Legal moduli."""

    parity: Literal["odd", "any"] = "odd"
    """Whether M may be even."""
    minimum: Annotated[int, Field(ge=1)] = 3
    """Smallest one."""
    maximum: WidthFormula | None = None
    """Largest one, a formula of n: `2**(n - 2) - 1`. Default 2**n - 1."""
    one_modulo: WidthFormula = "1"
    """M = 1 modulo this, a formula of n: `2**16`."""
    top_bit: bool = False
    """Bit n - 1 must be set: no leading zeros."""


class Latency(Format):
    """A range of cycles from the start to done; one end of it may be missing."""

    minimum: CycleFormula = "0"
    """Formula of the fewest cycles."""
    maximum: CycleFormula | None = None
    """Formula of the most cycles."""


def _has_end(value: Any) -> Any:
    if value == {}:
        raise PydanticCustomError("range", "minimum or maximum is missing")
    return value


def _is_range(value: Any) -> str:
    return "range" if isinstance(value, dict | Latency) else "formula"


LatencyClaim = Annotated[
    Annotated[CycleFormula, Tag("formula")]
    | Annotated[Latency, BeforeValidator(_has_end), Tag("range")],
    Discriminator(_is_range),
]


class Claims(Format):
    """Claims about the core. The check tests only the claims that the file makes."""

    latency: LatencyClaim | None = None
    """Cycles from the cycle of `start_i` to that of `done_o`: a formula of n (and, of an
    exponentiation with a length, of `length`), or `minimum` and `maximum`."""
    constant_time: bool = False
    """The same number of cycles for all values at one width (and length)."""
    reset: bool = False
    """After a reset in any cycle of an operation, the next operation is right."""
    reduced: bool = True
    """The result is below M. If false, it is only congruent modulo M."""
    start_while_busy: Literal["ignored"] | None = None
    """A second start during an operation changes nothing."""
    operands: Literal["sampled", "held"] = "held"
    """`sampled`: the core samples the operands with the start; they may change after it."""


class Constant(Format):
    """A value that the host computes from M, on a port of the shim with this name and `_i`."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z]\w*$")]
    """Name of the port, without its `_i`."""
    bits: WidthFormula
    """Width of the port."""
    value: ModulusFormula
    """Formula of n, k and m; M is legal only if the value fits into the port."""


def _is_constant(value: Any) -> str:
    return "formula" if isinstance(value, dict | Constant) else "name"


AnyConstant = Annotated[
    Annotated[Literal["r_squared", "m_prime"], Tag("name")] | Annotated[Constant, Tag("formula")],
    Discriminator(_is_constant),
]


class Status(Format):
    """The core's own status, on the shim's port `status_o` (8 bits) in the cycle of done."""

    ok: Code = 0
    """Status code of a right result."""
    rejected: tuple[Code, ...] = ()
    """Status codes for illegal operands. The check then also sends illegal operands, which the
    core must reject."""


class Watch(Format):
    """A signal inside the core whose values are counted."""

    name: Text
    """Name of the coverage group."""
    signal: Text
    """Hierarchical name below the shim: `u_core.state`."""
    bits: Annotated[int, Field(ge=1, le=MAX_WATCH_BITS)]
    """Width of the signal."""
    values: tuple[int, ...] = ()
    """Values that must occur; default: all with a name, or all."""
    names: dict[int, Text] = Field(default_factory=dict)
    """Names of values in pictures and coverage."""

    @property
    def goal(self) -> tuple[int, ...]:
        """Values that must be observed."""
        return self.values or tuple(self.names) or tuple(range(1 << self.bits))

    def bin(self, value: int) -> str:
        """Return the name of a value's coverage bin."""
        return self.names.get(value, str(value))


class CoreDescription(Format):
    """Description of a user's core, as far as the check needs it."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z]\w*$")]
    """Name of the core in reports."""
    sources: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Verilog and SystemVerilog files in compile order, the shim too; relative to this file. What
    stands in braces is a formula of n: `core_{n}.v`. A `.vlt` file is for Verilator alone."""
    include: tuple[Text, ...] = ()
    """Folders of include files, relative to this file."""
    defines: dict[str, Macro] = Field(default_factory=dict)
    """Macros; text in braces is a formula of n."""
    shim: Text
    """Name of the module that is the shim."""
    parameters: dict[str, WidthFormula] = Field(default_factory=dict)
    """Parameters of the shim besides Width, as formulas of n."""
    computes: Literal["product", "exponentiation"]
    """X·Y·2^-k mod M, or base^exponent mod M."""
    k: WidthFormula = "0"
    """Exponent k of a product X·Y·2^-k mod M; 0 for an ordinary product."""
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
    constants: tuple[AnyConstant, ...] = ()
    """Ports `r_squared_i` (2^(2k) mod M) and `m_prime_i` (-1/M mod 2^m_prime_bits) of the shim, and
    others with a formula each."""
    m_prime_bits: WidthFormula = "1"
    """Width of `m_prime_i`."""
    status: Status | None = None
    """The shim has `status_o`."""
    claims: Claims = Field(default_factory=Claims)
    """Claims that the check tests."""
    watch: tuple[Watch, ...] = ()
    """Signals inside the core whose values must be covered."""

    @property
    def is_product(self) -> bool:
        """True for a multiplier, False for an exponentiation core."""
        return self.computes == PRODUCT

    @property
    def operand_ports(self) -> tuple[str, str, str]:
        """Operand ports of the shim."""
        names = ("x", "y", "m") if self.is_product else ("base", "exponent", "modulus")
        first, second, third = (f"{name}_i" for name in names)
        return first, second, third

    def k_at(self, width: int) -> int:
        """Return k at a width."""
        return _at(self.k, width)

    def m_prime_width(self, width: int) -> int:
        """Return the bits of m' at a width."""
        return _at(self.m_prime_bits, width)

    def latency(self, width: int, length: int) -> tuple[int, int] | None:
        """Return the fewest and the most claimed cycles; None without a claim.

        If no maximum is claimed, it is :data:`MAX_LATENCY`.
        """
        claimed = self.claims.latency
        if claimed is None:
            return None
        both = (
            (claimed, claimed) if isinstance(claimed, str) else (claimed.minimum, claimed.maximum)
        )
        least, most = (
            Formula(text, ("n", "length"))(n=width, length=length) if text else MAX_LATENCY
            for text in both
        )
        return least, most

    def longest(self, width: int) -> int | None:
        """Return the most claimed cycles of any operation; None without a claim."""
        claimed = self.latency(width, width)
        return claimed[1] if claimed and claimed[1] < MAX_LATENCY else None

    def operand_bound(self, m: int, width: int) -> int:
        """Return the bound of X and Y (or the base); they must be below it."""
        return {"m": m, "2*m": min(2 * m, 1 << width), "2**n": 1 << width}[self.operands_below]

    def legal_modulus(self, m: int, width: int) -> bool:
        """Return True if M is legal by the core description."""
        rule = self.modulus
        return (
            rule.minimum <= m < 1 << width
            and (rule.parity == "any" or m % 2 == 1)
            and (not rule.top_bit or m >> (width - 1) == 1)
            and m <= self.most_modulus(width)
            and (m - 1) % self.modulus_step(width) == 0
            and all(0 <= value >> bits < 1 for _, bits, value in self.supplied(width, m))
        )

    def most_modulus(self, width: int) -> int:
        """Return the upper bound of legal moduli."""
        bound = self.modulus.maximum
        return (1 << width) - 1 if bound is None else min((1 << width) - 1, _at(bound, width))

    def modulus_step(self, width: int) -> int:
        """Return the number modulo which every legal modulus is 1."""
        return _at(self.modulus.one_modulo, width)

    @property
    def constant_names(self) -> list[str]:
        """Return the names of the constants."""
        return [one if isinstance(one, str) else one.name for one in self.constants]

    def ports(self, width: int) -> list[tuple[str, int]]:
        """Return name (without `_i`) and bits of the port of each constant."""
        bits = {"r_squared": width, "m_prime": self.m_prime_width(width)}
        return [
            (one, bits[one]) if isinstance(one, str) else (one.name, _at(one.bits, width))
            for one in self.constants
        ]

    def supplied(self, width: int, m: int) -> Iterator[tuple[str, int, int]]:
        """Yield name, bits and value of the constants with a formula, for a modulus above 0."""
        for one in self.constants:
            if isinstance(one, Constant):
                names = {"n": width, "k": self.k_at(width), "m": m}
                try:
                    value = Formula(one.value, names)(**names)
                except ValueError:  # the formula has no value for this modulus
                    value = -1
                yield one.name, _at(one.bits, width), value

    def at(self, text: str, width: int) -> str:
        """Return a text with each formula in braces replaced by its value at a width."""
        return BRACES.sub(lambda found: str(_at(found[1], width)), text)


@cache  # a rule of M is asked thousands of times
def _at(text: str, width: int) -> int:
    return Formula(text)(n=width)
