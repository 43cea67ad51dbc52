"""Benches of single library blocks: a plain cocotb test for each block that a user may debug."""
