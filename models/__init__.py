"""Bit-true models, the registry of architectures, and the independent gmpy2 reference."""
