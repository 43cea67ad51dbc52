// SPDX-License-Identifier: Apache-2.0
//
// Runs a program of bus cycles in all lanes: drives the pins, compares them with expected values, and
// injects faults and counts toggles on the way. Python has the same structures in engine.py.
//
// A cycle: pins are driven, faults change the state, resets settle, logic is evaluated, pins are compared,
// and the clock rises.

#include <stdlib.h>

#include "engine.h"

enum { kPins = 4 };  // ack_o, err_o, busy_o, done_o: edges and outputs are numbered so

// Where the ports are among the inputs and outputs; widths in bits.
struct ports {
  int32_t rst, req, write, address, address_bits, data, data_bits, pins[kPins], answer;
};

// One cycle of the bus, the same in all lanes but for the word that is written.
struct step {
  uint8_t reset, request, write, address;
  int32_t phase;
  int32_t word;    // row of `words`, or -1: zero
  int32_t answer;  // row of `answers`, or -1
};

// From this cycle on a pin is expected to be different in the lanes of row `mask` of `masks`.
struct edge {
  int32_t cycle, pin, mask;
};

// A fault of one register in one lane.
enum { kFlip = 0, kHold = 1, kStuck0 = 2, kStuck1 = 3 };
struct upset {
  int32_t cycle, until, reg, lane, kind;  // stuck: in cycles [cycle, until)
};

struct machine {
  struct netlist n;
  vec* before;    // registers in the cycle before
  int disturbed;  // something else than the rising edge changed the registers
};

struct run {
  const struct step* steps;
  const uint32_t* words;  // [rows][limbs][batches][LANES]
  uint32_t* answers;      // [rows][limbs][batches][LANES]
  const struct edge* edges;
  const vec* masks;
  const struct upset* upsets;    // by batch, then by cycle
  const int32_t* upset_begin;    // [batches + 1]: where the faults of a batch begin
  vec* wrong;                    // [batches][phases][kPins]: lanes in which a pin differed
  int32_t* first;                // [batches][kPins]: first cycle in which it did, or -1
  vec* trace;                    // [batches][steps][registers], or null
  vec* outputs;                  // [batches][steps][outputs], or null
  uint32_t* toggles;             // [2][steps][registers]: toggles into a cycle, by class; or null
  uint32_t* differing;           // [steps][registers]: lanes unlike lane 0; or null
  int64_t* distances;            // [2][groups][steps][2]: sum over lanes of a group's toggles into a
                                 // cycle, and of their squares, by class; or null
  int64_t* weights;              // the same of a group's bits that are 1; or null
  const int32_t* members;        // registers of the groups, one group after the other
  const int32_t* group_ends;     // [groups]: where the next group begins in `members`
  const vec* classes;            // [batches]: lanes of the second class
  const vec* initial;            // [registers]: state at the beginning of each batch; or null
  int32_t batches, step_count, edge_count, phases, groups;
};

int32_t lane_count(void) { return LANES; }

static vec* vectors(size_t count) {
  vec* found = aligned_alloc(sizeof(vec), (count + 1) * sizeof(vec));
  if (found) memset(found, 0, count * sizeof(vec));
  return found;
}

struct machine* machine_new(void) {
  struct machine* m = calloc(1, sizeof *m);
  if (!m) return 0;
  m->n = (struct netlist){
      .q = vectors(kRegisters),
      .d = vectors(kRegisters),
      .in = vectors(kInputs),
      .out = vectors(kOutputs),
      .net = vectors(kNets),
      .reset = vectors(kResets),
      .wake = malloc(kSections + 1),
      .moved = malloc((kGroups + 1) * sizeof(int32_t)),
  };
  m->before = vectors(kRegisters);
  m->disturbed = 1;
  return m;
}

void machine_free(struct machine* m) {
  free(m->n.q);
  free(m->n.d);
  free(m->n.in);
  free(m->n.out);
  free(m->n.net);
  free(m->n.reset);
  free(m->n.wake);
  free(m->n.moved);
  free(m->before);
  free(m);
}

int32_t machine_registers(void) { return kRegisters; }

// The state as it is now.
void machine_read(const struct machine* m, vec* state) {
  memcpy(state, m->n.q, kRegisters * sizeof(vec));
}

