"""Sections of a netlist: lookup tables that are evaluated together if an input of them changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from verif.library.netlist.gates import Lut

# Least number of lookup tables of a section. Smaller sections are idle in more cycles, but more
# values pass between sections.
SIZE = 40


def divided(order: Sequence[Lut], words: Mapping[int, int]) -> list[list[Lut]]:
    """Divide lookup tables into sections, of which none depends on a later one.

    Tables that lead to the same registers and ports have work in the same cycles: they are in one
    section. If a table feeds another one, it leads to everything to which the other one leads.
    Therefore the first destination and the number of destinations are an order of evaluation.

    Args:
        order: the tables, inputs first.
        words: registers and ports that a net enters directly, one bit for each.
    """
    leads = dict(words)
    for lut in reversed(order):
        for net in lut.inputs:
            leads[net] = leads.get(net, 0) | leads[lut.output]

    def place(lut: Lut) -> tuple[int, int, int]:
        found = leads[lut.output]
        return found & -found, -bin(found).count("1"), found

    sections: list[list[Lut]] = []
    for _, luts in groupby(sorted(order, key=place), place):
        if not sections or len(sections[-1]) >= SIZE:
            sections.append([])
        sections[-1] += luts
    return sections
