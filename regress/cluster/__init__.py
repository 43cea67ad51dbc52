"""Jobs on more than one machine: a Dask cluster that is there, or workers from a batch system.

``options`` is what the command line needs; everything that imports Dask is loaded only when used.
"""
