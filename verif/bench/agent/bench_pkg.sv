// SPDX-License-Identifier: Apache-2.0
//
// Sizes of the vectors between the test bench and Python, in bits.
//
// Generated from verif/bench/agent/records.yaml by python -m ci.codes --write; do not edit.

package bench_pkg;

  // Bits of request: an operation that Python asks of loader_bus_agent.
  function automatic int request_bits(input int write_addresses, input int slot_bits);
    return 88 + write_addresses + write_addresses * slot_bits;
  endfunction

  // Bits of event: one cycle that loader_bus_watch reports.
  function automatic int event_bits(input int address_width, input int bus_width);
    return 39 + address_width + bus_width + bus_width;
  endfunction

  // Bits of report: the first violation that interface_monitor reports.
  function automatic int report_bits(input int bus_width);
    return 54 + bus_width + bus_width + bus_width;
  endfunction

  // Bits of multiplier_observed: what multiplier_observer saw inside a multiplier.
  function automatic int multiplier_observed_bits(input int table_bits, input int positions,
                                                  input int carry_words);
    return 180 + table_bits * table_bits + positions * table_bits + carry_words;
  endfunction

  // Bits of exponentiation_observed: what exponentiation_observer saw in an exponentiation core.
  function automatic int exponentiation_observed_bits(input int positions, input int table_bits);
    return 884 + positions * table_bits + positions * table_bits;
  endfunction

  // Bits of black_box_observed: what black_box saw of a core from outside.
  function automatic int black_box_observed_bits(input int hits);
    return 41 + hits;
  endfunction

  // Bits of product: two products of a step of an exponentiation, for debugging.
  function automatic int product_bits(input int value_bits);
    return 14 + value_bits + value_bits;
  endfunction

endpackage
