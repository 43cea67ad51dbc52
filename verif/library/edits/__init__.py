"""Edits of SystemVerilog at a place in its syntax tree, to make modified copies of a design."""
