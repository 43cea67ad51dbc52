// SPDX-License-Identifier: Apache-2.0
//
// Shim: writes X, Y, M and the start into the registers of mont_regs, polls its busy, reads the
// result word by word.

module mont_shim #(
  parameter int Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] m_i,
  output logic             done_o,
  output logic [Width-1:0] result_o
);

  localparam int Words = (Width + 15) / 16;
  localparam int Bits = 16 * Words;

  typedef enum logic [2:0] {
    Rest,
    Write,
    Go,
    Settle,
    Poll,
    Read,
    Done
  } state_e;
  state_e state_q;
  logic [9:0] index_q;
  logic [3*Bits-1:0] operands_q;
  logic [Bits-1:0] result_q;
  logic we;
  logic [11:0] addr;
  logic [15:0] wdata, rdata;

  mont_regs #(
    .N(Width)
  ) u_core (
    .clk   (clk_i),
    .resetn(rst_ni),
    .we,
    .addr,
    .wdata,
    .rdata
  );

  always_comb begin
    we    = 1'b0;
    addr  = 12'h300;
    wdata = 16'd1;
    case (state_q)
      Write: begin
        we    = 1'b1;
        addr  = {4'(index_q / 10'(Words)), 8'(index_q % 10'(Words))};
        wdata = operands_q[15:0];
      end
      Go: we = 1'b1;
      Read: addr = 12'h400 | 12'(index_q);
      default: ;
    endcase
  end

  // Read answers come a cycle later.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Rest;
      index_q    <= '0;
      operands_q <= '0;
      result_q   <= '0;
    end else begin
      case (state_q)
        Rest: begin
          index_q <= '0;
          if (start_i) begin
            operands_q <= {Bits'(m_i), Bits'(y_i), Bits'(x_i)};
            state_q    <= Write;
          end
        end
        Write: begin
          operands_q <= operands_q >> 16;
          index_q    <= index_q + 1'b1;
          if (index_q == 10'(3 * Words - 1)) state_q <= Go;
        end
        Go: state_q <= Settle;
        Settle: state_q <= Poll;
        Poll: begin
          index_q <= '0;
          if (!rdata[0]) state_q <= Read;
        end
        Read: begin
          index_q <= index_q + 1'b1;
          if (index_q != 0) result_q <= Bits'({rdata, result_q} >> 16);
          if (index_q == 10'(Words)) state_q <= Done;
        end
        default: state_q <= Rest;
      endcase
    end
  end

  assign done_o   = (state_q == Done);
  assign result_o = result_q[Width-1:0];

  logic unused_bits;
  assign unused_bits = ^result_q;

endmodule
