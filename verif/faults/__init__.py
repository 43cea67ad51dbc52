"""Fault injection: operators change the design at places of its syntax tree."""

#: Module that runs as the process of a job with a fault.
PROGRAM = "verif.faults.child"
