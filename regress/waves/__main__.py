"""``python -m regress.waves FOLDER``: picture and GTKWave save file of a finished job."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from regress.waves.document import document
from regress.waves.fst import WaveError

EXIT_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the waves of one job; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m regress.waves", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of a job that wrote waves")
    parser.add_argument(
        "--failure", type=int, default=1, metavar="N", help="look at the N-th failure (1)"
    )
    arguments = parser.parse_args(argv)
    if arguments.failure < 1:
        parser.error(f"--failure {arguments.failure}: accepted are 1 and more")
    try:
        found = document(arguments.folder, arguments.failure - 1)
    except (WaveError, OSError) as error:
        print(f"waves: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(f"failure    {found.failure}")
    print(f"at         {found.moment_ns:g} ns {found.finding}".rstrip())
    print(f"picture    {found.picture}")
    print(f"waves      {found.waves}")
    print(f"open with  gtkwave {found.save_file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
