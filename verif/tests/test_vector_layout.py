"""Vectors between the test bench and Python: one description gives both sides."""

from __future__ import annotations

import re

import pytest

from verif.bench.agent.record_layouts import LAYOUTS
from verif.bench.agent.vector_layout import VectorLayout, fields_of
from verif.bench.configuration.design import ROOT

PACKAGE = (ROOT / "verif" / "bench" / "agent" / "bench_pkg.sv").read_text()
PARAMETERS = {
    "WriteAddresses": 3, "SlotBits": 64, "AddressWidth": 2, "BusWidth": 32, "TableBits": 16,
    "Positions": 2, "CarryWords": 5, "Hits": 7, "ValueBits": 33,
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_both_sides_have_the_same_size(name: str) -> None:
    text = re.search(rf"function automatic int {name}_bits\(.*?return (.*?);", PACKAGE, re.DOTALL)
    assert text, f"bench_pkg.sv has no {name}_bits"
    words = {re.sub(r"(?<!^)(?=[A-Z])", "_", key).lower(): v for key, v in PARAMETERS.items()}
    expression = re.sub(r"[a-z_]+", lambda found: str(words[found[0]]), text[1])
    total = sum(
        int(left) * int(right or 1)
        for left, _, right in (part.partition("*") for part in expression.split("+"))
    )
    assert VectorLayout(fields_of(name, **PARAMETERS)).bits == total


def test_what_is_packed_is_unpacked() -> None:
    layout = VectorLayout.of("event", AddressWidth=2, BusWidth=8)
    values = {name: index % 2 for index, (name, _) in enumerate(LAYOUTS["event"])}
    values |= {"clock": 0xFFFFFFFF, "wdata": 0x5A, "data": 0xA5}
    packed = layout.encode(values)
    assert layout.decode(packed) == values
    assert packed >> layout.bits - 32 == 0xFFFFFFFF  # the first field has the highest bits


def test_a_value_that_does_not_fit_is_one_line() -> None:
    layout = VectorLayout([("a", 4), ("_", 2), ("b", 1)])
    assert layout.decode(0b1010_11_1) == {"a": 10, "b": 1}
    with pytest.raises(ValueError, match=r"a = 0x10 has more than 4 bits"):
        layout.encode({"a": 16, "_": 0, "b": 0})
