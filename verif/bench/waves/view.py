"""The view of a job's waveform: its signals and the first difference."""

from __future__ import annotations

from regress.waves.fst import WaveFile
from regress.waves.view import WaveView
from verif.bench.configuration.config import BenchConfig
from verif.bench.waves import stress
from verif.bench.waves.mismatch import find
from verif.bench.waves.signals import BUS_GROUP, STATE_SIGNAL, state_names, wave_signals


def wave_view(config: BenchConfig, waves: WaveFile, message: str, time_ns: float) -> WaveView:
    """See :meth:`regress.core.project.Project.wave_view`."""
    if config.job.replay:
        finding = stress.find(config, waves, time_ns)
    else:
        finding = find(config, waves, message, time_ns)
    return WaveView(
        signals=wave_signals(config),
        finding=finding,
        state=STATE_SIGNAL,
        state_names=state_names(config),
        quiet_group=BUS_GROUP,
        request="u_dut.req_i",
    )
