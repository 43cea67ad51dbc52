"""Fields of the vectors between the test bench and Python, the highest bits first.

Generated from ``verif/bench/agent/records.yaml`` by ``python -m ci.codes --write``; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping

# Name and bits of each field. Bits are a number, or a product of parameters.
LAYOUTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "request": (
        ("seed", "32"),  # of idle cycles and wait states
        ("limit", "32"),  # cycles after which the operation counts as hung
        ("idle", "8"),  # how often cycles without a transfer come, of 256
        ("stall", "8"),  # how often wait states come, of 256
        ("command", "8"),  # that starts the operation
        ("load", "WriteAddresses"),  # which operands are written
        ("operands", "WriteAddresses * SlotBits"),  # their words, a slot for each address
    ),
    "event": (
        ("clock", "32"),  # number of the cycle
        ("granted", "1"),  # a transfer was granted in the cycle before
        ("write", "1"),  # it writes
        ("address", "AddressWidth"),  # its address
        ("wdata", "BusWidth"),  # its data
        ("out_of_reset", "1"),  # rst_ni
        ("ack", "1"),  # ack_o
        ("rejected", "1"),  # err_o
        ("data", "BusWidth"),  # rdata_o
        ("busy", "1"),  # busy_o
        ("done", "1"),  # done_o
    ),
    "report": (
        ("clock", "32"),  # cycles since the simulation began
        ("unknown_data", "BusWidth"),  # unknown bits of rdata_o
        ("unknown_flags", "4"),  # unknown done_o, busy_o, err_o, ack_o
        ("rules", "14"),  # violated rules
        ("data", "BusWidth"),  # rdata_o, 0 where unknown
        ("flags", "4"),  # done_o, busy_o, err_o, ack_o, 0 where unknown
        ("expected", "BusWidth"),  # right value of rdata_o
    ),
    "multiplier_observed": (
        ("core_arcs", "16"),  # pairs of states of the core
        ("control_arcs", "64"),  # pairs of states of the control
        ("loop_cycles", "32"),  # from the core's start to its result
        ("done_cycles", "32"),  # from there to the end
        ("busy_cycles", "32"),  # of busy_o
        ("result_added", "1"),  # a result left the adder
        ("subtracted", "1"),  # the last subtraction was taken
        ("exact", "1"),  # a subtraction gave zero
        ("core_busy_wrong", "1"),  # busy of the core contradicts its state
        ("table_transition", "TableBits * TableBits"),  # pairs of table addresses
        ("table_hit", "Positions * TableBits"),  # table addresses of each position
        ("carry_hit", "CarryWords"),  # words between which a carry passed
    ),
    "exponentiation_observed": (
        ("control_arcs", "256"),  # pairs of states of the control
        ("a_core_arcs", "16"),  # pairs of states of the core of A
        ("s_core_arcs", "16"),  # pairs of states of the core of S
        ("busy_cycles", "32"),  # of busy_o
        ("loop_products", "16"),  # pairs of products in the loop
        ("result_added", "1"),  # a result left the adder
        ("subtracted", "1"),  # the last subtraction was taken
        ("exact", "1"),  # a subtraction gave zero
        ("top_carry", "1"),  # the adder carried out of its highest word
        ("a_table_hit", "Positions * TableBits"),  # table addresses of A
        ("s_table_hit", "Positions * TableBits"),  # table addresses of S
        ("bit_positions", "512"),  # exponent bit and position of products
        ("bit_states", "32"),  # exponent bit and state of the control
    ),
    "black_box_observed": (
        ("busy_cycles", "32"),  # from the start to done
        ("restarted", "1"),  # a second start came before done
        ("code", "8"),  # the core's own status
        ("hits", "Hits"),  # values of watched signals
    ),
    "product": (
        ("stray", "1"),  # a product ended that was not started
        ("exponent_bit", "1"),  # with which the products started
        ("position", "8"),  # in the core at which they started
        ("state", "4"),  # of the control
        ("s", "ValueBits"),  # new S
        ("a", "ValueBits"),  # new A
    ),
}
