// SPDX-License-Identifier: Apache-2.0
//
// Every operand pair of many moduli through the loader bus: P by arithmetic of its own, S and C against
// the model's.
//
// usage: harness FILE RADIX_BITS BINARY_RADIX_BITS
//
// FILE has a block of 32-bit words for each modulus: M, 1 for polynomials over GF(2) else 0, the bound of
// X and Y; then S and C of each pair, X slowest. Prints operations, cycles and seconds; exit code 1 with
// the operands when something differs.

#include "loader.h"

constexpr uint32_t kCommandStartBinary = 5;

// a*b, of polynomials or numbers.
static uint64_t product(uint64_t a, uint64_t b, bool binary) {
  if (!binary) return a * b;
  uint64_t sum = 0;
  for (int i = 0; i < 32; ++i) {
    if (b >> i & 1) sum ^= a << i;
  }
  return sum;
}

// value mod m, likewise.
static uint64_t remainder(uint64_t value, uint64_t m, bool binary) {
  if (!binary) return value % m;
  const int degree = 63 - __builtin_clzll(m);
  for (int i = 63; i >= degree; --i) {
    if (value >> i & 1) value ^= m << (i - degree);
  }
  return value;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const int radix_bits[] = {std::stoi(argv[2]), std::stoi(argv[3])};
  const auto word = [&file]() {
    uint32_t value = 0;
    file.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  };
  Bench bench;
  size_t operations = 0;
  while (file.peek() != std::ifstream::traits_type::eof()) {
    const uint32_t m = word();
    const bool binary = word() != 0;
    const uint32_t bound = word();
    bench.transfer(true, 2, m);
    for (uint32_t x = 0; x < bound; ++x) {
      bench.transfer(true, 0, x);
      for (uint32_t y = 0; y < bound; ++y) {
        bench.transfer(true, 1, y);
        const bool ok = bench.run(binary ? kCommandStartBinary : kCommandStart);
        const uint32_t p = bench.transfer(false, 0, 0);
        const uint32_t s = bench.transfer(false, 1, 0);
        const uint32_t c = bench.transfer(false, 2, 0);
        const uint32_t model_s = word();
        const uint32_t model_c = word();
        const bool right = remainder(p, m, binary) == p &&
                           remainder(static_cast<uint64_t>(p) << radix_bits[binary], m, binary) ==
                               remainder(product(x, y, binary), m, binary);
        if (!file || !ok || !right || s != model_s || c != model_c) {
          std::cout << (binary ? "GF(2^n), " : "") << "X = " << x << ", Y = " << y << ", M = " << m
                    << ": " << (ok ? "" : "status is not OK, ") << "P = " << p
                    << (right ? "" : " is wrong") << ", S = " << s << ", C = " << c
                    << ", the model's are " << model_s << ", " << model_c << "\n";
          return 1;
        }
        ++operations;
      }
    }
  }
  bench.report(operations);
  return operations == 0;
}
