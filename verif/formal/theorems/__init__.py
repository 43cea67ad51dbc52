"""Proofs of whole products at every width: Coq theories, and netlists checked against them."""
