"""Benches of checks: of the control registers of an exponentiation, and of words that leave."""

from __future__ import annotations

import cocotb

from models.bus.state_machines import EXPONENTIATION_STATES, EXPONENTIATION_STEPS
from models.status import Address, BusError, Command, Status
from verif.bench.blocks.bench import BlockBench

# Legal steps of each state, without and only with a scale: the table of exponentiation_control.
STEPS: dict[str, tuple[str, str]] = {
    "prepare": ("load check judge inverse take", "scale match"),
    "seed": ("measure address align double copy", ""),
    "square": ("product", ""),
    "check_constant": ("product", "inverse scale subtract"),
    "entry": ("product", ""),
    "loop": ("product", ""),
    "exit": ("product result", "inverse scale subtract"),
}


@cocotb.test()
async def exponentiation_legal_state(_: object) -> None:
    """Every state with every step; index, Length and position at their bounds, and random."""
    bench = BlockBench()
    value = {
        name: int(getattr(bench.dut, name).value)
        for name in ("Doublings", "Squarings", "LastProduct", "MaxLength", "Scaled", "Coherent")
    }
    for _cycle in range(bench.cycles):
        length = bench.random.randint(1, value["MaxLength"] + 1)
        for state, (steps, scaled_steps) in STEPS.items():
            legal_steps = f"{steps} {scaled_steps * value['Scaled']}".split()
            bound = {
                "seed": value["Doublings"],
                "square": value["Squarings"] + 2,
                "loop": length,
                "exit": value["LastProduct"] + 1 if value["Coherent"] else 1,
            }.get(state, 1)
            for step, name in enumerate(EXPONENTIATION_STEPS):
                index = bench.random.choice((0, bound - 1, bound, bench.value(16)))
                expected_position = {"loop": index, "exit": length}.get(state)
                near = 1 << bench.random.randrange(16)  # a comparison must look at every bit
                position = bench.random.choice(
                    (index, length, index ^ near, length ^ near, bench.value(16))
                )
                host_length = bench.random.choice((length, length, length ^ near))
                followed = host_length == length and expected_position in (None, position)
                bench.drive(state=EXPONENTIATION_STATES.index(state), step=step, index=index)
                bench.drive(length=length, host_length=host_length, position=position)
                await bench.settle()
                expected = (
                    name in legal_steps
                    and index < bound
                    and length <= value["MaxLength"]
                    and (followed or not value["Coherent"])
                )
                what = f"{state} {name} index={index} length={length} position={position}: legal"
                bench.check(what, bench.output("legal"), int(expected))
    bench.end()


@cocotb.test()
async def operand_loader(_: object) -> None:
    """A result word with a fault does not leave: error and reason hold until the next answer."""
    bench = BlockBench()
    width = len(bench.dut.word_i)
    await bench.start(
        req=0, write=0, addr=0, wdata=0, wait=0, word=0, word_fault=0, binary=0, busy=0,
        status=Status.OK,
    )  # fmt: skip
    for _cycle in range(bench.cycles):
        word, fault = bench.value(width), bench.random.randrange(2)
        bench.drive(req=1, addr=0)
        await bench.cycle()
        bench.drive(req=0, word=word, word_fault=fault)
        answer = BusError.NO_RESULT if fault else word
        for after in range(bench.random.randint(1, 4)):
            await bench.settle()
            bench.check("acknowledge", bench.output("ack"), after == 0)
            bench.check("withheld", bench.output("withheld"), fault if after == 0 else 0)
            bench.check(f"error {after} cycles later", bench.output("err"), fault)
            bench.check(f"read data {after} cycles later", bench.output("rdata"), answer)
            await bench.cycle()
        bench.drive(req=1, addr=Address.CONTROL)
        await bench.cycle()
        bench.drive(req=0)
        await bench.settle()
        error = BusError.NO_RESULT if fault else BusError.NONE
        bench.check("status word", bench.output("rdata"), error << 4 | Status.OK)
        await bench.cycle()
        bench.drive(req=1, write=1, wdata=Command.CLEAR)
        await bench.cycle()
        bench.drive(req=0, write=0, wdata=0)
        await bench.cycle()
    bench.end()
