"""The trace of operations."""

from __future__ import annotations

import json
from dataclasses import replace

from verif.bench.env.trace import trace_line
from verif.tests.test_scoreboard import config, good_record


def test_a_line_has_every_field_but_the_time() -> None:
    record = good_record(config())
    line = json.loads(trace_line(3, record))
    fields = set(type(record).__dataclass_fields__)
    assert set(line) == fields - {"time_ns"} | {"operation", "status_name"}
    assert line["operation"] == 3
    assert line["status_name"] == "OK"
    assert line["x"] == f"{record.x:#x}"
    assert line["busy_cycles"] == record.busy_cycles
    assert line["after_reset"] is True


def test_the_same_operation_at_another_time_has_the_same_line_and_another_one_has_not() -> None:
    record = good_record(config())
    assert trace_line(0, record) == trace_line(0, replace(record, time_ns=9.5))
    for field, value in (("p", 1), ("busy_cycles", 1), ("table_hit", 1), ("status", 4)):
        assert trace_line(0, record) != trace_line(0, replace(record, **{field: value}))
