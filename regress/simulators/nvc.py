"""NVC, as found on PATH.

Written from cocotb's runner and tested only with a stand-in for ``nvc``: Debian 12 has no package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regress.core.hdlsources import VHDL
from regress.simulators.base import BuildOptions, RunOptions, Simulator

if TYPE_CHECKING:
    from cocotb_tools.runner import Runner

STANDARD = "--std=2008"


class Nvc(Simulator):
    """Compiles VHDL to machine code when a simulation starts; nine-valued."""

    name = "nvc"
    title = "NVC"
    programs = ("nvc",)
    version_option = "--version"
    runner = "nvc"
    executable = "top"
    install = "your distribution's package nvc, or its sources (www.nickg.me.uk/nvc)"
    slowdown = 100
    languages = (VHDL,)
    # Its waves are named by an argument of its own: cocotb's runner names them after the toplevel.
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
    def prepare(cls, runner: Runner, options: RunOptions) -> None:
        """See :meth:`Simulator.prepare`: the arguments of the build are needed again."""
        runner.build_args = list(options.arguments)

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        return [f"--wave={options.waves}", "--format=fst"] if options.waves else []
