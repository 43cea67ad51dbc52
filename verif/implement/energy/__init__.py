"""Energy of an operation: toggles of the mapped netlist times the energy tables of its cells."""
