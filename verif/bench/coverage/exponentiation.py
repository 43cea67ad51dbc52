"""Coverage of the exponentiation core with the loader bus."""

from __future__ import annotations

from collections.abc import Iterable

from models.bus.state_machines import (
    CORE_STATES,
    EXPONENTIATION_STATES,
    EXPONENTIATION_STRIDE,
    core_machine,
    exponentiation_arcs,
    exponentiation_machine,
)
from models.status import ExponentiationAddress, Status
from verif.bench.agent.bus_map import bus_map
from verif.bench.agent.records import ExponentiationRecord
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.tops import EXPONENTIATION
from verif.bench.coverage.covergroups import (
    CoverageModel,
    Covergroup,
    HitVector,
    Stimulus,
    modulus_class,
    operand_class,
)
from verif.bench.coverage.multiplier import positions
from verif.bench.coverage.stress import StressCoverage

# Place of an exponent bit in its bus word, in the encoding of the observer.
WORD_PLACES = ("inside a word", "first of a word", "last of a word")
POSITION_BITS = 8
COMPUTED, SUPPLIED, KEPT = "computed", "supplied", "kept"


def entered(record: ExponentiationRecord, state: str) -> bool:
    """Return whether the control entered ``state`` since the previous record."""
    into = EXPONENTIATION_STATES.index(state)
    return any(
        record.control_arcs >> (EXPONENTIATION_STRIDE * source + into) & 1
        for source in range(len(EXPONENTIATION_STATES))
    )


def r_squared_mode(record: ExponentiationRecord) -> str:
    """Return the origin of R**2 in an operation that ended with OK."""
    if entered(record, "check_constant"):
        return SUPPLIED
    return COMPUTED if entered(record, "seed") else KEPT


def bit_starts(bits: Iterable[int], starts: Iterable[int], bus_width: int) -> tuple[int, set[int]]:
    """Return what a correct core makes the observer collect of the loop's products.

    Args:
        bits: exponent bit of each product, in order.
        starts: position in the core at which each product starts.
        bus_width: bits of a bus word.

    Returns:
        The vector of positions, and the codes of exponent bit and place in its bus word.
    """
    positions, places = 0, set()
    for index, (bit, start) in enumerate(zip(bits, starts, strict=True)):
        positions |= 1 << (bit << POSITION_BITS | start & ((1 << POSITION_BITS) - 1))
        place = {0: "first of a word", bus_width - 1: "last of a word"}.get(index % bus_width)
        places.add(bit << 2 | WORD_PLACES.index(place or "inside a word"))
    return positions, places


def exponent_class(exponent: int, length: int) -> str:
    """Return the class of an exponent of a given length."""
    named = {0: "zero", 1: "one", 2: "two", 3: "three", 65537: "65537"}
    if exponent in named:
        return named[exponent]
    if exponent >> length:
        return "too_long"
    if exponent == (1 << length) - 1:
        return "all_ones"
    if exponent & (exponent - 1) == 0:
        return "one_hot_top" if exponent >> (length - 1) else "one_hot"
    return "full" if exponent >> (length - 1) else "leading_zeros"


def length_class(length: int, width: int) -> str:
    """Return the class of an exponent length."""
    if length == 0:
        return "zero"
    if length > width:
        return "too_long"
    named = {1: "one", 2: "two", 17: "public exponent", width: "full"}
    return named.get(length, "other")


