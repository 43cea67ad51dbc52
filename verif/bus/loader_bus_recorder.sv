// SPDX-License-Identifier: Apache-2.0
//
// Loader bus recorder (test bench): the hardware half of the bus monitor. It watches the pins, never
// the driver, and rebuilds each operation from the transfers it sees.
//
// An operation opens with an accepted start and closes with the next accepted Clear: publish_o is
// then high for one clock, and valid_o toggles at the falling edge that follows, when the record is
// stable. Operands are images of all accepted operand writes, as the loader keeps them.
//
// info_o, from the top: s, c, p words read (16 bits each), transfers refused since the last start (16),
// operations lost, that is, started while a record was open (16), M written since the start before
// (1), raw (1), a status was read (1), the bus protocol was broken (1), status (4), bus error field (4),
// a request waited longer than it had to (1), unused (3).
//
// Protocol, watched in reset too: no acknowledge without a request, none in two clocks running, none
// while reset is held.

module loader_bus_recorder
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
  input  logic                             req_i,
  input  logic                             write_i,
  input  logic [             SelWidth-1:0] sel_i,
  input  logic [             BusWidth-1:0] wdata_i,
  input  logic                             ack_i,
  input  logic                             err_i,
  input  logic [             BusWidth-1:0] rdata_i,
  output logic                             publish_o,
  output logic                             valid_o,
  output logic [OperandWords*BusWidth-1:0] x_o,
  output logic [OperandWords*BusWidth-1:0] y_o,
  output logic [OperandWords*BusWidth-1:0] m_o,
  output logic [OperandWords*BusWidth-1:0] p_o,
  output logic [ ResultWords*BusWidth-1:0] s_o,
  output logic [ ResultWords*BusWidth-1:0] c_o,
  output logic [                     95:0] info_o
);

  logic [OperandWords*BusWidth-1:0] x_q, y_q, m_q;
  logic [15:0] x_words_q, y_words_q, m_words_q, s_words_q, c_words_q, p_words_q;
  logic [15:0] refused_q, lost_q;
  logic open_q, raw_q, m_written_q, fresh_q, status_seen_q, valid_q;
  logic [3:0] status_q, bus_error_q;

  logic transfer, start, clear;
  logic [1:0] select;
  assign transfer = req_i && ack_i;
  assign select = sel_i[1:0];
  assign start = transfer && !err_i && write_i && (select == SelectControl)
              && ((wdata_i == BusWidth'(CommandStart)) || (wdata_i == BusWidth'(CommandStartRaw)));
  assign clear = transfer && !err_i && write_i && (select == SelectControl)
              && (wdata_i == BusWidth'(CommandClear));
  assign publish_o = clear && open_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_q                               <= '0;
      y_q                               <= '0;
      m_q                               <= '0;
      {x_words_q, y_words_q, m_words_q} <= '0;
      {s_words_q, c_words_q, p_words_q} <= '0;
      x_o                               <= '0;
      y_o                               <= '0;
      m_o                               <= '0;
      p_o                               <= '0;
      s_o                               <= '0;
      c_o                               <= '0;
      refused_q                         <= '0;
      lost_q                            <= '0;
      open_q                            <= 1'b0;
      raw_q                             <= 1'b0;
      // After a reset nothing that depends on M is known to the hardware.
      m_written_q                       <= 1'b1;
      fresh_q                           <= 1'b1;
      status_seen_q                     <= 1'b0;
      status_q                          <= '0;
      bus_error_q                       <= '0;
    end else if (start) begin
      {x_words_q, y_words_q, m_words_q} <= '0;
      {s_words_q, c_words_q, p_words_q} <= '0;
      x_o                               <= x_q;
      y_o                               <= y_q;
      m_o                               <= m_q;
      refused_q                         <= '0;
      if (open_q) lost_q <= lost_q + 1'b1;
      open_q        <= 1'b1;
      raw_q         <= (wdata_i == BusWidth'(CommandStartRaw));
      fresh_q       <= m_written_q;
      m_written_q   <= 1'b0;
      status_seen_q <= 1'b0;
    end else if (clear) begin
      {x_words_q, y_words_q, m_words_q} <= '0;
      open_q                            <= 1'b0;
    end else if (transfer && err_i) begin
      refused_q <= refused_q + 1'b1;
    end else if (transfer && write_i) begin
      case (select)
        SelectXP: begin
          x_q[x_words_q*BusWidth+:BusWidth] <= wdata_i;
          x_words_q                         <= x_words_q + 1'b1;
        end
        SelectYS: begin
          y_q[y_words_q*BusWidth+:BusWidth] <= wdata_i;
          y_words_q                         <= y_words_q + 1'b1;
        end
        SelectMC: begin
          m_q[m_words_q*BusWidth+:BusWidth] <= wdata_i;
          m_words_q                         <= m_words_q + 1'b1;
          m_written_q                       <= 1'b1;
        end
        default: ;
      endcase
    end else if (transfer) begin
      case (select)
        SelectXP: begin
          if (p_words_q < 16'(OperandWords)) p_o[p_words_q*BusWidth+:BusWidth] <= rdata_i;
          p_words_q <= p_words_q + 1'b1;
        end
        SelectYS: begin
          if (s_words_q < 16'(ResultWords)) s_o[s_words_q*BusWidth+:BusWidth] <= rdata_i;
          s_words_q <= s_words_q + 1'b1;
        end
        SelectMC: begin
          if (c_words_q < 16'(ResultWords)) c_o[c_words_q*BusWidth+:BusWidth] <= rdata_i;
          c_words_q <= c_words_q + 1'b1;
        end
        default: begin
          if (rdata_i[3:0] != StatusBusy) begin
            status_seen_q <= 1'b1;
            status_q      <= rdata_i[3:0];
            bus_error_q   <= rdata_i[7:4];
          end
        end
      endcase
    end
  end

  assign info_o = {
    s_words_q,
    c_words_q,
    p_words_q,
    refused_q,
    lost_q,
    fresh_q,
    raw_q,
    status_seen_q,
    told_broken_q,
    status_q,
    bus_error_q,
    told_stalled_q,
    3'b0
  };

  // Not reset: a break of the protocol is told with the next record.
  logic broken_q, stalled_q, last_ack_q, in_reset_q, waiting_q;
  logic told_broken_q, told_stalled_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_reset_q <= 1'b1;
    else in_reset_q <= 1'b0;
  end
  initial broken_q = 1'b0;
  initial last_ack_q = 1'b0;
  initial waiting_q = 1'b0;
  initial stalled_q = 1'b0;
  always @(posedge clk_i) begin
    if (publish_o) begin
      told_broken_q  <= broken_q;
      told_stalled_q <= stalled_q;
    end
    last_ack_q <= ack_i;
    waiting_q  <= req_i && !ack_i;
    if (waiting_q && req_i && !ack_i) stalled_q <= 1'b1;
    else if (publish_o) stalled_q <= 1'b0;
    if (ack_i && (!req_i || last_ack_q || in_reset_q)) broken_q <= 1'b1;
    else if (publish_o) broken_q <= 1'b0;
  end

  initial valid_q = 1'b0;
  initial valid_o = 1'b0;
  always @(posedge clk_i) if (publish_o) valid_q <= !valid_q;
  always @(negedge clk_i) valid_o <= valid_q;

endmodule
