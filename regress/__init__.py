"""Regression runner: plans, builds, runs, judges and reports simulations."""
