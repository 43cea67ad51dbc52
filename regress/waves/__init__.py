"""The waveform of a job: read from its FST, drawn around the mismatch, opened in GTKWave."""
