"""Second, independent statement of R, ranges and status codes, from the sources and the interface.

The registry entries state these values first, and the RTL follows them. The scoreboard checks every
operation against this module instead. So every test list detects a mistake that an entry and the
RTL share (R off by one digit, two status codes swapped). To stay independent, this module imports
nothing from ``models``. Its formulas are literals in the letters of the papers, each with its place
in the paper. If a paper has no statement, the place gives the argument.

Sources by short name:
    Amanor: D. N. Amanor, Efficient Hardware Architectures for Modular Multiplication, thesis 2005.
    Gajbhiye & Joshi: Montgomery multiplier using pre-computation and unfolding, 2018.
    Michalski & Buell: A scalable architecture for RSA cryptography on large FPGAs, 2006.
    Tanimura et al.: Scalable unified dual-radix architecture, ASP-DAC 2008, slides.
    Jiang & Harris: Quotient pipelined very high radix scalable Montgomery multipliers, 2006.
    Walter: Montgomery exponentiation needs no final subtractions, 1999: R > 4M for a chain.
    Interface: headers of hdl/multiplier.sv, hdl/exponentiation/exponentiation.sv and
        hdl/loader/operand_loader.sv.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Parameters = Mapping[str, int]
Bits = Callable[[int, Parameters], int]

# Interface: bits 3:0 of the status word.
STATUS_CODES: Mapping[str, int] = {
    "IDLE": 0, "BUSY": 1, "OK": 2, "RAW": 3, "MODULUS_ZERO_OR_ONE": 4, "MODULUS_EVEN": 5,
    "OPERAND_RANGE": 6, "OPERAND_INCOMPLETE": 7, "LENGTH_RANGE": 8, "EXPONENT_RANGE": 9,
    "CONSTANT_INCONSISTENT": 10, "UPSET": 11, "INTEGRITY": 12, "INCOHERENT": 13,
}  # fmt: skip
# Interface: bits 7:4 of the status word, and the data of a rejected transfer's answer.
ERROR_CODES: Mapping[str, int] = {
    "NONE": 0, "UNKNOWN_ADDRESS": 1, "UNKNOWN_COMMAND": 2, "BUSY": 3, "START_WHILE_BUSY": 4,
    "NO_RESULT": 5,
}  # fmt: skip


@dataclass(frozen=True)
class Statement:
    """Statements of the sources about one architecture.

    n is the number of operand bits; formulas take (n, parameters) unless stated otherwise.

    Attributes:
        radix_bits: R = 2**bits of P = X*Y/R mod M; 0 outside the Montgomery domain.
        radix_place: source of radix_bits.
        chain_radix_bits: R = 2**bits in an exponentiation, whose host supplies R**2 mod M.
        chain_place: source of chain_radix_bits.
        sum_limit: upper limit (exclusive) of S + C for operands X, Y and a legal M; takes (y, m, n,
            parameters).
        sum_place: source of sum_limit.
        odd_modulus: True if M must be odd.
        modulus_place: source of odd_modulus.
        constant: value and bits of the constant m' that the host may supply; takes (m, n,
            parameters).
        binary_radix_bits: R = x**bits in GF(2**n); None without that field.
    """

    radix_bits: Bits
    radix_place: str
    chain_radix_bits: Bits
    chain_place: str
    sum_limit: Callable[[int, int, int, Parameters], int]
    sum_place: str
    odd_modulus: bool
    modulus_place: str
    constant: Callable[[int, int, Parameters], tuple[int, int]] | None = None
    binary_radix_bits: Bits | None = None


def _digits(bits: int, digit: int) -> int:
    return (bits + digit - 1) // digit


def _below_y_plus_m(y: int, m: int, n: int, p: Parameters) -> int:
    """Return y + m, the limit of (X*Y + q*M)/R with X, q <= R - 1."""
    return y + m


_SUM_PLACE = "Amanor, ch. 2.3: (X*Y + q*M)/2**n with X, q < 2**n, so that step (7) is enough"

_BIT_SERIAL = Statement(
    radix_bits=lambda n, p: n,
    radix_place="Amanor, Algorithm 1b, output: P = X*Y*(2**n)**-1 mod M",
    chain_radix_bits=lambda n, p: n + 2,
    chain_place="Walter, R > 4M for a chain, two iterations more than M has bits",
    sum_limit=_below_y_plus_m,
    sum_place=_SUM_PLACE,
    odd_modulus=True,
    modulus_place="Amanor, ch. 2.3: M is an odd number",
)

_MM42 = Statement(
    radix_bits=lambda n, p: n,
    radix_place="Gajbhiye & Joshi, MM42_Multiplier, line 3: i = 0 to k - 1",
    chain_radix_bits=lambda n, p: n + 2,
    chain_place="Gajbhiye & Joshi on Walter [3]: K + 2 iterations, 2**(K + 2)",
    sum_limit=_below_y_plus_m,
    sum_place="Gajbhiye & Joshi, MM42_Multiplier, lines 6 to 12: as Amanor, ch. 2.3",
    odd_modulus=True,
    modulus_place="Gajbhiye & Joshi, MM42_Multiplier, line 4: adding N makes the sum even",
)


def _mwrkmm_constant(m: int, n: int, p: Parameters) -> tuple[int, int]:
    w = p["DigitWidth"]
    return -pow(m, -1, 2**w) % 2**w, w


def _dual_radix_constant(m: int, n: int, p: Parameters) -> tuple[int, int]:
    k = p["UnitWidth"]
    return -pow(m, -1, 2**k) % 2**k, k


def _quotient_pipelined(d: int, figure: str) -> Statement:
    """Return the statement of Jiang & Harris for d stages; s = v(d+1), n' = n + s."""

    def chain_radix_bits(n: int, p: Parameters) -> int:
        v = p["DigitWidth"]
        return v * _digits(n + v * (d + 1) + 2, v)

    def constant(m: int, n: int, p: Parameters) -> tuple[int, int]:
        s = p["DigitWidth"] * (d + 1)
        multiple = -pow(m, -1, 2**s) % 2**s * m
        return (multiple + 1) // 2**s, n

    def sum_limit(y: int, m: int, n: int, p: Parameters) -> int:
        s = p["DigitWidth"] * (d + 1)
        return y + (-pow(m, -1, 2**s) % 2**s) * m

    return Statement(
        radix_bits=lambda n, p: p["DigitWidth"] * _digits(n, p["DigitWidth"]),
        radix_place=f"Jiang & Harris, {figure}: R = 2**n' of the prescaled X, n' a multiple of v,"
        " divided by the prescaling 2**(v(d+1))",
        chain_radix_bits=chain_radix_bits,
        chain_place=f"Jiang & Harris, {figure}, and Walter: R > 4*Mtilde of n + v(d+1) bits",
        sum_limit=sum_limit,
        sum_place=f"Jiang & Harris, {figure}: (X*Y + q*Mtilde)/R with X, q < R",
        odd_modulus=True,
        modulus_place="Jiang & Harris, ch. II: n-bit odd modulus",
        constant=constant,
    )