void machine_write(struct machine* m, const vec* state) {
  memcpy(m->n.q, state, kRegisters * sizeof(vec));
  m->disturbed = 1;
}

// Words of the bus have limbs of 32 bits, `stride` words apart.
//
// Words of 32 lanes beside each other, for all such parts of the lanes at once.
enum { kParts = LANES / 32 };
typedef uint32_t part_vec __attribute__((vector_size(LANES / 8)));
typedef union {
  part_vec rows[32];
  uint32_t words[32][kParts];
} block;

// In each part bit j of row i becomes bit i of row j.
static void transpose(block* b) {
  part_vec* a = b->rows;
  uint32_t mask = 0x0000ffff;
  for (int j = 16; j; j >>= 1, mask ^= mask << j) {
    for (int k = 0; k < 32; k = (k + j + 1) & ~j) {
      const part_vec t = ((a[k] >> j) ^ a[k + j]) & mask;
      a[k] ^= t << j;
      a[k + j] ^= t;
    }
  }
}

static void drive(vec* planes, const uint32_t* words, size_t stride, int bits) {
  block b;
  for (int limb = 0; limb * 32 < bits; ++limb) {
    const int count = bits - limb * 32 < 32 ? bits - limb * 32 : 32;
    for (int part = 0; part < kParts; ++part) {
      for (int i = 0; i < 32; ++i) b.words[i][part] = words[limb * stride + part * 32 + i];
    }
    transpose(&b);
    memcpy(planes + limb * 32, b.rows, count * sizeof(vec));
  }
}

static void capture(const vec* planes, uint32_t* words, size_t stride, int bits) {
  block b;
  for (int limb = 0; limb * 32 < bits; ++limb) {
    const int count = bits - limb * 32 < 32 ? bits - limb * 32 : 32;
    memset(&b, 0, sizeof b);
    memcpy(b.rows, planes + limb * 32, count * sizeof(vec));
    transpose(&b);
    for (int part = 0; part < kParts; ++part) {
      for (int i = 0; i < 32; ++i) words[limb * stride + part * 32 + i] = b.words[i][part];
    }
  }
}

static vec lane_mask(int lane) {
  vec mask = {0};
  mask[lane / 64] = UINT64_C(1) << (lane % 64);
  return mask;
}

static uint32_t ones_of(vec v) {
  uint32_t sum = 0;
  for (int i = 0; i < LANES / 64; ++i) sum += (uint32_t)__builtin_popcountll(v[i]);
  return sum;
}

// A batch of a run: what a cycle needs of it.
struct batch {
  const uint32_t* words;
  uint32_t* answers;
  size_t stride;
  const struct upset *upset, *upset_end;
  vec *wrong, *trace, *outputs;
  int32_t* first;
  vec classes;
};

static void set_pins(const struct ports* p, const struct batch* b, const struct step* s, vec* in) {
  const vec zero = {0}, all = ~zero;
  in[p->rst] = s->reset ? zero : all;
  in[p->req] = s->request ? all : zero;
  in[p->write] = s->write ? all : zero;
  for (int i = 0; i < p->address_bits; ++i) {
    in[p->address + i] = s->address >> i & 1 ? all : zero;
  }
  if (s->word < 0) {
    memset(in + p->data, 0, p->data_bits * sizeof(vec));
  } else {
    const size_t row = (size_t)(p->data_bits + 31) / 32 * b->stride;
    drive(in + p->data, b->words + s->word * row, b->stride, p->data_bits);
  }
}

// Flips of a cycle; returns whether there is one. An asynchronous reset in the same cycle clears them.
static int flip(const struct batch* b, int cycle, vec* q) {
  int found = 0;
  for (const struct upset* u = b->upset; u != b->upset_end && u->cycle <= cycle; ++u) {
    if (u->kind != kFlip || u->cycle != cycle) continue;
    q[u->reg] ^= lane_mask(u->lane);
    found = 1;
  }
  return found;
}

// Stuck bits; returns whether there is one. A reset does not change them.
static int stick(const struct batch* b, int cycle, vec* q) {
  int found = 0;
  for (const struct upset* u = b->upset; u != b->upset_end && u->cycle <= cycle; ++u) {
    if (cycle >= u->until || (u->kind != kStuck0 && u->kind != kStuck1)) continue;
    if (u->kind == kStuck0) q[u->reg] &= ~lane_mask(u->lane);
    if (u->kind == kStuck1) q[u->reg] |= lane_mask(u->lane);
    found = 1;
  }
  return found;
}

