"""Tests of the netlists."""
