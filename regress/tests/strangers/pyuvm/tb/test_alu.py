import random

import cocotb
import pyuvm
from alu_model import expected
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from pyuvm import (
    uvm_analysis_port,
    uvm_driver,
    uvm_env,
    uvm_sequence,
    uvm_sequence_item,
    uvm_sequencer,
    uvm_subscriber,
    uvm_test,
)


class AluItem(uvm_sequence_item):
    def __init__(self, name):
        super().__init__(name)
        self.a, self.b = random.randrange(256), random.randrange(256)
        self.subtract = random.randrange(2)


class AluSequence(uvm_sequence):
    async def body(self):
        for number in range(20):
            item = AluItem(f"item{number}")
            await self.start_item(item)
            await self.finish_item(item)


class Driver(uvm_driver):
    def build_phase(self):
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self):
        dut = cocotb.top
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        while True:
            item = await self.seq_item_port.get_next_item()
            dut.a.value, dut.b.value, dut.subtract.value = item.a, item.b, item.subtract
            await FallingEdge(dut.clk)
            await FallingEdge(dut.clk)
            self.ap.write((item, int(dut.y.value)))
            self.seq_item_port.item_done()


class Scoreboard(uvm_subscriber):
    def write(self, pair):
        item, y = pair
        wanted = expected(item.a, item.b, item.subtract)
        assert y == wanted, f"{item.a} and {item.b}: {y}, not {wanted}"


class AluEnv(uvm_env):
    def build_phase(self):
        self.seqr = uvm_sequencer("seqr", self)
        self.driver = Driver("driver", self)
        self.scoreboard = Scoreboard("scoreboard", self)

    def connect_phase(self):
        self.driver.seq_item_port.connect(self.seqr.seq_item_export)
        self.driver.ap.connect(self.scoreboard.analysis_export)


@pyuvm.test()
class AluTest(uvm_test):
    """Adds and subtracts at random."""

    def build_phase(self):
        self.env = AluEnv("env", self)

    async def run_phase(self):
        self.raise_objection()
        await AluSequence("seq").start(self.env.seqr)
        self.drop_objection()
