"""Protocol stress test: random sequences over everything that a host can do on the loader bus."""

# Environment variable of a simulation: do not shrink a failed sequence. Shrinking takes several
# times as long as finding the failure.
LONG_VARIABLE = "STRESS_WITHOUT_SHRINKING"
