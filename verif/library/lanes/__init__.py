"""Simulates a netlist in many lanes at once: one vector of bits for each net, one bit a lane."""
