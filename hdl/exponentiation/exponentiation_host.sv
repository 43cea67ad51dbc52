// SPDX-License-Identifier: Apache-2.0
//
// Host side of an exponentiation: the bus, all memories and registers in bus words, and the
// converters between bus words and the words of the multipliers.
//
//   addr_i  write                                            read
//   0       Data, below M                                    Result, while the status is Ok
//   1       Exponent: can never be read                      -
//   2       M, odd unless the core is an interleaved one     -
//   3       command                                          status word
//   4       R**2 mod M (optional)                            -
//   5       m' = -1/M, or Mhat (optional)                    -
//   6       Length, 16 bits: number of exponent bits to use  -
//
// Length is Width until the host writes it. Length = 17 is the public-exponent mode for e = 65537.
// R is 2**RadixBits. R**2 comes from the first source that applies: the host, if it wrote R**2
// since the last start (the core checks the value); the previous operation, if the host did not
// write M since then; otherwise the core computes R**2. The core always computes m' and Mhat. It
// compares them with the host's values if the host wrote them since the last start. Cores that do
// not need R**2, m' or Mhat ignore the host's values.
//
//   operand                write                     leaves as
//   Data, R**2, Mhat       a memory of bus words     operand_o, operand_word_o: the one that
//                                                    control_i (load, match, else R**2) selects
//   M                      a memory of bus words     m_o, m_word_o, while control_i.load
//   Exponent               exponent_memory           exponent_o
//   Length, m'             registers                 request_o: length, m_prime_wrong
//   Result                 -                         a memory that the host reads, filled with
//                                                    result_word_i while control_i.deliver
//
// control_i: each of load, check, take and match streams an operand, unless pass_i.hold is high:
// the outcome of the last word is pending. exponent_o is stable until a cycle with a_ready_i and
// control_i.bit_step.
// request_o: a start, with the results of the checks on its operands; valid in the cycle of start.
// Its members length, m_written, m_prime_wrong, position and withheld are valid in every cycle.
// m_written: a word of M arrives. m_prime_wrong: m' of the host differs from inverse_i, or
// mhat_same_i is 0. withheld: the transfer is rejected.
// result_word_i: word result_o.index of the result, a cycle later; result_o.last: all its words are
// in the memory. busy_i, status_i: of the control.
// Parity: fault_o: a word that is used has a wrong parity bit.
//
// Zeroise resets everything but the loader in the cycle of its acknowledge (core_rst_no).
// After Zeroise and after a reset, the memories are wiped word by word (wipe_o). The wipe is faster
// than any host can write and any start can read. No old word can therefore be used or read.
// datapath_rst_no also resets the datapath while the control is idle, once the memories of the
// cores are clear, too.
//
// Latency: see operand_loader and word_converter.
//
// Source: Michalski & Buell, figure 7.

module exponentiation_host
  import multiplier_pkg::*;
