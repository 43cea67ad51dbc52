"""The composition root: the only package that imports all others."""
