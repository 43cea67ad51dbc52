"""The bus model of a job's top."""

from __future__ import annotations

from models.bus.loader_bus import BusModel
from verif.bench.configuration.config import BenchConfig


def bus_model(config: BenchConfig) -> BusModel:
    """Return a new bus model of the job's top, in its reset state."""
    return config.design.bus_model(config.at, config.parameters)
