"""Inputs of a netlist that are made the same, byte by byte."""

from __future__ import annotations

from pathlib import Path

from verif.faults.mutants.aiger import join_inputs

# Inputs 2, 4, 6; a latch of input 6 that starts at 1; the output !(6 & 2).
NETLIST = b"aig 5 3 1 1 1\n6 1\n11\n" + bytes([10 - 6, 6 - 2])
JOINED = b"aig 5 3 1 1 1\n2 1\n11\n" + bytes([10 - 2, 0])


def test_everything_reads_the_other_input(tmp_path: Path) -> None:
    path = tmp_path / "netlist.aig"
    path.write_bytes(NETLIST)
    join_inputs(path, {2: 0})
    assert path.read_bytes() == JOINED


def test_operands_stay_in_order_and_numbers_may_be_long(tmp_path: Path) -> None:
    # 200 inputs, the AND of the last and the first but one, which becomes the first.
    path = tmp_path / "netlist.aig"
    head = b"aig 201 200 0 1 1\n402\n"
    path.write_bytes(head + bytes([402 - 400]) + bytes([0x80 | (396 & 0x7F), 396 >> 7]))
    join_inputs(path, {199: 0})
    # Now 4 & 2: distances 398 and 2.
    assert path.read_bytes() == head + bytes([0x80 | (398 & 0x7F), 398 >> 7]) + bytes([2])


def test_nothing_to_join_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "netlist.aig"
    path.write_bytes(NETLIST)
    join_inputs(path, {})
    assert path.read_bytes() == NETLIST
