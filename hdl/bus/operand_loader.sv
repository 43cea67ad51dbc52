// SPDX-License-Identifier: Apache-2.0
//
// Operand loader: word registers for X, Y and M in front of a multiplier, behind a synchronous
// request/acknowledge bus of BusWidth bits.
//
// Bus: the host holds req_i, write_i, sel_i and wdata_i until the clock in which ack_o is high; that
// clock also carries rdata_o and err_o. A transfer takes two clocks, more while wait_i holds off
// the acknowledge (wait states of a bridge). Words go least significant first; each select has a
// word pointer of its own that every accepted start and the Clear command set back to 0.
//
//   sel_i   write       read
//   0       X           P = result            refused with NoResult unless the last status is Ok
//   1       Y           S of the core         refused with NoResult unless it is Ok or Raw
//   2       M           C of the core         likewise
//   3       command     status word           {last bus error, status}, never refused
//
// A refused transfer is acknowledged with err_o and the reason in rdata_o; it changes nothing but
// the bus error field. Writing past an operand's last word, or a select above 3 when SelWidth > 2,
// is UnknownAddress; reads start again after the last word. Operands cannot be written or results
// read while busy_i. Operands keep their values until rewritten.
//
// start_o: one clock, with raw_o, incomplete_o (some operand was rewritten in part) and overwide_o
// (bits above Width are set in some operand's last word). m_written_o: one clock for each word.
// Ranges: BusWidth >= 8, SelWidth >= 2. Latency: request to acknowledge 1 clock.
//
// Source: Amanor (2005), ch. 5.3, figures 15 and 17; acknowledged transfers after Michalski & Buell,
// ch. 5.5.

