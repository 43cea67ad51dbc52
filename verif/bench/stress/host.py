"""Host of the protocol stress test: random legal and illegal bus transfers at any time.

A sequence is a series of steps (transfers, drops, resets) that begins with a reset. The host
favours the cycles in which the state of an operation changes.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from models.bus.loader_bus import COMMAND_CODES, CONTROL, BusModel
from models.bus.start_defects import (
    CONSTANTS,
    HIGHEST_BIT,
    IGNORED,
    KEPT,
    LOWEST_BIT,
    Defect,
    Target,
    address_of,
    possible_defects,
    spare_bits,
)
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import AIM_LAST, MAX_AIM, MAX_IDLE, MAX_WAIT, Kind, Step
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.stress import NO_ADDRESS, RESET, UNKNOWN, StressCoverage
from verif.bench.stress.timeline import Timeline

# Maximum number of draws of low words, of full and of random length, until they form a legal
# operand with the old high words.
LOW_DRAWS = 64
# Steps of one sequence. A sequence of this length can be shrunk in seconds.
SEQUENCE_STEPS = 60
SOME_IDLE = 4
SOME_WAIT = 3


class Host(ABC):
    """Makes sequences on one top.

    The host plays each step on the model of the bus, which gives the cycle of every state change.
    The resulting steps do not depend on the model. Stimulus is coverage-driven: in each state of
    the model, the host favours commands that its sequences have not yet made in this state.

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

    @abstractmethod
    def prepare(self) -> str:
        """Write some operands and keep the others; return the start command to use."""

    @abstractmethod
    def complete(self) -> str:
        """Write all operands and constants with legal values; return the start command to use."""

    @abstractmethod
    def inject_fault(self, wanted: Sequence[Defect], *, same_modulus: bool = False) -> str:
        """Inject exactly these faults into the operands; return the start command to use.

        Args:
            wanted: the faults.
            same_modulus: keep M if it shall not be faulty, even where another M would show more.
        """

    def sequence(self, steps: int = SEQUENCE_STEPS) -> Timeline:
        """Make a sequence of about ``steps`` steps."""
        self.begin()
        if self.chance(0.3):
            self._start_on_nothing()
        while len(self.line.played) < steps:
            self._round()
        self.step(write=False, address=CONTROL, aim=self.rng.randrange(AIM_LAST + 1, MAX_AIM + 1))
        return self.line

    def refault(self, steps: int) -> Iterator[Timeline]:
        """Make sequences that check whether the hardware validates operands again after a change.

        Each sequence has three starts: with legal operands, with one injected fault, and with the
        fault repaired. Then the host reads the whole result, which may show traces of the fault.
        Faults of constants come first, because the hardware keeps what it derives from constants.

        Args:
            steps: number of steps of all sequences together, without the reads of results.
        """
        wrong = _that_can_be_written(bus_model(self.config))
        self.rng.shuffle(wrong)
        wrong.sort(key=lambda defect: defect.operand not in CONSTANTS)
        for defect in wrong:
            if steps <= 0:
                break
            self.begin()
            command = self.complete()
            self.uninterrupted(command)
            before = self._values()
            self.uninterrupted(self.inject_fault((defect,), same_modulus=True))
            self._cure(before, constants=self.chance(0.5))
            steps -= len(self.line.played)
            self.to_the_result(command)
            yield self.line
        if "ZEROISE" in self.line.model.commands.values():
            self.begin()
            self._start_in_the_wipe()
            yield self.line

    def partial_rewrite(self) -> Timeline:
        """Make a sequence in which each operand in turn has new low words and old high words.

        The host writes new low words that give a legal operand, and then CLEAR, so that the high
        words keep their old values. It then starts an operation and reads the whole result.
        """
        self.begin()
        command = self.complete_long()
        self.to_the_result(command)
        operands = self.line.model.operands
        for address in sorted(operands, key=lambda s: operands[s].name not in CONSTANTS):
            low = self._fitting_low(command, address)
            if low:
                self._write_low(address, *low)
                self.to_the_result(command)
        return self.line

    def complete_long(self) -> str:
        """Do the same as :meth:`complete`, but fill every word that an operation processes."""
        return self.complete()

    def _fitting_low(self, command: str, address: int) -> tuple[int, int] | None:
        """Return low words and their number that give a legal operand with its old high words.

        A constant keeps its own low words. The returned value of a constant may contain more words
        than this number. None if no draw gives a legal operand.
        """
        rng, model, width = self.rng, self.line.model, self.config.bus_width
        operand = model.operands[address]
        for draw in range(2 * LOW_DRAWS if operand.words > 1 else 0):
            count = rng.randrange(1, operand.words)
            if operand.name in CONSTANTS:
                return operand.value, count
            # With a small M only short words are legal; they come last.
            bits = count * width if draw < LOW_DRAWS else rng.randrange(1, count * width + 1)
            low = rng.getrandbits(bits)
            mixed = operand.value >> count * width << count * width | low
            if mixed != operand.value and model.ends(command, {address: mixed}) == "OK":
                return low, count
        return None

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

    def rare_states(self, steps: int) -> Iterator[Timeline]:
        """Make sequences of about ``steps`` steps to bins that :meth:`sequence` reaches rarely.

        The sequences aim only at bins that this host's sequences have not yet hit. Here: commands
        during an operation with empty operands, in its first cycles, in its last cycle and after
        it. Such operations occur only after a reset.
        """
        after = ({"aim": AIM_LAST + cycles} for cycles in (0, 1, 2))
        for when in ({"idle": 0}, {"idle": 1}, *after):
            while steps > 0:
                self.begin()
                self.command(self.start_command(), idle=0)
                missing = self._missing(when)
                if missing:
                    self._do(self.rng.choice(missing), when)
                steps -= len(self.line.played)
                yield self.line
                if not missing:
                    break

    def constant_chains(self, steps: int) -> Iterator[Timeline]:
        """Make sequences of about ``steps`` steps to starts that follow a kept or a lost constant.

        A core without constants has none.
        """
        yield from ()

    def _start_in_the_wipe(self) -> None:
        """Start an operation right after ZEROISE, and make transfers while it reads memories."""
        command = self.complete()
        self.uninterrupted(command)
        self.command("ZEROISE")
        words = max(operand.words for operand in self.line.model.operands.values())
        self.uninterrupted(command, polls=words)

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
        """Return a word that is no command of the top.

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

    def _zeroise(self) -> None:
        """Send ZEROISE once or several times, and perhaps write words while memories are wiped."""
        rng, operands = self.rng, self.line.model.operands
        for _ in range(rng.choice((1, 2, 2, 3))):
            self.command("ZEROISE", idle=rng.randrange(SOME_IDLE))
            for _ in range(rng.choice((0, 0, 1, 2))):
                address = rng.choice(sorted(operands))
                word = rng.getrandbits(self.config.bus_width)
                # After the wipe of this operand, during it, or during the wipe of a longer one.
                idle = rng.randrange(2 * operands[address].words + SOME_IDLE)
                self.step(write=True, address=address, data=word, idle=idle)

    def _round(self) -> None:
        if "ZEROISE" in self.line.model.commands.values() and self.chance(0.06):
            self._zeroise()
            if self.chance(0.3):  # use operands that the wipe or a write during it has left
                self.start(self.start_command())
                return
        missing = self.done.missing_rewritten(self.line.model)
        defects = self.done.missing_defects(self.line.model)
        if defects and self.chance(0.35):
            target = self.rng.choice(defects)
            self.start(self._inject_fault(target))
            if self.chance(0.5):
                self._again_in_part([part for part in target if isinstance(part, Defect)])
            return
        if missing and self.chance(0.5):
            command = self._rewrite(self.rng.choice(missing))
        elif self.chance(0.05):
            command = self.partial_write(sorted(self.line.model.operands))
        else:
            command = self.prepare()
        if self.chance(0.7 if self._missing({"idle": 0}) else 0.2):
            self.anything()
        self.start(command)
        self._afterwards()
        status = self.line.model.status(self.line.now)
        if status == "OK" and self.chance(0.12):
            self._rejected_between()
        elif self.chance({"CONSTANT_INCONSISTENT": 0.6, "OPERAND_RANGE": 0.2}.get(status, 0)):
            # Start without a write: constants supplied for the previous start no longer count.
            self.start(self.start_command())
        if self.chance(0.25):
            self.anything()

    def _rejected_between(self) -> None:
        """Make a rejected start between two legal ones under one M, whose constants are kept."""
        rng = self.rng
        before = self._values()
        wrong = [d for d in _that_can_be_written(self.line.model) if d.operand != "M"]
        command = self.start_command()
        self._inject_fault((rng.choice(wrong),))
        self.start(command)
        self._cure(before, constants=False)
        self.start(command if self.chance(0.8) else self.start_command())
        self._afterwards()

    def _values(self) -> dict[int, int]:
        """Return the present value of each operand, by address."""
        return {address: operand.value for address, operand in self.line.model.operands.items()}

    def _cure(self, before: Mapping[int, int], *, constants: bool) -> None:
        """Restore the operands that differ from ``before``; the constants too if ``constants``.

        Constants that are not supplied again do not count.
        """
        operands = self.line.model.operands
        changed = [address for address in before if operands[address].value != before[address]]
        cured = [s for s in changed if constants or operands[s].name not in CONSTANTS]
        self.load({address: before[address] for address in cured}, alone=True)

    def _again_in_part(self, wrong: Sequence[Defect]) -> None:
        """Write the low words of a faulty operand again, unchanged, so that the fault remains."""
        model, rng = self.line.model, self.rng
        addresses = [address_of(model, defect) for defect in wrong]
        long = [address for address in addresses if model.operands[address].words > 1]
        if long:
            address = rng.choice(long)
            operand = model.operands[address]
            self._write_low(address, operand.value, rng.randrange(1, operand.words))
            self.start(self.start_command())

    def _inject_fault(self, target: Target) -> str:
        """Inject the faults of a target and write no other word.

        For a line of the status table, choose a random fault that this line describes.
        """
        model, wanted = self.line.model, []
        written = _that_can_be_written(model)
        for part in target:
            fitting = [defect for defect in written if defect.line == part]
            wanted.append(part if isinstance(part, Defect) else self.rng.choice(fitting))
        if any(operand.counter for operand in model.operands.values()):
            self.command("CLEAR")
        return self.inject_fault(wanted)

    def _rewrite(self, addresses: tuple[int, ...]) -> str:
        """Write the same words again: the hardware must react to the write, not to a new value."""
        operands = self.line.model.operands
        self.load({address: operands[address].value for address in addresses})
        return self.start_command()

    def partial_write(self, addresses: Sequence[int]) -> str:
        """Write only low words of a random operand, then CLEAR; the high words stay as they are."""
        rng, operands = self.rng, self.line.model.operands
        long = [address for address in addresses if operands[address].words > 1]
        if long:
            address = rng.choice(long)
            if operands[address].counter:
                self.command("CLEAR")
            count = rng.randrange(1, operands[address].words)
            low = rng.getrandbits(count * self.config.bus_width) | 1  # a modulus stays odd
            self._write_low(address, low, count)
        return self.start_command()

    def _write_low(self, address: int, value: int, count: int) -> None:
        """Write only ``count`` words, then CLEAR, after which the operand counts as supplied."""
        for word in self.words(value, count):
            self.step(write=True, address=address, data=word)
        self.command("CLEAR")

    def _afterwards(self) -> None:
        """Read results: all words, some words, too many words, or none."""
        rng, model = self.rng, self.line.model
        results = sorted(model.results)
        kind = rng.randrange(8)
        if kind == 0:
            return
        chosen = results if kind < 4 else [rng.choice(results)]
        reads = []
        for address in chosen:
            words = model.results[address].words
            count = words if kind < 5 else rng.randrange(1, 2 * words + 2)
            reads += [address] * (count if model.status(self.line.now) != "BUSY" else 1)
        if self.chance(0.5):  # words of several results in turns
            rng.shuffle(reads)
        for address in reads:
            self.step(write=False, address=address, data=rng.getrandbits(self.config.bus_width))
            if self.chance(0.04):
                self.anything()
        if self.chance(0.5):
            self.command("CLEAR")


def _that_can_be_written(model: BusModel) -> list[Defect]:
    """Return the faults that can be injected by words written for a start."""
    return [d for d in possible_defects(model) if d.how not in (KEPT, IGNORED)]
