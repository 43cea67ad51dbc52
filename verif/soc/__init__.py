"""Bus fronts before a core: masters of the standard buses, their tests and faults."""
