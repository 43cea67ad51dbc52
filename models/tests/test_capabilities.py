"""An entry has None in the place of a capability that its core lacks."""

from __future__ import annotations

import pytest

from models.architecture import Architecture
from models.exponentiation_core import exponentiation
from models.registry import architecture, architectures

OPTIONAL = ("streams", "chaining", "scaling", "binary")


def having(capability: str) -> set[str]:
    """Names of the entries that have a capability."""
    return {name for name, entry in architectures().items() if getattr(entry, capability)}


def test_who_has_what() -> None:
    model_only = {name for name, entry in architectures().items() if entry.module is None}
    assert having("chaining") == set(architectures()) - model_only - {"optimized_interleaved"}
    rings = {"mwr2mm", "mwrkmm", "quotient_pipelined", "parallel_high_radix"}
    assert having("streams") == rings | {"dual_radix"}
    assert having("scaling") == {"quotient_pipelined", "parallel_high_radix"}
    assert having("binary") == {"dual_radix"}


@pytest.mark.parametrize("name", architectures())
def test_an_object_belongs_to_its_entry_and_its_parameters(name: str) -> None:
    entry = architecture(name)
    other = entry.with_parameters({})
    for capability in ("model", "timing", "coverage", "published", *OPTIONAL):
        made = getattr(entry, capability)
        if made is None:
            continue
        assert made.entry is entry and getattr(entry, capability) is made
        assert getattr(other, capability).entry is other


def test_no_exponentiation_core_without_a_chain() -> None:
    plain = architecture("montgomery")
    assert isinstance(plain, Architecture) and plain.chaining is None
    with pytest.raises(ValueError, match="montgomery cannot chain products"):
        exponentiation(plain, 16)
