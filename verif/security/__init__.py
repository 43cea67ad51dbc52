"""What a design gives away, and what faults do to it: attacks on the netlist in all lanes."""
