"""Bit-true models, the architecture registry, and the independent gmpy2 reference."""
