"""The search for traces finds each kept value, and nothing else."""

from __future__ import annotations

from verif.bench.agent.state_elements import (
    Trace,
    holders,
    left_in_reset,
    memories,
    set_registers,
    traces,
    unknown_registers,
)


def test_what_differs_from_the_reset_state_is_a_trace() -> None:
    clean = {"u_loader.value_q": "0000", "u_control.state_q": "01", "u_core.x_q": "xxxx"}
    assert traces(clean, clean) == []
    assert traces(clean, {**clean, "u_loader.value_q": "0100"}) == [
        Trace("u_loader.value_q", "0100")
    ]
    # An element without a reset must not keep a value, but it may be cleared.
    assert traces(clean, {**clean, "u_core.x_q": "0x10"}) == [Trace("u_core.x_q", "0x10")]
    assert traces(clean, {**clean, "u_core.x_q": "0000"}) == []
    wire = {**clean, "a_net": "1111", "u_control.state_q": "11"}
    assert traces({**clean, "a_net": "0000"}, wire)[0].path == "u_control.state_q"


def test_a_secret_is_found_where_it_is() -> None:
    snapshot = {"a": "00001011", "b": "00001010", "c": "x1011"}
    assert holders(snapshot, 0b1011, 4) == ["a", "c"]
    assert holders(snapshot, 0b1111, 4) == []


def test_a_secret_is_found_in_words_with_parity() -> None:
    found = memories({"words[0]": "101", "words[1]": "110", "a_q": "1"})
    assert found == {"words[*]": "110101", "words[*] without top bits": "1001"}
    assert holders(found, 0b1001, 4) == ["words[*] without top bits"]
    assert holders(found, 0b0101, 4) == ["words[*]"]


def test_a_register_with_a_bit_set_is_found() -> None:
    values = {"a.s_q": "0000", "a.c_q": "0100", "b_q": "x", "a.ready": "1"}
    assert set_registers(values) == [Trace("a.c_q", "0100"), Trace("b_q", "x")]


def test_what_a_reset_leaves_in_a_multiplier() -> None:
    """Nothing in the unit, nothing new in a core, whatever in memories and nets."""
    clean = {
        "u_unit.y_q": "xx", "u_unit.u_core.state_q": "01", "u_unit.u_core.s_q": "xx",
        "u_unit.u_memory.word_q": "xx", "u_unit.wire": "x",
    }  # fmt: skip
    reset = {
        "u_unit.y_q": "00", "u_unit.u_core.state_q": "01", "u_unit.u_core.s_q": "00",
        "u_unit.u_memory.word_q": "11", "u_unit.wire": "1",
    }  # fmt: skip
    assert left_in_reset(clean, reset) == []
    for name, value in (("u_unit.y_q", "01"), ("u_unit.u_core.state_q", "10"),
                        ("u_unit.u_core.s_q", "10")):  # fmt: skip
        assert left_in_reset(clean, {**reset, name: value}) == [Trace(name, value)]


def test_what_the_first_reset_does_not_reach() -> None:
    """Unknown bits of registers, in a core, too; not those of memories, and no net."""
    reached = {"u_unit.y_q": "01", "u_unit.u_memory.word_q": "xx", "u_unit.wire": "x"}
    assert unknown_registers(reached) == []
    for name in ("u_unit.y_q", "u_unit.u_core.s_q"):
        assert unknown_registers({**reached, name: "0x"}) == [Trace(name, "0x")]
