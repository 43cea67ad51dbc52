// SPDX-License-Identifier: Apache-2.0
//
// Two of Verilator's operations on words of more than 64 bits, in a form the C++ compiler makes
// vector instructions of. Verilator 5.48 goes through a routine for any shift, a word of 32 bits
// after the other and each read back: a carry of 1024 positions shifted by one takes it longer than
// the adder. Included in front of a design's C++, whose calls come here.

#ifndef REGRESS_VERILATOR_WORDS_H_
#define REGRESS_VERILATOR_WORDS_H_

#include "verilated.h"

// {lwp, rd}: lbits in front of rbits, 1 to 32. As for Verilator's own, what lies above them is 0.
static inline WDataOutP quick_concat_wwi(int obits, int lbits, int rbits, WDataOutP owp,
                                         WDataInP const lwp, IData rd) {
  const int words = VL_WORDS_I(obits);
  const int left_words = VL_WORDS_I(lbits);
  const int over = VL_EDATASIZE - rbits;
  if (over == 0) {
    owp[0] = rd;
    for (int i = 1; i < words; ++i) owp[i] = lwp[i - 1];
    return owp;
  }
  owp[0] = (lwp[0] << rbits) | rd;
  for (int i = 1; i < left_words; ++i) owp[i] = (lwp[i] << rbits) | (lwp[i - 1] >> over);
  if (words > left_words) owp[left_words] = lwp[left_words - 1] >> over;
  return owp;
}

// {rep{ld}}, lbits each, 1 to 32: a bit for many positions comes as a word of its copies.
static inline WDataOutP quick_replicate_wii(int lbits, WDataOutP owp, IData ld, IData rep) {
  if (lbits == VL_EDATASIZE) {
    for (IData i = 0; i < rep; ++i) owp[i] = ld;
    return owp;
  }
  QData ahead = 0;
  int bits = 0, word = 0;
  for (IData i = 0; i < rep; ++i) {
    ahead |= static_cast<QData>(ld) << bits;
    bits += lbits;
    if (bits >= VL_EDATASIZE) {
      owp[word++] = static_cast<EData>(ahead);
      ahead >>= VL_EDATASIZE;
      bits -= VL_EDATASIZE;
    }
  }
  if (bits) owp[word] = static_cast<EData>(ahead);
  return owp;
}

#define VL_CONCAT_WWI quick_concat_wwi
#define VL_REPLICATE_WII quick_replicate_wii

#endif  // REGRESS_VERILATOR_WORDS_H_
