"""Tests of the waveforms."""