class ExponentiationCoverage(CoverageModel):
    """All covergroups of one exponentiation core, including its two multipliers."""

    stimuli = (
        Stimulus("exp_?_table_address", "*", ("exp_random", "exp_corners"), operands=True),
        Stimulus("exp_?_core_state_arc", "running>starting", ("exp_reset",)),
        Stimulus("exp_?_core_state_arc", "*", ("exp_random",)),
        Stimulus("exp_control_state_arc", "end>idle", ("exp_random",)),
        Stimulus("exp_control_state_arc", "*>idle", ("exp_reset",)),
        Stimulus("exp_control_state_arc", "*>end", ("exp_bad_input", "exp_random")),
        Stimulus("exp_control_state_arc", "*", ("exp_random", "exp_corners")),
        Stimulus("exp_bit_x_*", "*", ("exp_random", "exp_corners")),
        Stimulus("exp_status", "OK", ("exp_random",)),
        Stimulus("exp_status", "*", ("exp_bad_input",)),
        Stimulus("exp_r_squared", "*", ("exp_random", "exp_bus")),
        Stimulus("exp_m_prime", "*", ("exp_random", "exp_bus")),
        Stimulus("exp_final_subtraction", "*", ("exp_corners", "exp_random"), operands=True),
        Stimulus("exp_top_carry", "*", ("exp_random", "exp_corners"), operands=True),
        Stimulus("exp_exponent*", "*", ("exp_corners", "exp_random")),
        Stimulus("exp_base", "*", ("exp_corners", "exp_random")),
        Stimulus("exp_modulus", "*", ("exp_corners", "exp_random")),
        Stimulus("exp_configuration", "*", ("exp_random",)),
        Stimulus("exp_length", "*", ("exp_corners", "exp_random")),
        Stimulus("exp_stress_*", "*", ("exp_stress",)),
        Stimulus("exp_front_*", "*", ("exp_stress",)),
    )

    # exp_length is inside, because it counts the products observed in the loop.
    inside = (
        "exp_exponent",
        "exp_exponent_x_base",
        "exp_final_subtraction",
        "exp_length",
        "exp_r_squared",
        "exp_top_carry",
    )

    def __init__(self, config: BenchConfig) -> None:
        """Derive groups and goals from the registry entry; legal operations can reach each goal."""
        super().__init__(config)
        self.stress = StressCoverage(config)
        entry, width = config.entry, config.width
        core = EXPONENTIATION.model(config.at)
        self._core, self._width = core, width
        bus = bus_map(config)
        one_word = all(operand.words == 1 for operand in bus.operands)

        self._table_bits = 1 << max(1, entry.coverage.address_bits)
        machine = core_machine(entry, chained=True)
        names = entry.coverage.names()
        reachable = [names[a] for a in sorted(entry.coverage.reachable_addresses(width))]
        arcs = entry.coverage.arcs(chained=True)
        word_serial = entry.streams is not None and entry.streams.word_serial
        self.vectors = {
            "exp_configuration": self.configuration,
            "exp_control_state_arc": HitVector(
                exponentiation_machine(core).arcs, sorted(exponentiation_arcs(core))
            ),
            "exp_a_core_state_arc": HitVector(machine.arcs, arcs),
            "exp_s_core_state_arc": HitVector(machine.arcs, arcs),
            "exp_a_table_address": HitVector(names, reachable),
            "exp_s_table_address": HitVector(names, reachable),
            "exp_bit_x_position": self._bit_positions(core.positions()),
            "exp_bit_x_core_state_x_word": self._bit_states(config),
        }
        statuses = [
            Status.OK, Status.EXPONENT_RANGE, Status.LENGTH_RANGE, Status.OPERAND_RANGE,
            Status.MODULUS_ZERO_OR_ONE,
        ]  # fmt: skip
        modes: list[str] = []
        # "exact": a sum that is exactly M. Only some cores can produce it in the last product.
        subtraction = ["not_taken", "taken", "exact"]
        if core.montgomery:
            statuses += [Status.MODULUS_EVEN, Status.CONSTANT_INCONSISTENT]
            modes = [COMPUTED, SUPPLIED, KEPT]
            # The last step divides by R once more: A*1 + q*M < M + (R-1)*M. The sum is at most R*M,
            # and R*M only if A is congruent to 0 and not below M.
            subtraction = ["not_taken", "exact"]
            # The sum is up to Mhat + M, and up to M for a scale of one bit.
            if entry.scaling and entry.scaling.bits(width) > 1:
                subtraction.append("taken")
        if not one_word:
            statuses.append(Status.OPERAND_INCOMPLETE)
        self.groups = {
            "exp_status": Covergroup(status.name for status in statuses),
            "exp_r_squared": Covergroup(modes),
            "exp_m_prime": Covergroup(("supplied", "not_supplied") if core.m_prime_width else ()),
            "exp_final_subtraction": Covergroup(subtraction),
            "exp_top_carry": Covergroup(
                # No goal for residues longer than M: their words have spare bits, so that a carry
                # into the top word is rare.
                ("carry", "none") if word_serial and not entry.scaling else ()
            ),
            "exp_exponent": Covergroup(
                ("zero", "one", "two", "three", "all_ones", "one_hot_top", "full")
            ),
            "exp_base": Covergroup(("zero", "one", "m_minus_1")),
            "exp_modulus": Covergroup(("all_ones", "top_bit_plus_one", "leading_zeros", "full")),
            "exp_length": Covergroup(("one", "two", "full", "other")),
            "exp_exponent_x_base": Covergroup(),
            **self.stress.groups,
            **self.front_groups,
        }

    def _bit_positions(self, positions: Iterable[int]) -> HitVector:
        mask = (1 << POSITION_BITS) - 1
        names = {
            bit << POSITION_BITS | position & mask: f"bit {bit} at {position & mask}"
            for bit in (0, 1)
            for position in range(1 << POSITION_BITS)
        }
        goal = {
            names[b << POSITION_BITS | position & mask] for position in positions for b in (0, 1)
        }
        return HitVector(names, sorted(goal))

    def _bit_states(self, config: BenchConfig) -> HitVector:
        names = {
            bit << 4 | place << 2 | state: f"bit {bit}, {where}, {CORE_STATES[state]}"
            for bit in (0, 1)
            for place, where in enumerate(WORD_PLACES)
            for state in range(len(CORE_STATES))
        }
        # A product starts when the core is idle. A chained product may start one state earlier.
        chaining = config.entry.chaining
        chain = chaining.arcs if chaining else ()
        state = chain[0].split(">")[0] if chain else "starting"
        places = list(WORD_PLACES)
        if config.width < config.bus_width:  # exponents are shorter than a word
            places.remove("last of a word")
        goal = [f"bit {bit}, {where}, {state}" for bit in (0, 1) for where in places]
        return HitVector(names, goal)

    def sample(self, record: ExponentiationRecord) -> None:
        """Sample one operation's record."""
        groups, vectors = self.groups, self.vectors
        self.configuration.operation()
        vectors["exp_control_state_arc"].sample(record.control_arcs)
        vectors["exp_a_core_state_arc"].sample(record.a_core_arcs)
        vectors["exp_s_core_state_arc"].sample(record.s_core_arcs)
        for hits in positions(record.a_table_hit, self._table_bits):
            vectors["exp_a_table_address"].sample(hits)
        for hits in positions(record.s_table_hit, self._table_bits):
            vectors["exp_s_table_address"].sample(hits)
        vectors["exp_bit_x_position"].sample(record.bit_positions)
        vectors["exp_bit_x_core_state_x_word"].sample(record.bit_states)
        groups["exp_status"].sample(record.status_name)
        if record.status != Status.OK:
            return
        groups["exp_modulus"].sample(modulus_class(record.modulus, self._width))
        length = record.loop_products
        exponent = exponent_class(record.exponent, length)
        base = operand_class(record.base, record.modulus)
        groups["exp_exponent"].sample(exponent)
        groups["exp_base"].sample(base)
        groups["exp_exponent_x_base"].sample(f"{exponent} x {base}")
        groups["exp_length"].sample(length_class(length, self._width))
        groups["exp_top_carry"].sample("carry" if record.top_carry else "none")
        if self._core.montgomery:
            groups["exp_r_squared"].sample(r_squared_mode(record))
        if self._core.m_prime_width:
            supplied = record.has(ExponentiationAddress.M_PRIME)
            groups["exp_m_prime"].sample("supplied" if supplied else "not_supplied")
        taken = "exact" if record.exact else "taken" if record.subtracted else "not_taken"
        groups["exp_final_subtraction"].sample(taken)
