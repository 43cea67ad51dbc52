"""The engine of every campaign of faults: jobs, verdicts, record, command."""
