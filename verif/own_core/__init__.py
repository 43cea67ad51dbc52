"""Verification of the user's own cores: each has a shim and a core description."""
