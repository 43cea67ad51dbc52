"""Writes the kit of one configuration."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from peakrdl_html import HTMLExporter
from systemrdl import RDLCompiler

from models.exponentiation_core import exponentiation
from models.registry import architecture
from regress.core.point import Point
from verif.bench.agent.front_model import window_words
from verif.bench.configuration.design import (
    EXPONENTIATION,
    ROOT,
    Design,
    at_of,
    configured,
    hardware,
)
from verif.library.errata import CURRENT
from verif.soc.configuration import parameters_of
from verif.soc.kit.files import elaborated_files
from verif.soc.kit.ipxact import write_ipxact
from verif.soc.kit.pages import kit_page
from verif.soc.kit.top import NO_FRONT, KitTop, kit_top

HDL = ROOT / "hdl"
HERE = Path(__file__).parent
PUBLIC_LENGTH = 17
# Attribute of the arrays that can be block RAM.
RAM = "(* ram_style"
PAGES = ("interface.md", "codes.md")
FRONT_PAGES = ("fronts.md", "driver.md")
TITLES = {
    "axi4_lite": "AXI4-Lite",
    "apb4": "APB4",
    "wishbone": "Wishbone B4",
    NO_FRONT: "the loader bus",
}


@dataclass(frozen=True)
class Measured:
    """Area and clock of the core on a target, as the kit states them."""

    target: str
    area: str
    clock: str


@dataclass(frozen=True)
class Kit:
    """One configuration to export.

    Attributes:
        front: one of ``FRONTS``, or none.
        design: design of the core.
        point: resolved point.
        measured: area and clock of the core, of each target that has a record.
    """

    front: str
    design: Design
    point: Point
    measured: tuple[Measured, ...]

    @property
    def title(self) -> str:
        """The configuration in a line."""
        where = TITLES[self.front]
        width = self.point["width"]
        return f"{self.design.name} {self.point['architecture']}, {width} bits, on {where}"

    def write(self, folder: Path) -> KitTop:
        """Write the kit to an empty or new folder; return its top."""
        top = kit_top(self.front, self.design, self.point, HDL)
        for name in ("rtl", "tb", "docs"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        texts = _Texts({"title": self.title, "top": top, "version": CURRENT})
        path = folder / "rtl" / f"{top.name}.sv"
        path.write_text(texts.of("top.sv.j2"), encoding="utf-8")
        sources = self._copied(path)
        files = [f"rtl/{source.name}" for source in sources]
        files.append(f"rtl/{path.name}")
        (folder / "files.f").write_text("\n".join(files) + "\n", encoding="utf-8")
        core = texts.of("kit.core.j2", files=files)
        (folder / f"{top.name}.core").write_text(core, encoding="utf-8")
        (folder / "tb/Makefile").write_text(texts.of("Makefile"), encoding="utf-8")
        shutil.copy(HERE / "smoke.py", folder / "tb/test_smoke.py")
        (folder / "tb/kit.json").write_text(json.dumps(self._facts(top), indent=2) + "\n")
        readme = texts.of(
            "README.md.j2",
            configuration=self._configuration(),
            cycles=self._cycles(),
            measured=self.measured,
            memories=[source.stem for source in sources if RAM in source.read_text("utf-8")],
            provenance={"version": CURRENT, "commit": commit()},
        )
        (folder / "README.md").write_text(readme, encoding="utf-8")
        self._other_files(folder)
        return top

    def _copied(self, top: Path) -> list[Path]:
        name = self.point["architecture"]
        sources = hardware(
            self.design, architecture(name), self.point["width"], self.point["parameters"]
        ).sources
        found = elaborated_files(sources, top)
        for path in found:
            shutil.copy(path, top.parent / path.name)
        return found

    def _configuration(self) -> dict[str, object]:
        return {
            "operation": self.design.name,
            "multiplier": self.point["architecture"],
            "width": f"{self.point['width']} bits",
            **dict(self.point["parameters"]),
        }

    def _facts(self, top: KitTop) -> dict[str, object]:
        return {
            "front": self.front,
            "exponentiation": self.design is EXPONENTIATION,
            "width": self.point["width"],
            "data_bytes": top.data_width // 8,
            "radix_bits": parameters_of(self.design, self.point)["FrontRadixBits"],
        }

    def _cycles(self) -> Mapping[str, int]:
        values, width = self.point["parameters"], self.point["width"]
        core = configured(architecture(self.point["architecture"]), self.design, width, values)
        modulus = (1 << width) - 1
        if self.design is not EXPONENTIATION:
            given = {"add_width": values["AddWidth"], "bus_width": values["BusWidth"]}
            return {
                f"product, {state} modulus": core.timing.operation_cycles(
                    modulus, width, fresh_modulus=state == "new", **given
                )
                for state in ("new", "same")
            }
        model = exponentiation(core, width, values["AddWidth"], values["BusWidth"])
        return {
            f"exponent of {length} bits, {how}": model.operation_cycles(
                modulus, length, compute_r_squared=computed
            )
            for length in (width, PUBLIC_LENGTH)
            for how, computed in (("R² computed", True), ("R² kept", False))
        }

    def _other_files(self, folder: Path) -> None:
        shutil.copy(ROOT / "LICENSE", folder / "LICENSE")
        (folder / "VERSION").write_text(CURRENT + "\n")
        pages = (*PAGES, *(() if self.front == NO_FRONT else FRONT_PAGES))
        for page in pages:
            text = (HDL / "docs" / page).read_text(encoding="utf-8")
            (folder / "docs" / page).write_text(kit_page(text, pages), encoding="utf-8")
        if self.front == NO_FRONT:
            return
        (folder / "sw/driver").mkdir(parents=True, exist_ok=True)
        for header in (HDL / "fronts").glob("*.h"):
            shutil.copy(header, folder / "sw")
        for path in (HDL / "fronts/driver").iterdir():
            shutil.copy(path, folder / "sw/driver")
        rdl = HDL / "fronts/front.rdl"
        shutil.copy(rdl, folder / "docs")
        _register_page(self.design, folder / "docs/registers")
        size = self.point["parameters"]["BusWidth"] // 8
        top, out = f"{self.design.name}_front", folder / "docs/front.xml"
        write_ipxact(rdl, top, self._words(size), size, out)

    def _words(self, word_bytes: int) -> Mapping[tuple[int, bool], int]:
        core = configured(
            architecture(self.point["architecture"]), self.design, self.point["width"],
            self.point["parameters"],
        )  # fmt: skip
        at = at_of(core, self.point["width"], self.point["parameters"])
        widths = self.design.register_widths(at)
        return window_words(self.design.registers, widths, word_bytes)


class _Texts:
    """Templates, with the values that all templates use."""

    def __init__(self, common: Mapping[str, object]) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
        )
        self._common = common

    def of(self, template: str, **values: object) -> str:
        """Return a file's text."""
        return self._environment.get_template(template).render(**self._common, **values)


def _register_page(design: Design, folder: Path) -> None:
    compiler = RDLCompiler()
    compiler.compile_file(str(HDL / "fronts/front.rdl"))
    root = compiler.elaborate(f"{design.name}_front")
    HTMLExporter().export(root, str(folder), skip_not_present=False)


def commit() -> str:
    """Return the commit of this checkout, ``-dirty`` with local changes."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=40"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
