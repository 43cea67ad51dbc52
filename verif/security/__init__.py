"""Leakage of a design, and effects of faults: attacks on the netlist in all lanes."""
