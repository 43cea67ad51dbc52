// SPDX-License-Identifier: Apache-2.0
//
// Bare C++ harness of the multiplier.
//
// usage: harness OPERANDS   lines "x y m p"

#include "loader.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  constexpr int kResultWords = (WIDTH + 2 + BUS_WIDTH - 1) / BUS_WIDTH;
  const auto products = read_operations(argv[1]);
  Bench bench;
  for (const auto& product : products) {
    for (int address = 0; address < 3; ++address) bench.load(address, product[address]);
    if (!bench.run()) {
      std::cerr << "status is not OK\n";
      return 1;
    }
    for (int address = 1; address < 3; ++address) {
      for (int i = 0; i < kResultWords; ++i) bench.transfer(false, address, 0);
    }
    if (!bench.result_is(0, product[3])) {
      std::cerr << "wrong product\n";
      return 1;
    }
    bench.transfer(true, kAddressControl, kCommandClear);
  }
  bench.report(products.size());
  return products.empty();
}
