import os

import cocotb
from cocotb.triggers import FallingEdge, Timer
from cocotb.utils import get_sim_time
from cocotb_tools.runner import get_runner

HERE = os.path.dirname(os.path.abspath(__file__))


@cocotb.test()
async def three_pulses(dut):
    dut.trigger.value = 0
    await Timer(1, "ns")
    dut.trigger.value = 1
    start = get_sim_time("ns")
    await FallingEdge(dut.out)
    assert get_sim_time("ns") - start == 7
    await Timer(30, "ns")
    assert dut.count.value == 3


def test_pulse():
    runner = get_runner(os.getenv("SIM", "verilator"))
    root = os.path.join(HERE, "..")
    runner.build(
        sources=[],
        build_args=["--timing", "-f", os.path.join(root, "files.f")],
        hdl_toplevel="pulse",
    )
    runner.test(hdl_toplevel="pulse", test_module="test_pulse", test_dir=root)
