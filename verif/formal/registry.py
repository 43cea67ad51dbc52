"""Every proof, by name."""

from __future__ import annotations

from verif.formal.control_proofs import control_proofs
from verif.formal.core_proofs import core_proofs
from verif.formal.interface_proofs import interface_proofs
from verif.formal.proof import Proof
from verif.formal.word_proofs import word_proofs


def proofs() -> dict[str, Proof]:
    """All proofs by name, in the order in which they are listed."""
    every = (*core_proofs(), *word_proofs(), *control_proofs(), *interface_proofs())
    return {proof.name: proof for proof in every}
