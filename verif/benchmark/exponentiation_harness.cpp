// SPDX-License-Identifier: Apache-2.0
//
// Bare C++ harness of the exponentiation core; R**2 and m' are computed on chip.
//
// usage: harness OPERANDS   lines "base exponent modulus result"

#include "loader.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto operations = read_operations(argv[1]);
  Bench bench;
  for (const auto& operation : operations) {
    for (int address = 0; address < 3; ++address) bench.load(address, operation[address]);
    if (!bench.run()) {
      std::cerr << "status is not OK\n";
      return 1;
    }
    if (!bench.result_is(0, operation[3])) {
      std::cerr << "wrong result\n";
      return 1;
    }
    bench.transfer(true, kAddressControl, kCommandClear);
  }
  bench.report(operations.size());
  return operations.empty();
}
