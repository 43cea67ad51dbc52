"""``python -m regress.coverage``: see :mod:`regress.coverage.commands`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console

from regress.coverage.commands import add_parsers, run
from regress.errors import UsageError

USAGE = 2
PLAIN_COLUMNS = 140


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m regress.coverage", description="Reads the coverage of runs."
    )
    add_parsers(parser.add_subparsers(required=True, metavar="COMMAND"))
    arguments = parser.parse_args(argv)
    # Without a terminal rich assumes 80 columns and breaks table cells.
    width = None if sys.stdout.isatty() else PLAIN_COLUMNS
    try:
        return run(arguments, Console(highlight=False, width=width))
    except UsageError as error:
        for line in error.lines:
            print(f"regress.coverage: {line}", file=sys.stderr)
        return USAGE


if __name__ == "__main__":
    sys.exit(main())
