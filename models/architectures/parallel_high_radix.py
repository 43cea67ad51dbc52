"""Very-high-radix multiplier without quotient pipelining (source 004)."""

from __future__ import annotations

from models.architectures.quotient_pipelined import QuotientPipelined
from models.capability import Part
from models.published_by_jiang import PublishedWithoutStages


class ParallelHighRadix(QuotientPipelined):
    """Registry entry E2: d = 0; the element that shifts a quotient digit out uses it directly."""

    name = "parallel_high_radix"
    title = "Parallel very-high-radix (d = 0)"
    source = "Jiang & Harris, ch. II-A, figure 1"
    published = Part(
        PublishedWithoutStages, "eq. (2), (3) with d = 0", "Jiang & Harris, ch. II-A, table 1"
    )
    stages = 0
