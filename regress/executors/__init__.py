"""Where jobs run: on this machine, on a Dask cluster, or on workers from a batch system.

Everything but ``local`` imports Dask, and is loaded only when used.
"""
