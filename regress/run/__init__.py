"""Builds, runs and judges the jobs of a plan, and notes what became of them."""
