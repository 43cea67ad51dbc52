"""Synthesis to netlists with Yosys: tools, recipes and results."""
