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

// Bits of the state, of the inputs and of the outputs, in the order of the netlist.
extern const int32_t kRegisters, kInputs, kOutputs, kNets, kResets;

// Sets the registers that are in reset to their reset values; `reset` then has each reset net.
void netlist_reset(vec* restrict q, const vec* restrict in, vec* restrict reset);
// A register that is in reset when the clock rises takes its reset value.
void netlist_keep_reset(vec* restrict d, const vec* restrict reset);
// Outputs and the next state of a settled state.
void netlist_eval(const vec* restrict q, vec* restrict d, const vec* restrict in,
                  vec* restrict out, vec* restrict net);

#endif  // ENGINE_H
