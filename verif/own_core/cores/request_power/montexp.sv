// SPDX-License-Identifier: Apache-2.0
// base**exponent mod modulus with a Montgomery multiplier of its own: R**2 mod M by doubling, then
// a square and a product for every exponent bit, highest first, whatever its value. Four-phase
// request and acknowledge: the result is there while ack is high, which stays until req falls.
// modulus odd, above 1, base below it; operands are to be kept while req is high.

module montexp #(
  parameter int N = 32
) (
  input  logic         clk,
  input  logic         rst_n,
  input  logic         req,
  output logic         ack,
  input  logic [N-1:0] base,
  input  logic [N-1:0] exponent,
  input  logic [N-1:0] modulus,
  output logic [N-1:0] result
);

  localparam int Bits = $clog2(2 * N + 1);

  typedef enum logic [2:0] {
    Free,
    Doubling,
    EnterBase,
    EnterOne,
    Square,
    Multiply,
    Leave,
    Full
  } state_t;
  state_t state;
  logic [N-1:0] r, b, power, keys;
  logic [Bits-1:0] left;
  logic [N:0] doubled, reduced;

  // 2**(2*N) mod M out of 1.
  logic [N-1:0] seed;
  logic [Bits-1:0] doublings;
  assign seed      = N'(1);
  assign doublings = Bits'(2 * N);
  assign doubled   = {r, 1'b0};
  assign reduced   = (doubled >= {1'b0, modulus}) ? doubled - {1'b0, modulus} : doubled;

  // One bit of the first operand per cycle; the last cycle reduces.
  logic [N-1:0] x, y, product;
  logic [N:0] sum;
  logic [N+1:0] with_y, with_m;
  logic [Bits-1:0] steps;
  logic running, over;
  assign with_y = {1'b0, sum} + (x[0] ? {2'b00, y} : '0);
  assign with_m = with_y + (with_y[0] ? {2'b00, modulus} : '0);
  assign product = (sum >= {1'b0, modulus}) ? N'(sum - {1'b0, modulus}) : sum[N-1:0];
  assign over = running && (steps == 0);

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state   <= Free;
      ack     <= 1'b0;
      r       <= '0;
      b       <= '0;
      power   <= '0;
      keys    <= '0;
      left    <= '0;
      x       <= '0;
      y       <= '0;
      sum     <= '0;
      steps   <= '0;
      running <= 1'b0;
      result  <= '0;
    end else begin
      if (running && !over) begin
        x     <= x >> 1;
        sum   <= with_m[N+1:1];
        steps <= steps - 1'b1;
      end
      case (state)
        Free: begin
          ack  <= 1'b0;
          r    <= seed;
          left <= doublings;
          keys <= exponent;
          if (req) state <= Doubling;
        end
        Doubling: begin
          r    <= reduced[N-1:0];
          left <= left - 1'b1;
          if (left == 1) begin
            x       <= base;
            y       <= reduced[N-1:0];
            sum     <= '0;
            steps   <= Bits'(N);
            running <= 1'b1;
            state   <= EnterBase;
          end
        end
        Full: begin
          ack <= req;
          if (!req) state <= Free;
        end
        default: begin
          if (over) begin
            sum   <= '0;
            steps <= Bits'(N);
            case (state)
              EnterBase: begin
                b     <= product;
                x     <= N'(1);
                y     <= r;
                state <= EnterOne;
              end
              EnterOne: begin
                power <= product;
                x     <= product;
                y     <= product;
                left  <= Bits'(N);
                state <= Square;
              end
              Square: begin
                power <= product;
                x     <= product;
                y     <= b;
                state <= Multiply;
              end
              Multiply: begin
                if (keys[N-1]) power <= product;
                x     <= keys[N-1] ? product : power;
                y     <= (left == 1) ? N'(1) : (keys[N-1] ? product : power);
                keys  <= keys << 1;
                left  <= left - 1'b1;
                state <= (left == 1) ? Leave : Square;
              end
              default: begin
                result  <= product;
                running <= 1'b0;
                ack     <= 1'b1;
                state   <= Full;
              end
            endcase
          end
        end
      endcase
    end
  end

endmodule
