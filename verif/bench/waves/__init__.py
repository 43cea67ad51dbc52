"""The waveform of a job: which signals it shows, and where the hardware first leaves the model."""
