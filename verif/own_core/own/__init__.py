"""The project's own architectures as cores from outside."""
