"""The two attacks with their settings: what the commands and the jobs of a list run."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from verif.library.lanes.bench import LaneBench
from verif.security.configuration import configuration_id, draw_operation
from verif.security.kept import kept_operands
from verif.security.leakage import (
    FALSE_ALARM,
    SECRETS,
    LeakageCampaign,
    check_width,
    traces_needed,
)
from verif.security.leakage_report import ALL, BIT_TRACES, BITS, LeakageReport, bit_table
from verif.security.outcome import Outcome
from verif.security.roles import Role
from verif.security.safe_errors import safe_errors
from verif.security.upsets import UpsetCampaign
from verif.security.upsets_report import Expectation, UpsetReport, sampled

OPERATIONS = 3


@dataclass(frozen=True)
class Leakage:
    """Settings of the leakage test: fixed against random values.

    Attributes:
        secret: a name of :data:`verif.security.leakage.SECRETS`.
        traces: least number of operations of each test.
        seed: seed of every random choice.
        noise: sigma of a measurement in toggles.
        jobs: threads.
        blind: the host blinds exponent and base.
    """

    command: ClassVar[str] = "leakage"
    secret: str
    traces: int
    seed: int = 1
    noise: float = 0.0
    jobs: int = 1
    blind: bool = False

    def name(self, bench: LaneBench) -> str:
        """Name of the attack on a configuration."""
        blind = "-blind" if self.blind else ""
        noise = f"-noise{self.noise:g}" if self.noise else ""
        return f"{configuration_id(bench)}-{self.secret}{blind}{noise}"

    def key(self, bench: LaneBench) -> str:
        """Name of the recorded figures."""
        return f"{self.name(bench)}-seed{self.seed}"

    def run(self, bench: LaneBench) -> Outcome:
        """Attack a design.

        Raises:
            DifferenceError: an answer or a duration is not as predicted.
            UsageError: the design is too wide.
        """
        check_width(bench.width)
        begin = time.monotonic()
        report = self._report(bench)
        figures = report.figures()
        tables = [report.role_table(), report.module_table(), report.register_table()]
        if SECRETS[self.secret].one_bit:
            figures[BITS] = self._by_bit(bench)
            tables.append(bit_table(figures[BITS], self.noise))
        traces = int(report.counts.traces.sum())
        seconds = time.monotonic() - begin
        blinded = ", exponent and base blinded" if self.blind else ""
        return Outcome(
            title=f"Leakage of the {self.secret}{blinded}: {configuration_id(bench)}",
            experiments=2 * traces,
            figures=figures,
            remarks=[
                f"2 x {traces:,} traces in {seconds:.1f} s",
                *self._remarks(report, figures),
            ],
            failures=list(self._failures(report, figures)),
            tables=tables,
            pictures=report.pictures,
        )

    def _report(self, bench: LaneBench) -> LeakageReport:
        campaign = LeakageCampaign(
            bench, SECRETS[self.secret], self.seed, self.jobs, blind=self.blind
        )
        counts = campaign.run(self.traces, null=False)
        null = campaign.run(self.traces, null=True)
        return LeakageReport(bench, counts, null, self.noise, campaign.window)

    def _by_bit(self, bench: LaneBench) -> dict[int, int]:
        needed = {}
        for bit in range(bench.width):
            campaign = LeakageCampaign(bench, SECRETS[self.secret], self.seed, self.jobs, bit)
            counts = campaign.run(BIT_TRACES, null=False)
            found = LeakageReport(bench, counts, counts, self.noise, campaign.window)
            traces = int(counts.traces.sum())
            needed[bit] = traces_needed(float(abs(found.distances[ALL]).max()), traces)
        return needed

    def _remarks(self, report: LeakageReport, figures: dict[str, Any]) -> Iterator[str]:
        limit = report.limit
        yield f"limit |z| {limit:.2f}: chance exceeds it somewhere with probability {FALSE_ALARM:g}"
        if needed := figures["traces_needed"]:
            noise = f" with noise of sigma {self.noise:g}" if self.noise else ""
            yield (
                f"total number of toggles: max |t| {figures['distance']:.1f}; five sigma after "
                f"{needed:,} traces{noise}"
            )
        if figures["without_role"]:
            names = ", ".join(figures["without_role"])
            yield f"no role in verif/security/roles.py, tested as control: {names}"

    def _failures(self, report: LeakageReport, figures: dict[str, Any]) -> Iterator[str]:
        for name, cycles in figures["differing_control"].items():
            yield f"{name} is not equal in all lanes: {len(cycles)} cycles from {cycles[0]} on"
        if figures["max_score"][Role.CONTROL.value] > report.limit:
            yield f"control or addresses depend on the {self.secret}"
        if self.blind:
            if figures["max_score"][Role.EXPONENT.value] > report.limit:
                yield f"exponent registers depend on the {self.secret}, although it is blinded"
            if figures["distance"] > report.sum_limit:
                yield f"the number of toggles depends on the {self.secret}, although it is blinded"
        if figures["null"] > report.limit or figures["null_sums"] > report.sum_limit:
            yield "the null test finds a difference: registers keep something of the class"


@dataclass(frozen=True)
class Upsets:
    """Settings of the upsets: one fault in one register, and two more operations.

    Attributes:
        fault: a name of :data:`verif.security.upsets.FAULTS`.
        sample: number of points to draw at random; None for all points.
        seed: seed of operands, points and initial values.
        jobs: threads.
        search: also search for safe errors.
        idle: inject faults while the core is idle, not during an operation.
        expectation: stored counts that must not grow.
    """

    command: ClassVar[str] = "upsets"
    fault: str = "flip"
    sample: int | None = None
    seed: int = 1
    jobs: int = 1
    search: bool = True
    expectation: Expectation | None = None
    idle: bool = False

    def name(self, bench: LaneBench) -> str:
        """Name of the attack on a configuration."""
        return f"{configuration_id(bench)}-{self.fault}{'-idle' if self.idle else ''}"

    def key(self, bench: LaneBench) -> str:
        """Name of a configuration in the stored expectation."""
        return f"{self.name(bench)}-seed{self.seed}"

    def run(self, bench: LaneBench) -> Outcome:
        """Attack a design.

        Raises:
            DifferenceError: without a fault an operation is not as predicted.
        """
        begin = time.monotonic()
        report = self._report(bench)
        figures = report.figures()
        seconds = time.monotonic() - begin
        growth, remark = self._compared(bench, figures)
        return Outcome(
            title=f"Upsets: {self.name(bench)}",
            experiments=len(report.points),
            figures=figures,
            remarks=[f"{len(report.points):,} faults in {seconds:.1f} s", *remark],
            failures=growth,
            tables=[report.effects_table(), report.module_table(), report.register_table()],
            pictures=report.pictures,
        )

    def _report(self, bench: LaneBench) -> UpsetReport:
        rng = random.Random(self.seed)
        operations = [draw_operation(bench, rng) for _ in range(OPERATIONS)]
        campaign = UpsetCampaign(bench, operations, self.fault, self.seed, self.jobs, self.idle)
        points = sampled(campaign.points(), self.sample, self.seed)
        found = campaign.run(points)
        kept = kept_operands(bench, points, self.fault, self.seed, self.jobs, self.idle)
        safe = None
        if bench.design.secret is not None and self.search and not self.idle:
            safe = safe_errors(bench, points, self.fault, self.seed, self.jobs)
        return UpsetReport(bench, points, found, kept, safe)

    def _compared(self, bench: LaneBench, figures: dict[str, int]) -> tuple[list[str], list[str]]:
        """Return the counts that have grown, and a remark if none has."""
        if self.expectation is None:
            return [], []
        if self.sample:
            return [], ["a sample: not compared with an expectation"]
        key = self.key(bench)
        if not self.expectation.known(key):
            return [], [f"no expectation of {key}; store one with --write"]
        growth = self.expectation.growth(key, figures)
        return growth, [] if growth else [f"no more than the expectation of {key}"]
