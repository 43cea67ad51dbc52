// SPDX-License-Identifier: Apache-2.0
//
// What the generated netlist and the runtime share: a vector of lanes, and the netlist's functions.

#ifndef ENGINE_H
#define ENGINE_H

#include <stdint.h>
#include <string.h>

// As many lanes as a register of the machine has bits.
#if defined(__AVX512F__)
#include <immintrin.h>
#define LANES 512
#elif defined(__AVX2__)
#define LANES 256
#else
#define LANES 128
#endif

typedef uint64_t vec __attribute__((vector_size(LANES / 8)));

#if defined(__AVX512F__)
#define TERNARY(a, b, c, table, otherwise) \
  ((vec)_mm512_ternarylogic_epi64((__m512i)(c), (__m512i)(b), (__m512i)(a), table))
#else
#define TERNARY(a, b, c, table, otherwise) (otherwise)
#endif

// The bits of `changed`, and those in which a and b differ.
#define CHANGED(changed, a, b) TERNARY(changed, a, b, 0xbe, (changed) | ((a) ^ (b)))

static inline int any(vec v) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#else
  uint64_t all = 0;
  for (int i = 0; i < LANES / 64; ++i) all |= v[i];
  return all != 0;
#endif
}

// Bits of the state, of the inputs and of the outputs, in the order of the netlist.
extern const int32_t kRegisters, kInputs, kOutputs, kNets, kResets, kSections, kGroups;
// Registers of each group, sections that read them, and sections that read inputs, with the end of each list.
extern const int32_t kMemberEnd[], kMember[], kReaderEnd[], kReader[], kInputReaderEnd[], kInputReader[];

// The logic has sections. A section is evaluated if a value that it reads changed.
struct netlist {
  vec *q, *d;          // registers: as they are, and their next values
  vec *in, *out;       // pins
  vec* net;            // values that pass between sections
  vec* reset;          // reset nets
  uint8_t* wake;       // sections to be evaluated
  int32_t* moved;      // groups of registers that change at the next rising edge
  int32_t moved_count;
};

// Finds the reset nets. If one changed, or the state is `disturbed`, sets the registers that are in reset to
// their reset values, and returns 1: all sections are to be evaluated.
int netlist_reset(struct netlist* n, int disturbed);
// Outputs and the next state of a settled state.
void netlist_eval(struct netlist* n);

#endif  // ENGINE_H
