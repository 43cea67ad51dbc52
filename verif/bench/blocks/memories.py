"""Benches of memories."""

from __future__ import annotations

import cocotb

from verif.bench.blocks.bench import BlockBench


@cocotb.test()
async def word_memory(_: object) -> None:
    """A read returns the written word, also in the cycle of the write; wiped words read as 0."""
    bench = BlockBench()
    width, depth = len(bench.dut.data_i), int(bench.dut.Depth.value)
    words = [0] * depth
    await bench.start(write=0, write_index=0, wipe_index=0, read_index=0, data=0)
    for index in range(depth):
        bench.drive(wipe_index=index)
        await bench.cycle()
    for _cycle in range(bench.cycles):
        write, read, data = bench.random.random() < 0.5, bench.random.randrange(depth + 1), 0
        if write:
            index, data = bench.random.randrange(depth), bench.value(width)
            words[index] = data
            bench.drive(write_index=index)
        else:
            index = bench.random.randrange(depth)
            words[index] = 0
            bench.drive(wipe_index=index)
        bench.drive(write=write, data=data, read_index=read)
        await bench.cycle()
        bench.check(f"word {read}", bench.output("data"), words[read] if read < depth else 0)
    bench.end()


@cocotb.test()
async def parity_memory(_: object) -> None:
    """A stored word is right; it has a fault after one of its bits, or its parity bit, flips."""
    bench = BlockBench()
    width, depth = len(bench.dut.data_i), int(bench.dut.Depth.value)
    stored = bench.dut.u_memory.words
    await bench.start(write=0, write_index=0, wipe_index=0, read_index=0, data=0)
    for _cycle in range(bench.cycles):
        index, data = bench.random.randrange(depth), bench.value(width)
        bench.drive(write=1, write_index=index, data=data, read_index=index)
        await bench.cycle()
        bench.check(f"word {index}", bench.output("data"), data)
        bench.check(f"fault of word {index}", bench.output("fault"), 0)
        bench.drive(write=0, wipe_index=depth)
        flipped = int(stored[index].value) ^ 1 << bench.random.randrange(width + 1)
        stored[index].value = flipped
        await bench.cycle()
        bench.check(f"flipped word {index}", bench.output("data"), flipped & (1 << width) - 1)
        bench.check(f"fault of flipped word {index}", bench.output("fault"), 1)
    bench.end()


@cocotb.test()
async def operand_memory(_: object) -> None:
    """A value is written in words of one width and read in words of another."""
    bench = BlockBench()
    into, out = len(bench.dut.data_i), len(bench.dut.data_o)
    bits = int(bench.dut.Bits.value)
    await bench.start(write=0, write_index=0, data=0, read=0, read_index=0)
    for _value in range(bench.cycles):
        value = bench.value(bits)
        for index in range(-(-bits // into)):
            bench.drive(write=1, write_index=index, data=value >> index * into & (1 << into) - 1)
            await bench.cycle()
        bench.drive(write=0, read=1)
        for index in range(-(-bits // out)):
            bench.drive(read_index=index)
            await bench.cycle()
            expected = value >> index * out & (1 << out) - 1
            bench.check(f"word {index} of {value:#x}", bench.output("data"), expected)
        bench.drive(read=0)
    bench.end()


@cocotb.test()
async def delay_line(_: object) -> None:
    """Data leaves Cycles cycles of run_i after it entered; before that, the output is zero."""
    bench = BlockBench()
    width, length = len(bench.dut.data_i), int(bench.dut.Cycles.value)
    await bench.start(run=1, few=0, data=0)
    for _cycle in range(length + 1):  # a long line first overwrites its memory's old contents
        await bench.cycle()
    line = [0] * length
    for _cycle in range(bench.cycles):
        data = bench.value(width)
        bench.drive(data=data)
        await bench.cycle()
        line = [data, *line[:-1]]
        bench.check("data", bench.output("data"), line[-1])
    bench.end()
