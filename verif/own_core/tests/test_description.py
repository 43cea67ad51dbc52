"""A core description: what it may say, and one clear line for what it may not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from regress.core.errors import UsageError
from verif.own_core.classes import classes_of
from verif.own_core.core import Core
from verif.own_core.defects import example_cores
from verif.own_core.draw import Draw, Operation
from verif.own_core.formula import Formula
from verif.own_core.jobs import cycles_of
from verif.own_core.plan import BRIEF, brief_widths, check_widths, claimed_classes
from verif.own_core.project import BlackBoxes
from verif.own_core.reference import constants, expected
from verif.own_core.tests.styles import PRODUCT

GOOD = "name: mine\nsources: [core.sv]\nshim: core\ncomputes: product\nk: n\n"


def read(folder: Path, text: str) -> Core:
    (folder / "core.sv").write_text("module core; endmodule\n")
    path = folder / "core.yaml"
    path.write_text(text)
    return Core.read(path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("core.sv", "other.sv", ":2: sources: file "),
        ("k: n", "k: n +", ":5: k: 'n +' is not a formula ("),
        ("k: n", "k: m + 1", ":5: k: 'm + 1' is not a formula ("),
        ("k: n", "k: 4 / 3", "k: '4 / 3' is 4/3, no whole number"),
        ("k: n", "claims: {latency: {}}", ":5: latency: minimum or maximum is missing"),
        ("computes: product", "computes: products", "did you mean 'product'"),
        ("shim: core\n", "", "missing 'shim'"),
        ("k: n", "k: n\nclaim: {}", "unknown key 'claim'"),
        ("k: n", "widths: {minimum: 8, maximum: 7}", "no width lies between"),
        ("k: n", "claims: {latency: cycles}", "'cycles' is not a formula (cycles is not known)"),
        ("k: n", "k: 2^n", "'2^n' is not a formula (a power is written **, not ^)"),
        ("k: n", "k: n << 1", "(the operator in n << 1 is not accepted)"),
        ("k: n", "k: n if n > 9 else 8", "(n if n > 9 else 8 is not accepted)"),
        ("k: n", "k: true", "k: true is neither a formula nor a number"),
        ("k: n", "k: 2**2**n", "(the power is too large)"),
        (
            "k: n",
            "claims: {latency: {minimum: '{n: 1}'}}",
            "minimum: '{n: 1}' is not a formula ({n",
        ),
        ("k: n", "defines: {WORDS: '{n'}", "defines: '{n' has a brace without its partner"),
        ("k: n", "watch: [{name: a, signal: u core, bits: 2}]", "no hierarchical name"),
        ("k: n", "length: true", "only an exponentiation has one"),
        ("k: n", "claims: {latency: {minimum: n +, maximum: n}}", ":5: minimum: 'n +' is no"),
        ("k: n", "claims: {latency: {most: n}}", "unknown key 'most'; accepted: minimum, maximum"),
        ("k: n", "claims: {latency: [n]}", "latency: expected a number or a formula"),
        ("k: n", "modulus: {maximum: 2**(n - 2}", "maximum: '2**(n - 2' is not a formula"),
        ("k: n", "defines: {WORDS: '{ceil(n / 16}'}", "defines: 'ceil(n / 16' is not a formula"),
        ("core.sv", "'core_{m}.sv'", "sources: 'm' is not a formula"),
        ("k: n", "constants: [{name: r, bits: n, value: 2**x}]", "value: '2**x' is not a formula"),
        ("k: n", "constants: [m_prime, m_prime]", "m_prime stands there twice"),
        ("k: n", "constants: [{name: x, bits: n, value: m}]", "x stands there twice, or is"),
        ("k: n", "constants: [r_squared]", ":5: constants: k is missing"),
        ("k: n", "constants: [{name: r, bits: n, value: 2**k % m}]", "constants: k is missing"),
        (
            "k: n",
            "watch: [{name: a, signal: u, bits: 2}, {name: a, signal: v, bits: 2}]",
            ":5: watch: a stands there twice",
        ),
        ("k: n", "status: {ok: 256}", ":5: ok: "),
        ("k: n", "status: {ok: 1, rejected: [2, 1]}", ":5: status: 1 is ok and rejected"),
    ],
)
def test_a_wrong_file_of_facts_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, GOOD.replace(old, new))
    (line,) = caught.value.lines
    assert line.startswith(f"{tmp_path / 'core.yaml'}:")
    assert said in line


def test_a_width_that_is_not_legal_is_one_line(tmp_path: Path) -> None:
    core = read(tmp_path, GOOD + "widths: {minimum: 16, maximum: 64, multiple_of: 16}\n")
    core.check_width(48)
    with pytest.raises(UsageError, match="accepted are 16 to 64, multiples of 16"):
        core.check_width(40)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("k: n - 20", "k: 'n - 20' is -3 at 17 bits; accepted are 0 to "),
        ("k: n / 2", "k: 'n / 2' is 17/2 for n = 17"),
        ("defines: {WORDS: '{n / 2}', KIND: 3}", "defines.WORDS: 'n / 2' is 17/2 for n = 17"),
        ("modulus: {minimum: 131072}", "modulus: no legal M was found at 17 bits in 2048 tries"),
        (
            "k: max(0, 18 - n)\nmodulus: {parity: any}",
            "modulus: parity any with k = max(0, 18 - n) at 17 bits",
        ),
        ("claims: {latency: n - 18}", "claims.latency: 'n - 18' is -1 at 17 bits"),
        ("claims: {latency: {minimum: n, maximum: 2*n - 18}}", "the minimum is 17, above"),
        ("m_prime_bits: n - 17", "m_prime_bits: 'n - 17' is 0 at 17 bits; accepted are 1 to "),
        ("parameters: {Words: n / 4}", "parameters.Words: 'n / 4' is 17/4 for n = 17"),
        ("modulus: {maximum: n - 17}", "is 0 at 17 bits; accepted are 1 to 2**8192 - 1"),
        # Python converts no integer of more than 4300 digits to text.
        ("modulus: {maximum: '2**(9 + 20000*max(0, 18 - n))'}", "is about 2**20009 at 17 bits; "),
        ("k: 1 - 2**(20000*max(0, 18 - n))", "is about -2**19999 at 17 bits; accepted are 0"),
        ("k: (2**(20001*max(0, 18 - n)) - 1) / 3", "is about 2**19999 for n = 17, "),
    ],
)
def test_a_formula_that_makes_no_sense_at_a_width_is_one_line(
    tmp_path: Path, more: str, said: str
) -> None:
    core = read(tmp_path, GOOD.replace("k: n\n", "" if more.startswith("k") else "k: n\n") + more)
    core.check_width(64)
    with pytest.raises(UsageError) as caught:
        core.check_width(17)
    (line,) = caught.value.lines
    assert line.startswith(f"{tmp_path / 'core.yaml'}: ")
    assert said in line


def test_a_latency_is_checked_at_every_length(tmp_path: Path) -> None:
    core = read(tmp_path, POWER + "length: true\nclaims: {latency: length * log2(length)}\n")
    with pytest.raises(UsageError, match=r"is 4\.75.* for .*length = 3, no whole number"):
        core.check_width(8)


def test_a_memory_file_that_the_simulation_does_not_find_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "table.hex").write_text("0\n")
    core = read(tmp_path, GOOD)
    source = tmp_path / "core.sv"
    initial = 'module core; // $readmemh("old.hex", t)\n  initial $readmemh("{}", t);\nendmodule\n'
    for name in ("table.hex", f"{tmp_path}/none.hex"):
        source.write_text(initial.replace("{}", name))
        with pytest.raises(UsageError) as caught:
            core.check_width(8)
        (line,) = caught.value.lines
        assert line.startswith(f'{source}:2: $readmemh("{name}"): the simulation runs in a folder')
    source.write_text(initial.replace("{}", f"{tmp_path}/table.hex"))
    core.check_width(8)


def test_a_formula_must_be_whole_at_legal_widths_only(tmp_path: Path) -> None:
    core = read(tmp_path, GOOD.replace("k: n", "k: n / 3") + "widths: {multiple_of: 3}\n")
    core.check_width(48)
    with pytest.raises(UsageError, match=r"k: 'n / 3' is 64/3 for n = 64, no whole number"):
        read(tmp_path, GOOD.replace("k: n", "k: n / 3")).check_width(64)


def test_sources_macros_and_constants_depend_on_the_width(tmp_path: Path) -> None:
    for width in (8, 16):
        (tmp_path / f"net_{width}.v").write_text("module net; endmodule\n")
    description = 'sources: ["net_{n}.v", core.sv]\nwidths: {values: [8, 16, 24]}\n'
    description += (
        "defines: {WORDS: '{ceil(n/16)}', KIND: plain}\nmodulus: {maximum: 2**(n-2) - 1, "
    )
    description += (
        "one_modulo: 2**(n//2)}\nconstants: [{name: r, bits: n, value: 2**k % m}, r_squared, "
    )
    description += "{name: n_prime, bits: n, value: '-inverse(m, 2**n) % 2**n'}, "
    description += "{name: barrett, bits: n + 4, value: 2**(2*n) // m}]\n"
    core = read(tmp_path, GOOD.replace("sources: [core.sv]\n", description))
    assert [path.name for path in core.sources_at(16)] == ["net_16.v", "core.sv"]
    assert [path.name for path in core.sources] == ["net_8.v", "net_16.v", "core.sv"]
    assert core.description.at(core.description.defines["WORDS"], 24) == "2"
    core.check_width(16)
    with pytest.raises(UsageError, match=r"file .*net_24\.v does not exist"):
        core.check_width(24)
    with pytest.raises(UsageError, match="width 9 of mine: accepted are 8, 16, 24"):
        core.check_width(9)
    # 2^(2n)/M has more bits than the port.
    assert not core.description.legal_modulus(0x0101, 16)
    wide = core.description.model_copy(update={"constants": core.description.constants[:3]})
    assert [m for m in range(1, 0x300) if wide.legal_modulus(m, 16)] == [0x0101, 0x0201]
    assert not wide.legal_modulus(0x4001, 16)
    draw = Draw(wide, 16, random.Random(1))
    assert all(wide.legal_modulus(draw.modulus(), 16) for _ in range(50))
    m, r = 0x0301, (1 << 16) % 0x0301
    vector = constants(wide, 16, m)
    assert vector & 0xFFFF == r
    assert vector >> 16 & 0xFFFF == r * r % m
    assert (vector >> 32) * m % (1 << 16) == 0xFFFF


def test_formulas_know_the_width() -> None:
    assert Formula("16 * ceil(n / 16)")(n=17) == 32
    assert Formula(7)(n=17) == 7
    with pytest.raises(ValueError, match="is not a formula"):
        Formula("__import__('os')")
    # Quotients are exact: a float has 53 bits.
    assert Formula("(2**n - 1) / 3")(n=64) == (2**64 - 1) // 3
    assert Formula("2**n / 4")(n=4096) == 1 << 4094
    with pytest.raises(ValueError, match="no whole number"):
        Formula("1e999")


@pytest.mark.parametrize("core", example_cores(), ids=lambda core: core.description.name)
def test_every_operation_of_a_class_is_legal_and_of_the_class(core: Core) -> None:
    description = core.description
    for width in (8, 17, 64):
        claimed = 0
        for one in classes_of(description):
            draw = Draw(description, width, random.Random(one.name))
            operations = one.operations(draw, 20)
            claimed += bool(operations)
            for operation in operations:
                assert draw.legal(operation) == one.legal
                assert one.belongs(operation, width), (one.name, width, operation)
        assert claimed > 10


def test_the_reference_scales_a_product_by_half_to_the_k(tmp_path: Path) -> None:
    description = read(tmp_path, GOOD).description
    for x, y, m in ((3, 5, 7), (200, 100, 251)):
        assert expected(description, 8, x, y, m) * 2**8 % m == x * y % m
    assert expected(description, 8, 0, 0, 1) == 0


def test_an_operand_of_the_modulus_is_legal_only_where_the_facts_say_so(tmp_path: Path) -> None:
    for bound, legal in (("m", False), ("2*m", True), ("2**n", True)):
        description = read(tmp_path, f"{GOOD}operands_below: '{bound}'\n").description
        draw = Draw(description, 8, random.Random(1))
        assert draw.legal(Operation(7, 1, 7, 8)) is legal


def barrett(x: int, y: int, m: int) -> int:
    """X·Y mod M by Barrett with a correction too few."""
    bits = m.bit_length()
    product = x * y
    q = (product >> (bits - 1)) * ((1 << 2 * bits) // m) >> (bits + 1)
    rest = product - q * m
    return rest - m if rest >= m else rest


@pytest.mark.parametrize("width", [8, 12, 16, 17, 32, 64])
def test_a_barrett_core_with_a_correction_too_few_is_found_at_every_width(width: int) -> None:
    description = PRODUCT
    name = "operands M-1 to M-16, M just above a power of two"
    one = next(one for one in classes_of(description) if one.name == name)
    some = one.operations(Draw(description, width, random.Random(1)), 20)
    assert any(barrett(o.first, o.second, o.m) != o.first * o.second % o.m for o in some)


def test_the_new_classes_have_what_their_names_say() -> None:
    description, width = PRODUCT, 128

    def drawn(name: str) -> list[Operation]:
        one = next(one for one in classes_of(description) if one.name == name)
        return one.operations(Draw(description, width, random.Random(1)), 60)

    ones = [trailing_zeros(o.m - 1) for o in drawn("M = 1 modulo words")]
    assert min(ones) >= 8
    assert max(ones) > 64
    runs = {byte for o in drawn("M of runs of ff and 00") for byte in o.m.to_bytes(16, "big")[1:-1]}
    assert runs == {0, 0xFF}
    low = [o.first * o.second for o in drawn("lowest or highest word of X*Y near 0 or all ones")]
    assert sum(p & 0xFF < 8 or p & 0xFF >= 0xF8 for p in low) > 15


def trailing_zeros(value: int) -> int:
    return (value & -value).bit_length() - 1


def test_list_smoke_has_a_wide_exponentiation_that_is_brief() -> None:
    power = PRODUCT.model_copy(update={"computes": "exponentiation"})
    widths = check_widths(power, deep=False)
    assert brief_widths(power, widths) == {272}
    assert not brief_widths(PRODUCT, check_widths(PRODUCT, deep=False))
    wide = set(claimed_classes(power, 272))
    assert {"exponent 3", "exponent much shorter than M"} <= wide & set(BRIEF)
    assert {31, 53} <= set(widths)


def test_list_smoke_has_products_that_fill_a_digit_and_exceed_it_by_a_bit() -> None:
    widths = set(check_widths(PRODUCT, deep=False))
    assert {digit + more for digit in (31, 52, 60) for more in (0, 1)} <= widths


POWER = "name: mine\nsources: [core.sv]\nshim: core\ncomputes: exponentiation\n"


def test_an_exponent_below_the_minimum_is_never_drawn(tmp_path: Path) -> None:
    core = read(tmp_path, POWER + "length: true\nexponent_minimum: 5\n")
    draw = Draw(core.description, 8, random.Random(1))
    assert all(draw.legal(draw.any()) for _ in range(300))
    wide = read(tmp_path, POWER + "exponent_minimum: 65537\n")
    wide.check_width(17)
    with pytest.raises(UsageError, match="65537 has more than 8 bits; accepted at this width"):
        wide.check_width(8)


def test_a_formula_of_the_owner_counts_whatever_its_name(tmp_path: Path) -> None:
    named = "constants: [{name: m_prime, bits: 16, value: '-inverse(m, 2**16) % 2**16'}]\n"
    core = read(tmp_path, GOOD + named)
    assert constants(core.description, 16, 0xABCD) == -pow(0xABCD, -1, 1 << 16) % (1 << 16)


def test_without_codes_of_rejections_no_illegal_operand_is_sent(tmp_path: Path) -> None:
    core = read(tmp_path, GOOD + "status: {ok: 0}\n")
    assert all(one.legal for one in classes_of(core.description))
    codes = read(tmp_path, GOOD + "status: {ok: 0, rejected: [1]}\n")
    assert not all(one.legal for one in classes_of(codes.description))


def test_the_only_legal_modulus_is_found(tmp_path: Path) -> None:
    only = 2**64 - 2**32 + 1
    core = read(tmp_path, GOOD + f"modulus: {{minimum: {only}, maximum: {only}}}\n")
    core.check_width(64)
    assert Draw(core.description, 64, random.Random(1)).modulus() == only


def test_a_latency_without_a_maximum_does_not_make_operations_costly(tmp_path: Path) -> None:
    core = read(tmp_path, GOOD + "claims: {latency: {minimum: 3*n+1}}\n")
    assert cycles_of(core.description, 8) < 100


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        ("#(int Width = 8)", True),
        ("#(parameter int Width = 8)", True),
        ("import pkg::*; #(integer Width = 8)", True),
        ("#(parameter int A = 1, // one; two\n  int Width = 8)", True),
        ("#(localparam int Width = 8)", False),
        ("/* no parameter Width */", False),
        ("", False),
    ],
)
def test_a_width_without_the_word_parameter_is_found(
    tmp_path: Path, header: str, takes: bool
) -> None:
    core = read(tmp_path, GOOD)
    text = f"module core {header} (input logic clk_i);\n  one #(.Width(8)) u_one ();\nendmodule\n"
    (tmp_path / "core.sv").write_text(text)
    assert core.takes_width(8) is takes


def test_a_byte_order_mark_is_not_in_the_copy_of_a_source(tmp_path: Path) -> None:
    core = read(tmp_path, GOOD)
    (tmp_path / "core.sv").write_text("\ufeffmodule core; endmodule\n", encoding="utf-8")
    store = BlackBoxes(tmp_path / "build")
    (copy,) = store.core(store.keep(core)).sources
    assert copy.read_bytes().endswith(b"0\nmodule core; endmodule\n")


def test_a_name_without_a_value_at_some_width_has_no_file_there(tmp_path: Path) -> None:
    (tmp_path / "core_2.sv").write_text("module core; endmodule\n")
    core = read(tmp_path, GOOD.replace("core.sv", '"core_{n/8}.sv"'))
    assert [path.name for path in core.sources] == ["core_2.sv"]


def test_an_include_folder_with_the_store_of_copies_is_one_line(tmp_path: Path) -> None:
    core = read(tmp_path, GOOD + "include: [.]\n")
    with pytest.raises(UsageError, match="where copies of cores are"):
        BlackBoxes(tmp_path / "build").keep(core)
