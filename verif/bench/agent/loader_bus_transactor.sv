// SPDX-License-Identifier: Apache-2.0
//
// Loader bus transactor (test bench): drives the word transfers of a whole operation, so that
// Python wakes once per operation and not once per word or cycle.
//
// A toggle of go_i starts an operation. The transactor then
//   1. writes the operands at the addresses in load_i, word by word,
//   2. writes command_i and waits for done_i,
//   3. reads the status,
//   4. reads the results that are available after this status (ReadAfterOk, ReadAfterRaw),
//   5. writes Clear.
// Addresses are in ascending order. done_o follows go_i at the falling clock edge after the last
// transfer, because all signals are stable there in every simulator. idle_i/256 is the probability
// of an idle cycle before each request. If the design rejects the command, the operation ends at
// once and rejected_o has the reason. timeout_o: 1 no acknowledge within limit_i cycles, 2
// operation not done within limit_i cycles.
//
// Addresses 0 ... WriteAddresses-1 take operands and 0 ... ReadAddresses-1 give results, except for
// the control address. Address i owns SlotWords words of operands_i, from word i*SlotWords on.
// WriteWords and ReadWords have 16 bits per address: the number of words of its operand and of its
// result.

module loader_bus_transactor
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
  parameter logic [ReadAddresses-1:0] ReadAfterRaw = '0
) (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // Test bench
  input  logic                                         go_i,
  input  logic [WriteAddresses*SlotWords*BusWidth-1:0] operands_i,
  input  logic [                   WriteAddresses-1:0] load_i,
  input  logic [                         BusWidth-1:0] command_i,
  input  logic [                                  7:0] idle_i,
  input  logic [                                 31:0] limit_i,
  input  logic [                                  7:0] random_i,
  output logic                                         done_o,
  output logic [                                  1:0] timeout_o,
  output logic [                                  3:0] rejected_o,
  // Bus
  output logic                                         req_o,
  output logic                                         write_o,
  output logic [                     AddressWidth-1:0] addr_o,
  output logic [                         BusWidth-1:0] wdata_o,
  input  logic                                         ack_i,
  input  logic                                         err_i,
  input  logic [                                  3:0] code_i,
  input  logic                                         done_i
);

  localparam logic [2:0] PhIdle = 3'd0;
  localparam logic [2:0] PhWrite = 3'd1;
  localparam logic [2:0] PhCommand = 3'd2;
  localparam logic [2:0] PhWait = 3'd3;
  localparam logic [2:0] PhStatus = 3'd4;
  localparam logic [2:0] PhRead = 3'd5;
  localparam logic [2:0] PhClear = 3'd6;

  logic [2:0] phase_q;
  logic [31:0] address_q, word_q, cycles_q;
  logic [ReadAddresses-1:0] read_q;  // results to be read after this status
  logic go_q, done_q, open_q;

  // Number of words at the current address, and whether this is the last address of this phase.
  logic [15:0] words;
  logic last_word, last_address;
  assign words = (phase_q == PhWrite) ? WriteWords[address_q*16+:16] : ReadWords[address_q*16+:16];
  assign last_word = (word_q + 1 == {16'd0, words});
  assign last_address = (address_q + 1 == ((phase_q == PhWrite) ? WriteAddresses : ReadAddresses));

  // The transfer of the current phase.
  logic transfer, write;
  logic [AddressWidth-1:0] address;
  logic [BusWidth-1:0] wdata;

  always_comb begin
    transfer = 1'b1;
    write    = 1'b0;
    address   = AddressWidth'(AddressControl);
    // The design must ignore the write data of a read, so drive a command code there.
    wdata    = BusWidth'(CommandStart);
    case (phase_q)
      PhWrite: begin
        transfer = load_i[address_q];
        write    = 1'b1;
        address   = AddressWidth'(address_q);
        wdata    = operands_i[(address_q*SlotWords+word_q)*BusWidth+:BusWidth];
      end
      PhCommand: begin
        write = 1'b1;
        wdata = command_i;
      end
      PhStatus: ;
      PhRead: begin
        transfer = read_q[address_q];
        address  = AddressWidth'(address_q);
      end
      PhClear: begin
        write = 1'b1;
        wdata = BusWidth'(CommandClear);
      end
      default:  transfer = 1'b0;
    endcase
  end

  // Hold a request until its acknowledge; the next request may follow in the next cycle.
  assign req_o   = transfer && open_q;
  assign write_o = write;
  assign addr_o  = address;
  assign wdata_o = wdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q    <= PhIdle;
      open_q     <= 1'b0;
      address_q  <= '0;
      word_q     <= '0;
      cycles_q   <= '0;
      read_q     <= '0;
      timeout_o  <= 2'd0;
      rejected_o <= BusErrorNone;
      go_q       <= go_i;
      done_q     <= go_i;
    end else begin
      cycles_q <= cycles_q + 1;
      if (!req_o || ack_i) open_q <= (random_i >= idle_i);
      if (phase_q == PhIdle) begin
        if (go_i != go_q) begin
          go_q       <= go_i;
          phase_q    <= PhWrite;
          address_q  <= '0;
          word_q     <= '0;
          cycles_q   <= '0;
          timeout_o  <= 2'd0;
          rejected_o <= BusErrorNone;
        end
      end else if (phase_q == PhWait) begin
        if (done_i) begin
          phase_q  <= PhStatus;
          cycles_q <= '0;
        end else if (cycles_q > limit_i) begin
          timeout_o <= 2'd2;
          phase_q   <= PhIdle;
          done_q    <= go_q;
        end
      end else if (!transfer || (req_o && ack_i)) begin
        cycles_q <= '0;
        case (phase_q)
          PhWrite, PhRead: begin
            if (transfer && !last_word) begin
              word_q <= word_q + 1;
            end else begin
              word_q <= '0;
              address_q <= last_address ? '0 : (address_q + 1);
              if (last_address) phase_q <= (phase_q == PhWrite) ? PhCommand : PhClear;
            end
          end
          PhCommand: begin
            rejected_o <= err_i ? code_i : BusErrorNone;
            phase_q <= err_i ? PhClear : PhWait;
          end
          PhStatus: begin
            phase_q <= PhRead;
            read_q  <= '0;
            if (code_i == StatusOk) read_q <= ReadAfterOk;
            else if (code_i == StatusRaw) read_q <= ReadAfterRaw;
            else phase_q <= PhClear;
          end
          default: begin
            phase_q <= PhIdle;
            done_q  <= go_q;
          end
        endcase
      end else if (cycles_q > limit_i) begin
        timeout_o <= 2'd1;
        phase_q   <= PhIdle;
        done_q    <= go_q;
      end
    end
  end

  initial done_o = 1'b0;
  always @(negedge clk_i) done_o <= done_q;

endmodule
