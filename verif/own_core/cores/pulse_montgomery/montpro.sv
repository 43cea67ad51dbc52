// SPDX-License-Identifier: Apache-2.0
// Radix-2 Montgomery multiplier: X*Y*2**-N mod M, X, Y < M, M odd. Started by a pulse of two
// cycles: operands are taken in the second one. Registers have an active-high asynchronous reset.
// done stays until the next start.

module montpro #(
  parameter int N = 32
) (
  input  logic         clk,
  input  logic         areset,
  input  logic         start,
  input  logic [N-1:0] a,
  input  logic [N-1:0] b,
  input  logic [N-1:0] modulus,
  output logic         done,
  output logic [N-1:0] r
);

  localparam int Bits = $clog2(N + 1);

  typedef enum logic [1:0] {
    Waiting,
    Adding,
    Reducing
  } state_t;
  state_t state;
  logic   started;
  logic [N-1:0] a_r, b_r, m_r;
  logic [N:0] sum;
  logic [Bits-1:0] left;

  // S + a_i*B + q*M, even, below 4*M.
  logic [N+1:0] with_b, with_m;
  logic q;
  assign with_b = {1'b0, sum} + (a_r[0] ? {2'b00, b_r} : '0);
  assign q      = with_b[0];
  assign with_m = with_b + (q ? {2'b00, m_r} : '0);

  logic too_large;
  assign too_large = (sum >= {1'b0, m_r});

  always_ff @(posedge clk or posedge areset) begin
    if (areset) begin
      state   <= Waiting;
      started <= 1'b0;
      done    <= 1'b0;
      a_r     <= '0;
      b_r     <= '0;
      m_r     <= '0;
      sum     <= '0;
      left    <= '0;
      r       <= '0;
    end else begin
      started <= start;
      case (state)
        Waiting: begin
          if (start && started) begin
            a_r   <= a;
            b_r   <= b;
            m_r   <= modulus;
            sum   <= '0;
            left  <= Bits'(N);
            done  <= 1'b0;
            state <= Adding;
          end
        end
        Adding: begin
          a_r  <= a_r >> 1;
          sum  <= with_m[N+1:1];
          left <= left - 1'b1;
          if (left == 1) state <= Reducing;
        end
        Reducing: begin
          r     <= too_large ? N'(sum - {1'b0, m_r}) : sum[N-1:0];
          done  <= 1'b1;
          state <= Waiting;
        end
        default: state <= Waiting;
      endcase
    end
  end

endmodule
