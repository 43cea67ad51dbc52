"""The command line, which connects all other parts of the manager."""
