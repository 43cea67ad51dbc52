"""Faults of the design: operators at places of its syntax tree."""
