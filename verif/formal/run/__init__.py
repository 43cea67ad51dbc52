"""Runs the proofs of ``verif/formal`` and the exhaustive simulation, and reports them."""
