"""Transaction-level model of the bus: everything a host can see, by ``hdl/docs/interface.md``."""
