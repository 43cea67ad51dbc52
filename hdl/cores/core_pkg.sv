// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the cores, for the parameter Core of a top. A core is a module of hdl/cores; the
// registry entries in models/architectures say which module, and with which parameters.
//
// Generated from the registry by python -m ci.codes --write; do not edit.

package core_pkg;

  localparam int CoreDualRadix = 0;
  localparam int CoreFastMontgomery = 1;
  localparam int CoreFasterMontgomery = 2;
  localparam int CoreMm42 = 3;
  localparam int CoreMwr2mm = 4;
  localparam int CoreMwrkmm = 5;
  localparam int CoreOptimizedInterleaved = 6;
  localparam int CoreQuotientPipelined = 7;

  // The core takes words (ring_core_select), else operands in parallel (parallel_core_select).
  function automatic bit is_ring_core(input int core);
    is_ring_core = 1'b0;
    if (core == CoreDualRadix) is_ring_core = 1'b1;
    if (core == CoreMwr2mm) is_ring_core = 1'b1;
    if (core == CoreMwrkmm) is_ring_core = 1'b1;
    if (core == CoreQuotientPipelined) is_ring_core = 1'b1;
  endfunction

  // The unit of the core needs sums that a division reduces, not only sums below 2*M.
  function automatic bit is_full_reduction_core(input int core);
    is_full_reduction_core = 1'b0;
    if (core == CoreOptimizedInterleaved) is_full_reduction_core = 1'b1;
    if (core == CoreQuotientPipelined) is_full_reduction_core = 1'b1;
  endfunction

endpackage
