// SPDX-License-Identifier: Apache-2.0
//
// The netlist of `memories` beside what it was made of: every output, in every cycle, once all
// words are written. Says "same" or where they differ.

module memories_tb;

  logic clk = 1'b0;
  logic write = 1'b1;
  logic [5:0] write_index = '0, read_index = '0;
  logic [15:0] data = '0;
  logic [15:0] now[2], registered[2], block[2];
  logic [31:0] wide[2];
  logic [2:0] narrow[2];
  int different = 0;

  memories u_source (
    .clk_i(clk),
    .write_i(write),
    .write_index_i(write_index),
    .read_index_i(read_index),
    .data_i(data),
    .now_o(now[0]),
    .registered_o(registered[0]),
    .block_o(block[0]),
    .wide_o(wide[0]),
    .narrow_o(narrow[0])
  );

  memories_netlist u_netlist (
    .clk_i(clk),
    .write_i(write),
    .write_index_i(write_index),
    .read_index_i(read_index),
    .data_i(data),
    .now_o(now[1]),
    .registered_o(registered[1]),
    .block_o(block[1]),
    .wide_o(wide[1]),
    .narrow_o(narrow[1])
  );

  initial begin
    for (int clock = 0; clock < 5000; clock++) begin
      write       = clock < 64 || $urandom % 2 == 0;
      write_index = clock < 64 ? 6'(clock) : 6'($urandom);
      read_index  = clock % 3 == 0 ? write_index : 6'($urandom);
      data        = 16'($urandom);
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      #1;
      if (clock > 80) begin
        if (now[0] !== now[1] || registered[0] !== registered[1] || block[0] !== block[1]
            || wide[0] !== wide[1] || narrow[0] !== narrow[1]) begin
          if (different == 0)
            $display(
                "clock %0d: %h %h %h %h %h, netlist %h %h %h %h %h",
                clock,
                now[0],
                registered[0],
                block[0],
                wide[0],
                narrow[0],
                now[1],
                registered[1],
                block[1],
                wide[1],
                narrow[1]
            );
          different++;
        end
      end
    end
    if (different == 0) $display("same");
    $finish;
  end

endmodule
