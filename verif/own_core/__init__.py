"""Verification of cores from outside: a shim and a file of facts each."""
