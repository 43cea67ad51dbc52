"""Tests of the suite for cores from outside."""
