"""Edits of SystemVerilog at a place in its syntax tree: altered copies of a design."""
