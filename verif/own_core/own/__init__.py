"""The project's architectures, described like a user's own cores."""
