"""Small blocks of the design as separate tops: plain cocotb tests without the loader bus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regress.core.jobfile import Job
from regress.core.point import Point, PointError
from regress.core.project import Build, Test
from verif.bench.configuration.design import ROOT
from verif.bench.configuration.dut import WithoutCoverage

# Value of the architecture axis for these blocks, because a block belongs to no architecture.
LIBRARY = "library"
PACKAGE = "verif.bench.blocks"


@dataclass(frozen=True)
class Block:
    """A block with a bench.

    Attributes:
        module: Python module of its test, in ``verif/bench/blocks``.
        says: one line about what its test checks.
        parameters: function that returns the block's parameters for a width in bits.
    """

    module: str
    says: str
    parameters: Callable[[int], Mapping[str, int]]


def _index_bits(words: int) -> int:
    return max(1, words.bit_length())


def _operand(width: int) -> dict[str, int]:
    written, read = -(-width // 8), -(-width // 12)
    return {
        "Bits": width, "WriteWidth": 8, "ReadWidth": 12,
        "WriteIndexWidth": _index_bits(written), "ReadIndexWidth": _index_bits(read),
    }  # fmt: skip


def _converter(width: int) -> dict[str, int]:
    """Words without a common divisor, longer and shorter, and words that divide each other."""
    into, out = -(-width // 16), (17, 5, 32, 4)[width % 4]
    return {"InWidth": 16, "OutWidth": out, "InWords": into, "OutWords": -(-16 * into // out)}


def _legal_state(width: int) -> dict[str, int]:
    """Plain, with a scale, or with the coherence check; a core has only one of both."""
    return {
        "MaxLength": width, "Doublings": 5, "Squarings": 3,
        "Scaled": int(width % 3 == 1), "Coherent": int(width % 3 == 2),
    }  # fmt: skip


BLOCKS: Mapping[str, Block] = {
    "carry_save_adder": Block(
        "adders", "sum and carry have the value of three operands", lambda width: {"Width": width}
    ),
    "carry_select_adder": Block(
        "adders", "the sum of two operands and a carry", lambda width: {"Width": width}
    ),
    "pipelined_multiplier": Block(
        "adders",
        "a product of limbs appears after its stages",
        lambda width: {"AWidth": width, "BWidth": width - 1, "Stages": 2},
    ),
    "stream_adder": Block(
        "adders", "words of A + B and A + B - M", lambda width: {"WordWidth": width}
    ),
    "word_memory": Block(
        "memories",
        "words written, read and wiped",
        lambda width: {"Width": width, "Depth": 5},
    ),
    "parity_memory": Block(
        "memories",
        "a flipped bit of a word is reported",
        lambda width: {"Width": width, "Depth": 5, "Parity": 1},
    ),
    "operand_memory": Block(
        "memories", "written in words of 8 bits, read in words of 12", _operand
    ),
    "delay_line": Block(
        "memories",
        "data leaves after a number of cycles",
        lambda width: {"Width": 8, "Cycles": width},
    ),
    "word_converter": Block(
        "converters", "words of 16 bits become words of 17, 5, 32 or 4", _converter
    ),
    "word_splitter": Block(
        "converters",
        "a value is cut at a bit",
        lambda width: {"WordWidth": 8, "LowBits": width, "Words": 3},
    ),
    "digit_converter": Block(
        "converters",
        "digits of 3 bits of an operand in words of 12",
        lambda width: {"WordWidth": 12, "DigitWidth": 3, "Words": -(-width // 12)},
    ),
    "exponentiation_legal_state": Block(
        "checks", "values of the control registers that no operation has", _legal_state
    ),
    "operand_loader": Block(
        "checks", "a result word with a fault does not leave", lambda width: {"BusWidth": width}
    ),
}


class BlockDesign(WithoutCoverage):
    """One block as a top.

    Args:
        module: name of the block, a key of :data:`BLOCKS`.
    """

    def __init__(self, module: str) -> None:
        block = BLOCKS[module]
        self.name = module
        self.tests = {
            f"block_{module}": Test(f"{PACKAGE}.{block.module}", module, block.says, module, module)
        }
        self._block = block

    def resolved(self, point: Point) -> Point:
        """See :class:`DesignUnderTest`; a block has no architecture and no further parameters."""
        if point["architecture"] != LIBRARY:
            raise PointError(f"tests of blocks: accepted is {LIBRARY}", "architecture")
        if point["parameters"]:
            raise PointError("tests of blocks: no parameters are accepted", "parameters")
        return point

    def build(self, point: Point, simulator: Any, hdl: Path | None, code_coverage: bool) -> Build:
        """See :class:`DesignUnderTest`."""
        sources = sorted((hdl or ROOT / "hdl").rglob("*.sv"))
        package = [path for path in sources if path.name.endswith("_pkg.sv")]
        own = [path for path in sources if path.parent.name == "lib" or path.stem == self.name]
        return Build(
            sources=(*package, *own),
            toplevel=self.name,
            defines={},
            parameters=self._block.parameters(point["width"]),
            arguments=(),
        )

    def case_words(self, job: Job, source: str, case: str) -> list[str]:
        """See :class:`DesignUnderTest`; a block has no cases."""
        return []
