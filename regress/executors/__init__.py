"""Executors: run jobs on this machine, on a Dask cluster, or on workers of a batch system.

All modules except ``local`` import Dask and are loaded only when they are used.
"""
