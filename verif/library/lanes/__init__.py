"""Simulates a netlist in many lanes at once: one bit vector per net, one bit per lane."""
