// SPDX-License-Identifier: Apache-2.0
//
// Bare C++ harness of the multiplier: the same bus transfers for each product as the environment's
// transactor makes, P compared with the expected value, nothing else. The limit for any test bench
// that simulates the same RTL in one thread.
//
// usage: harness OPERANDS   lines "x y m p" in hexadecimal, most significant digit first
// prints: products clocks seconds

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

namespace {

constexpr int kWordDigits = BUS_WIDTH / 4;
constexpr int kOperandWords = (WIDTH + BUS_WIDTH - 1) / BUS_WIDTH;
constexpr int kResultWords = (WIDTH + 2 + BUS_WIDTH - 1) / BUS_WIDTH;
static_assert(BUS_WIDTH <= 32 && BUS_WIDTH % 4 == 0, "the harness drives up to 32 bits a word");

using Words = std::vector<uint32_t>;

Words parse(std::string digits) {
  Words words(kOperandWords, 0);
  digits.insert(0, kOperandWords * kWordDigits - digits.size(), '0');
  for (int i = 0; i < kOperandWords; ++i) {
    words[kOperandWords - 1 - i] =
        static_cast<uint32_t>(std::stoul(digits.substr(i * kWordDigits, kWordDigits), nullptr, 16));
  }
  return words;
}

struct Bench {
  std::unique_ptr<Vtop> top{new Vtop("")};
  uint64_t clocks = 0;

  void clock() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
    ++clocks;
  }

  uint32_t transfer(bool write, int select, uint32_t data) {
    top->req_i = 1;
    top->write_i = write;
    top->sel_i = select;
    top->wdata_i = data;
    do clock(); while (!top->ack_o);
    const uint32_t answer = top->rdata_o;
    top->req_i = 0;
    clock();
    return answer;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::vector<std::vector<Words>> products;
  std::ifstream file(argv[1]);
  std::string x, y, m, p;
  while (file >> x >> y >> m >> p) products.push_back({parse(x), parse(y), parse(m), parse(p)});

  Bench bench;
  bench.top->rst_ni = 0;
  bench.clock();
  bench.top->rst_ni = 1;
  bench.clock();
  const auto begin = std::chrono::steady_clock::now();
  bench.clocks = 0;
  for (const auto& product : products) {
    for (int select = 0; select < 3; ++select) {
      for (const uint32_t word : product[select]) bench.transfer(true, select, word);
    }
    bench.transfer(true, 3, 1);
    while (!bench.top->done_o) bench.clock();
    if ((bench.transfer(false, 3, 0) & 15) != 2) {
      std::cerr << "status is not OK\n";
      return 1;
    }
    for (int select = 1; select < 3; ++select) {
      for (int i = 0; i < kResultWords; ++i) bench.transfer(false, select, 0);
    }
    for (int i = 0; i < kOperandWords; ++i) {
      if (bench.transfer(false, 0, 0) != product[3][i]) {
        std::cerr << "wrong product\n";
        return 1;
      }
    }
    bench.transfer(true, 3, 3);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%zu %llu %.6f\n", products.size(), static_cast<unsigned long long>(bench.clocks),
              seconds.count());
  return products.empty();
}
