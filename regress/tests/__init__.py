"""Unit tests of the runner; no simulator needed."""
