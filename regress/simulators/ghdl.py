"""GHDL, as found on PATH."""

from __future__ import annotations

from regress.core.hdlsources import VHDL
from regress.simulators.base import BuildOptions, RunOptions, Simulator

STANDARD = "--std=08"


class Ghdl(Simulator):
    """Compiles VHDL to machine code when a simulation starts; nine-valued."""

    name = "ghdl"
    title = "GHDL"
    programs = ("ghdl",)
    version_option = "--version"
    runner = "ghdl"
    executable = "top-obj*.cf"
    install = "sudo apt-get install ghdl"
    slowdown = 100
    languages = (VHDL,)
    # Its waves are named by an argument of its own: cocotb's runner would write another format.
    runner_waves = False
    parameters_at_run = True
    keeps_all = True
    own_folder = True

    def build_arguments(self, options: BuildOptions) -> list[str]:
        """See :meth:`Simulator.build_arguments`."""
        given = super().build_arguments(options)
        chosen = any(argument.startswith("--std=") for argument in given)
        return given if chosen else [STANDARD, *given]

    @classmethod
    def simulator_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.simulator_arguments`."""
        return [*options.arguments, f"--workdir={options.build}"]

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        return [f"--fst={options.waves}"] if options.waves else []
