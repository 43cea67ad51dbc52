"""Formal proofs about the design: property modules, and the registry of proofs."""
