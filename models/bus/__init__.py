"""Transaction-level model of the bus; it implements ``hdl/docs/interface.md``."""
