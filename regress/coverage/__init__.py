"""Coverage of jobs and runs: functional and of the code, holes, exclusions, goals."""
