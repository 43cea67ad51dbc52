"""The impolite host: random walks over everything that can be done on the loader bus."""

# In the environment of a simulation: whether a walk fails is all that is asked for, and one that
# does is not shrunk, which takes several times as long.
LONG_VARIABLE = "WALK_AS_IT_IS"
