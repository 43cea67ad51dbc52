"""Entry point of ``python -m regress``."""

import sys

from regress.cli.command_line import main

if __name__ == "__main__":
    sys.exit(main())
