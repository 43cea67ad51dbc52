"""Synthesis to netlists: tools, recipes and what Yosys makes of them."""
