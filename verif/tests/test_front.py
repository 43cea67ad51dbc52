"""Jobs through a bus front: the model of the front, its coverage, and the parameter Front."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from models.bus.loader_bus import Request
from models.front_map import FrontError, FrontRegister, window
from models.status import BusError, Command
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.front_driver import FrontPins
from verif.bench.agent.front_model import Access, FrontModel, front_model
from verif.bench.agent.item import TransferItem
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import DesignError
from verif.bench.configuration.job import job_of
from verif.bench.coverage.front import STATES, FrontCoverage
from verif.bench.coverage.goals import goals_of
from verif.bench.stress.driver import StressItem
from verif.bench.stress.front_checker import Answered, FrontStressChecker
from verif.bench.stress.monitor import PinEvent
from verif.bench.stress.timeline import Timeline

WORD = 4
ACCEPTED = 0


def config(test: str = "stress", **parameters: int) -> BenchConfig:
    given = {"Front": 1, **parameters}
    return BenchConfig.from_job(job_of(test, "fast_montgomery", 33, "icarus", 1, 1, given))


def model() -> FrontModel:
    return front_model(config())


def write(address: int, data: int = 0, lanes: int = WORD) -> Access:
    return Access(True, address, data, lanes)


def read(address: int) -> Access:
    return Access(False, address, 0, WORD)


@pytest.mark.parametrize(
    ("access", "reason"),
    [
        (read(FrontRegister.STATUS), BusError.NONE),
        (write(FrontRegister.STATUS), BusError.UNKNOWN_ADDRESS),
        (read(FrontRegister.COMMAND), BusError.UNKNOWN_ADDRESS),
        (read(FrontRegister.STATUS + 1), BusError.UNKNOWN_ADDRESS),
        (write(FrontRegister.LENGTH), BusError.UNKNOWN_ADDRESS),
        (write(FrontRegister.INTERRUPT_ENABLE, lanes=1), FrontError.PARTIAL_WORD),
        (read(0x700), BusError.UNKNOWN_ADDRESS),
        (write(window(0)), BusError.NONE),
        (write(window(0) + WORD), FrontError.WORD_ORDER),
        (write(window(0) + 2 * WORD), BusError.UNKNOWN_ADDRESS),
        (write(window(4)), BusError.UNKNOWN_ADDRESS),
    ],
)
def test_the_front_rejects_what_the_map_does_not_have(access: Access, reason: int) -> None:
    assert model().rejection(access) == reason
    assert (model().request(access) is None) == (reason != BusError.NONE)


def test_a_pass_that_has_begun_blocks_the_other_windows_until_its_end_or_a_command() -> None:
    front = model()
    assert front.access(Request(True, 0, 7)) == write(window(0), 7)
    front.answered(write(window(0)), ACCEPTED)
    assert front.access(Request(True, 0, 8)) == write(window(0) + WORD, 8)
    assert front.rejection(write(window(1))) == FrontError.WORD_ORDER
    front.answered(write(window(0) + WORD), ACCEPTED)
    assert front.rejection(write(window(1))) == BusError.NONE
    front.answered(write(window(1)), ACCEPTED)
    front.answered(write(FrontRegister.COMMAND, Command.CLEAR), ACCEPTED)
    assert front.rejection(write(window(2))) == BusError.NONE


def test_a_rejection_stays_in_the_status_until_a_command() -> None:
    front = model()
    front.answered(read(0x700), BusError.UNKNOWN_ADDRESS)
    assert front.error
    assert front.reason == BusError.UNKNOWN_ADDRESS
    front.answered(write(FrontRegister.COMMAND, Command.CLEAR), ACCEPTED)
    assert front.reason == BusError.NONE
    assert front.error
    front.answered(write(FrontRegister.INTERRUPT_STATE, 2), ACCEPTED)
    assert not front.error


def test_the_goal_is_missed_by_exactly_the_access_that_no_job_makes() -> None:
    coverage = FrontCoverage(model())
    left_out = "STATUS write, busy"
    for name in coverage.group.goal:
        if name != left_out:
            coverage.group.sample(name)
    assert [name for name in coverage.group.goal if not coverage.group.hits[name]] == [left_out]
    assert coverage.missing("busy") == ["STATUS write"]
    assert coverage.missing("idle") == []


def test_each_access_of_the_goal_is_one_that_a_host_can_make() -> None:
    coverage = FrontCoverage(model())
    coverage.sample(write(FrontRegister.STATUS), "busy")
    coverage.sample(read(window(1) + WORD), "idle")
    assert set(coverage.group.hits) == {"STATUS write, busy", "window 1 read out of order, idle"}
    assert set(coverage.group.hits) <= set(coverage.group.goal)


def test_the_goals_of_a_job_have_the_front_s_own_group_alone() -> None:
    found = goals_of(config(Front=2).job)
    assert {name for name in found if "front" in name} == {"front_apb4_access"}
    assert len(found["front_apb4_access"]) % len(STATES) == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"Front": 4}, r"accepted are 0 \(the loader bus\), 1 \(axi4_lite\)"),
        ({"BusWidth": 8}, "accepted with a front is 32 or 64"),
        ({"AddressWidth": 2}, "accepted with a front is 3"),
    ],
)
def test_an_illegal_front_is_rejected_in_one_line(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        config(**parameters)


def event(cycle: int, request: Request | None = None, *, out_of_reset: bool = True) -> PinEvent:
    ack = request is not None
    return PinEvent(cycle, request, out_of_reset, ack, False, 0, busy=False, done=False)


def after_reset() -> tuple[FrontStressChecker, FrontCoverage]:
    """A checker of a sequence whose reset has ended, and its coverage of accesses."""
    checker = FrontStressChecker(config(), lambda *_: None)
    coverage = checker.accesses = FrontCoverage(checker.front)
    checker.driven(StressItem(Timeline(bus_model(config()))))
    for seen in (event(1, out_of_reset=False), event(2)):
        checker.seen(seen)
    return checker, coverage


def test_an_access_counts_when_it_is_answered_in_the_state_of_its_transfer() -> None:
    checker, coverage = after_reset()
    word = write(window(0), 7)
    checker.driven(word)  # a reset cancels it before it reaches the core
    assert not coverage.group.hits
    checker.driven(word)
    checker.seen(event(5, Request(True, 0, 7)))
    checker.driven(Answered(word, True, 0))
    assert set(coverage.group.hits) == {"window 0 write, idle"}


def test_an_access_without_a_transfer_counts_if_the_state_does_not_change_meanwhile() -> None:
    checker, coverage = after_reset()
    own, refused = read(FrontRegister.VERSION), write(FrontRegister.STATUS)
    checker.driven(own)
    checker.driven(Answered(own, True, 0))
    checker.driven(refused)
    checker._state = "busy"
    checker.driven(Answered(refused, False, 0))
    assert set(coverage.group.hits) == {"VERSION read, idle"}


@pytest.mark.parametrize("command", [Command.ZEROISE, Command.CLEAR])
def test_busy_or_done_after_an_accepted_zeroise_is_a_failure(command: Command) -> None:
    async def accept(_: Access) -> tuple[bool, int]:
        return True, 0

    pins = FrontPins.__new__(FrontPins)
    pins._port = SimpleNamespace(model=front_model(config("exp_stress")), access=accept)
    signals = {name: SimpleNamespace(value=value) for name, value in (("busy", 0), ("done", 1))}
    pins.bus = SimpleNamespace(**signals)
    sent = pins._driver_send(TransferItem.command(command))
    if command is Command.CLEAR:
        asyncio.run(sent)
    else:
        with pytest.raises(ValueError, match="busy or done a cycle after ZEROISE"):
            asyncio.run(sent)
