"""Fault injection: operators change the design at places of its syntax tree."""
