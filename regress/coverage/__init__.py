"""Functional and code coverage of jobs and runs: holes, exclusions, goals."""
