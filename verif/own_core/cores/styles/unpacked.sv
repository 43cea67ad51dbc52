// Bits in unpacked ports and memories, generate loops, an operand as an array of bits.
module unpacked_add #(parameter int Width = 8) (
  input  logic a_i[0:Width-1], input logic b_i[0:Width-1], output logic s_o[0:Width-1]
);
  logic c[0:Width];
  assign c[0] = 1'b0;
  for (genvar i = 0; i < Width; i++) begin : g_bit
    assign s_o[i] = a_i[i] ^ b_i[i] ^ c[i];
    assign c[i+1] = (a_i[i] & b_i[i]) | (c[i] & (a_i[i] ^ b_i[i]));
  end
endmodule

module unpacked_shim #(parameter int Width = 8) (
  input  logic clk_i, rst_ni, start_i,
  input  logic [Width-1:0] x_i, y_i, m_i,
  output logic done_o,
  output logic [Width-1:0] result_o
);
  logic [Width-1:0] kept_q[0:3];  // x, y, m, p
  logic [15:0] n_q;
  wire a[0:Width+1], b[0:Width+1], s[0:Width+1];
  logic [Width+1:0] t;
  for (genvar i = 0; i < Width + 2; i++) begin : g_pack
    if (i == 0 || i > Width) assign a[i] = 1'b0; else assign a[i] = kept_q[3][i-1];
    if (i >= Width) assign b[i] = 1'b0; else assign b[i] = kept_q[1][i] & kept_q[0][Width-1];
    assign t[i] = s[i];
  end
  unpacked_add #(.Width(Width + 2)) u_add (.a_i(a), .b_i(b), .s_o(s));
  assign result_o = kept_q[3];
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin n_q <= '0; done_o <= 1'b0; end
    else begin
      done_o <= n_q == 16'd1;
      if (start_i && n_q == 0) begin kept_q[0] <= x_i; kept_q[1] <= y_i; kept_q[2] <= m_i;
        kept_q[3] <= '0; n_q <= 16'(Width); end
      else if (n_q != 0) begin
        kept_q[3] <= Width'(t >= {1'b0, kept_q[2], 1'b0} ? t - {1'b0, kept_q[2], 1'b0}
          : t >= (Width+2)'(kept_q[2]) ? t - (Width+2)'(kept_q[2]) : t);
        kept_q[0] <= kept_q[0] << 1;
        n_q <= n_q - 16'd1;
      end
    end
endmodule
