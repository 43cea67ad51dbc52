import csv

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def reads(dut):
    with open("vectors.csv") as file:
        rows = [tuple(map(int, row)) for row in csv.reader(file)]
    with open("seen.txt", "w") as seen:
        for address, wanted in rows:
            dut.address.value = address
            await Timer(1, "ns")
            seen.write(f"{address} {dut.word.value}\n")
            assert dut.word.value == wanted
