// SPDX-License-Identifier: Apache-2.0
//
// Loader bus transactor (test bench): drives the word transfers of a whole operation, so that
// Python wakes once an operation and not once a word or clock.
//
// A toggle of go_i starts: write the operands named by load_i (bit 0 X, 1 Y, 2 M) word by word, write
// command_i, wait for done_i, read the status, read S and C (status Ok or Raw) and P (Ok), write
// Clear. done_o follows go_i at the falling clock edge after the last transfer, when everything has
// settled in every simulator. gap_i/256 is the probability of an idle clock before each request.
// A refused command ends the operation at once; refused_o has the reason. timeout_o: 1 no
// acknowledge, 2 operation not done, within limit_i clocks.

module loader_bus_transactor
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 2,
  // Derived, do not set.
  parameter int OperandWords = (Width + BusWidth - 1) / BusWidth,
  parameter int ResultWords = (Width + 1 + BusWidth) / BusWidth
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // Test bench
  input  logic                             go_i,
  input  logic [OperandWords*BusWidth-1:0] x_i,
  input  logic [OperandWords*BusWidth-1:0] y_i,
  input  logic [OperandWords*BusWidth-1:0] m_i,
  input  logic [                      2:0] load_i,
  input  logic [             BusWidth-1:0] command_i,
  input  logic [                      7:0] gap_i,
  input  logic [                     31:0] limit_i,
  input  logic [                      7:0] random_i,
  output logic                             done_o,
  output logic [                      1:0] timeout_o,
  output logic [                      3:0] refused_o,
  // Bus
  output logic                             req_o,
  output logic                             write_o,
  output logic [             SelWidth-1:0] sel_o,
  output logic [             BusWidth-1:0] wdata_o,
  input  logic                             ack_i,
  input  logic                             err_i,
  input  logic [                      3:0] code_i,
  input  logic                             done_i
);

  localparam logic [3:0] PhIdle = 4'd0;
  localparam logic [3:0] PhX = 4'd1;
  localparam logic [3:0] PhY = 4'd2;
  localparam logic [3:0] PhM = 4'd3;
  localparam logic [3:0] PhCommand = 4'd4;
  localparam logic [3:0] PhWait = 4'd5;
  localparam logic [3:0] PhStatus = 4'd6;
  localparam logic [3:0] PhS = 4'd7;
  localparam logic [3:0] PhC = 4'd8;
  localparam logic [3:0] PhP = 4'd9;
  localparam logic [3:0] PhClear = 4'd10;

  logic [3:0] phase_q;
  logic [31:0] word_q, clocks_q;
  logic [3:0] status_q;
  logic go_q, done_q, open_q;
  logic last_operand_word, last_result_word;

  assign last_operand_word = (word_q == OperandWords - 1);
  assign last_result_word  = (word_q == ResultWords - 1);

  logic load_x, load_y, load_m;
  assign {load_m, load_y, load_x} = load_i;

  // The transfer of the current phase.
  logic transfer, write;
  logic [1:0] select;
  logic [BusWidth-1:0] wdata;

  always_comb begin
    transfer = 1'b1;
    write    = 1'b0;
    select   = SelectControl;
    wdata    = '0;
    case (phase_q)
      PhX: begin
        transfer = load_x;
        write    = 1'b1;
        select   = SelectXP;
        wdata    = x_i[word_q*BusWidth+:BusWidth];
      end
      PhY: begin
        transfer = load_y;
        write    = 1'b1;
        select   = SelectYS;
        wdata    = y_i[word_q*BusWidth+:BusWidth];
      end
      PhM: begin
        transfer = load_m;
        write    = 1'b1;
        select   = SelectMC;
        wdata    = m_i[word_q*BusWidth+:BusWidth];
      end
      PhCommand: begin
        write = 1'b1;
        wdata = command_i;
      end
      PhStatus: ;
      PhS: select = SelectYS;
      PhC: select = SelectMC;
      PhP: select = SelectXP;
      PhClear: begin
        write = 1'b1;
        wdata = BusWidth'(CommandClear);
      end
      default: transfer = 1'b0;
    endcase
  end

  // A request stands until its acknowledge; the next one may follow in the next clock.
  assign req_o   = transfer && open_q;
  assign write_o = write;
  assign sel_o   = SelWidth'(select);
  assign wdata_o = wdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q   <= PhIdle;
      open_q    <= 1'b0;
      word_q    <= '0;
      clocks_q  <= '0;
      status_q  <= StatusIdle;
      timeout_o <= 2'd0;
      refused_o <= BusErrorNone;
      go_q      <= go_i;
      done_q    <= go_i;
    end else begin
      clocks_q <= clocks_q + 1;
      if (!req_o || ack_i) open_q <= (random_i >= gap_i);
      if (phase_q == PhIdle) begin
        if (go_i != go_q) begin
          go_q      <= go_i;
          phase_q   <= PhX;
          word_q    <= '0;
          clocks_q  <= '0;
          timeout_o <= 2'd0;
          refused_o <= BusErrorNone;
        end
      end else if (phase_q == PhWait) begin
        if (done_i) begin
          phase_q  <= PhStatus;
          clocks_q <= '0;
        end else if (clocks_q > limit_i) begin
          timeout_o <= 2'd2;
          phase_q   <= PhIdle;
          done_q    <= go_q;
        end
      end else if (!transfer) begin
        phase_q <= phase_q + 1'b1;
      end else if (req_o && ack_i) begin
        clocks_q <= '0;
        word_q   <= word_q + 1;
        case (phase_q)
          PhX, PhY, PhM, PhP: begin
            if (last_operand_word) begin
              word_q  <= '0;
              phase_q <= (phase_q == PhP) ? PhClear : (phase_q + 1'b1);
            end
          end
          PhCommand: begin
            word_q    <= '0;
            refused_o <= err_i ? code_i : BusErrorNone;
            phase_q   <= err_i ? PhClear : PhWait;
          end
          PhStatus: begin
            word_q   <= '0;
            status_q <= code_i;
            phase_q  <= ((code_i == StatusOk) || (code_i == StatusRaw)) ? PhS : PhClear;
          end
          PhS: begin
            if (last_result_word) begin
              word_q  <= '0;
              phase_q <= PhC;
            end
          end
          PhC: begin
            if (last_result_word) begin
              word_q  <= '0;
              phase_q <= (status_q == StatusOk) ? PhP : PhClear;
            end
          end
          default: begin
            phase_q <= PhIdle;
            done_q  <= go_q;
          end
        endcase
      end else if (clocks_q > limit_i) begin
        timeout_o <= 2'd1;
        phase_q   <= PhIdle;
        done_q    <= go_q;
      end
    end
  end

  initial done_o = 1'b0;
  always @(negedge clk_i) done_o <= done_q;

endmodule
