// SPDX-License-Identifier: Apache-2.0
//
// Zero-delay simulation of a mapped netlist, 64 operations beside each other, with the toggles of each
// net. Python has the same structures in simulate.py.
//
// Each net settles once a cycle, so that no net toggles twice between two edges of the clock.

#include <stdint.h>
#include <string.h>

enum { kInputs = 6 };

// Tables have a bit for each assignment; the first input is the lowest bit of the assignment.
struct gate {
  uint64_t table;
  int32_t count, out, in[kInputs];
};

// The last input is the state itself.
struct flip_flop {
  uint64_t next_state, clear, preset;
  int32_t count, out, in[kInputs];
};

struct design {
  const struct gate* gates;  // inputs before the gates that read them
  const struct flip_flop* flip_flops;
  uint64_t *net, *next;
  uint8_t* changed;
  int64_t* toggles;
  int32_t gate_count, flip_flop_count, net_count, counting;
};

static uint64_t look_up(uint64_t table, const int32_t* in, int count, const uint64_t* net) {
  uint64_t rows[1 << (kInputs - 1)];
  if (count == 0) return table & 1 ? ~UINT64_C(0) : 0;
  const uint64_t first = net[in[0]];
  for (int i = 0; i < 1 << (count - 1); ++i) {
    rows[i] = (table >> 2 * i & 1 ? ~first : 0) | (table >> (2 * i + 1) & 1 ? first : 0);
  }
  for (int k = 1; k < count; ++k) {
    const uint64_t chosen = net[in[k]];
    for (int i = 0; i < 1 << (count - 1 - k); ++i) {
      rows[i] = (rows[2 * i] & ~chosen) | (rows[2 * i + 1] & chosen);
    }
  }
  return rows[0];
}

static int set(struct design* d, int net, uint64_t value) {
  const uint64_t differs = d->net[net] ^ value;
  if (!differs) return 0;
  d->net[net] = value;
  d->changed[net] = 1;
  if (d->counting) d->toggles[net] += __builtin_popcountll(differs);
  return 1;
}

static void settle_gates(struct design* d) {
  for (int i = 0; i < d->gate_count; ++i) {
    const struct gate* g = d->gates + i;
    int changed = 0;
    for (int k = 0; k < g->count; ++k) changed |= d->changed[g->in[k]];
    if (changed) set(d, g->out, look_up(g->table, g->in, g->count, d->net));
  }
  memset(d->changed, 0, d->net_count);
}

static uint64_t forced(const struct design* d, const struct flip_flop* f, uint64_t value) {
  if (f->clear) value &= ~look_up(f->clear, f->in, f->count, d->net);
  if (f->preset) value |= look_up(f->preset, f->in, f->count, d->net);
  return value;
}

void drive(struct design* d, int32_t net, uint64_t value) { set(d, net, value); }

// Gates and asynchronous resets settle. Returns 0 if the resets do not.
int32_t settle(struct design* d) {
  for (int round = 0; round < 8; ++round) {
    int changed = 0;
    settle_gates(d);
    for (int i = 0; i < d->flip_flop_count; ++i) {
      const struct flip_flop* f = d->flip_flops + i;
      if (f->clear || f->preset) changed |= set(d, f->out, forced(d, f, d->net[f->out]));
    }
    if (!changed) return 1;
  }
  return 0;
}

static void rise(struct design* d) {
  for (int i = 0; i < d->flip_flop_count; ++i) {
    const struct flip_flop* f = d->flip_flops + i;
    d->next[i] = forced(d, f, look_up(f->next_state, f->in, f->count, d->net));
  }
  for (int i = 0; i < d->flip_flop_count; ++i) set(d, d->flip_flops[i].out, d->next[i]);
}

int32_t cycles(struct design* d, int32_t count) {
  for (int i = 0; i < count; ++i) {
    if (!settle(d)) return 0;
    rise(d);
  }
  return 1;
}
