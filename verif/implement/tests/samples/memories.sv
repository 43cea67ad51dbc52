// SPDX-License-Identifier: Apache-2.0
//
// Memories as designs for an ECP5 have them, each with a word written and a word read in a clock:
// of LUTs with an asynchronous and with a registered read, of a block where a clock that writes
// does not read, and a wide block whose read and write addresses must differ.

module memories #(
  parameter int Width = 16
) (
  input  logic                 clk_i,
  input  logic                 write_i,
  input  logic [          5:0] write_index_i,
  input  logic [          5:0] read_index_i,
  input  logic [    Width-1:0] data_i,
  output logic [    Width-1:0] now_o,
  output logic [    Width-1:0] registered_o,
  output logic [    Width-1:0] block_o,
  output logic [(2*Width)-1:0] wide_o,
  output logic [          2:0] narrow_o
);

  logic [    Width-1:0] luts      [64];
  logic [    Width-1:0] registered[64];
  (* ram_style = "block" *)logic [    Width-1:0] block     [64];
  (* ram_style = "block" *)logic [(2*Width)-1:0] wide      [64];
  (* ram_style = "block" *)logic [          2:0] narrow    [64];

  assign now_o = luts[read_index_i];

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      luts[write_index_i]       <= data_i;
      registered[write_index_i] <= data_i;
      block[write_index_i]      <= data_i;
      wide[write_index_i]       <= {~data_i, data_i};
      narrow[write_index_i]     <= data_i[2:0];
    end
    registered_o <= registered[read_index_i];
    if (!write_i) begin
      block_o  <= block[read_index_i];
      narrow_o <= narrow[read_index_i];
    end
    if (!write_i || read_index_i != write_index_i) wide_o <= wide[read_index_i];
  end

endmodule
