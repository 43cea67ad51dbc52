"""Reads a cocotb project that knows nothing of regress: makefiles, runner calls, folders."""
