"""Coverage of a multiplier with the loader bus."""

from __future__ import annotations

from collections.abc import Iterator

from models.architecture import Architecture
from models.bus.state_machines import (
    INCOMPLETE_ARC,
    core_machine,
    multiplier_arcs,
    multiplier_machine,
)
from models.status import Status
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.records import MultiplierRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.covergroups import (
    CoverageModel,
    Covergroup,
    HitVector,
    Stimulus,
    modulus_class,
    operand_class,
)
from verif.bench.coverage.stress import StressCoverage

CYCLES_FOR_EVERY_ADDRESS = 4


def positions(hits: int, table_bits: int) -> Iterator[int]:
    """Yield the hit vector of each iteration of a cycle."""
    while hits:
        yield hits & ((1 << table_bits) - 1)
        hits >>= table_bits


def position_vectors(entry: Architecture, width: int) -> dict[int, HitVector]:
    """Return one hit vector for each iteration of a cycle; the entry gives the reachable goal.

    The operand must be long enough for several cycles. Otherwise a position has only the first
    iterations, in which S is still zero.
    """
    names = entry.coverage.names()
    unfolding = entry.timing.iterations_per_cycle(width)
    long_enough = width >= CYCLES_FOR_EVERY_ADDRESS * unfolding
    goal = (
        [names[a] for a in sorted(entry.coverage.reachable_addresses(width))] if long_enough else []
    )
    return {position: HitVector(names, goal) for position in range(unfolding)}


class MultiplierCoverage(CoverageModel):
    """All covergroups of one multiplier."""

    stimuli = (
        Stimulus("table_*", "*", ("random", "corners"), operands=True),
        Stimulus("word_carry", "*", ("random", "corners"), operands=True),
        Stimulus("core_state_arc", "running>starting", ("reset",)),
        Stimulus("core_state_arc", "*", ("random",)),
        Stimulus("control_state_arc", "end>idle", ("random",)),
        Stimulus("control_state_arc", "idle>idle", ("random",)),
        Stimulus("control_state_arc", "*>idle", ("reset",)),
        Stimulus("control_state_arc", INCOMPLETE_ARC, ("bad_input",)),
        Stimulus("control_state_arc", "*>end", ("bad_input", "random")),
        Stimulus("control_state_arc", "*", ("random",)),
        Stimulus("status", "OK", ("random",)),
        Stimulus("status", "RAW", ("raw",)),
        Stimulus("status", "*", ("bad_input",)),
        Stimulus("final_subtraction*", "*", ("corners", "random"), operands=True),
        Stimulus("field*", "*", ("random", "fields")),
        Stimulus("operand", "*", ("corners", "random"), operands=True),
        Stimulus("configuration", "*", ("random",)),
        Stimulus("modulus", "*", ("corners", "random"), operands=True),
        Stimulus("stress_*", "*", ("stress",)),
        Stimulus("front_*", "*", ("stress",)),
    )

    inside = (
        "final_subtraction",
        "final_subtraction_x_operands",
        "final_subtraction_x_modulus",
    )

    def __init__(self, config: BenchConfig) -> None:
        """Derive groups and goals from the registry entry."""
        super().__init__(config)
        self.stress = StressCoverage(config)
        entry, width = config.entry, config.width
        operand_words = bus_map(config).operand("m").words  # one word cannot be partly written
        self._width = width
        bits = entry.coverage.address_bits
        addresses = entry.coverage.names()
        transitions = {
            a << bits | b: f"{addresses[a]}>{addresses[b]}" for a in addresses for b in addresses
        }
        control_goal = multiplier_arcs(entry)
        if operand_words == 1:
            control_goal.remove(INCOMPLETE_ARC)
        self.vectors = {
            "configuration": self.configuration,
            "table_address": HitVector(
                addresses,
                [addresses[a] for a in sorted(entry.coverage.addresses_of_all_fields(width))],
            ),
            "table_transition": HitVector(
                transitions,
                [transitions[a << bits | b] for a, b in sorted(entry.coverage.transitions(width))],
            ),
            # No bin for the top word: the table addresses count a carry into it, if one can occur.
            "word_carry": HitVector(
                {k: f"into word {k}" for k in range(entry.coverage.carry_words(width))},
                [f"into word {k}" for k in range(1, entry.coverage.carry_words(width) - 1)],
            ),
            "core_state_arc": HitVector(core_machine(entry).arcs, entry.coverage.state_arcs),
            "control_state_arc": HitVector(multiplier_machine(entry).arcs, sorted(control_goal)),
        }
        self._last_field = ""
        self._table_bits = 1 << max(1, bits)
        # Each unfolded iteration has its own table.
        unfolding = entry.timing.iterations_per_cycle(width)
        self._positions = position_vectors(entry, width) if unfolding > 1 else {}
        self.vectors |= {
            f"table_address_of_iteration_{position}": vector
            for position, vector in self._positions.items()
        }
        statuses = [Status.OK, Status.RAW, Status.MODULUS_ZERO_OR_ONE, Status.OPERAND_RANGE]
        if operand_words > 1:
            statuses.append(Status.OPERAND_INCOMPLETE)
        if entry.montgomery:
            statuses.append(Status.MODULUS_EVEN)
        self.groups = {
            "final_subtraction": Covergroup(("not_taken", "taken", "exact")),
            "status": Covergroup(status.name for status in statuses),
            "operand": Covergroup(),
            "field": Covergroup(("GF(P)", "GF(2**n)") if entry.binary else ("GF(P)",)),
            "field_switch": Covergroup(
                ("GF(P) > GF(2**n)", "GF(2**n) > GF(P)") if entry.binary else ()
            ),
            "modulus": Covergroup(),
            "final_subtraction_x_operands": Covergroup(),
            "final_subtraction_x_modulus": Covergroup(),
            **self.stress.groups,
            **self.front_groups,
        }

    def sample(self, record: MultiplierRecord) -> None:
        """Sample one operation's record."""
        groups, vectors = self.groups, self.vectors
        self.configuration.operation()
        for position, hits in enumerate(positions(record.table_hit, self._table_bits)):
            vectors["table_address"].sample(hits)
            if position in self._positions:
                self._positions[position].sample(hits)
        vectors["table_transition"].sample(record.table_transition)
        vectors["core_state_arc"].sample(record.core_arcs)
        vectors["word_carry"].sample(record.carry_hit)
        vectors["control_state_arc"].sample(record.control_arcs)
        groups["status"].sample(record.status_name)
        field = "GF(2**n)" if record.binary else "GF(P)"
        groups["field"].sample(field)
        if self._last_field not in ("", field):
            groups["field_switch"].sample(f"{self._last_field} > {field}")
        self._last_field = field
        modulus = modulus_class(record.m, self._width)
        operands = f"{operand_class(record.x, record.m)} * {operand_class(record.y, record.m)}"
        groups["modulus"].sample(modulus)
        groups["operand"].sample(operands)
        if record.result_added:
            taken = "exact" if record.exact else "taken" if record.subtracted else "not_taken"
            groups["final_subtraction"].sample(taken)
            groups["final_subtraction_x_operands"].sample(f"{taken}: {operands}")
            groups["final_subtraction_x_modulus"].sample(f"{taken}: {modulus}")
