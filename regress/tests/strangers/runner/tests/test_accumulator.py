import os
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from cocotb_tools.runner import get_runner


@cocotb.test()
@cocotb.parametrize(step=[1, 3])
async def adds(dut, step):
    """Adds the same number again and again."""
    width = int(os.environ["WIDTH"])
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.clear.value, dut.add.value = 1, step
    await FallingEdge(dut.clk)
    dut.clear.value = 0
    for number in range(1, 2**width):
        await FallingEdge(dut.clk)
        assert dut.sum.value == number * step % 2**width, f"sum after {number} additions"


@pytest.mark.parametrize("width", [4, 6])
def test_accumulator_runner(width):
    sim = os.getenv("SIM", "icarus")
    project = Path(__file__).resolve().parent.parent
    sources = [project / "src" / "accumulator.sv"]
    build_args = ["-Wall"] if sim == "icarus" else []
    runner = get_runner(sim)
    runner.build(
        sources=sources,
        hdl_toplevel="accumulator",
        parameters={"WIDTH": width},
        defines={"RESET_VALUE": "1'b0"},
        build_args=build_args,
        timescale=("1ns", "100ps"),
        always=True,
    )
    runner.test(
        hdl_toplevel="accumulator",
        test_module="test_accumulator",
        extra_env={"WIDTH": str(width)},
    )


if __name__ == "__main__":
    test_accumulator_runner(4)
