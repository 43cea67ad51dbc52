"""Protocol stress test: reproducible sequences, complete coverage, shrunk failures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from models.bus.exponentiation_bus import MODULUS
from models.bus.loader_bus import COMMAND_CODES, CONTROL, Answer, BusModel, Request
from models.bus.start_defects import CONSTANTS, IGNORED, KEPT, ZERO_OR_ONE, Defect, possible_defects
from regress.core.errors import UsageError
from regress.core.jobfile import RESULT_FILE, JobResult
from regress.core.lists import find_list, load_list
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import AIM_LAST, Kind, Step, replay_text, steps_of
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import ROOT
from verif.bench.configuration.job import job_of
from verif.bench.coverage.constants import NOT_SUPPLIED, Supply
from verif.bench.coverage.defects import DefectCoverage
from verif.bench.coverage.stress import StressCoverage
from verif.bench.coverage.waits import LONGEST, ORDERS, order_of, span
from verif.bench.stress.checker import Mismatch
from verif.bench.stress.driver import StressItem
from verif.bench.stress.exponentiation import ExponentiationHost
from verif.bench.stress.host import Host
from verif.bench.stress.multiplier import MultiplierHost
from verif.bench.stress.patience import Patience
from verif.bench.stress.sequence import (
    CHAIN_SHARE,
    LONG_WAIT_SHARE,
    ExponentiationStress,
    MultiplierStress,
)
from verif.bench.stress.shrink import MAX_CYCLES, Shrinker
from verif.bench.stress.timeline import Timeline, timeline
from verif.project.project import MultiplierProject
from verif.tests.context import CONTEXT, PROJECT
from verif.tests.injected import representatives

NOTHING = Supply(NOT_SUPPLIED, NOT_SUPPLIED).name
SEQUENCES = {"stress": MultiplierStress, "exp_stress": ExponentiationStress}
HOSTS = {"stress": MultiplierHost, "exp_stress": ExponentiationHost}
# As in list coverage, whose goals they are.
COVERAGE = [
    # Words short enough for a busy cycle that is neither the first nor the last.
    ("stress", "fast_montgomery", {"AddressWidth": 3, "AddWidth": 8}),
    ("stress", "dual_radix", {"AddressWidth": 3}),
    ("exp_stress", "mwrkmm", {"AddressWidth": 4}),
    ("exp_stress", "optimized_interleaved", {"AddressWidth": 4}),
]
LIST_COVERAGE = load_list(CONTEXT, find_list(PROJECT, "coverage")).jobs
# The list's longest job must reach each state; a shorter one has its own purpose.
COVERAGE_STEPS = {
    test: max(row.operations for row in LIST_COVERAGE if row.test == test) for test in HOSTS
}


def config(
    test: str = "stress", name: str = "fast_montgomery", seed: int = 1, **parameters: int
) -> BenchConfig:
    parameters = {"BusWidth": 8, **parameters}
    return BenchConfig.from_job(job_of(test, name, 20, "icarus", seed=seed, parameters=parameters))


def sequences(job: BenchConfig, steps: int) -> list[Timeline]:
    return sequences_of(HOSTS[job.job.test](job, job.random("stress")), steps)


def sequences_of(host: Host, steps: int) -> list[Timeline]:
    lines: list[Timeline] = []
    while sum(len(line.played) for line in lines) < steps:
        lines.append(host.sequence())
    return lines


@pytest.mark.parametrize("test", HOSTS)
def test_same_seed_same_walks(test: str) -> None:
    first, again, other = (
        [
            [played.step for played in line.played]
            for line in sequences(config(test, seed=seed), 200)
        ]
        for seed in (1, 1, 2)
    )
    assert first == again != other


@pytest.mark.parametrize("test", representatives(HOSTS, lambda _: "process", lambda host: host))
def test_same_walks_whatever_the_order_of_python_s_sets(test: str) -> None:
    code = (
        "from verif.tests.test_stress import config, sequences\n"
        f"print([p.step for line in sequences(config({test!r}), 300) for p in line.played])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(found) == 1


@pytest.mark.parametrize("test", HOSTS)
def test_steps_mean_the_same_without_the_host(test: str) -> None:
    job = config(test)
    for line in sequences(job, 300):
        again = timeline(bus_model(job), [played.step for played in line.played])
        assert again.played == line.played


@pytest.mark.parametrize("test", HOSTS)
def test_steps_are_what_a_replay_says(test: str) -> None:
    job = config(test)
    for line in sequences(job, 600):
        steps = [played.step for played in line.played]
        again = timeline(bus_model(job), steps_of(replay_text(steps)))
        assert [p.answer for p in again.played] == [p.answer for p in line.played]
        assert replay_text(played.step for played in again.played) == replay_text(steps)


@pytest.mark.parametrize(
    "text", ["", "write 0", "jump", "read", "write 0 0x1 aim 99", "reset read", "write 0 1,"]
)
def test_what_is_no_replay_is_one_clear_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a step; accepted: write|aim is 8 at most"):
        steps_of(text)
    with pytest.raises(UsageError, match="--replay: "):
        MultiplierProject(ROOT).check_replay("stress", text)


def coverage_of(job: BenchConfig, lines: Iterable[Timeline]) -> StressCoverage:
    coverage = StressCoverage(job)
    for line in lines:
        model = bus_model(job)
        for played in line.played:
            step = played.step
            if step.kind >= Kind.RESET:
                coverage.sample_reset(
                    model, played.asked + (step.kind is Kind.RESET_IN_ACKNOWLEDGE)
                )
                model.reset()
            if played.granted is not None:
                if step.kind is Kind.TRANSFER:
                    coverage.sample_wait(model, step, played.asked)
                coverage.sample(model, step.request, played.granted)
                assert model.grant(step.request, played.granted) == played.answer
    return coverage


@pytest.mark.parametrize(("test", "name", "parameters"), COVERAGE)
def test_every_reachable_state_is_reached(test: str, name: str, parameters: dict) -> None:
    """The stress test reaches each reachable state and no excluded state."""
    job = config(test, name, **parameters)
    host, steps = HOSTS[test](job, job.random("stress")), COVERAGE_STEPS[test]
    lines = [*sequences_of(host, steps), *host.constant_chains(steps // CHAIN_SHARE)]
    lines += Patience(host, steps // LONG_WAIT_SHARE).sequences()
    coverage = coverage_of(job, lines)
    for group in coverage.groups.values():
        assert set(group.hits) == set(group.goal)


def test_every_way_of_losing_a_constant_is_gone_on_from_in_every_way() -> None:
    """A kept R**2, a right one with a wrong m', a start with neither: rare in random sequences."""
    job = config("exp_stress", "mwrkmm", AddressWidth=4)
    coverage = coverage_of(job, sequences(job, COVERAGE_STEPS["exp_stress"])).constants
    assert not coverage.complete
    for seed in (1, 2):
        job = config("exp_stress", "mwrkmm", seed=seed, AddressWidth=4)
        lines = list(ExponentiationHost(job, job.random("stress")).constant_chains(10_000))
        assert coverage_of(job, lines).constants.complete
        assert sum(len(line.played) for line in lines) < 2700


