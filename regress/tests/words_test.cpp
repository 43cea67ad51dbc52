// SPDX-License-Identifier: Apache-2.0
//
// Compares verilator_words.h with Verilator's own operations, for every width up to seven words;
// prints the comparisons made, or the first that differs.

#include "verilated.h"

static WDataOutP usual_concat(int obits, int lbits, int rbits, WDataOutP owp, WDataInP const lwp,
                              IData rd) {
  return VL_CONCAT_WWI(obits, lbits, rbits, owp, lwp, rd);
}
static WDataOutP usual_replicate(int lbits, WDataOutP owp, IData ld, IData rep) {
  return VL_REPLICATE_WII(lbits, owp, ld, rep);
}

#include "verilator_words.h"

#include <algorithm>
#include <cstdio>
#include <random>

constexpr int Words = 7;
constexpr int Bits = Words * VL_EDATASIZE;

// One word more than the widest, to detect writes after the end.
struct Pair {
  EData usual[Words + 1], quick[Words + 1];

  Pair() { std::fill_n(usual, Words + 1, 0xa5a5a5a5), std::fill_n(quick, Words + 1, 0xa5a5a5a5); }
  bool same() const { return std::equal(usual, usual + Words + 1, quick); }
};

int main() {
  std::mt19937 random(1);
  int compared = 0;
  for (int right = 1; right <= VL_EDATASIZE; ++right) {
    const IData value = random() & VL_MASK_I(right);
    for (int left = 2 * VL_EDATASIZE + 1 - right; left + right <= Bits; ++left) {
      EData words[Words];
      std::generate_n(words, Words, random);
      words[VL_WORDS_I(left) - 1] &= VL_MASK_E(left);
      Pair pair;
      usual_concat(left + right, left, right, pair.usual, words, value);
      VL_CONCAT_WWI(left + right, left, right, pair.quick, words, value);
      if (!pair.same()) return std::printf("{%d bits, %d bits} differs\n", left, right), 1;
      ++compared;
    }
    for (int copies = 2 * VL_EDATASIZE / right + 1; copies * right <= Bits; ++copies) {
      Pair pair;
      usual_replicate(right, pair.usual, value, copies);
      VL_REPLICATE_WII(right, pair.quick, value, copies);
      if (!pair.same()) return std::printf("{%d{%d bits}} differs\n", copies, right), 1;
      ++compared;
    }
  }
  std::printf("%d\n", compared);
}
