"""Functional coverage: an observer in SystemVerilog reports events, a sample counts bins.

The observers fill the record of an operation (``*_observer.sv``); ``multiplier.py``,
``exponentiation.py`` and ``stress.py`` choose the bins; ``covergroups.py`` counts them. Package
``regress.coverage`` merges the counts of all jobs.
"""
