"""A small pyuvm bench: sequence, driver, scoreboard, and coverage of how full the queue was."""

import random
from collections import Counter, deque

import cocotb
import pyuvm
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from pyuvm import uvm_driver, uvm_env, uvm_sequence, uvm_sequence_item, uvm_sequencer, uvm_test

from regress.core.bench import report


class Item(uvm_sequence_item):
    def __init__(self, name):
        super().__init__(name)
        self.push, self.pop = random.random() < 0.6, random.random() < 0.5
        self.wdata = random.randrange(256)


class Items(uvm_sequence):
    async def body(self):
        for number in range(200):
            item = Item(f"item {number}")
            await self.start_item(item)
            await self.finish_item(item)


class Driver(uvm_driver):
    def build_phase(self):
        self.model, self.failures, self.levels = deque(), [], Counter()

    async def run_phase(self):
        dut = cocotb.top
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.push.value = dut.pop.value = dut.rst_n.value = dut.wdata.value = 0
        await FallingEdge(dut.clk)
        dut.rst_n.value = 1
        while True:
            item = await self.seq_item_port.get_next_item()
            await self.drive(dut, item)
            self.seq_item_port.item_done()

    async def drive(self, dut, item):
        dut.push.value, dut.pop.value, dut.wdata.value = item.push, item.pop, item.wdata
        full, empty = len(self.model) == 4, not self.model
        self.levels[str(len(self.model))] += 1
        if self.model and dut.rdata.value != self.model[0]:
            self.failures.append(f"rdata is {dut.rdata.value}, expected {self.model[0]:08b}")
        if item.pop and not empty:
            self.model.popleft()
        if item.push and not full:
            self.model.append(item.wdata)
        await FallingEdge(dut.clk)


class Env(uvm_env):
    def build_phase(self):
        self.sequencer, self.driver = uvm_sequencer("sequencer", self), Driver("driver", self)

    def connect_phase(self):
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


@pyuvm.test()
class RandomTest(uvm_test):
    """Pushes and pops at random."""

    def build_phase(self):
        self.env = Env("env", self)

    async def run_phase(self):
        self.raise_objection()
        await Items("items").start(self.env.sequencer)
        self.drop_objection()

    def report_phase(self):
        driver = self.env.driver
        goal = [str(level) for level in range(5)]
        report(
            operations=sum(driver.levels.values()),
            failures=driver.failures,
            coverage={"level": {"bins": dict(driver.levels), "goal": goal}},
        )
        assert not driver.failures, driver.failures[0]
