"""Monitor of the exponentiation core's products, for debugging: Python wakes once per product."""

from __future__ import annotations

from collections.abc import Callable

import cocotb
from cocotb.handle import HierarchyObject
from pyuvm import uvm_component

from verif.bench.agent.monitor import VectorMonitor
from verif.bench.agent.records import Product
from verif.bench.agent.vector_layout import VectorLayout
from verif.bench.configuration.config import BenchConfig


class ProductBusMonitor(VectorMonitor):
    """Wakes once per step of two products; see ``dbg_*`` of ``exponentiation_tb.sv``."""

    _signals = ("enable", "valid", "product")
    vector = "product"

    def __init__(self, entity: HierarchyObject, value_bits: int) -> None:
        """Attach to the ``dbg_*`` signals and switch the reports on."""
        self._value_bits = value_bits
        super().__init__(entity, "dbg", entity.clk)
        self.bus.enable.value = 1

    def decode(self, packed: int) -> Product:
        """Decode the two products."""
        values = VectorLayout.of("product", ValueBits=self._value_bits).decode(packed)
        return Product(**values)


class ProductMonitor(uvm_component):
    """Passes the products of each step to ``publish``, and unreadable ones to ``fail``.

    Attributes:
        publish: called with the two products of each step.
        fail: called with a message.
    """

    publish: Callable[[Product], None]
    fail: Callable[[str], None]

    def start_of_simulation_phase(self) -> None:
        """Attach to the bench."""
        config: BenchConfig = self.cdb_get("CONFIG")
        self.monitor = ProductBusMonitor(
            cocotb.top, config.width + config.entry.model.guard_bits(config.width)
        )
        self.monitor.add_callback(self._hand_over)

    def _hand_over(self, product: Product | str) -> None:
        if isinstance(product, str):
            self.fail(product)
        else:
            self.publish(product)
