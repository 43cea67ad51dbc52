"""A user's own vectors: read, checked against the architectures, and turned into jobs."""
