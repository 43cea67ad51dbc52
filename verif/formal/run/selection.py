"""Select the cases from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regress.core.errors import UsageError, not_accepted
from verif.bench.configuration.design import DesignError
from verif.formal.proof import Case, Injected, Proof


@dataclass(frozen=True)
class Selection:
    """A subset of the cases; an empty attribute selects all.

    Attributes:
        proofs: names of proofs.
        architectures: names of registry entries.
        widths: operand widths that replace each proof's own widths.
    """

    proofs: Sequence[str] = ()
    architectures: Sequence[str] = ()
    widths: Sequence[int] = ()

    def cases(self, known: dict[str, Proof]) -> list[Case]:
        """Return the cases for the unchanged design.

        Raises:
            UsageError: a name is unknown, a width is illegal, or no case is left.
        """
        found = []
        for proof in self._proofs(known):
            for architecture in proof.architectures or ("",):
                if self.architectures and architecture not in self.architectures:
                    continue
                for width in self.widths or proof.widths:
                    found.append(Case(proof, architecture, width))
        return checked(found)

    def injected(self, known: dict[str, Proof]) -> list[tuple[Case, Injected]]:
        """Return a case for each injected fault, with the fault.

        Raises:
            UsageError: as for :meth:`cases`.
        """
        found = []
        for proof in self._proofs(known):
            for edit in proof.injected:
                if self.architectures and edit.architecture not in self.architectures:
                    continue
                for width in self.widths or (edit.width or min(proof.widths),):
                    found.append((Case(proof, edit.architecture, width), edit))
        checked([case for case, _ in found])
        return found

    def _proofs(self, known: dict[str, Proof]) -> list[Proof]:
        for name in self.proofs:
            if name not in known:
                raise UsageError(not_accepted("proof", name, known))
        names = {name for proof in known.values() for name in proof.architectures}
        for name in self.architectures:
            if name not in names:
                raise UsageError(not_accepted("architecture", name, sorted(names)))
        return [proof for name, proof in known.items() if not self.proofs or name in self.proofs]


def checked(cases: list[Case]) -> list[Case]:
    """Return ``cases`` after a check that all are legal.

    Raises:
        UsageError: a case is illegal, or there is no case.
    """
    if not cases:
        raise UsageError("nothing to prove: no proof has this architecture")
    for case in cases:
        try:
            case.parameters()
        except DesignError as error:
            raise UsageError(f"{case.proof.name}: {error}") from None
    return cases
