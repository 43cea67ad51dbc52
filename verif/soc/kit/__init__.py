"""The exported kit: one configuration with its bus front as a folder of its own."""
