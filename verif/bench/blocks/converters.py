"""Benches of the blocks that convert words of one width into words of another."""

from __future__ import annotations

import cocotb

from verif.bench.blocks.bench import BlockBench


@cocotb.test()
async def word_converter(_: object) -> None:
    """Output words of OutWidth bits have the value of the input words of InWidth bits."""
    bench = BlockBench()
    into, out = len(bench.dut.data_i), len(bench.dut.data_o)
    words = int(bench.dut.InWords.value)
    await bench.start(run=0, data=0)
    for _value in range(bench.cycles):
        value, result, last = bench.value(into * words), 0, 0
        bench.drive(run=1)
        while not last:
            # The memory delivers the word addressed in the previous cycle.
            index = bench.output("index")
            await bench.cycle()
            bench.drive(data=value >> index * into & (1 << into) - 1 if index < words else 0)
            await bench.settle()
            if bench.output("valid"):
                result |= bench.output("data") << bench.output("number") * out
            last = bench.output("last")
        whole = (1 << int(bench.dut.OutWords.value) * out) - 1
        bench.check("value", result, value & whole)
        await bench.cycle()
        bench.drive(run=0)
        await bench.cycle()
    bench.end()


@cocotb.test()
async def word_splitter(_: object) -> None:
    """The low bits leave as one value, the bits above them as words."""
    bench = BlockBench()
    word, low = len(bench.dut.word_i), int(bench.dut.LowBits.value)
    upper = int(bench.dut.Words.value)
    words = -(-low // word) + upper
    await bench.start(valid=0, first=0, keep=0, word=0)
    for _value in range(bench.cycles):
        value, result, last = bench.value(word * words), 0, 0
        for index in range(words + 1):
            bits = value >> index * word & (1 << word) - 1 if index < words else 0
            bench.drive(valid=1, first=index == 0, word=bits)
            await bench.settle()
            if bench.output("valid"):
                result |= bench.output("word") << bench.output("index") * word
                last = bench.output("last")
            await bench.cycle()
            if last:
                break
        bench.drive(valid=0)
        await bench.cycle()
        bench.check("low bits", bench.output("low"), value & (1 << low) - 1)
        bench.check("upper words", result, value >> low & (1 << upper * word) - 1)
    bench.end()


@cocotb.test()
async def digit_converter(_: object) -> None:
    """Digits of an operand, the least significant first, two or more cycles apart."""
    bench = BlockBench()
    word, digit = len(bench.dut.word_i), len(bench.dut.digit_o)
    words = int(bench.dut.Words.value)
    await bench.start(restart=0, start=0, next=0, word=0)

    async def step(value: int, **pulses: int) -> None:
        bench.drive(restart=0, start=0, next=0)
        bench.drive(**pulses)
        await bench.settle()
        index = bench.output("index")
        await bench.cycle()
        bench.drive(word=value >> index * word & (1 << word) - 1 if index < words else 0)

    for _value in range(bench.cycles):
        value = bench.value(word * words)
        for _cycle in range(3):
            await step(value, restart=1)
        for number in range(word * words // digit):
            pulse = {"start": int(number == 0), "next": 1}
            bench.drive(restart=0, start=0, next=0)
            bench.drive(**pulse)
            await bench.settle()
            expected = value >> number * digit & (1 << digit) - 1
            bench.check(f"digit {number} of {value:#x}", bench.output("digit"), expected)
            await step(value, **pulse)
            for _cycle in range(bench.random.randint(1, 3)):
                await step(value)
    bench.end()
