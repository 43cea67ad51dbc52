"""Sequences of operations: random, directed and illegal ones, keys and vectors, zeroise."""
