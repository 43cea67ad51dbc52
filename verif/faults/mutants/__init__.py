"""Mutation campaign: small faults in the design, and whether the environment finds them."""
