"""Tests of the lane engine."""