STATEMENTS: Mapping[str, Statement] = {
    "fast_montgomery": _BIT_SERIAL,
    "unfolded_fast_montgomery": _BIT_SERIAL,
    "faster_montgomery": _BIT_SERIAL,
    "unfolded_faster_montgomery": _BIT_SERIAL,
    "mm42": _MM42,
    "unfolded_mm42": _MM42,
    "optimized_interleaved": Statement(
        radix_bits=lambda n, p: 0,
        radix_place="Amanor, Algorithm 5, output: P = X*Y mod M",
        chain_radix_bits=lambda n, p: 0,
        chain_place="Amanor, ch. 6.5: no domain",
        sum_limit=lambda y, m, n, p: 5 * 2**n,
        sum_place="Amanor, Algorithm 5, steps (5) to (9): twice two words below 2**n, and A",
        odd_modulus=False,
        modulus_place="Amanor, Algorithm 5, inputs: X, Y, M with 0 <= X, Y < M",
    ),
    "mwr2mm": Statement(
        radix_bits=lambda n, p: n,
        radix_place="Michalski & Buell, Algorithm 1: i = 0 to m - 1",
        chain_radix_bits=lambda n, p: n + 2,
        chain_place="Walter, on Michalski & Buell, Algorithm 1: two bits more for R > 4M",
        sum_limit=_below_y_plus_m,
        sum_place="Michalski & Buell, ch. 3: the result is in the range of [0, 2M - 1]",
        odd_modulus=True,
        modulus_place="Michalski & Buell, eq. (10): M' = -1/M mod R, R a power of 2",
    ),
    "mwrkmm": Statement(
        radix_bits=lambda n, p: p["DigitWidth"] * _digits(n, p["DigitWidth"]),
        radix_place="Michalski & Buell, Algorithm 2: i = 0 to p = m/w, the last digit of X 0",
        chain_radix_bits=lambda n, p: p["DigitWidth"] * _digits(n + 2, p["DigitWidth"]),
        chain_place="Walter, on Michalski & Buell, Algorithm 2: as many digits as R > 4M takes",
        sum_limit=_below_y_plus_m,
        sum_place="Michalski & Buell, ch. 3.1: a final result in the range of 2M - 1",
        odd_modulus=True,
        modulus_place="Michalski & Buell, eq. (10): M' = -1/M mod R, R a power of 2",
        constant=_mwrkmm_constant,
    ),
    "dual_radix": Statement(
        radix_bits=lambda n, p: p["UnitWidth"] * _digits(n, p["UnitWidth"]),
        radix_place="Tanimura et al., appendix, GF(P): C = A*B*2**-n mod P, n = m*k, m digits",
        chain_radix_bits=lambda n, p: p["UnitWidth"] * _digits(n + 2, p["UnitWidth"]),
        chain_place="Walter, on Tanimura et al., GF(P): as many digits as R > 4M takes",
        sum_limit=_below_y_plus_m,
        sum_place="Tanimura et al., appendix, GF(P), last line: one subtraction of P",
        odd_modulus=True,
        modulus_place="Tanimura et al., appendix: q = -1/P mod 2**k",
        constant=_dual_radix_constant,
        binary_radix_bits=lambda n, p: (
            p["UnitWidth"] * p["Units"] * _digits(n, p["UnitWidth"] * p["Units"])
        ),
    ),
    "quotient_pipelined": _quotient_pipelined(1, "figure 2"),
    "parallel_high_radix": _quotient_pipelined(0, "figure 2 with d = 0 (ch. III)"),
}