def test_a_short_job_has_each_start_on_what_was_kept_first() -> None:
    """The steps of the longest job of list merge cover the starts without a write."""
    job = config("exp_stress", "mwrkmm", AddressWidth=4)
    lines = list(ExponentiationHost(job, job.random("stress")).constant_chains(3500 // CHAIN_SHARE))
    chains = coverage_of(job, lines).constants.chains
    nothing = {name for name in chains.goal if name.endswith("then " + NOTHING)}
    assert len(nothing) == 18
    assert len(nothing - set(chains.hits)) < 3


def test_a_core_that_ignores_constants_has_no_chains() -> None:
    job = config("exp_stress", "optimized_interleaved", AddressWidth=4)
    host = ExponentiationHost(job, job.random("stress"))
    assert list(host.constant_chains(1000)) == [] and StressCoverage(job).constants.complete


@pytest.mark.parametrize(("name", "links", "most"), [("dual_radix", 66, 1200), ("mm42", 24, 800)])
def test_a_multiplier_is_started_in_every_way_after_every_way(
    name: str, links: int, most: int
) -> None:
    """A rejected start of the other field between two good ones: few sequences came by that."""
    for seed in (1, 2):
        job = config("stress", name, seed=seed)
        host = MultiplierHost(job, job.random("stress"))
        assert len(host.missing_links) == links
        lines = list(host.constant_chains(10_000))
        assert not host.missing_links
        assert sum(len(line.played) for line in lines) < most


@pytest.mark.parametrize("test", HOSTS)
def test_a_host_waits_for_thousands_of_cycles_in_every_state(test: str) -> None:
    """No more often than it is asked to, and sequences alone do not come by it."""
    job = config(test, AddressWidth=4)
    assert not coverage_of(job, sequences(job, 4000)).waits.complete
    lines = list(Patience(HOSTS[test](job, job.random("stress")), 64).sequences())
    assert coverage_of(job, lines).waits.complete
    for most in (1, 2, 5):
        host = HOSTS[test](job, job.random("stress"))
        steps = [p.step for line in Patience(host, most).sequences() for p in line.played]
        assert sum(max(step.idle, step.wait) >= ORDERS[LONGEST] for step in steps) == most


@pytest.mark.parametrize("test", HOSTS)
def test_the_longest_job_of_list_merge_sends_each_kind_of_transfer_after_a_long_silence(
    test: str,
) -> None:
    """A command that discards words and errors was sent after one by chance alone."""
    codes = {COMMAND_CODES["CLEAR"], COMMAND_CODES["ZEROISE"]}
    for seed in range(1, 5):
        job = config(test, seed=seed, AddressWidth=4)
        host = HOSTS[test](job, job.random("stress"))
        after = set()
        for line in Patience(host, 2500 // LONG_WAIT_SHARE).sequences():
            for step in (played.step for played in line.played):
                if step.idle >= ORDERS[LONGEST]:
                    discards = step.address == CONTROL and step.data in codes
                    after.add("discards" if discards and step.write else step.write)
        assert after == {"discards", True, False}


@pytest.mark.parametrize(
    ("cycles", "order"), [(9, ""), (10, "tens"), (99, "tens"), (999, "hundreds"), (8191, LONGEST)]
)
def test_an_order_is_what_its_name_says(cycles: int, order: str) -> None:
    assert order_of(cycles) == order
    assert not order or cycles in span(order)


@pytest.mark.parametrize("test", HOSTS)
def test_what_is_done_on_nothing_does_not_hang_on_the_seed(test: str) -> None:
    """One seed of ten left "reset, first of busy, operands empty" of list coverage."""
    missed = 0
    for seed in range(1, 5):
        job = config(test, "faster_montgomery", seed=seed, AddressWidth=4, AddWidth=8)
        host = HOSTS[test](job, job.random("stress"))
        lines = sequences_of(host, 4000)
        missed += bool(missed_on_nothing(coverage_of(job, lines)))
        assert not missed_on_nothing(coverage_of(job, [*lines, *host.rare_states(500)]))
    assert missed > 2


def missed_on_nothing(coverage: StressCoverage) -> set[str]:
    """What was not done while no operand had been written since a reset."""
    (states,) = (group for name, group in coverage.groups.items() if "command_x_state" in name)
    return {name for name in set(states.goal) - set(states.hits) if name.endswith("operands empty")}


def test_a_modulus_of_0_is_no_chance_for_a_single_defect() -> None:
    """It is even, too, and nothing is below it: hosts went after it with every tenth start."""
    model = bus_model(config("exp_stress"))
    missing = DefectCoverage(model).missing(model)
    assert len(missing) > 20 and (Defect(ZERO_OR_ONE, "M", KEPT),) not in missing
    model.operands[MODULUS].value = 1
    assert (Defect(ZERO_OR_ONE, "M", KEPT),) in DefectCoverage(model).missing(model)


def test_what_a_host_does_besides() -> None:
    """Waits that a watchdog would not stand, and writes between two ZEROISE."""
    steps = [p.step for line in sequences(config("exp_stress"), 4000) for p in line.played]
    assert max(step.wait for step in steps) > 255
    zeroise, start = (
        [n for n, s in enumerate(steps) if s.write and s.address == CONTROL and s.data == code]
        for code in (COMMAND_CODES["ZEROISE"], COMMAND_CODES["START"])
    )
    between = [
        steps[first + 1 : second]
        for first, second in pairwise(zeroise)
        if not any(first < n < second for n in start)
    ]
    assert any(any(s.write and s.address != CONTROL for s in some) for some in between)


def test_a_long_exponent_is_disturbed_in_mid_operation() -> None:
    job = config("exp_stress", "mwrkmm")
    found = 0
    for line in sequences(job, 4000):
        model = bus_model(job)
        for played in line.played:
            step, operation = played.step, model.operation
            if step.kind >= Kind.RESET:
                model.reset()
            if played.granted is None:
                continue
            clear = step.write and step.address == CONTROL and step.data == COMMAND_CODES["CLEAR"]
            if clear and model.busy(played.granted) and operation.outcome.status == "OK":
                passed = (played.granted - operation.start) / (operation.last - operation.start)
                found += model.length > job.bus_width and 0.2 < passed < 0.8
            model.grant(step.request, played.granted)
    assert found > 2


@pytest.mark.parametrize(("test", "name", "parameters"), COVERAGE)
def test_what_was_right_goes_wrong_and_is_cured(test: str, name: str, parameters: dict) -> None:
    """All operations have one modulus, except where the modulus is the error."""
    job = config(test, name, **parameters)
    lines = list(HOSTS[test](job, job.random("refault")).refault(5000))
    ends, moduli, read = [], [], []
    for line in lines:
        model, starts, reads = bus_model(job), [], 0
        for played in line.played:
            if played.granted is not None:
                model.grant(played.step.request, played.granted)
                if played.what.startswith("START"):
                    m = next(o for o in model.operands.values() if o.name == "M")
                    starts.append((model.operation.outcome.status, m.value))
                    reads = 0
                reads += not played.step.write and played.step.address in model.results
        ends.append([status for status, _ in starts])
        moduli.append({m for _, m in starts})
        read.append(reads == sum(result.words for result in model.results.values()))
    if test == "exp_stress":  # the last one is a start in the wipe
        assert ends.pop() == ["OK", "MODULUS_ZERO_OR_ONE"]
        moduli.pop()
        read.pop()
    assert all(read), "the result after the repaired fault is not read"
    assert len(ends) == sum(d.how not in (KEPT, IGNORED) for d in possible_defects(bus_model(job)))
    assert all(first == last == "OK" != wrong for first, wrong, last in ends)
    of_constants = [m for m, (_, wrong, _) in zip(moduli, ends, strict=True) if "CONST" in wrong]
    assert all(len(m) == 1 for m in of_constants)
    assert bool(of_constants) == (name == "mwrkmm")


@pytest.mark.parametrize(("test", "name", "parameters"), COVERAGE)
def test_each_operand_is_made_of_the_words_of_two(test: str, name: str, parameters: dict) -> None:
    """M with new low words alone was judged and not used, and no list saw it."""
    for seed in range(1, 33):
        job = config(test, name, seed, **parameters)
        line = HOSTS[test](job, job.random("partial_rewrite")).partial_rewrite()
        model, parts, good, reads = bus_model(job), set(), set(), 0
        values: dict[str, int] = {}
        for played in line.played:
            if played.granted is None:
                continue
            if played.what == "CLEAR":
                parts = {o.name for o in model.operands.values() if o.partly_written}
            reads += not played.step.write and played.step.address in model.results
            model.grant(played.step.request, played.granted)
            if played.what.startswith("START"):
                assert model.operation.outcome.status == "OK"
                assert test == "stress" or model.length > job.bus_width
                found = {o.name: o.value for o in model.operands.values()}
                good |= {o for o in parts if o in CONSTANTS or found[o] != values[o]}
                values, parts = found, set()
        several = {o.name for o in model.operands.values() if o.words > 1}
        assert several - {"Length"} <= good
        starts = 1 + len(good)
        assert reads == starts * sum(result.words for result in model.results.values())


@pytest.mark.parametrize(("test", "name", "parameters"), COVERAGE)
def test_wrong_operands_come_with_legal_constants(test: str, name: str, parameters: dict) -> None:
    """Without them, the outcome of a later check can replace that of the operand."""
    job = config(test, name, **parameters)
    constants = {s for s, o in bus_model(job).operands.items() if o.name in CONSTANTS}
    wrong = [d for d in possible_defects(bus_model(job)) if d.how not in (KEPT, IGNORED)]
    found = []
    for line in HOSTS[test](job, job.random("refault")).refault(5000):
        model, starts = bus_model(job), 0
        for played in line.played:
            if played.granted is not None:
                starts += played.what.startswith("START")
                if starts == 2 and played.what.startswith("START"):
                    operands = model.operands
                    found.append(all(operands[s].supplied for s in constants))
                model.grant(played.step.request, played.granted)
    if test == "exp_stress":  # the last one is a start in the wipe
        found.pop()
    assert len(found) == len(wrong)
    assert sum(found) >= sum(defect.operand not in CONSTANTS for defect in wrong)


@pytest.mark.parametrize(("test", "name", "parameters"), COVERAGE)
def test_few_words_are_written_again_after_a_reset(test: str, name: str, parameters: dict) -> None:
    job = config(test, name, **parameters)
    several = {o.name for o in bus_model(job).operands.values() if o.words > 1}
    short = set()
    for line in HOSTS[test](job, job.random("after reset")).rewritten_after_reset(5000):
        model = bus_model(job)
        writes: list[tuple[str, int]] = []
        for played in line.played:
            if played.step.kind is Kind.RESET:
                old = {o.name for o in model.operands.values() if o.value >> job.bus_width}
                model.reset()
                writes.clear()
            elif played.granted is not None:
                operand = model.operands.get(played.step.address) if played.step.write else None
                writes += [(operand.name, operand.counter)] if operand else []
                model.grant(played.step.request, played.granted)
        assert model.operation, "no start after the reset"
        for operand in model.operands.values():
            places = [place for name, place in writes if name == operand.name]
            assert len(places) >= operand.words
            if len(set(places)) < operand.words:
                assert operand.name in old
                short.add(operand.name)
    # Length has one byte; R**2 of a core outside the Montgomery domain is 1.
    assert short == several - {"Length", *({"R**2"} if name == "optimized_interleaved" else ())}


def test_an_exponent_that_ends_with_a_word_becomes_shorter() -> None:
    """A register with its length kept the old one; a draw of exponents hardly ever ends there."""
    for seed in range(1, 9):
        job = config("exp_stress", "mwrkmm", seed, BusWidth=8)
        (line,) = HOSTS["exp_stress"](job, job.random("shortened")).shortened()
        model, lengths, starts = bus_model(job), [], 0
        for played in line.played:
            if played.granted is None:
                continue
            model.grant(played.step.request, played.granted)
            if played.what.startswith("START"):
                assert model.operation.outcome.status == "OK"
                starts += 1
                exponent = next(o for o in model.operands.values() if o.name == "Exponent")
                lengths.append(exponent.value.bit_length())
        assert starts == 2 and lengths[0] == job.bus_width > lengths[1] > 0
    narrow = config("exp_stress", "mwrkmm", BusWidth=32)
    assert not [*HOSTS["exp_stress"](narrow, narrow.random("shortened")).shortened()]


@pytest.mark.parametrize("test", HOSTS)
def test_a_job_has_all_kinds_of_walks(test: str) -> None:
    job = config(test)
    lines = [[p.step for p in line.played] for line in SEQUENCES[test](job)._sequences()]
    rewritten = HOSTS[test](job, job.random("partial_rewrite")).partial_rewrite()
    (again, *_) = HOSTS[test](job, job.random("rewritten_after_reset")).rewritten_after_reset(1)
    (refaulted, *_) = HOSTS[test](job, job.random("refault")).refault(1)
    for line in (rewritten, again, refaulted):
        assert [p.step for p in line.played] in lines


def test_aims_are_relative_to_the_end() -> None:
    job = config(AddWidth=4)
    start, status = Step(Kind.TRANSFER, True, CONTROL, 1), Request(False, CONTROL)
    last = timeline(bus_model(job), [start]).model.operation.last
    for aim in range(1, 9):
        for wait in (0, 2):
            step = Step(Kind.TRANSFER, status.write, status.address, aim=aim, wait=wait)
            played = timeline(bus_model(job), [start, step]).played[1]
            assert played.granted == last + aim - AIM_LAST
            assert (played.answer.data == 1) == (aim <= AIM_LAST)  # BUSY
    assert timeline(bus_model(job), [start, step, step]).played[2].granted == played.granted + 4


def test_a_reset_begins_a_clock_behind_another() -> None:
    """Directly after the first reset, it would be the same reset, but count as two."""
    reset, late = Step(Kind.RESET), Step(Kind.RESET, idle=3)
    within, over = Step(Kind.RESET_IN_ACKNOWLEDGE), Step(Kind.RESET_OVER_REQUEST)
    read = Step(Kind.TRANSFER, False, CONTROL)

    def asked(*steps: Step) -> list[int]:
        return [played.asked for played in timeline(bus_model(config()), steps).played]

    # A reset takes 1 cycle, 2 in an acknowledge and 3 with a transfer after it.
    assert asked(reset, reset, within, over, reset) == [1, 3, 5, 8, 11]
    assert asked(reset, late, read) == [1, 5, 6]


def broken(model: BusModel) -> BusModel:
    """CLEAR keeps the error field."""
    command = model._command

    def kept(name: str, clock: int) -> None:
        error = model.error
        command(name, clock)
        model.error = error if name == "CLEAR" else model.error

    model._command = kept
    return model


def test_failure_is_shrunk_to_its_core() -> None:
    job = config()

    def fails(steps: Sequence[Step]) -> bool:
        right, wrong = timeline(bus_model(job), steps), timeline(broken(bus_model(job)), steps)
        return any(a.answer != b.answer for a, b in zip(right.played, wrong.played, strict=True))

    line = next(
        line for line in sequences(job, 600) if fails([played.step for played in line.played])
    )
    found = []
    for _ in range(2):
        shrinker = Shrinker(job.bus_width, job.address_width, fails)
        found.append(shrinker.shrink([played.step for played in line.played]))
    assert found[0] == found[1]
    words = [played.what for played in timeline(bus_model(job), found[0]).played]
    assert len(words) == 3 and words[1:] == ["CLEAR", "read status"]
    assert all(not (step.idle or step.aim or step.wait) for step in found[0])
    assert not re.search("0x[1-9]", words[0])


def test_shrinking_ends_after_so_many_cycles() -> None:
    """It once took 704 s, and the job's time-out was reported in the place of the failure."""
    tries = 0

    def fails(steps: Sequence[Step]) -> bool:
        nonlocal tries
        tries += 1
        return any(step.kind is Kind.RESET for step in steps)

    steps = [Step(Kind.TRANSFER, True, CONTROL, 1), Step(Kind.RESET)]
    cycles = MAX_CYCLES // 3
    assert Shrinker(8, 2, fails, lambda _: cycles).shrink(steps)
    assert tries <= 4


def test_a_failure_is_written_down_before_it_is_shrunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    job = config()
    item = StressItem(sequences(job, 30)[0])
    item.mismatch = Mismatch("busy", "busy is 0 in cycle 6, must be 1", 6, 1, 60.0)
    MultiplierStress(job)._note(item)
    result = JobResult.read(tmp_path / RESULT_FILE)
    assert result.failures == ["fast_montgomery 20 bits at 60 ns: busy is 0 in cycle 6, must be 1"]
    assert result.replay == replay_text(played.step for played in item.steps)


def test_stress_that_fails_no_more_is_left_as_it_is() -> None:
    steps = [Step(Kind.TRANSFER, True, CONTROL, 1), Step(Kind.RESET)]
    assert Shrinker(8, 2, lambda _: False).shrink(steps) == steps


def test_reset_ends_a_transfer_or_lets_one_wait() -> None:
    job = config()
    write = {"write": True, "address": 0, "data": 7}
    lost = timeline(bus_model(job), [Step(Kind.RESET_IN_ACKNOWLEDGE, **write)])
    assert lost.model.operands[0].counter == 0 and lost.played[0].granted is None
    kept = timeline(bus_model(job), [Step(Kind.RESET_OVER_REQUEST, **write)])
    assert kept.model.operands[0].counter == 1
    assert kept.played[0].answer == Answer(False, 0)
    dropped = timeline(bus_model(job), [Step(Kind.DROP, **write, wait=2)])
    assert dropped.model.operands[0].counter == 0 and dropped.now == 3
