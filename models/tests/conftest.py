"""Fixtures of the model tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

VECTORS = Path(__file__).parent.parent / "vectors" / "thesis.jsonl"


@pytest.fixture(scope="session")
def thesis_vectors() -> list[dict[str, Any]]:
    """The worked 1024-bit examples of the thesis, integers converted."""
    return [
        {k: int(v, 16) if k in "xymscp" else v for k, v in json.loads(line).items()}
        for line in VECTORS.read_text().splitlines()
    ]
