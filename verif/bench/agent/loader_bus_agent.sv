// SPDX-License-Identifier: Apache-2.0
//
// Loader bus agent (test bench): transactor, recorder, source of idle cycles and wait states, and
// the pins that Python drives word by word while the transactor is idle.
//
// op_request_i, most significant field first: seed of idle cycles and wait states (32), cycle limit
// (32), idle (8), stall (8), command (8), load (WriteAddresses), then the operands, the highest
// address first. It is one vector, because the cost of an access from Python hardly depends on the
// number of bits. op_outcome_o: timeout (2), reason of a rejection (4).
// record_o, most significant field first: vector of the design's observer, then info, results and
// operands of loader_bus_recorder. valid_o toggles together with it at a falling clock edge, where
// all signals are stable.
// Addresses, slots and parameters are those of loader_bus_transactor.

module loader_bus_agent
  import bench_pkg::*;
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int WriteAddresses = 3,
  parameter int ReadAddresses = 3,
  parameter int SlotWords = 2,
  parameter logic [16*WriteAddresses-1:0] WriteWords = '0,
  parameter logic [16*ReadAddresses-1:0] ReadWords = '0,
  parameter logic [ReadAddresses-1:0] ReadAfterOk = '0,
  parameter logic [ReadAddresses-1:0] ReadAfterRaw = '0,
  parameter int ObservedBits = 1,
  // Derived, do not set.
  parameter int SlotBits = SlotWords * BusWidth,
  parameter int RequestBits = request_bits(WriteAddresses, SlotBits),
  parameter int InfoBits = 16 * ReadAddresses + 32 + WriteAddresses + 16,
  parameter int RecordBits = ObservedBits + InfoBits + (ReadAddresses + WriteAddresses) * SlotBits
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // Python: whole operations
  input  logic                    op_go_i,
  input  logic [ RequestBits-1:0] op_request_i,
  output logic                    op_done_o,
  output logic [             5:0] op_outcome_o,
  // Python: single transfers
  input  logic                    bus_req_i,
  input  logic                    bus_write_i,
  input  logic [AddressWidth-1:0] bus_addr_i,
  input  logic [    BusWidth-1:0] bus_wdata_i,
  input  logic                    bus_wait_i,
  // Design
  output logic                    req_o,
  output logic                    write_o,
  output logic [AddressWidth-1:0] addr_o,
  output logic [    BusWidth-1:0] wdata_o,
  output logic                    wait_o,
  // The same pins at the design, for the record: a front between the two makes transfers of its own
  input  logic                    req_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic [    BusWidth-1:0] wdata_i,
  input  logic                    ack_i,
  input  logic                    err_i,
  input  logic [    BusWidth-1:0] rdata_i,
  input  logic                    done_i,
  // Record
  output logic                    publish_o,
  input  logic [ObservedBits-1:0] observed_i,
  output logic                    valid_o,
  output logic [  RecordBits-1:0] record_o
);

  logic [WriteAddresses*SlotBits-1:0] operands;
  logic [WriteAddresses-1:0] load;
  logic [7:0] command, stall, idle;
  logic [31:0] limit, seed;
  assign {seed, limit, idle, stall, command, load, operands} = op_request_i;

  // Galois LFSR for idle cycles and wait states. Each operation restarts it with its own seed, so
  // that they are part of the reproducible stimulus. Python starts an operation word by word
  // without op_go_i: then a new seed restarts it.
  logic [31:0] random_q, seed_q;
  logic go_q;
  initial begin
    random_q = 32'd1;
    seed_q   = 32'd0;
    go_q     = 1'b0;
  end
  always @(posedge clk_i) begin
    go_q   <= op_go_i;
    seed_q <= seed;
    if (go_q !== op_go_i || seed_q !== seed) random_q <= seed | 32'd1;
    else random_q <= {1'b0, random_q[31:1]} ^ (random_q[0] ? 32'hB4BCD35C : 32'd0);
  end

  logic tx_req, tx_write;
  logic [AddressWidth-1:0] tx_addr;
  logic [BusWidth-1:0] tx_wdata;

  assign req_o   = tx_req || bus_req_i;
  assign write_o = tx_req ? tx_write : bus_write_i;
  assign addr_o  = tx_req ? tx_addr : bus_addr_i;
  assign wdata_o = tx_req ? tx_wdata : bus_wdata_i;
  assign wait_o  = (random_q[15:8] < stall) || bus_wait_i;

  loader_bus_transactor #(
    .BusWidth      (BusWidth),
    .AddressWidth  (AddressWidth),
    .WriteAddresses(WriteAddresses),
    .ReadAddresses (ReadAddresses),
    .SlotWords     (SlotWords),
    .WriteWords    (WriteWords),
    .ReadWords     (ReadWords),
    .ReadAfterOk   (ReadAfterOk),
    .ReadAfterRaw  (ReadAfterRaw)
  ) u_transactor (
    .clk_i,
    .rst_ni,
    .go_i      (op_go_i),
    .operands_i(operands),
    .load_i    (load),
    .command_i (BusWidth'(command)),
    .idle_i    (idle),
    .limit_i   (limit),
    .random_i  (random_q[7:0]),
    .done_o    (op_done_o),
    .timeout_o (op_outcome_o[5:4]),
    .rejected_o(op_outcome_o[3:0]),
    .req_o     (tx_req),
    .write_o   (tx_write),
    .addr_o    (tx_addr),
    .wdata_o   (tx_wdata),
    .ack_i,
    .err_i,
    .code_i    (rdata_i[3:0]),
    .done_i
  );

  logic [WriteAddresses*SlotBits-1:0] operand_images;
  logic [ReadAddresses*SlotBits-1:0] results;
  logic [InfoBits-1:0] info;
  // Assemble the record once per operation and not in each cycle, because it has thousands of
  // bits. Write it before valid_o in the same block, so that Python, which waits for valid_o, reads
  // the new record.
  logic published_q;
  initial valid_o = 1'b0;
  always @(posedge clk_i) published_q <= publish_o;
  always @(negedge clk_i) begin
    if (published_q) begin
      record_o <= {observed_i, info, results, operand_images};
      valid_o  <= !valid_o;
    end
  end

  loader_bus_recorder #(
    .BusWidth      (BusWidth),
    .AddressWidth  (AddressWidth),
    .WriteAddresses(WriteAddresses),
    .ReadAddresses (ReadAddresses),
    .SlotWords     (SlotWords)
  ) u_recorder (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .ack_i,
    .err_i,
    .rdata_i,
    .publish_o,
    .operands_o(operand_images),
    .results_o (results),
    .info_o    (info)
  );

endmodule
