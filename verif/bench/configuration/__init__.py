"""Configuration of a simulation: designs, parameters, drawn configurations, tests by name."""
