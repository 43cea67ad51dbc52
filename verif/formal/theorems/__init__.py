"""Proofs of whole products at every width: theories in Coq, and netlists checked against them."""
