// SPDX-License-Identifier: Apache-2.0
//
// What the bare C++ harnesses share: operands from a file, a clock, and transfers on the loader bus.
// A harness makes the same bus transfers for each operation as the environment's transactor, compares
// the result with the expected value, and does nothing else: the limit for any test bench that
// simulates the same RTL in one thread.
//
// WIDTH and BUS_WIDTH come from the command line of the compiler.

#ifndef LOADER_H
#define LOADER_H

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

constexpr int kWordDigits = BUS_WIDTH / 4;
constexpr int kOperandWords = (WIDTH + BUS_WIDTH - 1) / BUS_WIDTH;
static_assert(BUS_WIDTH <= 32 && BUS_WIDTH % 4 == 0, "the harness drives up to 32 bits a word");

constexpr int kAddressControl = 3;
constexpr uint32_t kCommandStart = 1;
constexpr uint32_t kCommandClear = 3;
constexpr uint32_t kStatusOk = 2;

using Words = std::vector<uint32_t>;

inline Words parse(std::string digits) {
  Words words(kOperandWords, 0);
  digits.insert(0, kOperandWords * kWordDigits - digits.size(), '0');
  for (int i = 0; i < kOperandWords; ++i) {
    words[kOperandWords - 1 - i] =
        static_cast<uint32_t>(std::stoul(digits.substr(i * kWordDigits, kWordDigits), nullptr, 16));
  }
  return words;
}

// Lines of four numbers in hexadecimal, most significant digit first: three operands, the result.
inline std::vector<std::vector<Words>> read_operations(const char* path) {
  std::vector<std::vector<Words>> operations;
  std::ifstream file(path);
  std::string a, b, c, result;
  while (file >> a >> b >> c >> result) {
    operations.push_back({parse(a), parse(b), parse(c), parse(result)});
  }
  return operations;
}

class Bench {
 public:
  Bench() {
    top_->rst_ni = 0;
    clock();
    top_->rst_ni = 1;
    clock();
    begin_ = std::chrono::steady_clock::now();
    cycles_ = 0;
  }

  uint32_t transfer(bool write, int address, uint32_t data) {
    top_->req_i = 1;
    top_->write_i = write;
    top_->addr_i = address;
    top_->wdata_i = data;
    do clock(); while (!top_->ack_o);
    const uint32_t answer = top_->rdata_o;
    top_->req_i = 0;
    clock();
    return answer;
  }

  void load(int address, const Words& words) {
    for (const uint32_t word : words) transfer(true, address, word);
  }

  // Start, wait for the end; false if the status is not OK.
  bool run(uint32_t command = kCommandStart) {
    transfer(true, kAddressControl, command);
    while (!top_->done_o) clock();
    return (transfer(false, kAddressControl, 0) & 15) == kStatusOk;
  }

  bool result_is(int address, const Words& expected) {
    bool equal = true;
    for (const uint32_t word : expected) equal &= transfer(false, address, 0) == word;
    return equal;
  }

  // Prints: operations cycles seconds.
  void report(size_t operations) const {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
    std::printf("%zu %llu %.6f\n", operations, static_cast<unsigned long long>(cycles_),
                seconds.count());
  }

 private:
  void clock() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
    ++cycles_;
  }

  std::unique_ptr<Vtop> top_{new Vtop("")};
  uint64_t cycles_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

#endif  // LOADER_H
