"""Agent of the loader bus."""

from __future__ import annotations

from pyuvm import uvm_agent, uvm_sequencer

from verif.bench.agent.driver import LoaderDriver
from verif.bench.agent.interface_monitor import InterfaceMonitor
from verif.bench.agent.monitor import LoaderMonitor


class LoaderAgent(uvm_agent):
    """Sequencer, driver and monitors of one loader bus."""

    def build_phase(self) -> None:
        """Create the components."""
        super().build_phase()
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = LoaderDriver("driver", self)
        self.monitor = LoaderMonitor("monitor", self)
        self.pins = InterfaceMonitor("pins", self)

    def connect_phase(self) -> None:
        """Connect the driver to the sequencer."""
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
