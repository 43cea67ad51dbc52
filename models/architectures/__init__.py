"""The registry's entries: one module per architecture, found by :mod:`models.registry`."""
