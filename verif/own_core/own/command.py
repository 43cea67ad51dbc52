"""``python -m regress own-cores FOLDER``: write core descriptions of the project's architectures.

Each description is for one width; ``python -m regress check`` reads it like that of any core. Its
claims come from the registry. It uses only the bus of the hardware.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from models.architecture import Architecture
from models.exponentiation_core import exponentiation
from models.registry import hardware_architectures
from models.status import LENGTH_WIDTH, Status
from regress.cli.options import Call, positive
from regress.core.errors import UsageError, not_accepted
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, say
from verif.bench.configuration.design import (
    DESIGNS,
    EXPONENTIATION,
    MULTIPLIER,
    ROOT,
    Design,
    DesignError,
    hardware,
)
from verif.own_core.core import Core
from verif.own_core.correct import check_correct
from verif.own_core.fit import fitted
from verif.own_core.project import HDL

WIDTHS = (8, 33)
BUS_WIDTH = 32
HERE = Path(__file__).parent
RUNS = "runs"
REJECTIONS = (Status.MODULUS_ZERO_OR_ONE, Status.MODULUS_EVEN, Status.OPERAND_RANGE)
# Constants supplied to an exponentiation core; the index is the shim's parameter Constants.
CONSTANTS = ((), ("r_squared",), ("r_squared", "m_prime"))

# Computes the cycles of an operation from the modulus and the exponent length.
Cycles = Callable[[int, int], int]


def multiplier_description(entry: Architecture, width: int) -> dict[str, Any]:
    """Return the description of a multiplier at one width.

    Raises:
        DesignError: the width is illegal.
    """
    core = hardware(MULTIPLIER, entry, width, {}).core
    return {
        **_common(MULTIPLIER, entry, width, {}),
        "computes": "product",
        "k": core.model.radix(width).bit_length() - 1,
        "claims": _claims(
            width, 4 * _words(width), lambda m, _: core.timing.operation_cycles(m, width)
        ),
    }


def exponentiation_description(
    entry: Architecture, width: int, constants: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the description of an exponentiation core at one width.

    Args:
        entry: registry entry of its multiplier.
        width: n in bits.
        constants: supplied constants, one of :data:`CONSTANTS`.

    Raises:
        DesignError: the width is illegal.
    """
    made = hardware(EXPONENTIATION, entry, width, {})
    core = exponentiation(made.core, width)
    m_prime_bits = max(1, core.m_prime_width)
    transfers = 4 * _words(width) + _words(LENGTH_WIDTH)
    transfers += _words(width) if "r_squared" in constants else 0
    transfers += _words(m_prime_bits) if "m_prime" in constants else 0

    def cycles(m: int, length: int) -> int:
        supplied = "r_squared" in constants
        return core.operation_cycles(
            m, length, compute_r_squared=not supplied, check_r_squared=supplied
        )

    parameters = {"Constants": CONSTANTS.index(tuple(constants))}
    return {
        **_common(EXPONENTIATION, entry, width, parameters),
        "computes": "exponentiation",
        "length": True,
        **(
            {"constants": list(constants), "k": core.radix_bits, "m_prime_bits": m_prime_bits}
            if constants
            else {}
        ),
        "claims": _claims(width, transfers, cycles),
    }


def _common(
    design: Design, entry: Architecture, width: int, parameters: Mapping[str, int]
) -> dict[str, Any]:
    """Return the entries that both designs have; their shims are named after the designs."""
    made = hardware(design, entry, width, {})
    # The bench adds the package and the loader.
    sources = [
        path for path in made.sources if path.relative_to(ROOT / "hdl").as_posix() not in HDL
    ]
    shim = f"{design.top}_shim"
    top = {
        k: v for k, v in made.parameters.items() if k not in ("Width", "BusWidth", "AddressWidth")
    }
    return {
        "name": f"own_{entry.name}",
        "sources": [str(path) for path in (*sources, HERE / "bus_host.sv", HERE / f"{shim}.sv")],
        "defines": made.defines,
        "shim": shim,
        "parameters": {**top, "BusWidth": BUS_WIDTH, **parameters},
        "widths": {"minimum": width, "maximum": width},
        "modulus": {
            "parity": "odd" if entry.montgomery else "any",
            "minimum": 3 if entry.montgomery else 2,
        },
        "status": {"ok": int(Status.OK), "rejected": [int(code) for code in REJECTIONS]},
    }


