"""Builds, runs and judges the jobs of a plan, and records the results."""
