"""Coverage goals and the tests that reach them, computed without a simulation."""

from __future__ import annotations

from collections.abc import Mapping

from regress.core.jobfile import Job
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.tops import Design, ExponentiationDesign, MultiplierDesign
from verif.bench.coverage.covergroups import CoverageModel, Stimulus
from verif.bench.coverage.exponentiation import ExponentiationCoverage
from verif.bench.coverage.multiplier import MultiplierCoverage

COVERAGE_MODELS: Mapping[type[Design], type[CoverageModel]] = {
    MultiplierDesign: MultiplierCoverage,
    ExponentiationDesign: ExponentiationCoverage,
}


def goals_of(job: Job) -> dict[str, tuple[str, ...]]:
    """Return the bins that a job's design must hit at the job's width and parameters, by group.

    Raises:
        KeyError: unknown architecture.
        DesignError: illegal width or parameter.
    """
    config = BenchConfig.from_job(job)
    model = COVERAGE_MODELS[type(config.design)](config)
    return {name: tuple(group["goal"]) for name, group in model.as_dict().items()}


def bins_in_reach(job: Job) -> dict[str, frozenset[str]]:
    """Return the required bins that jobs of this configuration can hit, by group.

    Raises:
        KeyError: unknown architecture.
        DesignError: illegal width or parameter.
    """
    config = BenchConfig.from_job(job)
    model = COVERAGE_MODELS[type(config.design)](config)
    left_out = set(model.left_out)
    return {
        name: frozenset(() if name in left_out else group.reach)
        for name, group in {**model.vectors, **model.groups}.items()
    }


def stimulus_of(design: Design, group: str, bin_name: str) -> Stimulus | None:
    """Return the tests that reach a bin; None if no stimulus is listed for it."""
    stimuli = COVERAGE_MODELS[type(design)].stimuli
    return next((stimulus for stimulus in stimuli if stimulus.reaches(group, bin_name)), None)
