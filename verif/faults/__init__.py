"""Faults of the design: operators at places of its syntax tree."""

#: The process of a job with a fault.
PROGRAM = "verif.faults.child"
