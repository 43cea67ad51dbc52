"""Reads a cocotb project that does not use regress yet: makefiles, runner calls, folders."""