module operand_loader
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int SelWidth = 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // Bus
  input  logic                req_i,
  input  logic                write_i,
  input  logic [SelWidth-1:0] sel_i,
  input  logic [BusWidth-1:0] wdata_i,
  input  logic                wait_i,
  output logic                ack_o,
  output logic                err_o,
  output logic [BusWidth-1:0] rdata_o,
  // Multiplier
  output logic [   Width-1:0] x_o,
  output logic [   Width-1:0] y_o,
  output logic [   Width-1:0] m_o,
  output logic                m_written_o,
  output logic                start_o,
  output logic                raw_o,
  output logic                incomplete_o,
  output logic                overwide_o,
  input  logic                busy_i,
  input  logic [         3:0] status_i,
  input  logic [   Width-1:0] p_i,
  input  logic [   Width+1:0] s_i,
  input  logic [   Width+1:0] c_i
);

  localparam int OperandWords = (Width + BusWidth - 1) / BusWidth;
  localparam int ResultWords = (Width + 2 + BusWidth - 1) / BusWidth;
  localparam int OperandBits = OperandWords * BusWidth;
  localparam int ResultBits = ResultWords * BusWidth;
  localparam int PointerWidth = $clog2(ResultWords + 1);
  localparam logic [PointerWidth-1:0] OperandEnd = PointerWidth'(OperandWords);
  localparam logic [PointerWidth-1:0] LastOperandWord = PointerWidth'(OperandWords - 1);
  localparam logic [PointerWidth-1:0] LastResultWord = PointerWidth'(ResultWords - 1);

  logic [OperandBits-1:0] x_q, y_q, m_q;
  logic [PointerWidth-1:0] x_pointer_q, y_pointer_q, m_pointer_q;
  logic [PointerWidth-1:0] p_pointer_q, s_pointer_q, c_pointer_q;
  logic ack_q, err_q;
  logic [3:0] bus_error_q;
  logic [BusWidth-1:0] rdata_q;

  // Decoding of the transfer that is accepted in this clock.
  logic accept, known_select, p_valid, sc_valid;
  logic [1:0] select;
  logic [3:0] refusal;
  logic is_start, is_clear;
  logic operand_full;

  assign accept   = req_i && !ack_q && !wait_i;
  assign select   = sel_i[1:0];
  assign p_valid  = (status_i == StatusOk);
  assign sc_valid = (status_i == StatusOk) || (status_i == StatusRaw);

  if (SelWidth > 2) begin : gen_wide_select
    assign known_select = (sel_i[SelWidth-1:2] == '0);
  end else begin : gen_narrow_select
    assign known_select = 1'b1;
  end

  assign is_clear = (wdata_i == BusWidth'(CommandClear));
  assign is_start = (wdata_i == BusWidth'(CommandStart)) || (wdata_i == BusWidth'(CommandStartRaw));

  always_comb begin
    case (select)
      SelectXP: operand_full = (x_pointer_q == OperandEnd);
      SelectYS: operand_full = (y_pointer_q == OperandEnd);
      default:  operand_full = (m_pointer_q == OperandEnd);
    endcase
  end

  always_comb begin
    refusal = BusErrorNone;
    if (!known_select) begin
      refusal = BusErrorUnknownAddress;
    end else if (select == SelectControl) begin
      if (write_i && is_start && busy_i) refusal = BusErrorStartWhileBusy;
      if (write_i && !is_start && !is_clear) refusal = BusErrorUnknownCommand;
    end else if (busy_i) begin
      refusal = BusErrorBusy;
    end else if (write_i) begin
      if (operand_full) refusal = BusErrorUnknownAddress;
    end else if (select == SelectXP) begin
      if (!p_valid) refusal = BusErrorNoResult;
    end else begin
      if (!sc_valid) refusal = BusErrorNoResult;
    end
  end

  logic granted, start, clear;
  assign granted = accept && (refusal == BusErrorNone);
  assign start   = granted && write_i && (select == SelectControl) && is_start;
  assign clear   = granted && write_i && (select == SelectControl) && is_clear;

  // Answer.
  logic [BusWidth-1:0] answer;
  logic [OperandBits-1:0] p_padded;
  logic [ResultBits-1:0] s_padded, c_padded;
  assign p_padded = OperandBits'(p_i);
  assign s_padded = ResultBits'(s_i);
  assign c_padded = ResultBits'(c_i);

  always_comb begin
    case (select)
      SelectXP: answer = p_padded[p_pointer_q*BusWidth+:BusWidth];
      SelectYS: answer = s_padded[s_pointer_q*BusWidth+:BusWidth];
      SelectMC: answer = c_padded[c_pointer_q*BusWidth+:BusWidth];
      default:  answer = BusWidth'({bus_error_q, status_i});
    endcase
    if (write_i) answer = '0;
    if (refusal != BusErrorNone) answer = BusWidth'(refusal);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ack_q       <= 1'b0;
      err_q       <= 1'b0;
      rdata_q     <= '0;
      bus_error_q <= BusErrorNone;
    end else begin
      ack_q <= accept;
      if (accept) begin
        err_q   <= (refusal != BusErrorNone);
        rdata_q <= answer;
        if (start || clear) bus_error_q <= BusErrorNone;
        else if (refusal != BusErrorNone) bus_error_q <= refusal;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q         <= '0;
      y_q         <= '0;
      m_q         <= '0;
      x_pointer_q <= '0;
      y_pointer_q <= '0;
      m_pointer_q <= '0;
      p_pointer_q <= '0;
      s_pointer_q <= '0;
      c_pointer_q <= '0;
    end else if (start || clear) begin
      x_pointer_q <= '0;
      y_pointer_q <= '0;
      m_pointer_q <= '0;
      p_pointer_q <= '0;
      s_pointer_q <= '0;
      c_pointer_q <= '0;
    end else if (granted && write_i) begin
      case (select)
        SelectXP: begin
          x_q[x_pointer_q*BusWidth+:BusWidth] <= wdata_i;
          x_pointer_q <= x_pointer_q + 1'b1;
        end
        SelectYS: begin
          y_q[y_pointer_q*BusWidth+:BusWidth] <= wdata_i;
          y_pointer_q <= y_pointer_q + 1'b1;
        end
        SelectMC: begin
          m_q[m_pointer_q*BusWidth+:BusWidth] <= wdata_i;
          m_pointer_q <= m_pointer_q + 1'b1;
        end
        default: ;
      endcase
    end else if (granted) begin
      case (select)
        SelectXP: p_pointer_q <= (p_pointer_q == LastOperandWord) ? '0 : p_pointer_q + 1'b1;
        SelectYS: s_pointer_q <= (s_pointer_q == LastResultWord) ? '0 : s_pointer_q + 1'b1;
        SelectMC: c_pointer_q <= (c_pointer_q == LastResultWord) ? '0 : c_pointer_q + 1'b1;
        default:  ;
      endcase
    end
  end

  assign ack_o = ack_q;
  assign err_o = err_q;
  assign rdata_o = rdata_q;

  assign x_o = x_q[Width-1:0];
  assign y_o = y_q[Width-1:0];
  assign m_o = m_q[Width-1:0];
  assign m_written_o = granted && write_i && (select == SelectMC);
  assign start_o = start;
  assign raw_o = (wdata_i == BusWidth'(CommandStartRaw));
  assign incomplete_o = ((x_pointer_q != '0) && (x_pointer_q != OperandEnd))
                     || ((y_pointer_q != '0) && (y_pointer_q != OperandEnd))
                     || ((m_pointer_q != '0) && (m_pointer_q != OperandEnd));

  if (OperandBits > Width) begin : gen_overwide
    assign overwide_o = |{x_q[OperandBits-1:Width], y_q[OperandBits-1:Width],
                          m_q[OperandBits-1:Width]};
  end else begin : gen_no_overwide
    assign overwide_o = 1'b0;
  end

endmodule
