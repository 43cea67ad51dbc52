// SPDX-License-Identifier: Apache-2.0
//
// Host of a loader bus: writes words, starts, waits for done_i, reads the status and, after Ok, the
// result. It knows nothing but the pins of a top.
//
// words_i: words to write, first word lowest; Addresses: address of each, AddressWidth bits a word.
// Ranges: Count, Words >= 1. Latency: 2 cycles a transfer, of which there are Count + Words + 2 (no
// Words of them where the status is not Ok), one for start_i, one in which done_i is seen, and
// those in which the top is busy.

module bus_host
  import multiplier_pkg::*;
#(
  parameter int BusWidth = 32,
  parameter int AddressWidth = 2,
  parameter int Count = 3,
  parameter int Words = 1,
  parameter logic [Count*AddressWidth-1:0] Addresses = {2'd2, 2'd1, 2'd0}
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      start_i,
  input  logic [Count*BusWidth-1:0] words_i,
  output logic                      done_o,
  output logic [Words*BusWidth-1:0] result_o,
  output logic [               7:0] status_o,
  // Bus
  output logic                      req_o,
  output logic                      write_o,
  output logic [  AddressWidth-1:0] addr_o,
  output logic [      BusWidth-1:0] wdata_o,
  input  logic                      ack_i,
  input  logic                      err_i,
  input  logic [      BusWidth-1:0] rdata_i,
  input  logic                      done_i
);

  localparam int Slot = Words * BusWidth;

  typedef enum logic [2:0] {
    Rest,
    Write,
    Go,
    Wait,
    Ask,
    Read,
    Done
  } state_e;
  state_e state_q;
  logic [15:0] index_q;
  logic [Count*BusWidth-1:0] words_q;
  logic [Count*AddressWidth-1:0] addresses_q;
  logic [Slot-1:0] result_q;
  logic [3:0] status_q;

  // No always_comb: in Icarus 11 its defaults are seen as glitches, which wake processes of the top
  // for ever.
  logic write, read;
  assign write = (state_q == Write);
  assign read = (state_q == Read);
  assign write_o = write || (state_q == Go);
  assign req_o = write_o || read || (state_q == Ask);
  assign addr_o = write ? addresses_q[AddressWidth-1:0] : read ? '0 : AddressWidth'(AddressControl);
  assign wdata_o = write ? words_q[BusWidth-1:0] : BusWidth'(CommandStart);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Rest;
      index_q <= '0;
      words_q <= '0;
      addresses_q <= '0;
      result_q <= '0;
      status_q <= '0;
    end else begin
      case (state_q)
        Rest: begin
          index_q <= '0;
          if (start_i) begin
            words_q <= words_i;
            addresses_q <= Addresses;
            state_q <= Write;
          end
        end
        Write: begin
          if (ack_i) begin
            words_q <= words_q >> BusWidth;
            addresses_q <= addresses_q >> AddressWidth;
            index_q <= index_q + 1'b1;
            if (index_q == 16'(Count - 1)) state_q <= Go;
          end
        end
        Go: if (ack_i) state_q <= Wait;
        Wait: begin
          index_q <= '0;
          if (done_i) state_q <= Ask;
        end
        Ask: begin
          if (ack_i) begin
            status_q <= rdata_i[3:0];
            state_q  <= (rdata_i[3:0] == StatusOk) ? Read : Done;
          end
        end
        Read: begin
          if (ack_i) begin
            result_q <= Slot'({rdata_i, result_q} >> BusWidth);
            index_q  <= index_q + 1'b1;
            if (index_q == 16'(Words - 1)) state_q <= Done;
          end
        end
        default: state_q <= Rest;
      endcase
    end
  end

  // A rejected transfer would be an error of this host, or of the bus: no status of the top.
  assign done_o   = (state_q == Done);
  assign status_o = {3'd0, err_i, status_q};
  assign result_o = result_q;

endmodule
