// SPDX-License-Identifier: Apache-2.0
// Montgomery multiplier with a register bus of 16-bit words, no wait states: a write is done in its
// clock, a read answers in the next one.
//
//   address        write            read
//   0x000 + i      word i of X
//   0x100 + i      word i of Y
//   0x200 + i      word i of M
//   0x300          bit 0: start     bit 0: busy
//   0x400 + i                       word i of the result
//
// X*Y*2**(-16*WORDS) mod M, WORDS = ceil(N/16), X, Y < M, M odd. One word of X after the other: for
// each the quotient digit, then a word of T + x*Y + q*M a cycle, at the end T - M if it is not
// negative, a word a cycle.

module mont_regs #(
  parameter int N = 32,
  parameter int WORDS = (N + 15) / 16
) (
  input  logic        clk,
  input  logic        resetn,
  input  logic        we,
  input  logic [11:0] addr,
  input  logic [15:0] wdata,
  output logic [15:0] rdata
);

  localparam logic [2:0] IDLE = 3'd0;
  localparam logic [2:0] QUOTIENT = 3'd1;
  localparam logic [2:0] ADD = 3'd2;
  localparam logic [2:0] TOP = 3'd3;
  localparam logic [2:0] SUBTRACT = 3'd4;
  localparam logic [2:0] LAST = 3'd5;

  logic [15:0] x[0:WORDS-1];
  logic [15:0] y[0:WORDS-1];
  logic [15:0] m[0:WORDS-1];
  logic [15:0] t[0:WORDS-1];
  logic overflow;
  logic [15:0] d[0:WORDS-1];
  logic [2:0] state;
  logic [8:0] i, j;
  logic [15:0] q, inverse;
  logic [33:0] carry;
  logic borrow, negative;

  // -1/M mod 2**16 by Newton's iteration, each doubles the right bits.
  logic [15:0] n0, n1, n2, n3;
  always_comb begin
    n0 = m[0];  // three bits are right
    n1 = n0 * (16'd2 - m[0] * n0);
    n2 = n1 * (16'd2 - m[0] * n1);
    n3 = n2 * (16'd2 - m[0] * n2);
    inverse = 16'd0 - n3;
  end

  // The first word gives the quotient digit.
  logic [31:0] xy, xy_j, qm_j;
  logic [15:0] low;
  logic [33:0] sum;
  logic [16:0] difference, top_sum;
  assign xy = x[i] * y[0];
  assign low = t[0] + xy[15:0];
  assign xy_j = x[i] * y[j];
  assign qm_j = q * m[j];
  assign sum = {18'd0, t[j]} + {2'd0, xy_j} + {2'd0, qm_j} + {16'd0, carry[33:16]};
  assign difference = {1'b0, t[j]} - {1'b0, m[j]} - {16'd0, borrow};
  assign top_sum = {16'd0, overflow} + carry[32:16];

  always_ff @(posedge clk) begin
    if (!resetn) begin
      state    <= IDLE;
      i        <= '0;
      j        <= '0;
      q        <= '0;
      carry    <= '0;
      borrow   <= 1'b0;
      negative <= 1'b0;
      overflow <= 1'b0;
    end else begin
      case (state)
        IDLE: begin
          if (we) begin
            case (addr[11:8])
              4'h0:    x[addr[7:0]] <= wdata;
              4'h1:    y[addr[7:0]] <= wdata;
              4'h2:    m[addr[7:0]] <= wdata;
              4'h3: begin
                if (wdata[0]) begin
                  state    <= QUOTIENT;
                  i        <= '0;
                  overflow <= 1'b0;
                  for (int k = 0; k < WORDS; k++) t[k] <= '0;
                end
              end
              default: ;
            endcase
          end
        end
        QUOTIENT: begin
          q     <= low * inverse;
          j     <= '0;
          carry <= '0;
          state <= ADD;
        end
        ADD: begin
          carry <= sum;
          if (j != 0) t[j-1] <= sum[15:0];
          j <= j + 1'b1;
          if (j == WORDS - 1) state <= TOP;
        end
        TOP: begin
          t[WORDS-1] <= top_sum[15:0];
          overflow   <= top_sum[16];
          i          <= i + 1'b1;
          j          <= '0;
          borrow     <= 1'b0;
          state      <= (i == WORDS - 1) ? SUBTRACT : QUOTIENT;
        end
        SUBTRACT: begin
          d[j]   <= difference[15:0];
          borrow <= difference[16];
          j      <= j + 1'b1;
          if (j == WORDS - 1) state <= LAST;
        end
        LAST: begin
          negative <= borrow && !overflow;
          state    <= IDLE;
        end
        default: state <= IDLE;
      endcase
    end
  end

  always_ff @(posedge clk) begin
    if (addr[11:8] == 4'h3) rdata <= {15'd0, state != IDLE};
    else rdata <= negative ? t[addr[7:0]] : d[addr[7:0]];
  end

endmodule
