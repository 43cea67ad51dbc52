"""Transfers of the protocol stress test: single steps of a sequence, and their times."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from models.bus.loader_bus import COMMAND_CODES, CONTROL
from models.bus.start_defects import (
    HIGHEST_BIT,
    LOWEST_BIT,
    spare_bits,
)
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import AIM_LAST, MAX_AIM, MAX_IDLE, MAX_WAIT, Kind, Step
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.stress import NO_ADDRESS, RESET, UNKNOWN, StressCoverage
from verif.bench.stress.timeline import Timeline

SOME_IDLE = 4
SOME_WAIT = 3


class Transfers:
    """Makes the steps of a sequence on one top.

    Each step is played on the model of the bus, which gives the cycle of every state change. The
    resulting steps do not depend on the model.

    Attributes:
        line: the sequence under construction.
        pause: a function that may change the times of each transfer before it is played.
        done: coverage of the sequences so far.

    Args:
        config: the job.
        rng: source of every random choice.
    """

    def __init__(self, config: BenchConfig, rng: random.Random) -> None:
        self.config = config
        self.rng = rng
        self.begin()
        self.done = StressCoverage(config)

    def begin(self) -> None:
        """Begin a new sequence without a ``pause`` function."""
        self.line = Timeline(bus_model(self.config))
        self.pause: Callable[[dict[str, int]], None] | None = None

    def to_the_result(self, command: str) -> None:
        """Start an operation, wait for its end and read all available results."""
        self.uninterrupted(command)
        model = self.line.model
        for address, result in sorted(model.results.items()):
            if model.status(self.line.now) in result.after:
                for _ in range(result.words):
                    self.step(write=False, address=address)

    def uninterrupted(self, command: str, polls: int = 0) -> None:
        """Start an operation, poll the status ``polls`` times, and read it once after the end."""
        self.command(command)
        for _ in range(polls):
            self.step(write=False, address=CONTROL, idle=0)
        self.step(write=False, address=CONTROL, aim=AIM_LAST + 1)

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < probability

    def step(self, kind: Kind = Kind.TRANSFER, **fields: int | bool) -> None:
        """Play a step. Draw idle cycles and wait states if the caller gives no times."""
        if kind is Kind.TRANSFER and "wait" not in fields and self.chance(0.06):
            fields["wait"] = self._some_wait()
        if not {"idle", "aim"} & set(fields) and self.chance(0.15):
            fields["idle"] = self._long() if self.chance(0.03) else self.rng.randrange(1, SOME_IDLE)
        if self.pause and kind is Kind.TRANSFER:
            self.pause(fields)
        step = Step(kind, **fields)
        asked, model = self.line.asked(step), self.line.model
        if kind >= Kind.RESET:
            self.done.sample_reset(model, asked + (kind is Kind.RESET_IN_ACKNOWLEDGE))
        elif kind is Kind.TRANSFER:
            self.done.sample_wait(model, step, asked)
            self.done.sample(model, step.request, asked + step.wait)
        self.line.play(step)

    def _some_wait(self) -> int:
        """Return a number of wait states: mostly few, rarely enough for a timeout or overflow."""
        return self._long() if self.chance(0.12) else self.rng.randrange(1, SOME_WAIT + 1)

    def _long(self) -> int:
        """Return a number of cycles; each order of magnitude in powers of two is equally likely."""
        return self.rng.randrange(1, 1 << self.rng.randrange(1, MAX_WAIT.bit_length() + 1))

    def command(self, name: str, **fields: int) -> None:
        """Write a command; the top may lack it."""
        self.step(write=True, address=CONTROL, data=COMMAND_CODES[name], **fields)

    def start_command(self) -> str:
        """Return a start command that the top has."""
        names = [n for n in self.line.model.commands.values() if n.startswith("START")]
        return self.rng.choice(sorted(names))

    def start(self, name: str, *, often: bool = False) -> None:
        """Start an operation and make some transfers while it runs; more of them if ``often``."""
        self.command(name)
        if self.chance(self.disturbed()):
            self.disturb()
        for _ in range(self.rng.choice((1, 2, 3) if often else (0, 0, 1, 1, 2, 4))):
            self.anything(**self._moment())
        if self.chance(0.85):  # else go on at once, even if the operation still runs
            self.step(
                write=False, address=CONTROL, aim=self.rng.randrange(AIM_LAST + 1, MAX_AIM + 1)
            )

    def disturbed(self) -> float:
        """Return the probability that an operation on the present operands is disturbed."""
        return 0.1

    def disturb(self) -> None:
        """Make transfers throughout a running operation; none of them may affect it."""
        model, rng = self.line.model, self.rng
        for _ in range(rng.randrange(3, 9)):
            left = model.operation.last - self.line.now if model.operation else 0
            if left < 2:
                break
            name = rng.choice((*3 * ("CLEAR",), "status", "write", "read", NO_ADDRESS, UNKNOWN))
            self._do(name, {"idle": min(rng.randrange(left // 3 + 1), MAX_IDLE)})

    def _moment(self) -> dict[str, int]:
        """Return the time of a transfer to a running operation: soon, random, or around its end.

        Favour times at which some command is not yet covered.
        """
        operation, rng = self.line.model.operation, self.rng
        left = max(0, operation.last - self.line.now) if operation else 0
        moments = [
            {"idle": 0},
            {"idle": rng.randrange(1, SOME_IDLE)},
            {"idle": min(rng.randrange(left + 1), MAX_IDLE)},
            *({"aim": aim} for aim in range(1, MAX_AIM + 1)),
            {"aim": AIM_LAST},
            {"aim": AIM_LAST + 1},
        ]
        wanted = [moment for moment in moments if self._missing(moment)]
        return rng.choice(wanted if wanted and self.chance(0.7) else moments)

    def _missing(self, when: dict[str, int]) -> list[str]:
        """Return the commands that are not yet covered in the state at this time."""
        cycle = self.line.asked(Step(Kind.TRANSFER, **when))
        return self.done.missing_commands(self.line.model, cycle)

    def anything(self, **when: int) -> None:
        """Make one transfer, command or reset of any kind."""
        rng, model = self.rng, self.line.model
        when = {"idle": 0, **when}
        missing = self._missing(when)
        kind = rng.randrange(12)
        if missing and kind < 8:
            self._do(rng.choice(missing), when)
        elif kind == 8:
            self.drop(**when)
        elif kind == 9:
            self.command("CLEAR", **when)
            self.command("CLEAR", idle=rng.randrange(SOME_IDLE))
        else:
            commands = sorted(model.commands.values())
            self._do(rng.choice((*commands, UNKNOWN, "status", "write", "read", NO_ADDRESS)), when)

    def _do(self, name: str, when: dict[str, int]) -> None:
        """Make the transfer or reset with this coverage name."""
        rng, model = self.rng, self.line.model
        word = rng.getrandbits(self.config.bus_width)
        if name == RESET:
            self.reset(**when)
        elif name == UNKNOWN:
            self.step(write=True, address=CONTROL, data=self.unknown_command(), **when)
        elif name == "status":
            self.step(write=False, address=CONTROL, data=word, **when)
        elif name == "write":
            self.step(write=True, address=rng.choice(sorted(model.operands)), data=word, **when)
        elif name == "read":
            self.step(write=False, address=rng.choice(sorted(model.results)), data=word, **when)
        elif name == NO_ADDRESS:
            write, address = bool(rng.randrange(2)), rng.choice(self._no_addresses() or [CONTROL])
            self.step(write=write, address=address, data=word, **when)
        else:
            self.command(name, **when)

    def _no_addresses(self) -> list[int]:
        """Return the addresses that cannot be written, cannot be read, or neither."""
        model = self.line.model
        both = {*model.operands, CONTROL} & {*model.results, CONTROL}
        return [address for address in range(1 << self.config.address_width) if address not in both]

    def drop(self, **when: int) -> None:
        """Request a transfer and drop the request before it is granted."""
        rng = self.rng
        address, write = rng.randrange(1 << self.config.address_width), bool(rng.randrange(2))
        data = rng.choice((rng.getrandbits(self.config.bus_width), *self.line.model.commands))
        wait = self._some_wait()
        self.step(Kind.DROP, write=write, address=address, data=data, wait=wait, **when)

    def reset(self, **when: int) -> None:
        """Reset: alone, in the acknowledge of a transfer, or with a request during the reset."""
        rng = self.rng
        kind = rng.choice((Kind.RESET, Kind.RESET_IN_ACKNOWLEDGE, Kind.RESET_OVER_REQUEST))
        address = rng.choice((CONTROL, *sorted(self.line.model.operands)))
        data = rng.choice((rng.getrandbits(self.config.bus_width), *self.line.model.commands))
        self.step(kind, write=True, address=address, data=data, **when)
        if self.chance(0.5):
            self._start_on_nothing()

    def _start_on_nothing(self) -> None:
        """Start an operation with empty operands; they are empty only after a reset."""
        if self.chance(0.3):
            self.anything()
        self.start(self.start_command(), often=True)
        if self.chance(0.5):
            self.anything()

    def unknown_command(self) -> int:
        """Return a word that is not a command of the top.

        It differs in one bit from a command, is a command of the other top, or is random.
        """
        rng, known = self.rng, self.line.model.commands
        width = self.config.bus_width
        while True:
            near = rng.choice(sorted(known)) ^ 1 << rng.randrange(width)
            others = rng.choice((0, *COMMAND_CODES.values(), (1 << width) - 1))
            code = rng.choice((near, near, others, rng.getrandbits(width)))
            if code not in known:
                return code

    def words(self, value: int, count: int) -> list[int]:
        """Return ``value`` as ``count`` bus words, least significant first."""
        width = self.config.bus_width
        return [value >> i * width & ((1 << width) - 1) for i in range(count)]

    def load(
        self, values: Mapping[int, int], *, part_of: int | None = None, alone: bool = False
    ) -> None:
        """Write operands, one after the other or with their words interleaved.

        Args:
            values: operand values by address.
            part_of: address of an operand of which only some words are written.
            alone: make no other transfer in between.
        """
        rng, model = self.rng, self.line.model
        begun = any(model.operands[address].counter for address in values)
        if begun and self.chance(0.85):
            self.command("CLEAR")
        queues = []
        for address, value in values.items():
            words = self.words(value, model.operands[address].words)
            if address == part_of and len(words) > 1:
                words = words[: rng.randrange(1, len(words))]
            queues.append([(address, word) for word in words])
        rng.shuffle(queues)
        in_turns = self.chance(0.2)
        while queues:
            queue = rng.choice(queues) if in_turns else queues[0]
            address, word = queue.pop(0)
            self.step(write=True, address=address, data=word)
            if not alone and self.chance(0.2 if self._missing({"idle": 0}) else 0.03):
                self.anything()
            queues = [left for left in queues if left]

    def spare_bits(self, address: int, value: int) -> int:
        """Return ``value`` with random bits above the operand's width, if its last word has any."""
        operand = self.line.model.operands[address]
        spare = spare_bits(operand, self.config.bus_width)
        return value | self.rng.getrandbits(spare) << operand.bits if spare else value

    def spare_bit(self, address: int, how: str) -> int:
        """Return bits above an operand's width: the lowest one, the highest one or random ones."""
        operand = self.line.model.operands[address]
        spare = spare_bits(operand, self.config.bus_width)
        ends = {LOWEST_BIT: 1, HIGHEST_BIT: 1 << spare - 1}
        return ends.get(how, self.rng.randrange(1, 1 << spare)) << operand.bits

    def part(self, addresses: list[int]) -> int | None:
        """Sometimes return an operand of several words that shall be written in part."""
        model = self.line.model
        long = [address for address in addresses if model.operands[address].words > 1]
        return self.rng.choice(long) if long and self.chance(0.15) else None

    def _values(self) -> dict[int, int]:
        """Return the present value of each operand, by address."""
        return {address: operand.value for address, operand in self.line.model.operands.items()}

    def _write_low(self, address: int, value: int, count: int) -> None:
        """Write only ``count`` words, then CLEAR, after which the operand counts as supplied."""
        for word in self.words(value, count):
            self.step(write=True, address=address, data=word)
        self.command("CLEAR")
