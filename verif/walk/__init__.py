"""The impolite host: random walks over everything that can be done on the loader bus."""
