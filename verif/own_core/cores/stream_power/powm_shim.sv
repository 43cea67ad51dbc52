// SPDX-License-Identifier: Apache-2.0
//
// Shim: streams base and modulus, then the exponent, into powm, a bit a cycle, and starts it. The
// exponent's highest worked-off bit has to arrive at the top of its register.

module powm_shim #(
  parameter int Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] base_i,
  input  logic [Width-1:0] exponent_i,
  input  logic [Width-1:0] modulus_i,
  input  logic [     15:0] length_i,
  output logic             done_o,
  output logic [Width-1:0] result_o
);

  typedef enum logic [1:0] {
    Rest,
    Stream,
    Go,
    Wait
  } state_e;
  state_e state_q;
  logic [Width-1:0] base_q, exponent_q, modulus_q;
  logic [15:0] length_q, count_q;
  logic phase_q, take, go;

  assign take = (state_q == Stream);
  assign go   = (state_q == Go);

  powm #(
    .N(Width)
  ) u_core (
    .clk           (clk_i),
    .rst_n         (rst_ni),
    .take,
    .base_bit      (base_q[0]),
    .modulus_bit   (modulus_q[0]),
    .exponent_bit  (exponent_q[0]),
    .exponent_phase(phase_q),
    .length        (length_q),
    .go,
    .valid         (done_o),
    .result        (result_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Rest;
      base_q     <= '0;
      exponent_q <= '0;
      modulus_q  <= '0;
      length_q   <= '0;
      count_q    <= '0;
      phase_q    <= 1'b0;
    end else begin
      case (state_q)
        Rest: begin
          count_q <= '0;
          phase_q <= 1'b0;
          if (start_i) begin
            base_q     <= base_i;
            exponent_q <= exponent_i;
            modulus_q  <= modulus_i;
            length_q   <= length_i;
            state_q    <= Stream;
          end
        end
        Stream: begin
          count_q <= count_q + 1'b1;
          if (phase_q) begin
            exponent_q <= exponent_q >> 1;
            if (count_q == length_q - 1'b1) state_q <= Go;
          end else begin
            base_q    <= base_q >> 1;
            modulus_q <= modulus_q >> 1;
            if (count_q == 16'(Width - 1)) begin
              count_q <= '0;
              phase_q <= 1'b1;
            end
          end
        end
        Go: state_q <= Wait;
        default: if (done_o) state_q <= Rest;
      endcase
    end
  end

endmodule
