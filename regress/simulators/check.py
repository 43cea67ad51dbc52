"""Says why a simulation cannot run on this machine; nothing if it can.

``python -m regress.simulators.check BUILD`` is what a worker of a cluster calls for each build.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from regress.compile import MANIFEST
from regress.simulators import simulator_class


def main(build: Path) -> None:
    """Print the reason."""
    name = json.loads((build / MANIFEST).read_text())["simulator"]
    print(simulator_class(name).cannot_run(build))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
