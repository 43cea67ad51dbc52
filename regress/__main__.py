"""``python -m regress``."""

import sys

from regress.cli import main

if __name__ == "__main__":
    sys.exit(main())
