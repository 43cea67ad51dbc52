// SPDX-License-Identifier: Apache-2.0
//
// Loader bus watch (test bench): reports to Python every transfer and every change of busy, done
// and reset, in the cycle of the event. It reports nothing else, so that Python sleeps meanwhile.
//
// valid_o toggles at the falling edge after each of these cycles: a cycle with an acknowledge, the
// cycle after a grant, and a cycle in which busy_i, done_i or rst_ni differs from the previous
// cycle. event_o, most significant field first: number of the cycle (32), whether a transfer was
// granted in the previous cycle (1), the write flag, address and data of this transfer; then the
// pins of this cycle: rst_ni, ack_i, err_i, rdata_i, busy_i, done_i. All values are those at the
// end of their cycle. hdl/docs/interface.md defines "granted".

module loader_bus_watch
  import bench_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  // Derived, do not set.
  parameter int EventBits = event_bits(AddressWidth, BusWidth)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    enable_i,
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    wait_i,
  input  logic                    ack_i,
  input  logic                    err_i,
  input  logic [    BusWidth-1:0] rdata_i,
  input  logic                    busy_i,
  input  logic                    done_i,
  output logic                    valid_o,
  output logic [   EventBits-1:0] event_o
);

  logic [31:0] clock_q;
  logic granted_q, write_q;
  logic [AddressWidth-1:0] addr_q;
  logic [BusWidth-1:0] wdata_q;
  logic [2:0] pins_q;
  logic valid_q;

  initial begin
    clock_q   = '0;
    granted_q = 1'b0;
    pins_q    = '1;
    valid_q   = 1'b0;
    valid_o   = 1'b0;
  end

  always @(posedge clk_i) begin
    clock_q   <= clock_q + 32'd1;
    granted_q <= rst_ni && req_i && !wait_i && !ack_i;
    write_q   <= write_i;
    addr_q    <= addr_i;
    wdata_q   <= wdata_i;
    pins_q    <= {rst_ni, busy_i, done_i};
    // Report an unknown acknowledge, too.
    if (enable_i && (granted_q || (ack_i !== 1'b0) || (pins_q !== {rst_ni, busy_i, done_i}))) begin
      valid_q <= !valid_q;
      event_o <= {
        clock_q, granted_q, write_q, addr_q, wdata_q, rst_ni, ack_i, err_i, rdata_i, busy_i, done_i
      };
    end
  end

  always @(negedge clk_i) valid_o <= valid_q;

endmodule
