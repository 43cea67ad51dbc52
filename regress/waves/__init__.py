"""A waveform: read from its FST, and drawn around a moment."""
