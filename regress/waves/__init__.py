"""Waveforms: reads FST files and draws the time around a failure."""
