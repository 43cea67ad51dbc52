"""What tests of mutants need that is not among the pinned packages, and a machine may lack."""

from __future__ import annotations

import shutil

import pytest

from verif.faults.mutants.equivalence import ABC

needs_abc = pytest.mark.skipif(
    not shutil.which(ABC), reason=f"proofs need the system package {ABC}; campaigns run without"
)
needs_icarus = pytest.mark.skipif(
    not shutil.which("iverilog"),
    reason="lone mutants need the system package iverilog; campaigns leave them out without",
)
