"""What is proved about the design: property modules, and the registry of proofs."""
