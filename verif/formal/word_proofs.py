"""Proofs about modules that move words: adders, memories, the order of operands."""

from __future__ import annotations

from models.architecture import Architecture
from verif.formal.proof import Injected, Mode, Proof, Settings
from verif.library.edits.operators import Replace


def word_proofs() -> tuple[Proof, ...]:
    """Return the proofs in the order of the list."""
    return (
        Proof(
            name="adder_words",
            says="words, flags and cycles of every reduction for every A, B, M",
            source="",
            module="adder_words",
            mode=Mode.BMC,
            settings=_adder_words,
            architectures=(),
            widths=(4,),
            injected=(
                Injected(
                    Replace(module="word_stream_adder", signal="carry_q", at="StPass", to="1'b0")
                ),
                Injected(Replace(module="shifted_modulus", signal="above", to="1'b0")),
                Injected(
                    Replace(
                        module="shifted_modulus",
                        reading="lower_q",
                        at="if down_i",
                        signal="lower_q",
                        to="lower_q",
                    )
                ),
            ),
        ),
        Proof(
            name="adder_pass",
            says="words, carries, cycles and banks of each pass, for every number of words",
            source="",
            module="adder_pass",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2, {"AddWidth": 16}),
            architectures=(),
            widths=(100,),
            injected=(
                Injected(
                    Replace(module="word_stream_adder", signal="carry_q", at="StPass", to="1'b0"),
                    depth=6,
                ),
            ),
        ),
        Proof(
            name="unit_lemmas",
            says="a whole unit with its memories has the lemmas of the theorem about units",
            source="",
            module="unit_lemmas",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2, {"AddWidth": 4, "BusWidth": 4}),
            architectures=("fast_montgomery", "faster_montgomery", "mm42"),
            # Of 25 bits an operand has as many words as a sum, except with more guard bits.
            widths=(8, 25),
            injected=(
                Injected(
                    Replace(module="parallel_operands", signal="m_loaded", to="{y_in_q, m_q}"),
                    "mm42",
                    depth=7,
                ),
                Injected(
                    Replace(module="word_stream_adder", signal="carry_q", at="StPass", to="1'b0"),
                    "faster_montgomery",
                    depth=8,
                ),
            ),
        ),
        Proof(
            name="memory_words",
            says="a memory gives back what was written, whatever the width of both words",
            source="",
            module="memory_words",
            mode=Mode.BMC,
            settings=_memory_words,
            architectures=(),
            widths=(12, 13),
            injected=(
                Injected(Replace(module="operand_memory", signal="row", at="gen_ram", to="word_q")),
                Injected(
                    Replace(module="operand_memory", signal="data_o", term="last_q", to="1'b0"),
                    width=13,
                ),
            ),
            macros=True,
        ),
        Proof(
            name="word_memory_rules",
            says="a word memory gives back the word written last, also in the cycle of its write, "
            "and 0 beyond its words; each port of its array stays within it",
            source="",
            module="word_memory_rules",
            mode=Mode.BMC,
            settings=lambda entry, width: Settings(8),
            architectures=(),
            widths=(2,),
            injected=(
                Injected(Replace(module="word_memory", signal="same", to="1'b0")),
                Injected(Replace(module="word_memory", signal="data_o", to="word")),
                Injected(Replace(module="word_memory", signal="write", to="1'b1")),
            ),
            macros=True,
        ),
        Proof(
            name="converter_words",
            says="words of one width become words of another, each once, in order and in time",
            source="",
            module="converter_words",
            mode=Mode.BMC,
            settings=_converter_words,
            architectures=(),
            widths=(1, 2, 3, 4, 5, 6),
            injected=(
                Injected(
                    Replace(
                        module="word_converter",
                        signal="rest_count",
                        at="gen_any",
                        term="less_q",
                        to="count_q",
                    ),
                    width=2,
                ),
                Injected(
                    Replace(module="word_converter", signal="ready", at="gen_parts", to="1'b1")
                ),
                Injected(
                    Replace(
                        module="word_converter",
                        signal="buffer_q",
                        at="gen_parts",
                        reading="last",
                        term="last",
                        to="1'b0",
                    ),
                    width=3,
                ),
                Injected(
                    Replace(module="word_converter", parameter="InUnits", to="InWidth"),
                    width=6,
                ),
            ),
        ),
        Proof(
            name="operand_order",
            says="a core gets every bit of X once and in order, whenever it takes them",
            source="",
            module="operand_order",
            mode=Mode.BMC,
            settings=lambda entry, width: Settings(16, {"WordWidth": 4 + width % 2}),
            architectures=(),
            widths=(9, 12),
            injected=(
                Injected(
                    Replace(
                        module="operand_bits",
                        signal="append",
                        term="short_q",
                        to="(left < CountWidth'(take_i) - 1'b1)",
                    )
                ),
                Injected(
                    Replace(
                        module="operand_bits",
                        signal="buffer_q",
                        at="StFill",
                        to="BufferWidth'(word)",
                    )
                ),
            ),
        ),
        Proof(
            name="operand_stream",
            says="bit j of X is the bit number j that a core takes, for every j and every pause",
            source="",
            module="operand_stream",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2, {"AddWidth": 8}),
            architectures=(),
            widths=(27,),
            injected=(
                Injected(
                    Replace(
                        module="operand_bits",
                        signal="append",
                        term="short_q",
                        to="(left < CountWidth'(take_i) - 1'b1)",
                    ),
                    depth=16,
                ),
            ),
        ),
        Proof(
            name="operand_compare",
            says="X < M, Y < M, M > 1 and M odd, step by step for every number of words",
            source="",
            module="operand_compare",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2, {"AddWidth": 16}),
            architectures=(),
            widths=(100,),
            injected=(
                Injected(
                    Replace(
                        module="operand_check", signal="y_carry_q", term="y_difference", to="1'b0"
                    ),
                    depth=6,
                ),
            ),
        ),
    )


def _adder_words(entry: Architecture | None, width: int) -> Settings:
    add_width, guard = 4, 2
    words = (width + guard + add_width) // add_width
    passes = width + guard + 1
    # The pass that loads M comes first.
    cycles = words + 3 + passes * (words + 2)
    return Settings(cycles + 4, {"AddWidth": add_width, "Guard": guard, "MaxCycles": cycles})


def _memory_words(entry: Architecture | None, width: int) -> Settings:
    # Words that share a factor, and words of one width.
    write_width, read_width = (4, 6) if width % 2 else (4, 4)
    return Settings(10, {"WriteWidth": write_width, "ReadWidth": read_width})


def _converter_words(entry: Architecture | None, width: int) -> Settings:
    # Two of the slowest conversions, three words into bits and one more bit, with a cycle between.
    return Settings(2 * (3 * width + 1 + 3) + 3)