// A write that is skipped: the register keeps its value over the clock. Returns whether there is one.
static int hold(const struct batch* b, int cycle, const vec* q, vec* d) {
  int found = 0;
  for (const struct upset* u = b->upset; u != b->upset_end && u->cycle <= cycle; ++u) {
    if (u->kind != kHold || u->cycle != cycle) continue;
    const vec mask = lane_mask(u->lane);
    d[u->reg] = (d[u->reg] & ~mask) | (q[u->reg] & mask);
    found = 1;
  }
  return found;
}

// Faults of earlier cycles that act no more.
static void expire(struct batch* b, int cycle) {
  while (b->upset != b->upset_end && b->upset->cycle < cycle &&
         (b->upset->kind == kFlip || b->upset->kind == kHold)) {
    ++b->upset;
  }
}

// Rising edge: groups that changed take their next values, and what reads them is evaluated.
static void rise(struct netlist* n) {
  for (int i = 0; i < n->moved_count; ++i) {
    const int group = n->moved[i];
    for (int k = group ? kMemberEnd[group - 1] : 0; k < kMemberEnd[group]; ++k) {
      n->q[kMember[k]] = n->d[kMember[k]];
    }
    for (int k = group ? kReaderEnd[group - 1] : 0; k < kReaderEnd[group]; ++k) {
      n->wake[kReader[k]] = 1;
    }
  }
  n->moved_count = 0;
}

static void count_differing(const vec* q, uint32_t* sums) {
  const vec zero = {0};
  for (int i = 0; i < kRegisters; ++i) sums[i] += ones_of(q[i] ^ (q[i][0] & 1 ? ~zero : zero));
}

static void count_toggles(const vec* q, const vec* before, vec second, uint32_t* first_sums,
                          uint32_t* second_sums) {
  for (int i = 0; i < kRegisters; ++i) {
    const vec toggled = q[i] ^ before[i];
    if (!any(toggled)) continue;
    const uint32_t seconds = ones_of(toggled & second);
    first_sums[i] += ones_of(toggled) - seconds;
    second_sums[i] += seconds;
  }
}

// Sum and carry of three bits.
static inline void add3(vec* sum, vec* carry, vec a, vec b, vec c) {
  const vec u = a ^ b;
  *carry = (a & b) | (u & c);
  *sum = u ^ c;
}

// Number of bits that are 1 in each lane, as binary numbers of kPlanes bits, lowest plane first.
enum { kPlanes = 16 };

static inline void add_carry(vec* planes, int k, vec carry) {
  for (; k < kPlanes && any(carry); ++k) {
    const vec next = planes[k] & carry;
    planes[k] ^= carry;
    carry = next;
  }
}

// Adds the members' bits, or with `before` their toggles.
static inline void add_bits(const vec* q, const vec* before, const int32_t* member, int count,
                            vec* planes) {
#define BIT(i) (before ? q[member[i]] ^ before[member[i]] : q[member[i]])
  int i = 0;
  for (; i + 2 < count; i += 3) {
    vec sum, carry;
    add3(&sum, &carry, BIT(i), BIT(i + 1), BIT(i + 2));
    const vec first = planes[0] & sum;
    planes[0] ^= sum;
    add3(planes + 1, &carry, planes[1], carry, first);
    add_carry(planes, 2, carry);
  }
  for (; i < count; ++i) add_carry(planes, 0, BIT(i));
#undef BIT
}

// Sum of the numbers in the chosen lanes, and of their squares.
static void add_squares(const vec* planes, vec chosen, int64_t* sums) {
  for (int j = 0; j < kPlanes; ++j) {
    const vec plane = planes[j] & chosen;
    if (!any(plane)) continue;
    const int64_t ones = ones_of(plane);
    sums[0] += ones << j;
    sums[1] += ones << 2 * j;
    for (int k = 0; k < j; ++k) sums[1] += (int64_t)ones_of(plane & planes[k]) << (j + k + 1);
  }
}

