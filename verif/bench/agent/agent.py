"""Agent of the loader bus."""

from __future__ import annotations

from pyuvm import uvm_agent, uvm_sequencer

from verif.bench.agent.interface_monitor import InterfaceMonitor


class LoaderAgent(uvm_agent):
    """Sequencer, driver and monitors of one loader bus; the environment chooses their classes."""

    def build_phase(self) -> None:
        """Create the components."""
        super().build_phase()
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = self.cdb_get("DRIVER")("driver", self)
        self.monitor = self.cdb_get("MONITOR")("monitor", self)
        self.pins = InterfaceMonitor("pins", self) if self.cdb_get("PINS") else None

    def connect_phase(self) -> None:
        """Connect the driver to the sequencer."""
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
