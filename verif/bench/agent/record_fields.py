"""Fields of the recorder's record beside operands and results, the highest bits first.

Generated from ``hdl/registers.yaml`` by ``python -m ci.codes --write``; do not edit.
"""

from __future__ import annotations

# Name, bits.
RECORD_FIELDS: tuple[tuple[str, int], ...] = (
    ("rejected", 16),  # transfers rejected since the last start
    ("lost", 16),  # operations started while a record was open
    ("after_reset", 1),  # first start after a reset or Zeroise
    ("command", 4),  # that started it
    ("status_seen", 1),  # a status was read
    ("protocol_broken", 1),  # the bus protocol was broken
    ("status", 4),  # that was read last
    ("bus_error", 4),  # rejection that was read with it
    ("stalled", 1),  # a request waited longer than it had to
)
