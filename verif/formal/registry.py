"""Registry of all proofs by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from verif.formal.control_proofs import control_proofs
from verif.formal.core_proofs import core_proofs
from verif.formal.front_proofs import front_proofs
from verif.formal.interface_proofs import interface_proofs
from verif.formal.proof import Proof
from verif.formal.word_proofs import word_proofs

HARDENED = MappingProxyType({"Balanced": 1, "Parity": 1, "Coherent": 1})


def proofs() -> dict[str, Proof]:
    """Return all proofs by name, in the order of the list."""
    every = [*core_proofs(), *word_proofs(), *control_proofs(), *interface_proofs()]
    # Each with the fault of Length: options do not change how the host checks it.
    every += [
        _hardened(every, "exponent_secrecy", 0),
        _hardened(every, "exponentiation_reference", 0),
    ]
    return {proof.name: proof for proof in (*every, *front_proofs())}


def _hardened(known: Sequence[Proof], name: str, fault: int) -> Proof:
    """Return a proof with every hardening option, and with one of its injected faults."""
    (plain,) = (proof for proof in known if proof.name == name)
    return replace(
        plain,
        name=f"{name}_hardened",
        says=f"as {name}, with {' and '.join(', '.join(HARDENED).rsplit(', ', 1))}",
        core=dict.fromkeys(plain.architectures, HARDENED),
        injected=(plain.injected[fault],),
    )
