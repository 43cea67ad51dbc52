"""Run the proofs of ``verif/formal`` and the exhaustive simulation, and report the results."""