static inline void count_groups(const struct run* r, const struct batch* b, int cycle, const vec* q,
                                const vec* before, int64_t* sums) {
  int begin = 0;
  for (int group = 0; group < r->groups; begin = r->group_ends[group++]) {
    vec planes[kPlanes];
    memset(planes, 0, sizeof planes);
    add_bits(q, before, r->members + begin, r->group_ends[group] - begin, planes);
    int64_t* row = sums + 2 * ((size_t)group * r->step_count + cycle);
    add_squares(planes, ~b->classes, row);
    add_squares(planes, b->classes, row + 2 * (size_t)r->groups * r->step_count);
  }
}

static void observe(const struct run* r, const struct batch* b, int cycle, const vec* q,
                    const vec* before) {
  const size_t row = (size_t)cycle * kRegisters, rows = (size_t)r->step_count * kRegisters;
  if (b->trace) memcpy(b->trace + row, q, kRegisters * sizeof(vec));
  if (r->differing) count_differing(q, r->differing + row);
  if (r->toggles && cycle > 0) {
    count_toggles(q, before, b->classes, r->toggles + row, r->toggles + rows + row);
  }
  if (r->distances && cycle > 0) count_groups(r, b, cycle, q, before, r->distances);
  if (r->weights) count_groups(r, b, cycle, q, 0, r->weights);
}

static int same_pins(const struct step* a, const struct step* b) {
  return a->reset == b->reset && a->request == b->request && a->write == b->write &&
         a->address == b->address && a->word == b->word;
}

static void run_batch(struct machine* m, const struct ports* p, const struct run* r,
                      struct batch* b) {
  vec expected[kPins];
  memset(expected, 0, sizeof expected);
  const size_t row = (size_t)(p->data_bits + 31) / 32 * b->stride;
  const int observed = b->trace || r->toggles || r->differing || r->distances || r->weights;
  struct netlist* n = &m->n;
  int next = 0;
  for (int cycle = 0; cycle < r->step_count; ++cycle) {
    const struct step* s = r->steps + cycle;
    if (cycle == 0 || !same_pins(s, s - 1)) {
      set_pins(p, b, s, n->in);
      for (int k = 0; k < kInputReaderEnd[0]; ++k) n->wake[kInputReader[k]] = 1;
    }
    expire(b, cycle);
    m->disturbed |= flip(b, cycle, n->q) | stick(b, cycle, n->q);
    if (netlist_reset(n, m->disturbed)) memset(n->wake, 1, kSections);
    stick(b, cycle, n->q);
    if (observed) observe(r, b, cycle, n->q, m->before);
    netlist_eval(n);
    if (b->outputs) memcpy(b->outputs + cycle * kOutputs, n->out, kOutputs * sizeof(vec));
    for (; next < r->edge_count && r->edges[next].cycle <= cycle; ++next) {
      expected[r->edges[next].pin] ^= r->masks[r->edges[next].mask];
    }
    for (int pin = 0; pin < kPins; ++pin) {
      const vec differs = n->out[p->pins[pin]] ^ expected[pin];
      if (!any(differs)) continue;
      if (b->first[pin] < 0) b->first[pin] = cycle;
      b->wrong[s->phase * kPins + pin] |= differs;
    }
    if (s->answer >= 0) {
      capture(n->out + p->answer, b->answers + s->answer * row, b->stride, p->data_bits);
    }
    m->disturbed = hold(b, cycle, n->q, n->d);
    if (r->toggles || r->distances) memcpy(m->before, n->q, kRegisters * sizeof(vec));
    rise(n);
  }
}

void machine_run(struct machine* m, const struct ports* p, const struct run* r) {
  const size_t states = (size_t)r->step_count * kRegisters;
  const size_t outputs = (size_t)r->step_count * kOutputs;
  for (int i = 0; i < r->batches; ++i) {
    struct batch b = {
        .words = r->words + (size_t)i * LANES,
        .answers = r->answers + (size_t)i * LANES,
        .stride = (size_t)r->batches * LANES,
        .upset = r->upsets + r->upset_begin[i],
        .upset_end = r->upsets + r->upset_begin[i + 1],
        .wrong = r->wrong + (size_t)i * r->phases * kPins,
        .first = r->first + i * kPins,
        .trace = r->trace ? r->trace + i * states : 0,
        .outputs = r->outputs ? r->outputs + i * outputs : 0,
        .classes = r->classes[i],
    };
    if (r->initial) machine_write(m, r->initial);
    run_batch(m, p, r, &b);
  }
}
