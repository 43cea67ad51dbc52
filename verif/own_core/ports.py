"""Check the ports of a shim with Verilator before any run."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from regress.core.errors import UsageError
from regress.core.processes import ProcessGroups, clean_environment
from regress.core.terminal import say
from regress.simulators.base import BuildOptions
from regress.simulators.verilator import Verilator
from verif.own_core.core import Core
from verif.own_core.core_module import core_module

SECONDS = 60.0
NAME = "black_box_core.sv"
MESSAGE = re.compile(
    r"^%(?:Error|Warning)(?:-(?P<kind>\w+))?: (?P<place>.*?:\d+):\d+: (?P<text>.*)$"
)
WIDTHS = re.compile(
    r"port connection '?(?P<port>\w+)'? expects (?P<has>\d+) bits.* (?P<wants>\d+) bits"
)
MISSING = re.compile(r"Pin not found: '(?P<port>\w+)'")
OPEN = re.compile(r"missing pin: '(?P<port>\w+)'")
NO_MODULE = re.compile(r"Cannot find file containing module")
# Input ports of a shim, and the entry of the description that connects each.
ENTRIES = {
    "length_i": "length: true",
    "r_squared_i": "constants: [r_squared]",
    "m_prime_i": "constants: [m_prime]",
}
SHOWN = 10


def show_ports(console: Console, core: Core, widths: Sequence[int]) -> None:
    """Reject a shim whose ports do not fit, and print warnings about ports inside the core.

    Raises:
        UsageError: see :func:`check_ports`.
    """
    found = (warning for width in widths for warning in check_ports(core, width))
    for warning in dict.fromkeys(found):
        say(console, f"warning: {warning}", "yellow")


def fits(core: Core, width: int) -> bool:
    """Return True if the core can be checked at a width: its formulas and its ports allow it."""
    try:
        core.check_width(width)
        check_ports(core, width)
    except UsageError:
        return False
    return True


def check_ports(core: Core, width: int) -> list[str]:
    """Return warnings about the widths of ports inside the core, one line each.

    If Verilator takes too long, the only warning says that the ports are not checked.
    Code that Verilator cannot read is not checked here; the simulator of the run reports it.

    Raises:
        UsageError: the shim is missing, or a port of it is missing, has another width or needs an
            entry of the description; one line.
    """
    warnings = []
    shim = core.description.shim
    try:
        messages = list(_messages(core, width))
    except TimeoutError as error:
        return [str(error)]
    for kind, place, text in messages:
        if Path(place.rpartition(":")[0]).name != NAME:
            if kind.startswith("WIDTH") and "port connection" in text:
                warnings.append(f"{place}: {text}")
            continue
        if NO_MODULE.search(text):
            raise UsageError(f"{core.path}: shim: no source has a module {shim}")
        if found := OPEN.search(text):
            port = found["port"]
            if entry := ENTRIES.get(port):
                raise UsageError(f"{core.path}: port {port} of {shim} has no value without {entry}")
            if not port.endswith("_o"):
                warnings.append(f"{core.path}: port {port} of {shim} is not connected")
        if found := MISSING.search(text):
            raise UsageError(f"{core.path}: shim {shim} has no port {found['port']}")
        if found := WIDTHS.search(text):
            fixed = "" if core.takes_width(width) else " and no parameter Width"
            raise UsageError(
                f"{core.path}: port {found['port']} of {shim} has {found['has']} bits{fixed}; at "
                f"{width} bits {found['wants']} are accepted (widths: {{values: […]}} names the "
                "widths of a core that has few)"
            )
    return list(dict.fromkeys(warnings))[:SHOWN]


def _messages(core: Core, width: int) -> Iterator[tuple[str, str, str]]:
    """Yield kind, place and text of Verilator's messages about a core.

    Raises:
        TimeoutError: Verilator takes too long.
    """
    try:
        verilator = Verilator.find()
    except UsageError:
        return
    description = core.description
    with tempfile.TemporaryDirectory(prefix="ports-") as folder:
        module = Path(folder) / NAME
        module.write_text(core_module(description, width, takes_width=core.takes_width(width)))
        environment = verilator.build_environment(BuildOptions())
        command = [
            Verilator.name, "--lint-only", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style",
            "-Wwarn-PINMISSING", "-Wwarn-WIDTHTRUNC", "-Wwarn-WIDTHEXPAND", "--bbox-unsup",
            "--top-module", module.stem, f"-GWidth={width}", "-Mdir", folder,
            *(f"+incdir+{path}" for path in core.includes),
            *(f"-D{name}={description.at(text, width)}"
              for name, text in description.defines.items()),
            str(module), *map(str, core.sources_at(width)),
        ]  # fmt: skip
        log = Path(folder) / "messages.txt"
        try:
            ended = ProcessGroups().run(
                command, cwd=Path.cwd(), env=clean_environment() | environment, log=log,
                timeout=SECONDS,
            )  # fmt: skip
        except OSError:
            return
        if ended.timed_out:
            raise TimeoutError(f"{core.path}: ports not checked: Verilator took over {SECONDS:g} s")
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines:
        if found := MESSAGE.match(line):
            yield found["kind"] or "", found["place"], found["text"]
