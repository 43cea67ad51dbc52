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
    for (int select = 0; select < 3; ++select) bench.load(select, product[select]);
    if (!bench.run()) {
      std::cerr << "status is not OK\n";
      return 1;
    }
    for (int select = 1; select < 3; ++select) {
      for (int i = 0; i < kResultWords; ++i) bench.transfer(false, select, 0);
    }
    if (!bench.result_is(0, product[3])) {
      std::cerr << "wrong product\n";
      return 1;
    }
    bench.transfer(true, kSelectControl, kCommandClear);
  }
  bench.report(products.size());
  return products.empty();
}