def _words(bits: int) -> int:
    return -(-bits // BUS_WIDTH)


def _claims(width: int, transfers: int, cycles: Cycles) -> dict[str, Any]:
    """Return the claims; the cycles of an interleaved core depend on the length of M only."""
    moduli = [1 << bits | 1 for bits in range(1, width)]
    # A transfer takes two cycles, and so do the transfers of start and status.
    shim = 2 * (transfers + 2) + 1
    lengths = range(1, width + 1)
    every = [[shim + cycles(m, length) for m in moduli] for length in lengths]
    least, most = (_formula([end(of_length) for of_length in every]) for end in (min, max))
    return {
        "latency": least if least == most else {"minimum": least, "maximum": most},
        "constant_time": least == most,
        "reset": True,
        "start_while_busy": "ignored",
        "operands": "sampled",
    }


def _formula(cycles: Sequence[int]) -> str:
    """Return a formula of the length for the cycles with exponents of 1, 2, … bits."""
    measured = [({"n": len(cycles), "length": at}, found) for at, found in enumerate(cycles, 1)]
    if not (formula := fitted(measured)):
        raise ValueError("no formula of the exponent's length gives the cycles")
    return formula


def every_one(design: Design, entry: Architecture, width: int) -> Iterator[tuple[str, Any]]:
    """Yield file names and the descriptions in them.

    Raises:
        DesignError: the width is illegal.
    """
    name = f"{entry.name}-{width}"
    if design is MULTIPLIER:
        yield name, multiplier_description(entry, width)
        return
    yield f"{EXPONENTIATION.name}-{name}", exponentiation_description(entry, width)
    if entry.montgomery:
        constants = CONSTANTS[-1 if has_m_prime(entry, width) else 1]
        description = exponentiation_description(entry, width, constants)
        yield f"{EXPONENTIATION.name}-{name}-constants", description


def has_m_prime(entry: Architecture, width: int) -> bool:
    """Return True if the core's own constant is -1/M mod 2^m_prime_bits."""
    core = exponentiation(entry, width)
    bits, moduli = core.m_prime_width, (3, 5, (1 << width) - 1)
    return bits > 0 and all(core.m_prime(m) == -pow(m, -1, 1 << bits) % (1 << bits) for m in moduli)


def write(
    folder: Path, names: Sequence[str], widths: Sequence[int], designs: Sequence[str]
) -> list[Path]:
    """Write the descriptions of some architectures; return their paths.

    Raises:
        UsageError: an architecture does not exist, or a width is illegal.
    """
    known = hardware_architectures()
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names:
        if name not in known:
            raise UsageError(not_accepted("architecture", name, known))
    for design in designs:
        for name in names:
            for width in widths:
                try:
                    found = dict(every_one(DESIGNS[design], known[name], width))
                except DesignError as error:
                    raise UsageError(str(error)) from None
                for stem, description in found.items():
                    paths.append(folder / f"{stem}.yaml")
                    paths[-1].write_text(yaml.safe_dump(description, sort_keys=False))
    return paths


def add_own_cores(commands: Any, _: Project) -> None:
    """Add the command ``own-cores``."""
    parser = commands.add_parser(
        "own-cores", help="write a core description of each multiplier of this project, for check"
    )
    add = parser.add_argument
    add("folder", type=Path, metavar="FOLDER", help="where to write the descriptions")
    add("--arch", action="append", default=[], help="only this one (repeatable)")
    add("--design", action="append", default=[], choices=DESIGNS, help="default: both")
    add("--width", type=positive, action="append", default=[], help="default: 8 and 33")
    add("--check", action="store_true", help="run the command check on each core")
    parser.set_defaults(run=_run)


def _run(call: Call) -> int:
    """Write the descriptions and print their paths, or check them; return 1 if one is broken."""
    names = call.arch or list(hardware_architectures())
    widths, designs = call.width or WIDTHS, call.design or list(DESIGNS)
    paths = write(call.folder, names, widths, designs)
    if call.check:
        return check_each(call, paths, call.folder / RUNS)
    for path in paths:
        print(path)
    return PASSED


def check_each(call: Call, paths: Sequence[Path], out: Path) -> int:
    """Check each file in this process, one line each; return the exit code.

    Raises:
        UsageError: the run was interrupted, or was run before.
    """
    if out.exists():
        raise UsageError(f"{out} exists; remove it or choose another folder")
    console, workspace, broken = call.console, call.workspace, 0
    for path in paths:
        trial = check_correct(workspace, Core.read(path), out / path.stem)
        held = "; ".join(trial.alarms) or "all held"
        say(
            console,
            f"{path.stem}: {trial.cases} classes and claims, {trial.operations} operations, "
            f"{trial.seconds:.0f} s: {held}",
        )
        broken += bool(trial.alarms)
    say(console, f"{len(paths) - broken} of {len(paths)} cores keep all their claims")
    return FAILED if broken or not paths else PASSED
