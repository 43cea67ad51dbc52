"""Jobs on more than one machine: a Dask cluster that is there, or workers from a batch system.

Everything here imports Dask, and is loaded only when used.
"""
