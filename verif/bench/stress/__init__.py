"""Protocol stress test: random walks over everything that a host can do on the loader bus."""

# Environment variable of a simulation: do not shrink a failed walk. Shrinking takes several times
# as long as finding the failure.
LONG_VARIABLE = "WALK_AS_IT_IS"
