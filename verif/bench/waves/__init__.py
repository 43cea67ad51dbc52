"""The waveform of a job: its signals, and the first difference between hardware and model."""
