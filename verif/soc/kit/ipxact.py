"""IP-XACT of one configuration, by PeakRDL's generator from the SystemRDL of all fronts.

The generator drops memories, and a window is one. In the SystemRDL that it gets, each window is an
array of registers, as long as the operand or result is in the configuration.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from peakrdl_ipxact import IPXACTExporter, Standard
from systemrdl import RDLCompiler

VENDOR, LIBRARY = "modmul", "kit"
_WINDOW = re.compile(
    r"external mem \{\s*desc = (?P<says>\"[^\"]*\");.*?sw = (?P<access>\w+);\s*\} "
    r"(?P<name>\w+) @ 0x(?P<page>[0-9a-f])000;",
    re.DOTALL,
)


def write_ipxact(
    rdl: Path, top: str, words: Mapping[tuple[int, bool], int], word_bytes: int, out: Path
) -> None:
    """Write the IP-XACT (IEEE 1685-2014) of a front.

    Args:
        rdl: the SystemRDL of all fronts.
        top: its address map.
        words: words of each window, by loader address and direction (True: write).
        word_bytes: bytes of a bus word.
        out: file to write.
    """
    text, whole, end = rdl.read_text(encoding="utf-8").partition(f"addrmap {top} ")
    map_text, closing, others = end.partition("\n};\n")

    def registers(window: re.Match[str]) -> str:
        address = int(window["page"], 16) - 1
        count = max(words.get((address, write), 0) for write in (False, True))
        bits = 8 * word_bytes
        return (
            f"reg {{ desc = {window['says']}; regwidth = {bits};\n"
            f"        field {{ sw = {window['access']}; hw = rw; }} word[{bits}];\n"
            f"    }} {window['name']}[{count}] @ 0x{window['page']}000 += {word_bytes};"
        )

    compiler = RDLCompiler()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, rdl.name)
        source.write_text(text + whole + _WINDOW.sub(registers, map_text) + closing + others)
        compiler.compile_file(str(source))
        root = compiler.elaborate(top)
    exporter = IPXACTExporter(vendor=VENDOR, library=LIBRARY, standard=Standard.IEEE_1685_2014)
    exporter.export(root, str(out), component_name=top)
