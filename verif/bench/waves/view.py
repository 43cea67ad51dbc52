"""The view of a job's waveform: its signals and the first difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from regress.waves.fst import WaveFile
from regress.waves.view import WaveSignal, WaveView
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.tops import Design, ExponentiationDesign, MultiplierDesign
from verif.bench.waves import stress
from verif.bench.waves.mismatch import (
    Examine,
    examine_exponentiation,
    examine_multiplier,
    find,
)
from verif.bench.waves.signals import (
    BUS_GROUP,
    STATE_SIGNAL,
    bus_signals,
    exponentiation_signals,
    multiplier_signals,
    state_names,
)


@dataclass(frozen=True)
class DesignWaves:
    """Signals of one kind of top in a waveform, and the explanation of a failure."""

    signals: Callable[[BenchConfig], Iterator[WaveSignal]]
    examine: Examine


WAVES: Mapping[type[Design], DesignWaves] = {
    MultiplierDesign: DesignWaves(multiplier_signals, examine_multiplier),
    ExponentiationDesign: DesignWaves(exponentiation_signals, examine_exponentiation),
}


def wave_signals(config: BenchConfig) -> list[WaveSignal]:
    """Return the rows of a job's waveform, from the bus down to the core and its result."""
    return [*bus_signals(config), *WAVES[type(config.design)].signals(config)]


def wave_view(config: BenchConfig, waves: WaveFile, message: str, time_ns: float) -> WaveView:
    """See :meth:`regress.core.project.Project.wave_view`."""
    if config.job.replay:
        finding = stress.find(config, waves, time_ns)
    else:
        examine = WAVES[type(config.design)].examine
        finding = find(examine, config, waves, message, time_ns)
    return WaveView(
        signals=wave_signals(config),
        finding=finding,
        state=STATE_SIGNAL,
        state_names=state_names(config),
        quiet_group=BUS_GROUP,
        request="u_dut.req_i",
    )
