// SPDX-License-Identifier: Apache-2.0
//
// Shim: writes X, Y, M and the start over the bus of multiplier, waits for done_o, reads the status
// and after Ok the result. It knows nothing but the pins of the top.
//
// Latency: 2 clocks a transfer, of which there are 4*Words + 2, one for the start of the shim and
// one in which done_o is seen, and those in which the multiplier is busy.

module multiplier_shim
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int Guard = 2,
  parameter int BusWidth = 32,
  parameter int AddWidth = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] m_i,
  output logic             done_o,
  output logic [Width-1:0] result_o,
  output logic [      7:0] status_o
);

  localparam int Words = (Width + BusWidth - 1) / BusWidth;
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
  logic [3*Slot-1:0] operands_q;
  logic [Slot-1:0] result_q;
  logic [3:0] status_q;

  logic req, write, ack, err, busy, done;
  logic [1:0] sel;
  logic [BusWidth-1:0] wdata, rdata;

  always_comb begin
    req   = 1'b0;
    write = 1'b0;
    sel   = 2'd3;
    wdata = BusWidth'(1);  // the command that starts
    case (state_q)
      Write: begin
        req   = 1'b1;
        write = 1'b1;
        sel   = 2'(index_q / 16'(Words));
        wdata = operands_q[BusWidth-1:0];
      end
      Go: begin
        req   = 1'b1;
        write = 1'b1;
      end
      Ask: req = 1'b1;
      Read: begin
        req = 1'b1;
        sel = 2'd0;
      end
      default: ;
    endcase
  end

  multiplier #(
    .Width   (Width),
    .BusWidth(BusWidth),
    .SelWidth(2),
    .AddWidth(AddWidth),
    .Guard   (Guard)
  ) u_multiplier (
    .clk_i,
    .rst_ni,
    .req_i  (req),
    .write_i(write),
    .sel_i  (sel),
    .wdata_i(wdata),
    .wait_i (1'b0),
    .ack_o  (ack),
    .err_o  (err),
    .rdata_o(rdata),
    .busy_o (busy),
    .done_o (done)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Rest;
      index_q    <= '0;
      operands_q <= '0;
      result_q   <= '0;
      status_q   <= '0;
    end else begin
      case (state_q)
        Rest: begin
          index_q <= '0;
          if (start_i) begin
            operands_q <= {Slot'(m_i), Slot'(y_i), Slot'(x_i)};
            state_q    <= Write;
          end
        end
        Write: begin
          if (ack) begin
            operands_q <= operands_q >> BusWidth;
            index_q    <= index_q + 1'b1;
            if (index_q == 16'(3 * Words - 1)) state_q <= Go;
          end
        end
        Go: if (ack) state_q <= Wait;
        Wait: begin
          index_q <= '0;
          if (done) state_q <= Ask;
        end
        Ask: begin
          if (ack) begin
            status_q <= rdata[3:0];
            state_q  <= (rdata[3:0] == StatusOk) ? Read : Done;
          end
        end
        Read: begin
          if (ack) begin
            result_q <= Slot'({rdata, result_q} >> BusWidth);
            index_q  <= index_q + 1'b1;
            if (index_q == 16'(Words - 1)) state_q <= Done;
          end
        end
        default: state_q <= Rest;
      endcase
    end
  end

  // A refused transfer would be an error of the shim, or of the bus: no status of the multiplier.
  assign done_o   = (state_q == Done);
  assign status_o = {3'd0, err, status_q};
  assign result_o = result_q[Width-1:0];

  logic unused_bits;
  assign unused_bits = ^{busy, result_q};

endmodule
