"""Benches of adders and of the pipelined multiplier that a core instantiates."""

from __future__ import annotations

import cocotb

from verif.bench.blocks.bench import BlockBench


@cocotb.test()
async def carry_save_adder(_: object) -> None:
    """Sum and carry have the value of the three operands."""
    bench = BlockBench()
    width = len(bench.dut.a_i)
    for _cycle in range(bench.cycles):
        a, b, c = (bench.value(width) for _operand in range(3))
        bench.drive(a=a, b=b, c=c)
        await bench.settle()
        bench.check("sum + carry", bench.output("sum") + bench.output("carry"), a + b + c)
    bench.end()


@cocotb.test()
async def carry_select_adder(_: object) -> None:
    """The sum has the value of both operands and the carry."""
    bench = BlockBench()
    width = len(bench.dut.a_i)
    for cycle in range(bench.cycles):
        a, b, carry = bench.value(width), bench.value(width), cycle % 2
        if cycle % 4 < 2:
            b = (1 << width) - 1 - a  # the carry passes all segments, or none
        bench.drive(a=a, b=b, carry=carry)
        await bench.settle()
        bench.check("sum", bench.output("sum"), a + b + carry)
    bench.end()


@cocotb.test()
async def pipelined_multiplier(_: object) -> None:
    """A product appears Stages cycles after its operands, and one cycle earlier at early_o."""
    bench = BlockBench()
    stages = int(bench.dut.Stages.value)
    await bench.start(a=0, b=0)
    products = [0] * (stages + 1)
    for _cycle in range(bench.cycles):
        a, b = bench.value(len(bench.dut.a_i)), bench.value(len(bench.dut.b_i))
        bench.drive(a=a, b=b)
        products = [a * b, *products[:stages]]
        await bench.settle()
        bench.check("product", bench.output("product"), products[stages])
        bench.check("early product", bench.output("early"), products[max(0, stages - 1)])
        await bench.cycle()
    bench.end()


@cocotb.test()
async def stream_adder(_: object) -> None:
    """Words of A + B and A + B - M, and the choice of the residue."""
    bench = BlockBench()
    word = len(bench.dut.a_i)
    await bench.start(valid=0, first=0, last=0, carry=0, index=0, a=0, b=0, m=0)
    for _pass in range(bench.cycles):
        words = bench.random.randint(1, 4)
        # Limit M so that A + B, which is below 2*M, fits into the words.
        m = bench.random.randint(1, (1 << word * words - 1) - 1)
        a, b = bench.random.randrange(m), bench.random.randrange(m)
        sums, differences = [], []
        for cycle in range(words + 2):
            at, valid = word * cycle, cycle < words
            bench.drive(valid=valid, first=cycle == 0, last=cycle == words - 1, index=cycle)
            bench.drive(**{n: v >> at & (1 << word) - 1 for n, v in (("a", a), ("b", b), ("m", m))})
            await bench.cycle()
            if bench.output("valid"):
                sums.append(bench.output("sum"))
                differences.append(bench.output("difference"))
        await bench.cycle()
        whole = (1 << word * words) - 1
        for name, seen, value in (("A+B", sums, a + b), ("A+B-M", differences, a + b - m)):
            joined = sum(part << word * i for i, part in enumerate(seen))
            bench.check(f"{name} of a={a:#x} b={b:#x} m={m:#x}", joined, value & whole)
        bench.check("negative", bench.output("negative"), a + b < m)
        bench.check("above_one", bench.output("above_one"), m > 1)
        bench.check("one", bench.output("one"), (a + b) % m == 1)
    bench.end()
