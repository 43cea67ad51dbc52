"""``python -m verif.implementation`` while ``regress`` has no place for a project's commands."""

from __future__ import annotations

import sys

from regress.implement.command import implement_command
from regress.session import Workspace
from regress.terminal import Parser, plain_console, run_command
from verif.implementation.project import MultiplierDesigns
from verif.implementation.results import add_results


def main() -> int:
    """Run the command; returns the exit code."""
    argv = sys.argv[1:]

    def work() -> int:
        parser = Parser(prog="python -m regress")
        commands = parser.add_subparsers(required=True)
        implement_command(MultiplierDesigns())(commands)
        add_results(commands)
        arguments = parser.parse_args(argv)
        return arguments.run(arguments, argv, Workspace(), plain_console())

    return run_command("regress", work)


if __name__ == "__main__":
    sys.exit(main())