#(
  parameter int Width = 32,
  parameter int BusWidth = 32,
  parameter int AddressWidth = 3,
  parameter int WordWidth = 17,
  parameter int Words = 3,
  parameter int MPrimeBits = 16,
  parameter int ScaleBits = 0,
  parameter bit Balanced = 1'b0,
  parameter bit Parity = 1'b0,
  // Derived, do not set
  parameter int ConstantBits = (ScaleBits > 0) ? ScaleBits : (MPrimeBits > 0) ? MPrimeBits : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // Bus
  input  logic                            req_i,
  input  logic                            write_i,
  input  logic         [AddressWidth-1:0] addr_i,
  input  logic         [    BusWidth-1:0] wdata_i,
  input  logic                            wait_i,
  output logic                            ack_o,
  output logic                            err_o,
  output logic         [    BusWidth-1:0] rdata_o,
  // Zeroise
  output logic                            core_rst_no,
  output logic                            datapath_rst_no,
  output exp_wipe_t                       wipe_o,
  // Control
  output exp_request_t                    request_o,
  input  exp_control_t                    control_i,
  input  logic                            busy_i,
  input  logic         [             3:0] status_i,
  // Operands
  input  exp_pass_t                       pass_i,
  output word_tag_t                       operand_o,
  output logic         [   WordWidth-1:0] operand_word_o,
  output word_tag_t                       m_o,
  output logic         [   WordWidth-1:0] m_word_o,
  // Exponent
  input  logic                            a_ready_i,
  output exp_bits_t                       exponent_o,
  // Parity
  output logic                            fault_o,
  // Constants
  input  logic         [ConstantBits-1:0] inverse_i,
  input  logic                            mhat_same_i,
  // Result
  output word_tag_t                       result_o,
  input  logic         [   WordWidth-1:0] result_word_i
);

  localparam int Addresses = ExponentiationAddresses;
  localparam bit Scaled = (ScaleBits > 0);
  // The host may supply m', or Mhat in its place.
  localparam int MPrimeWidth = Scaled ? Width : ConstantBits;
  localparam int BusWords = (Width + BusWidth - 1) / BusWidth;
  localparam int ResultWords = (Width + WordWidth - 1) / WordWidth;
  localparam int LengthWords = (LengthWidth + BusWidth - 1) / BusWidth;
  localparam int MPrimeWords = (MPrimeWidth + BusWidth - 1) / BusWidth;
  localparam int SmallWords = (MPrimeWords > LengthWords) ? MPrimeWords : LengthWords;
  localparam int MaxWords = (BusWords > SmallWords) ? BusWords : SmallWords;
  localparam int IndexWidth = $clog2(MaxWords + 1);
  localparam int WipeWords = (Words > BusWords) ? Words : BusWords;
  // Cycles after which the memories of a core are clear, too: the queue of a ring clears a row in
  // each cycle after a reset and has up to 2*Words rows.
  localparam int SettleCycles = (2 * Words > BusWords) ? 2 * Words : BusWords;

  // ---------------------------------------------------------------------------------------- Loader
  logic [Addresses-1:0] write, read, partial, overwide, written;
  logic [IndexWidth-1:0] bus_index, result_index;
  logic [WordIndexWidth-1:0] host_index;
  logic [BusWidth-1:0] host_data, result_word;
  logic start, raw, binary, zeroise, core_rst_n, datapath_rst_n, result_fault;

  operand_loader #(
    .BusWidth    (BusWidth),
    .AddressWidth(AddressWidth),
    .Addresses   (Addresses),
    .WriteBits   (exponentiation_write_bits(16'(Width), 16'(MPrimeWidth))),
    .ReadBits    (exponentiation_read_bits(16'(Width))),
    .ReadOk      (ExponentiationReadOk),
    .ReadRaw     (ExponentiationReadRaw),
    .RawStart    (1'b0),
    .Zeroise     (1'b1),
    .IndexWidth  (IndexWidth)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .write_i,
    .addr_i,
    .wdata_i,
    .wait_i,
    .ack_o,
    .err_o,
    .rdata_o,
    .write_o      (write),
    .read_o       (read),
    .write_index_o(bus_index),
    .read_index_o (result_index),
    .data_o       (host_data),
    .word_i       (result_word),
    .word_fault_i (result_fault),
    .withheld_o   (request_o.withheld),
    .partial_o    (partial),
    .overwide_o   (overwide),
    .written_o    (written),
    .start_o      (start),
    .raw_o        (raw),
    .zeroise_o    (zeroise),
    .binary_o     (binary),
    .binary_i     (1'b0),
    .busy_i,
    .status_i     (status_i)
  );

  // The datapath also runs for SettleCycles after a reset, because a core clears its own memories
  // in them.
  logic wipe;
  logic settled, settled_q;  // SettleCycles are over
  assign core_rst_n = rst_ni && !zeroise;
  assign core_rst_no = core_rst_n;
  assign datapath_rst_n = core_rst_n && (control_i.running || !settled_q);
  assign datapath_rst_no = datapath_rst_n;
  assign host_index = WordIndexWidth'(bus_index);

  // A host write has priority: the wipe waits for it. The wipe stays ahead of the host, as the host
  // writes at most one word every two cycles, a cycle after its grant. So the wipe never clears a
  // word that the host wrote after the Zeroise. Memories ignore an index above their last word.
  localparam int WipeCountWidth = WordIndexWidth + 1;
  logic [WipeCountWidth-1:0] wipe_count_q;
  logic [WordIndexWidth-1:0] wipe_index;
  // An upset of the count begins no other wipe: settled_q falls in a reset alone.
  assign wipe = (wipe_count_q < WipeCountWidth'(WipeWords)) && !settled_q;
  assign settled = (wipe_count_q >= WipeCountWidth'(SettleCycles));
  assign wipe_index = wipe ? WordIndexWidth'(wipe_count_q) : WordIndexWidth'(WipeWords);

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) begin
      wipe_count_q <= '0;
      settled_q    <= 1'b0;
    end else begin
      // Not in the cycle of a start: settled_q would rise together with running. datapath_rst_n, an
      // asynchronous reset, could then fall for a moment.
      settled_q <= settled_q || (settled && !start);
      if (!settled && !(wipe && (|write))) wipe_count_q <= wipe_count_q + 1'b1;
    end
  end

  assign wipe_o.runs  = wipe;
  assign wipe_o.index = wipe_index;

  // --------------------------------------------------------------------------------------- Request
  logic [LengthWords*BusWidth-1:0] length_q;
  logic length_set_q, m_prime_supplied_q;
  logic [LengthWidth-1:0] length;

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) begin
      length_q                           <= '0;
      {length_set_q, m_prime_supplied_q} <= '0;
    end else begin
      for (int i = 0; i < LengthWords; i++) begin
        if (write[ExponentiationAddressLength] && (host_index == WordIndexWidth'(i))) begin
          length_q[i*BusWidth+:BusWidth] <= host_data;
        end
      end
      if (write[ExponentiationAddressLength]) length_set_q <= 1'b1;
      if (start) m_prime_supplied_q <= written[ExponentiationAddressMPrime];
    end
  end

  logic [15:0] exponent_length;
  logic length_legal, exponent_legal, overwide_any;

  assign length = length_set_q ? length_q[LengthWidth-1:0] : LengthWidth'(Width);
  assign length_legal = !overwide[ExponentiationAddressLength] && (length != '0)
                     && (length <= LengthWidth'(Width));
  assign exponent_legal = (exponent_length <= length);
  assign overwide_any = overwide[ExponentiationAddressDataResult]
                     || overwide[ExponentiationAddressModulus]
                     || (|(overwide & written & ((7'd1 << ExponentiationAddressRSquared)
                                               | (7'd1 << ExponentiationAddressMPrime))));

  assign request_o.start = start;
  assign request_o.incomplete = |partial;
  assign request_o.length_legal = length_legal;
  assign request_o.exponent_legal = exponent_legal;
  assign request_o.overwide = overwide_any;
  assign request_o.length = length;
  assign request_o.m_written = write[ExponentiationAddressModulus];
  assign request_o.supplied = written[ExponentiationAddressRSquared];

  // -------------------------------------------------------------------------------------- Operands
  // convert: words of an operand (convert_m: of M) move through the converter. The vectors host_*
  // have one element for each memory: Data, M, R**2, Mhat.
  logic convert, convert_m, match;
  logic [WordIndexWidth-1:0] base_index, m_index;
  logic [BusWidth-1:0] host_m, host_word;
  localparam int Memories = Scaled ? 4 : 3;
  logic [3:0] host_writes;
  logic [4*BusWidth-1:0] host_words;
  logic [3:0] host_faults, host_uses;

  assign match = control_i.match;
  assign convert = (control_i.load || control_i.check || control_i.take || match) && !pass_i.hold;
  assign convert_m = control_i.load && !pass_i.hold;
  assign host_writes = {
    write[ExponentiationAddressMPrime],
    write[ExponentiationAddressRSquared],
    write[ExponentiationAddressModulus],
    write[ExponentiationAddressDataResult]
  };
  assign host_uses = {match, control_i.check || control_i.take, control_i.load, control_i.load};
  assign host_m = host_words[BusWidth+:BusWidth];
  assign host_word = control_i.load ? host_words[0+:BusWidth]
                   : match ? host_words[3*BusWidth+:BusWidth] : host_words[2*BusWidth+:BusWidth];

  // Words of the host: Data, M, R**2, and Mhat of a core with a scale
  for (genvar k = 0; k < Memories; k++) begin : gen_host
    logic [WordIndexWidth-1:0] read_index;
    assign read_index = (k == 1) ? m_index : base_index;
    parity_memory #(
      .Width (BusWidth),
      .Depth (BusWords),
      .Parity(Parity)
    ) u_words (
      .clk_i,
      .wipe_index_i (wipe_index),
      .write_i      (host_writes[k]),
      .write_index_i(host_index),
      .data_i       (host_data),
      .read_index_i (read_index),
      .data_o       (host_words[k*BusWidth+:BusWidth]),
      .fault_o      (host_faults[k])
    );
  end
  if (!Scaled) begin : gen_no_mhat
    assign host_words[3*BusWidth+:BusWidth] = '0;
    assign host_faults[3] = 1'b0;
  end

  word_converter #(
    .InWidth (BusWidth),
    .OutWidth(WordWidth),
    .InWords (BusWords),
    .OutWords(Words),
    .Cleared (Parity)
  ) u_convert_operand (
    .clk_i,
    .rst_ni  (datapath_rst_n),
    .run_i   (convert),
    .index_o (base_index),
    .data_i  (host_word),
    .valid_o (operand_o.valid),
    .last_o  (operand_o.last),
    .number_o(operand_o.index),
    .data_o  (operand_word_o)
  );

  word_converter #(
    .InWidth (BusWidth),
    .OutWidth(WordWidth),
    .InWords (BusWords),
    .OutWords(Words),
    .Cleared (Parity)
  ) u_convert_modulus (
    .clk_i,
    .rst_ni  (datapath_rst_n),
    .run_i   (convert_m),
    .index_o (m_index),
    .data_i  (host_m),
    .valid_o (m_o.valid),
    .last_o  (m_o.last),
    .number_o(m_o.index),
    .data_o  (m_word_o)
  );

  // -------------------------------------------------------------------------------------- Exponent
  // Timing: register the start, as it comes late in its cycle. Its bits are needed much later.
  logic exponent_start_q, next_bit, exponent_fault;
  assign next_bit = control_i.bit_step && a_ready_i;
  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) exponent_start_q <= 1'b0;
    else exponent_start_q <= start;
  end

  exponent_memory #(
    .BusWidth(BusWidth),
    .Words   (BusWords),
    .Balanced(Balanced),
    .Parity  (Parity)
  ) u_exponent (
    .clk_i,
    .rst_ni      (core_rst_n),
    .wipe_index_i(wipe_index),
    .write_i     (write[ExponentiationAddressExponent]),
    .index_i     (host_index),
    .data_i      (host_data),
    .length_o    (exponent_length),
    .start_i     (exponent_start_q),
    .restart_i   (control_i.rewind),
    .next_i      (next_bit),
    .bit_o       (exponent_o.present),
    .preceding_o (exponent_o.preceding),
    .fault_o     (exponent_fault),
    .position_o  (request_o.position)
  );

  // ------------------------------------------------------------------------------------- Constants
  logic m_prime_wrong;

  if (Scaled) begin : gen_mhat
    assign m_prime_wrong = m_prime_supplied_q && !mhat_same_i;
  end else if (MPrimeBits > 0) begin : gen_m_prime
    logic [MPrimeWords*BusWidth-1:0] m_prime_operand_q;

    always_ff @(posedge clk_i or negedge core_rst_n) begin
      if (!core_rst_n) begin
        m_prime_operand_q <= '0;
      end else begin
        for (int i = 0; i < MPrimeWords; i++) begin
          if (write[ExponentiationAddressMPrime] && (host_index == WordIndexWidth'(i))) begin
            m_prime_operand_q[i*BusWidth+:BusWidth] <= host_data;
          end
        end
      end
    end

    assign m_prime_wrong = m_prime_supplied_q && (inverse_i != m_prime_operand_q[MPrimeBits-1:0]);
    logic unused_top;
    assign unused_top = ^m_prime_operand_q;
  end else begin : gen_no_m_prime
    assign m_prime_wrong = 1'b0;
  end

  assign request_o.m_prime_wrong = m_prime_wrong;

  // ---------------------------------------------------------------------------------------- Result
  logic result_valid, result_write;
  logic [WordIndexWidth-1:0] result_number, result_read, fetch_index, fetch_index_q;
  logic [BusWidth-1:0] result_data;

  word_converter #(
    .InWidth (WordWidth),
    .OutWidth(BusWidth),
    .InWords (ResultWords),
    .OutWords(BusWords),
    .Cleared (Parity)
  ) u_convert_result (
    .clk_i,
    .rst_ni  (datapath_rst_n),
    .run_i   (control_i.deliver),
    .index_o (result_read),
    .data_i  (result_word_i),
    .valid_o (result_valid),
    .last_o  (result_o.last),
    .number_o(result_number),
    .data_o  (result_data)
  );

  // Parity: an upset of the idle converter neither changes the index of other reads, nor writes.
  assign result_o.valid = control_i.deliver;
  assign result_o.index = (Parity && !control_i.deliver) ? '0 : result_read;
  assign result_write = result_valid && (!Parity || control_i.deliver);

  // Hold the read address so that the read data stays stable until the next read.
  assign fetch_index = read[ExponentiationAddressDataResult]
                     ? WordIndexWidth'(result_index) : fetch_index_q;
  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) fetch_index_q <= '0;
    else fetch_index_q <= fetch_index;
  end

  // After the wipe every word has its parity bit.
  assign fault_o = !wipe && ((|(host_faults & host_uses)) || exponent_fault);

  parity_memory #(
    .Width (BusWidth),
    .Depth (BusWords),
    .Parity(Parity)
  ) u_result (
    .clk_i,
    .wipe_index_i (wipe_index),
    .write_i      (result_write),
    .write_index_i(result_number),
    .data_i       (result_data),
    .read_index_i (fetch_index),
    .data_o       (result_word),
    .fault_o      (result_fault)
  );

  logic unused_bits;
  assign unused_bits = ^{
    read, raw, binary, length_q, control_i, pass_i, host_writes, m_prime_supplied_q, inverse_i,
    mhat_same_i
  };

endmodule
