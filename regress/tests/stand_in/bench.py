"""A test bench that no simulator ever starts; reports point at its test."""

from typing import Any


async def random(dut: Any) -> None:
    """Random operands."""
