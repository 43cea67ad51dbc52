"""``python -m verif.blackbox.own FOLDER``: files of facts of the project's own architectures.

Each is for one width; ``python -m regress check`` takes it like that of any core. What they claim
comes from the registry, what is known of the hardware from its bus alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from models.architecture import Architecture
from models.registry import hardware_architectures
from models.status import Status
from regress.errors import UsageError, not_accepted
from regress.options import positive
from regress.terminal import PASSED, Parser, run_command
from verif.blackbox.project import HDL
from verif.design import MULTIPLIER, ROOT, DesignError, hardware

WIDTHS = (8, 33)
BUS_WIDTH = 32
TOP = "multiplier.sv"
REFUSALS = (Status.MODULUS_ZERO_OR_ONE, Status.MODULUS_EVEN, Status.OPERAND_RANGE)


def facts(entry: Architecture, width: int) -> dict[str, Any]:
    """The file of facts of an architecture at one width.

    Raises:
        DesignError: the width is not legal.
    """
    made = hardware(MULTIPLIER, entry, width, {})
    # The bench brings the package and the loader.
    sources = [
        path for path in made.sources if path.relative_to(ROOT / "hdl").as_posix() not in HDL
    ]
    top = {name: value for name, value in made.parameters.items() if name in ("Guard", "AddWidth")}
    return {
        "name": f"own_{entry.name}",
        "sources": [*map(str, sources), str(Path(__file__).with_name("multiplier_shim.sv"))],
        "defines": made.defines,
        "shim": "multiplier_shim",
        "parameters": {**top, "BusWidth": BUS_WIDTH},
        "computes": "product",
        "k": made.core.radix(width).bit_length() - 1,
        "widths": {"minimum": width, "maximum": width},
        "modulus": {
            "parity": "odd" if entry.montgomery else "any",
            "minimum": 3 if entry.montgomery else 2,
        },
        "status": {"ok": int(Status.OK), "refused": [int(code) for code in REFUSALS]},
        "claims": {
            **_latency(made.core, width),
            "reset": True,
            "start_while_busy": "ignored",
            "operands": "sampled",
        },
    }


def _latency(core: Architecture, width: int) -> dict[str, Any]:
    """Clocks of the shim; those of an interleaved core tell the length of M, and nothing else."""
    moduli = [1 << bits | 1 for bits in range(1, width)]
    clocks = {core.operation_clocks(m, width) for m in moduli}
    transfers = 4 * -(-width // BUS_WIDTH) + 2
    least, most = (2 * transfers + 1 + found for found in (min(clocks), max(clocks)))
    if least == most:
        return {"latency": least, "constant_time": True}
    return {"latency": {"minimum": least, "maximum": most}}


def write(folder: Path, names: Sequence[str], widths: Sequence[int]) -> list[Path]:
    """Write the files of some architectures; returns their paths.

    Raises:
        UsageError: there is no such architecture, or a width is not legal.
    """
    known = hardware_architectures()
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names:
        if name not in known:
            raise UsageError(not_accepted("architecture", name, known))
        for width in widths:
            path = folder / f"{name}-{width}.yaml"
            try:
                path.write_text(yaml.safe_dump(facts(known[name], width), sort_keys=False))
            except DesignError as error:
                raise UsageError(str(error)) from None
            paths.append(path)
    return paths


def main(argv: Sequence[str] | None = None) -> int:
    """Write files and print their paths; 2 if the input is bad."""
    return run_command("own", lambda: _run(argv))


def _run(argv: Sequence[str] | None) -> int:
    parser = Parser(prog="python -m verif.blackbox.own", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to write them")
    parser.add_argument("--arch", action="append", default=[], help="only this one (repeatable)")
    parser.add_argument(
        "--width", type=positive, action="append", default=[], help="default: 8 and 33"
    )
    arguments: argparse.Namespace = parser.parse_args(argv)
    names = arguments.arch or list(hardware_architectures())
    for path in write(arguments.folder, names, arguments.width or WIDTHS):
        print(path)
    return PASSED


if __name__ == "__main__":
    sys.exit(main())
