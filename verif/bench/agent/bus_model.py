"""The bus model of a job's top."""

from __future__ import annotations

from models.bus.exponentiation_bus import ExponentiationBus, PowerDescription
from models.bus.loader_bus import BusModel
from models.bus.multiplier_bus import MultiplierBus, ProductDescription
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import EXPONENTIATION


def bus_model(config: BenchConfig) -> BusModel:
    """Return a new bus model of the job's top, in its reset state."""
    core = (config.entry, config.width, config.add_width, config.parameters)
    if config.design is EXPONENTIATION:
        return ExponentiationBus(PowerDescription(*core, config.bus_width), config.bus_width)
    return MultiplierBus(ProductDescription(*core, config.bus_width), config.bus_width)
