"""Which signals a waveform shows: derived from the design and the registry entry."""

from __future__ import annotations

from collections.abc import Iterator

from models.status import ExponentiationSelect, Select, Status
from regress.waves.view import WaveSignal
from verif.config import BenchConfig
from verif.coverage import exponentiation, multiplier
from verif.coverage.covergroups import CORE_STATES
from verif.design import MULTIPLIER

TABLE_ADDRESS_WIDTH = 4  # TableAddressWidth of multiplier_pkg
UNIT = "u_dut.u_unit"
UNIT_A = "u_dut.u_unit_a"
UNIT_S = "u_dut.u_unit_s"
CLOCK_GROUP = "clock"
BUS_GROUP = "loader bus"


def state_signal(config: BenchConfig) -> str:
    """The control's state."""
    return "u_dut.control_state"


def state_names(config: BenchConfig) -> dict[int, str]:
    """Names of the values of :func:`state_signal`."""
    states = multiplier if config.design is MULTIPLIER else exponentiation
    return dict(enumerate(states.CONTROL_STATES))


def unit_scopes(config: BenchConfig) -> dict[str, str]:
    """The multiplier units by what they compute: P, or A and S."""
    return {"P": UNIT} if config.design is MULTIPLIER else {"A": UNIT_A, "S": UNIT_S}


def wave_signals(config: BenchConfig) -> list[WaveSignal]:
    """The rows of a job's waveform, from the bus down to the core and its result."""
    rows = [WaveSignal("clk", "clk", CLOCK_GROUP), *_bus(config)]
    if config.design is MULTIPLIER:
        return [*rows, *_unit(config, UNIT, "multiplier", "core")]
    return [
        *rows,
        *_exponentiation(config),
        *_unit(config, UNIT_A, "unit of A", "core of A"),
        *_unit(config, UNIT_S, "unit of S", "core of S"),
    ]


def _bus(config: BenchConfig) -> Iterator[WaveSignal]:
    selects = Select if config.design is MULTIPLIER else ExponentiationSelect
    names = {select.value: select.name.replace("_", "/").lower() for select in selects}
    for port in ("req", "write", "sel", "wdata", "wait"):
        yield WaveSignal(f"u_dut.{port}_i", port, BUS_GROUP, names if port == "sel" else {})
    for port in ("ack", "err", "rdata"):
        yield WaveSignal(f"u_dut.{port}_o", port, BUS_GROUP)
    yield WaveSignal("u_dut.start", "start", "operation")
    yield WaveSignal("u_dut.busy_o", "busy", "operation")
    yield WaveSignal("u_dut.done_o", "done", "operation")
    yield WaveSignal("u_dut.status", "status", "operation", {s.value: s.name for s in Status})
    yield WaveSignal(state_signal(config), "control state", "operation", state_names(config))


def _exponentiation(config: BenchConfig) -> Iterator[WaveSignal]:
    for name, label in (
        ("data", "base"), ("exponent", "exponent"), ("modulus", "M"), ("index", "bit index"),
        ("exponent_bit", "exponent bit"), ("product_start", "product start"),
        ("product_done", "product done"), ("r_squared_q", "R**2"),
    ):  # fmt: skip
        yield WaveSignal(f"u_dut.{name}", label, "exponentiation")
    result = "u_dut.result"
    for name in ("a", "s"):
        yield WaveSignal(f"u_dut.{name}_product", name.upper(), "exponentiation")
        if config.entry.chainable:
            yield WaveSignal(f"u_dut.{name}_productc", f"{name.upper()} carries", "exponentiation")
    yield WaveSignal(result, "result", "exponentiation")


def _unit(config: BenchConfig, scope: str, group: str, core: str) -> Iterator[WaveSignal]:
    entry, width = config.entry, config.width
    if config.design is not MULTIPLIER:
        states = dict(enumerate(multiplier.CONTROL_STATES))
        yield WaveSignal(f"{scope}.control_state_o", "control state", group, states)
    for name in ("x", "y", "m"):
        yield WaveSignal(f"{scope}.{name}_i", name.upper(), group)
    for slot, constant in enumerate(entry.constants):
        yield WaveSignal(
            f"{scope}.constants", constant.name, group, low=slot * (width + 1), bits=width + 1
        )
    for name in ("start", "busy", "ready", "done"):
        if name != "ready" or entry.word_serial:
            yield WaveSignal(f"{scope}.core_{name}_o", name, core)
    states = dict(enumerate(CORE_STATES))
    yield WaveSignal(f"{scope}.core_state_o", "state", core, states)
    positions = entry.iterations_per_clock(width)
    for position in range(positions if entry.table_address_bits else 0):
        yield WaveSignal(
            f"{scope}.table_addr_o",
            f"table address [{position}]" if positions > 1 else "table address",
            core,
            entry.observation_names(),
            low=position * TABLE_ADDRESS_WIDTH,
            bits=TABLE_ADDRESS_WIDTH,
            valid=(f"{scope}.table_valid_o", position),
        )
    for name in entry.wave_signals:
        yield WaveSignal(f"{scope}.u_core.{name}", name.rpartition(".")[2], core)
    yield WaveSignal(f"{scope}.s_o", "S", core)
    yield WaveSignal(f"{scope}.c_o", "C", core)
    adder = f"adder of the {group}"
    yield WaveSignal(f"{scope}.add_value", "sum", adder)
    yield WaveSignal(f"{scope}.add_subtracted_o", "subtracted", adder)
    yield WaveSignal(f"{scope}.result_o", "P" if scope == UNIT else "product", adder)
