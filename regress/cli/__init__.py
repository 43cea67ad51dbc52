"""The command line, and the composition of everything below it."""
