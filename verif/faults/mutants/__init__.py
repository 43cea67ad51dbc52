"""Mutation campaign: generated mutants of the design, and whether the environment kills them."""
