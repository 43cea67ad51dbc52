"""Registry of all proofs by name."""

from __future__ import annotations

from verif.formal.control_proofs import control_proofs
from verif.formal.core_proofs import core_proofs
from verif.formal.front_proofs import front_proofs
from verif.formal.interface_proofs import interface_proofs
from verif.formal.proof import Proof
from verif.formal.word_proofs import word_proofs


def proofs() -> dict[str, Proof]:
    """Return all proofs by name, in the order of the list."""
    every = (
        *core_proofs(),
        *word_proofs(),
        *control_proofs(),
        *interface_proofs(),
        *front_proofs(),
    )
    return {proof.name: proof for proof in every}
