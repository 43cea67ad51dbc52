"""Bench of the check of the control registers of an exponentiation."""

from __future__ import annotations

import cocotb

from models.bus.state_machines import EXPONENTIATION_STATES, EXPONENTIATION_STEPS
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
