"""Registry entries, one module per architecture; :mod:`models.registry` finds them."""
