"""The test bench: everything that configures a simulation or lives inside one."""
