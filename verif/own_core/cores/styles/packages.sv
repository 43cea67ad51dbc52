// A package, macros that stay defined, a time scale and a net type that stay in force.
`undef Width
module packages_shim import packages_pkg::*; #(parameter int Width = 8) (
  input  wire logic `CLK, rst_ni, start_i,
  input  wire logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  state_e state_q;
  logic [CountBits-1:0] n_q;
  logic [Width-1:0] x_q, y_q, m_q;
  logic [Width+1:0] s;
  assign s = {1'b0, result_o, 1'b0} + (x_q[Width-1] ? (Width+2)'(y_q) : '0);
  always_ff @(posedge `CLK or negedge rst_ni)
    if (rst_ni == `PACKAGES_RESET) begin state_q <= Rest; done_o <= 1'b0; end
    else begin
      done_o <= 1'b0;
      if (state_q == Rest) begin
        if (start_i) begin
          state_q <= #100 Work; x_q <= x_i; y_q <= y_i; m_q <= m_i;
          result_o <= '0; n_q <= 16'(Width);
        end
      end else begin
        result_o <= Width'(s >= {1'b0, m_q, 1'b0} ? s - {1'b0, m_q, 1'b0}
          : s >= (Width+2)'(m_q) ? s - (Width+2)'(m_q) : s);
        x_q <= x_q << `STEP_BITS;
        n_q <= less(n_q);
        if (n_q == 16'd1) begin state_q <= Rest; done_o <= 1'b1; end
      end
    end
endmodule
`define Width this_name_is_taken
