"""Demonstrations that a user runs from the command line."""