def product_status(
    statement: Statement, x: int, y: int, m: int, n: int, *, raw: bool = False, binary: bool = False
) -> str:
    """Return the name of the status of a product whose operands are complete.

    Order of the interface: a bit above n in any operand; M = 0 or 1; M even although it must be odd
    (in GF(2**n): no constant term); X or Y not reduced, which a raw start only flags.
    """
    if x >> n or y >> n or m >> n:
        return "OPERAND_RANGE"
    if m in (0, 1):
        return "MODULUS_ZERO_OR_ONE"
    if not m & 1 and (binary or statement.odd_modulus):
        return "MODULUS_EVEN"
    limit = 2 ** (m.bit_length() - 1) if binary else m  # polynomials compare by degree
    if x < limit and y < limit:
        return "OK"
    return "RAW" if raw else "OPERAND_RANGE"


def power_status(
    statement: Statement,
    base: int,
    exponent: int,
    m: int,
    length: int,
    n: int,
    parameters: Parameters,
    *,
    r_squared: int | None = None,
    m_prime: int | None = None,
) -> str:
    """Return the name of the status of an exponentiation whose operands are complete.

    Order of the interface: length, exponent, a bit above an operand's width, modulus, range, and
    then the constants that the host supplied and the core uses.

    Args:
        statement: statement of the architecture.
        base: data.
        exponent: exponent.
        m: modulus.
        length: number of exponent bits to process.
        n: operand bits.
        parameters: parameters of the core.
        r_squared: R**2 as supplied with this operation; None if not supplied.
        m_prime: m' as supplied with this operation; None if not supplied.
    """
    if length < 1 or length > n:
        return "LENGTH_RANGE"
    if exponent >> length:
        return "EXPONENT_RANGE"
    if base >> n or m >> n or (r_squared or 0) >> n:
        return "OPERAND_RANGE"
    bits = statement.constant(3, n, parameters)[1] if statement.constant else 1
    if (m_prime or 0) >> bits:
        return "OPERAND_RANGE"
    domain = statement.chain_radix_bits(n, parameters)
    used = r_squared if domain and r_squared is not None else 0
    status = product_status(statement, base, used, m, n)
    if status != "OK":
        return status
    if statement.constant and m_prime not in (None, statement.constant(m, n, parameters)[0]):
        return "CONSTANT_INCONSISTENT"
    if domain and r_squared not in (None, 2 ** (2 * domain) % m):
        return "CONSTANT_INCONSISTENT"
    return "OK"
