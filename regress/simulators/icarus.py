"""Icarus Verilog, as found on PATH."""

from __future__ import annotations

from pathlib import Path

from regress.simulators.base import RunOptions, Simulator

# File with the names of the files that iverilog has read, a line each.
READ_FILE = "read.txt"


class Icarus(Simulator):
    """Interprets the design; four-valued."""

    name = "icarus"
    title = "Icarus Verilog"
    programs = ("iverilog", "vvp")
    version_option = "-V"
    runner = "icarus"
    executable = "sim.vvp"
    install = "sudo apt-get install iverilog"
    slowdown = 100
    library_suffixes = "-Y.sv"
    states_files = True

    @classmethod
    def arguments_for_files(cls, folder: Path) -> list[str]:
        """See :meth:`Simulator.arguments_for_files`."""
        return [f"-Mall={folder / READ_FILE}"]

    @classmethod
    def files_read(cls, folder: Path, cwd: Path) -> list[Path]:
        """See :meth:`Simulator.files_read`."""
        stated = folder / READ_FILE
        return [cwd / name for name in stated.read_text().splitlines()] if stated.exists() else []

    @classmethod
    def run_arguments(cls, options: RunOptions) -> list[str]:
        """See :meth:`Simulator.run_arguments`."""
        return [f"+dumpfile_path={options.waves}"] if options.waves else []
