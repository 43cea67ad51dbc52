"""The agent of the loader bus: items, driver, monitor, and the records of the hardware."""
