// SPDX-License-Identifier: Apache-2.0
// Modular exponentiation: base**exponent mod modulus, left to right, a square and a product for
// every bit of the exponent, used or not, so the time is constant. Values are streamed in, a bit
// a cycle while take is high, lowest bit first: base and modulus together, N bits each, then the
// exponent, of which the register length says how many bits count; the highest of them is worked
// off first. The result leaves in parallel with valid for one cycle.
//
// Every product is made by doubling and adding, N cycles each, reduced in each step: no Montgomery
// domain, any modulus above 1.

module powm #(
  parameter int N = 32,
  parameter int LENGTH_BITS = 16
) (
  input  logic                   clk,
  input  logic                   rst_n,
  input  logic                   take,
  input  logic                   base_bit,
  input  logic                   modulus_bit,
  input  logic                   exponent_bit,
  input  logic                   exponent_phase,
  input  logic [LENGTH_BITS-1:0] length,
  input  logic                   go,
  output logic                   valid,
  output logic [          N-1:0] result
);

  typedef enum logic [1:0] {
    IDLE,
    SQUARE,
    MULTIPLY
  } state_t;
  state_t state;
  logic [N-1:0] base, modulus, exponent, power, multiplier, multiplicand, product;
  logic [LENGTH_BITS-1:0] bits, steps;

  logic [N+1:0] doubled, once, twice, m;
  assign m       = {2'b00, modulus};
  assign doubled = {1'b0, product, 1'b0} + (multiplier[N-1] ? {2'b00, multiplicand} : '0);
  assign once    = (doubled >= m) ? doubled - m : doubled;
  assign twice   = (once >= m) ? once - m : once;

  logic last, current;
  assign last    = (steps == 1);
  assign current = exponent[N-1];

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state        <= IDLE;
      base         <= '0;
      modulus      <= '0;
      exponent     <= '0;
      power        <= '0;
      multiplier   <= '0;
      multiplicand <= '0;
      product      <= '0;
      bits         <= '0;
      steps        <= '0;
      valid        <= 1'b0;
    end else begin
      valid <= 1'b0;
      if (take) begin
        if (exponent_phase) begin
          exponent <= {exponent_bit, exponent[N-1:1]};
        end else begin
          base    <= {base_bit, base[N-1:1]};
          modulus <= {modulus_bit, modulus[N-1:1]};
        end
      end
      case (state)
        IDLE: begin
          if (go) begin
            power        <= (modulus == 1) ? '0 : N'(1);
            multiplier   <= N'(1);
            multiplicand <= N'(1);
            product      <= '0;
            bits         <= length;
            steps        <= LENGTH_BITS'(N);
            state        <= SQUARE;
          end
        end
        SQUARE: begin
          product    <= twice[N-1:0];
          multiplier <= multiplier << 1;
          steps      <= steps - 1'b1;
          if (last) begin
            power        <= twice[N-1:0];
            multiplier   <= twice[N-1:0];
            multiplicand <= base;
            product      <= '0;
            steps        <= LENGTH_BITS'(N);
            state        <= MULTIPLY;
          end
        end
        MULTIPLY: begin
          product    <= twice[N-1:0];
          multiplier <= multiplier << 1;
          steps      <= steps - 1'b1;
          if (last) begin
            if (current) power <= twice[N-1:0];
            multiplier   <= current ? twice[N-1:0] : power;
            multiplicand <= current ? twice[N-1:0] : power;
            product      <= '0;
            exponent     <= exponent << 1;
            bits         <= bits - 1'b1;
            steps        <= LENGTH_BITS'(N);
            state        <= SQUARE;
            if (bits == 1) begin
              state <= IDLE;
              valid <= 1'b1;
            end
          end
        end
        default: state <= IDLE;
      endcase
    end
  end

  assign result = power;

endmodule
