"""A waveform: read from its FST, drawn around a moment, opened in GTKWave."""
