// SPDX-License-Identifier: Apache-2.0
//
// The netlist of `multipliers` beside what it was made of: every output, in every cycle and after
// resets that no clock goes with. Says "same" or where they differ.

module multipliers_tb;

  logic clk = 1'b0;
  logic rst_n = 1'b1;
  logic enable = 1'b1;
  logic [16:0] a = '0, b = '0;
  logic [33:0] inside_0, shared_0, now_0, waiting_0, kept_0;
  logic [33:0] inside_1, shared_1, now_1, waiting_1, kept_1;
  int different = 0;

  multipliers u_source (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .enable_i (enable),
    .a_i      (a),
    .b_i      (b),
    .inside_o (inside_0),
    .shared_o (shared_0),
    .now_o    (now_0),
    .waiting_o(waiting_0),
    .kept_o   (kept_0)
  );

  multipliers_netlist u_netlist (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .enable_i (enable),
    .a_i      (a),
    .b_i      (b),
    .inside_o (inside_1),
    .shared_o (shared_1),
    .now_o    (now_1),
    .waiting_o(waiting_1),
    .kept_o   (kept_1)
  );

  task automatic compare(int clock);
    if ({inside_0, shared_0, now_0, waiting_0, kept_0}
        !== {inside_1, shared_1, now_1, waiting_1, kept_1}) begin
      if (different == 0) begin
        $display("clock %0d: %h %h %h %h %h, netlist %h %h %h %h %h", clock, inside_0, shared_0,
                 now_0, waiting_0, kept_0, inside_1, shared_1, now_1, waiting_1, kept_1);
      end
      different++;
    end
  endtask

  initial begin
    #1 rst_n = 1'b0;
    #1 rst_n = 1'b1;
    for (int clock = 0; clock < 2000; clock++) begin
      enable = $urandom % 2 == 0;
      a      = 17'($urandom);
      b      = 17'($urandom);
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      #1 compare(clock);
      if ($urandom % 8 == 0) begin
        #1 rst_n = 1'b0;
        #1 compare(clock);
        rst_n = 1'b1;
        #1 compare(clock);
      end
    end
    if (different == 0) $display("same");
    $finish;
  end

endmodule
