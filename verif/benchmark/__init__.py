"""Speed of the environment against a polling cocotb test bench and against bare C++."""
