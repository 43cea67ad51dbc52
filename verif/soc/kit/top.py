"""The top of a kit: a core and its front, with all parameters set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from models.front_map import WINDOW_BYTES
from models.registry import architecture
from regress.core.point import Point
from verif.bench.configuration.design import Design, hardware
from verif.soc.configuration import parameters_of

NO_FRONT = "none"
ADDRESS_BITS = (8 * WINDOW_BYTES - 1).bit_length()
LOADER = """\
  input logic clk_i,
  input logic rst_ni,
  input logic req_i,
  input logic write_i,
  input logic [2:0] addr_i,
  input logic [{word}:0] wdata_i,
  input logic wait_i,
  output logic ack_o,
  output logic err_o,
  output logic [{word}:0] rdata_o,
  output logic busy_o,
  output logic done_o"""
_PORT = re.compile(r"(\w+),?$", re.MULTILINE)
_PORTS = re.compile(r"^\) \(\n(.*?),\n  // Loader bus of the core", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class KitTop:
    """Names, ports and parameters of a kit's top.

    Attributes:
        name: name of the module.
        ports: declarations of the ports.
        front: module of the front; empty without one.
        front_parameters: parameters of the front.
        core: module of the core.
        core_parameters: its parameters.
        data_width: bits of a bus word.
    """

    name: str
    ports: str
    front: str
    front_parameters: Mapping[str, int]
    core: str
    core_parameters: Mapping[str, int]
    data_width: int

    @property
    def port_names(self) -> list[str]:
        """Names of the ports."""
        return _PORT.findall(self.ports)


def kit_top(front: str, design: Design, point: Point, hdl: Path) -> KitTop:
    """Return the top of a resolved point with one of ``FRONTS``, or none."""
    given = parameters_of(design, point)
    data_width = given["BusWidth"]
    name = front if front != NO_FRONT else "loader"
    if front == NO_FRONT:
        ports, module, of_front = LOADER.format(word=data_width - 1), "", {}
    else:
        module = f"{front}_front"
        ports = _front_ports(hdl / "fronts" / f"{module}.sv", data_width)
        of_front = {key: given[key] for key in ("Operation", "Core", "Width", "Guard")}
        of_front |= {
            "DataWidth": data_width,
            "MPrimeWidth": given["MPrimeWidth"],
            "RadixBits": given["FrontRadixBits"],
        }
    own = hardware_parameters(design, point)
    return KitTop(f"modmul_{name}", ports, module, of_front, design.top, own, data_width)


def hardware_parameters(design: Design, point: Point) -> dict[str, int]:
    """Return the parameters of the core for a front, which has three address bits."""
    made = hardware(
        design, architecture(point["architecture"]), point["width"], point["parameters"]
    )
    return {**made.parameters, "AddressWidth": 3}


def _front_ports(path: Path, data_width: int) -> str:
    match = _PORTS.search(path.read_text(encoding="utf-8"))
    assert match, f"{path}: the ports of the loader bus do not follow those of the host"
    widths = {"DataWidth": data_width, "FrontAddressWidth": ADDRESS_BITS}
    text = re.sub(r"DataWidth|FrontAddressWidth", lambda name: str(widths[name[0]]), match[1])
    text = re.sub(r"\[(\d+)(?:/(\d+))?-1:", _range, text)
    return re.sub(r"  //.*\n", "", text)


def _range(match: re.Match[str]) -> str:
    return f"[{int(match[1]) // int(match[2] or 1) - 1}:"
