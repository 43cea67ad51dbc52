"""Signals that a waveform shows, derived from the design and the registry entry."""

from __future__ import annotations

from collections.abc import Iterator

from models.bus.state_machines import CORE_STATES
from models.status import Status
from regress.waves.view import WaveSignal
from verif.bench.configuration.config import BenchConfig
from verif.bench.waves.scopes import (
    RINGS,
    VIEW,
    UnitPaths,
    dual_scopes,
    unit_path,
    unit_paths,
)

TABLE_ADDRESS_WIDTH = 4  # TableAddressWidth of multiplier_pkg
CLOCK_GROUP = "clock"
BUS_GROUP = "loader bus"
STATE_SIGNAL = f"{VIEW}.control_state"  # state of the control


def state_names(config: BenchConfig) -> dict[int, str]:
    """Return the names of the values of :data:`STATE_SIGNAL`."""
    return dict(enumerate(config.design.states(config.entry)))


def multiplier_signals(config: BenchConfig) -> Iterator[WaveSignal]:
    """Yield the rows of a multiplier below those of the bus."""
    return _unit(config, unit_path(config), "multiplier", "core")


def bus_signals(config: BenchConfig) -> Iterator[WaveSignal]:
    """Yield the clock, the pins of the bus, and the operation that the control runs."""
    yield WaveSignal("clk", "clk", CLOCK_GROUP)
    addresses = config.design.addresses
    names = {address.value: address.name.replace("_", "/").lower() for address in addresses}
    for port in ("req", "write", "addr", "wdata", "wait"):
        yield WaveSignal(f"u_dut.{port}_i", port, BUS_GROUP, names if port == "addr" else {})
    for port in ("ack", "err", "rdata"):
        yield WaveSignal(f"u_dut.{port}_o", port, BUS_GROUP)
    yield WaveSignal(f"{VIEW}.start", "start", "operation")
    yield WaveSignal("u_dut.busy_o", "busy", "operation")
    yield WaveSignal("u_dut.done_o", "done", "operation")
    yield WaveSignal("u_dut.status", "status", "operation", {s.value: s.name for s in Status})
    yield WaveSignal(STATE_SIGNAL, "control state", "operation", state_names(config))


def exponentiation_signals(config: BenchConfig) -> Iterator[WaveSignal]:
    """Yield the words that enter the rings, leave the rings and pass the adder."""
    yield WaveSignal(f"{VIEW}.exponent_bit", "exponent bit", "exponentiation")
    for name, label in (
        ("u_control.step_q", "step"),
        ("u_control.start_a_q", "start of A"), ("u_control.start_s_q", "start of S"),
        ("u_residue.read_index", "word wanted"), ("modulus", "M"), ("u_operands.y_word", "Y"),
        ("u_operands.r_word", "R**2"),
    ):  # fmt: skip
        yield WaveSignal(f"u_dut.{name}", label, "exponentiation")
    for name in ("a", "s"):
        ring = config.entry.streams
        group = f"{'ring' if ring else 'core'} of {name.upper()}"
        yield WaveSignal(f"u_dut.u_operands.{name}_digit", "digit", group)
        for signal in ("ready", "valid", "index"):
            yield WaveSignal(f"{VIEW}.{name}_{signal}", signal, group)
        yield WaveSignal(f"u_dut.{name}_result", "result", group)
        if not ring:
            paths = unit_paths(config, dual_scopes(config)[name.upper()])
            yield WaveSignal(paths.observe("core_start"), "start", group)
            yield from _core(config, paths, group)
            continue
        for signal in config.entry.wave_signals:
            path = f"{RINGS}.u_ring_{name}.gen_{config.entry.module}.u_core.{signal}"
            yield WaveSignal(path, signal.rpartition(".")[2], group)
    for name, label in (
        ("add_valid", "word"), ("add_index", "number"), ("add_a", "A"), ("add_b", "B"),
        ("add_m", "M"), ("sum", "A + B"), ("difference", "A + B - M"), ("bank_q", "bank"),
        ("negative", "negative"),
    ):  # fmt: skip
        yield WaveSignal(f"u_dut.u_residue.{name}", label, "adder")
    yield WaveSignal("u_dut.u_host.wipe", "memories are wiped", "adder")


def _unit(config: BenchConfig, scope: str, group: str, core: str) -> Iterator[WaveSignal]:
    entry, width, paths = config.entry, config.width, unit_paths(config, scope)
    for name, path in paths.operands.items():
        yield WaveSignal(path, name.upper(), group)
    for slot, constant in enumerate(entry.constants):
        yield WaveSignal(
            paths.constants, constant.name, group, low=slot * (width + 1), bits=width + 1
        )
    for name in ("start", "busy", "ready", "done"):
        if name != "ready" or (entry.streams and entry.streams.word_serial):
            yield WaveSignal(paths.observe(f"core_{name}"), name, core)
    yield from _core(config, paths, core)
    adder = f"adder of the {group}"
    yield WaveSignal(paths.sums, "sum", adder)
    yield WaveSignal(paths.observe("add_subtracted"), "subtracted", adder)
    yield WaveSignal(paths.result, "P" if scope == unit_path(config) else "product", adder)


def _core(config: BenchConfig, paths: UnitPaths, group: str) -> Iterator[WaveSignal]:
    """Yield state, table addresses and signals of a core, and its S and C."""
    states = dict(enumerate(CORE_STATES))
    yield WaveSignal(paths.observe("core_state"), "state", group, states)
    positions = config.entry.timing.iterations_per_cycle(config.width)
    for position in range(positions if config.entry.coverage.address_bits else 0):
        yield WaveSignal(
            paths.table_address,
            f"table address [{position}]" if positions > 1 else "table address",
            group,
            config.entry.coverage.names(),
            low=position * TABLE_ADDRESS_WIDTH,
            bits=TABLE_ADDRESS_WIDTH,
            valid=(paths.observe("table_valid"), position),
        )
    for name in config.entry.wave_signals:
        yield WaveSignal(f"{paths.core}.{name}", name.rpartition(".")[2], group)
    yield WaveSignal(paths.s, "S", group)
    yield WaveSignal(paths.c, "C", group)
