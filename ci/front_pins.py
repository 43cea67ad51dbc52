"""Code of the bench's SystemVerilog for each bus front, made from the modules of the front."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment

from verif.bench.configuration.design import FRONTS

ROOT = Path(__file__).resolve().parent.parent
AGENT = Path("verif/bench/agent")
BENCH_FRONT = AGENT / "bench_front.sv"
# The files that front_files gives.
FRONT_FILES = (BENCH_FRONT, *(AGENT / f"{name}_pins.sv" for name in FRONTS.values()))
_PORTS = re.compile(r"^\) \(\n(.*?)^\);", re.MULTILINE | re.DOTALL)
_PORT = re.compile(r"^\s*(input|output)\s+logic\s+(\[[^\]]*\]\s*)?(\w+),?$", re.MULTILINE)
_LOADER = "// Loader bus of the core"
_EVERYWHERE = ("clk_i", "rst_ni")


@dataclass(frozen=True)
class Pin:
    """A port of a front on the side of the host.

    Attributes:
        name: of the port.
        range: its range with a space after it, or nothing.
        driven: Python drives it.
    """

    name: str
    range: str
    driven: bool


@dataclass(frozen=True)
class FrontPins:
    """A bus front as the bench instantiates it.

    Attributes:
        name: of the bus, in ``FRONTS``.
        number: value of parameter ``Front``.
        pins: ports on the side of the host.
        watched: each port of the rules, with the pin on it.
    """

    name: str
    number: int
    pins: tuple[Pin, ...]
    watched: Mapping[str, str]


def front_files(environment: Environment) -> dict[Path, str]:
    """Return the pins of each front, and the module that chooses one, before formatting.

    Raises:
        SystemExit: as :func:`front_pins`.
    """
    fronts = list(front_pins())
    pins = environment.get_template("front_pins.sv.j2")
    choice = environment.get_template("bench_front.sv.j2")
    files = {AGENT / f"{front.name}_pins.sv": pins.render(front=front) for front in fronts}
    return {BENCH_FRONT: choice.render(fronts=fronts), **files}


def front_pins(root: Path = ROOT) -> Iterator[FrontPins]:
    """Read the ports of each front and of its rules.

    Raises:
        SystemExit: a file is missing, or the ports are not as the other fronts have them.
    """
    for number, name in FRONTS.items():
        pins = tuple(
            Pin(port, range_.replace("DataWidth", "BusWidth"), way == "input")
            for way, range_, port in _ports(root, Path(f"hdl/fronts/{name}_front.sv"))
        )
        known = {pin.name for pin in pins}
        watched = {}
        for _, _, port in _ports(root, rules := AGENT / f"{name}_rules.sv"):
            output = f"{port.removesuffix('_i')}_o"
            if not {port, output} & known:
                raise SystemExit(f"{rules}: port {port}: accepted are the pins of the front")
            watched[port] = port if port in known else output
        yield FrontPins(name, number, pins, watched)


def _ports(root: Path, path: Path) -> list[tuple[str, str, str]]:
    """Return direction, range and name of each port but clock, reset and the loader bus."""
    try:
        match = _PORTS.search((root / path).read_text(encoding="utf-8"))
    except OSError as error:
        raise SystemExit(f"{path}: cannot be read: {error.strerror}") from None
    if not match:
        raise SystemExit(f"{path}: expected a list of parameters and a list of ports")
    ports = _PORT.findall(match[1].partition(_LOADER)[0])
    return [port for port in ports if port[2] not in _EVERYWHERE]
