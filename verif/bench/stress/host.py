"""An impolite host: does anything at any time, most of all where one state becomes another."""

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
    possible_defects,
    select_of,
    spare_bits,
)
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import AIM_LAST, MAX_AIM, MAX_IDLE, MAX_WAIT, Kind, Step
from verif.bench.configuration.config import BenchConfig
from verif.bench.coverage.walk import NO_SELECT, RESET, UNKNOWN, WalkCoverage
from verif.bench.stress.timeline import Timeline

# Low words that are drawn until an operand fits with its high ones.
LOW_DRAWS = 64
# Steps of one walk, from one reset to the next: short enough to be shrunk in seconds.
WALK_STEPS = 60
SOME_IDLE = 4
SOME_WAIT = 3


class Host(ABC):
    """Makes walks on one top.

    A walk is made step by step on the model of the bus, which says where the edges are; the steps
    that come out mean the same without it. What its walks have not yet done in a state of the model
    it prefers to do there.

    Attributes:
        line: the walk that is being made.
        pause: may change the times of each transfer before it is played.
        done: what the walks have done.

    Args:
        config: the job.
        rng: source of every choice.
    """

    def __init__(self, config: BenchConfig, rng: random.Random) -> None:
        self.config = config
        self.rng = rng
        self.begin()
        self.done = WalkCoverage(config)

    @abstractmethod
    def prepare(self) -> str:
        """Write some operands and keep others; return the start to go on with."""

    @abstractmethod
    def complete(self) -> str:
        """Write every operand, constants as well, all right; return the start to go on with."""

    @abstractmethod
    def spoil(self, wanted: Sequence[Defect], *, same_modulus: bool = False) -> str:
        """Have operands with which just this is wrong; return the start to go on with.

        Args:
            wanted: what is to be wrong.
            same_modulus: M stays if it is not to be wrong, even where another shows more.
        """

    def walk(self, steps: int = WALK_STEPS) -> Timeline:
        """A walk of about so many steps."""
        self.begin()
        if self.chance(0.3):
            self._start_on_nothing()
        while len(self.line.played) < steps:
            self._round()
        self.step(write=False, select=CONTROL, aim=self.rng.randrange(AIM_LAST + 1, MAX_AIM + 1))
        return self.line

    def confront(self, steps: int) -> Iterator[Timeline]:
        """Walks of so many steps in all that show whether what was right once is judged again.

        All operands right, and a start; the same but for one thing that is wrong, and a start; that
        cured, a start, and the whole result, in which something of it may be left; ``steps`` are
        without these reads. Constants are the first in turn: hardware keeps what it knows of them.
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
            self.uninterrupted(self.spoil((defect,), same_modulus=True))
            self._cure(before, constants=self.chance(0.5))
            steps -= len(self.line.played)
            self.to_the_result(command)
            yield self.line
        if "ZEROISE" in self.line.model.commands.values():
            self.begin()
            self._start_in_the_wipe()
            yield self.line

    def mix(self) -> Timeline:
        """A walk in which each operand in turn is made of the words of two.

        Its low words are written anew, with others that fit, and CLEAR gives up the rest of them;
        what then ends well has the new low words and the high ones of before. All of the result is
        read.
        """
        self.begin()
        command = self.complete_long()
        self.to_the_result(command)
        operands = self.line.model.operands
        for select in sorted(operands, key=lambda s: operands[s].name not in CONSTANTS):
            low = self._fitting_low(command, select)
            if low:
                self._write_low(select, *low)
                self.to_the_result(command)
        return self.line

    def complete_long(self) -> str:
        """As :meth:`complete`, with something in each word that an operation works off."""
        return self.complete()

    def _fitting_low(self, command: str, select: int) -> tuple[int, int] | None:
        """Low words, and how many, with which an operand still fits; of a constant its own.

        There may be more above them.
        """
        rng, model, width = self.rng, self.line.model, self.config.bus_width
        operand = model.operands[select]
        for _ in range(LOW_DRAWS if operand.words > 1 else 0):
            count = rng.randrange(1, operand.words)
            if operand.name in CONSTANTS:
                return operand.value, count
            low = rng.getrandbits(count * width)
            mixed = operand.value >> count * width << count * width | low
            if mixed != operand.value and model.ends(command, {select: mixed}) == "OK":
                return low, count
        return None

    def begin(self) -> None:
        """A new walk, in the host's own pace."""
        self.line = Timeline(bus_model(self.config))
        self.pause: Callable[[dict[str, int]], None] | None = None

    def to_the_result(self, command: str) -> None:
        """Start, and read all that there is at the end."""
        self.uninterrupted(command)
        model = self.line.model
        for select, result in sorted(model.results.items()):
            if model.status(self.line.now) in result.after:
                for _ in range(result.words):
                    self.step(write=False, select=select)

    def seldom(self, steps: int) -> Iterator[Timeline]:
        """Walks of about so many steps to what :meth:`walk` has few chances of, if there is any.

        Only what none of this host's walks has done yet. Here: to operations on nothing, which
        walks have behind a reset alone, in the first clocks, in the last and behind it.
        """
        behind = ({"aim": AIM_LAST + clocks} for clocks in (0, 1, 2))
        for when in ({"idle": 0}, {"idle": 1}, *behind):
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
        """Walks of about so many steps to what may follow on a constant kept or lost, if any is."""
        yield from ()

    def _start_in_the_wipe(self) -> None:
        """A start that reads memories behind ZEROISE, and transfers for as long as it reads."""
        command = self.complete()
        self.uninterrupted(command)
        self.command("ZEROISE")
        words = max(operand.words for operand in self.line.model.operands.values())
        self.uninterrupted(command, polls=words)

    def uninterrupted(self, command: str, polls: int = 0) -> None:
        """Start, ask so often whether it has ended, and then how."""
        self.command(command)
        for _ in range(polls):
            self.step(write=False, select=CONTROL, idle=0)
        self.step(write=False, select=CONTROL, aim=AIM_LAST + 1)

    def chance(self, probability: float) -> bool:
        """True as often as that."""
        return self.rng.random() < probability

    def step(self, kind: Kind = Kind.TRANSFER, **fields: int | bool) -> None:
        """Play a step, in a pace of its own if it has none."""
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
        """Wait states: a few, now and then so many that whoever counts them gives up."""
        return self._long() if self.chance(0.12) else self.rng.randrange(1, SOME_WAIT + 1)

    def _long(self) -> int:
        """Clocks in which nothing may happen, short ones as often as those twice as long."""
        return self.rng.randrange(1, 1 << self.rng.randrange(1, MAX_WAIT.bit_length() + 1))

    def command(self, name: str, **fields: int) -> None:
        """Write a command that the top need not have."""
        self.step(write=True, select=CONTROL, data=COMMAND_CODES[name], **fields)

    def start_command(self) -> str:
        """A start that the top has."""
        names = [n for n in self.line.model.commands.values() if n.startswith("START")]
        return self.rng.choice(sorted(names))

    def start(self, name: str, *, often: bool = False) -> None:
        """Start, and do something while it runs: one thing or, ``often``, several."""
        self.command(name)
        if self.chance(self.disturbed()):
            self.disturb()
        for _ in range(self.rng.choice((1, 2, 3) if often else (0, 0, 1, 1, 2, 4))):
            self.anything(**self._moment())
        if self.chance(0.85):  # else go on at once, whatever it meets
            self.step(
                write=False, select=CONTROL, aim=self.rng.randrange(AIM_LAST + 1, MAX_AIM + 1)
            )

    def disturbed(self) -> float:
        """How many of the operations on the present operands are disturbed."""
        return 0.1

    def disturb(self) -> None:
        """Transfers all over a running operation, none of which it may notice."""
        model, rng = self.line.model, self.rng
        for _ in range(rng.randrange(3, 9)):
            left = model.operation.last - self.line.now if model.operation else 0
            if left < 2:
                break
            name = rng.choice((*3 * ("CLEAR",), "status", "write", "read", NO_SELECT, UNKNOWN))
            self._do(name, {"idle": min(rng.randrange(left // 3 + 1), MAX_IDLE)})

    def _moment(self) -> dict[str, int]:
        """When to do something to a running operation: soon, somewhere, or around its end.

        Where there is something left to do, if there is such a place.
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
        """What was not yet done in the state that a transfer then would meet."""
        clock = self.line.asked(Step(Kind.TRANSFER, **when))
        return self.done.missing_commands(self.line.model, clock)

    def anything(self, **when: int) -> None:
        """One transfer, command or reset of any kind."""
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
            self._do(rng.choice((*commands, UNKNOWN, "status", "write", "read", NO_SELECT)), when)

    def _do(self, name: str, when: dict[str, int]) -> None:
        """A command by the name that the coverage has for it."""
        rng, model = self.rng, self.line.model
        word = rng.getrandbits(self.config.bus_width)
        if name == RESET:
            self.reset(**when)
        elif name == UNKNOWN:
            self.step(write=True, select=CONTROL, data=self.unknown_command(), **when)
        elif name == "status":
            self.step(write=False, select=CONTROL, data=word, **when)
        elif name == "write":
            self.step(write=True, select=rng.choice(sorted(model.operands)), data=word, **when)
        elif name == "read":
            self.step(write=False, select=rng.choice(sorted(model.results)), data=word, **when)
        elif name == NO_SELECT:
            write, select = bool(rng.randrange(2)), rng.choice(self._no_selects() or [CONTROL])
            self.step(write=write, select=select, data=word, **when)
        else:
            self.command(name, **when)

    def _no_selects(self) -> list[int]:
        """Selects that cannot be written, read or either."""
        model = self.line.model
        both = {*model.operands, CONTROL} & {*model.results, CONTROL}
        return [select for select in range(1 << self.config.sel_width) if select not in both]

    def drop(self, **when: int) -> None:
        """Ask for something and give up in time."""
        rng = self.rng
        select, write = rng.randrange(1 << self.config.sel_width), bool(rng.randrange(2))
        data = rng.choice((rng.getrandbits(self.config.bus_width), *self.line.model.commands))
        wait = self._some_wait()
        self.step(Kind.DROP, write=write, select=select, data=data, wait=wait, **when)

    def reset(self, **when: int) -> None:
        """Reset, perhaps in the acknowledge of a transfer, perhaps with one waiting behind it."""
        rng = self.rng
        kind = rng.choice((Kind.RESET, Kind.RESET_IN_ACKNOWLEDGE, Kind.RESET_OVER_REQUEST))
        select = rng.choice((CONTROL, *sorted(self.line.model.operands)))
        data = rng.choice((rng.getrandbits(self.config.bus_width), *self.line.model.commands))
        self.step(kind, write=True, select=select, data=data, **when)
        if self.chance(0.5):
            self._start_on_nothing()

    def _start_on_nothing(self) -> None:
        """After a reset: what happens then has no other chance."""
        if self.chance(0.3):
            self.anything()
        self.start(self.start_command(), often=True)
        if self.chance(0.5):
            self.anything()

    def unknown_command(self) -> int:
        """No command of the top: another top's, one bit beside one of its own, any word."""
        rng, known = self.rng, self.line.model.commands
        width = self.config.bus_width
        while True:
            near = rng.choice(sorted(known)) ^ 1 << rng.randrange(width)
            others = rng.choice((0, *COMMAND_CODES.values(), (1 << width) - 1))
            code = rng.choice((near, near, others, rng.getrandbits(width)))
            if code not in known:
                return code

    def words(self, value: int, count: int) -> list[int]:
        """``value`` as bus words."""
        width = self.config.bus_width
        return [value >> i * width & ((1 << width) - 1) for i in range(count)]

    def load(
        self, values: Mapping[int, int], *, part_of: int | None = None, alone: bool = False
    ) -> None:
        """Write operands, one behind the other or word by word in turns.

        Args:
            values: by select.
            part_of: select of which only some words are written.
            alone: nothing else is done in between.
        """
        rng, model = self.rng, self.line.model
        begun = any(model.operands[select].counter for select in values)
        if begun and self.chance(0.85):
            self.command("CLEAR")
        queues = []
        for select, value in values.items():
            words = self.words(value, model.operands[select].words)
            if select == part_of and len(words) > 1:
                words = words[: rng.randrange(1, len(words))]
            queues.append([(select, word) for word in words])
        rng.shuffle(queues)
        in_turns = self.chance(0.2)
        while queues:
            queue = rng.choice(queues) if in_turns else queues[0]
            select, word = queue.pop(0)
            self.step(write=True, select=select, data=word)
            if not alone and self.chance(0.2 if self._missing({"idle": 0}) else 0.03):
                self.anything()
            queues = [left for left in queues if left]

    def spare_bits(self, select: int, value: int) -> int:
        """``value`` with random bits above the operand's width, where its last word has any."""
        operand = self.line.model.operands[select]
        spare = spare_bits(operand, self.config.bus_width)
        return value | self.rng.getrandbits(spare) << operand.bits if spare else value

    def spare_bit(self, select: int, how: str) -> int:
        """Bits above an operand's width, in their place: the lowest, the highest, any."""
        operand = self.line.model.operands[select]
        spare = spare_bits(operand, self.config.bus_width)
        ends = {LOWEST_BIT: 1, HIGHEST_BIT: 1 << spare - 1}
        return ends.get(how, self.rng.randrange(1, 1 << spare)) << operand.bits

    def part(self, selects: list[int]) -> int | None:
        """Now and then an operand of several words, to be written in part."""
        model = self.line.model
        long = [select for select in selects if model.operands[select].words > 1]
        return self.rng.choice(long) if long and self.chance(0.15) else None

    def _zeroise(self) -> None:
        """ZEROISE, perhaps words written while memories are wiped, and ZEROISE again."""
        rng, operands = self.rng, self.line.model.operands
        for _ in range(rng.choice((1, 2, 2, 3))):
            self.command("ZEROISE", idle=rng.randrange(SOME_IDLE))
            for _ in range(rng.choice((0, 0, 1, 2))):
                select = rng.choice(sorted(operands))
                word = rng.getrandbits(self.config.bus_width)
                # Behind the wipe of this operand, in it, or in that of a longer one.
                idle = rng.randrange(2 * operands[select].words + SOME_IDLE)
                self.step(write=True, select=select, data=word, idle=idle)

    def _round(self) -> None:
        if "ZEROISE" in self.line.model.commands.values() and self.chance(0.06):
            self._zeroise()
            if self.chance(0.3):  # on what was left of a wipe, or written beside it
                self.start(self.start_command())
                return
        missing = self.done.missing_rewritten(self.line.model)
        defects = self.done.missing_defects(self.line.model)
        if defects and self.chance(0.35):
            target = self.rng.choice(defects)
            self.start(self._spoil(target))
            if self.chance(0.5):
                self._again_in_part([part for part in target if isinstance(part, Defect)])
            return
        if missing and self.chance(0.5):
            command = self._rewrite(self.rng.choice(missing))
        elif self.chance(0.05):
            command = self.abandon(sorted(self.line.model.operands))
        else:
            command = self.prepare()
        if self.chance(0.7 if self._missing({"idle": 0}) else 0.2):
            self.anything()
        self.start(command)
        self._afterwards()
        status = self.line.model.status(self.line.now)
        if status == "OK" and self.chance(0.12):
            self._refused_between()
        elif self.chance({"CONSTANT_INCONSISTENT": 0.6, "OPERAND_RANGE": 0.2}.get(status, 0)):
            # Nothing written: constants that were supplied for the start before are no more.
            self.start(self.start_command())
        if self.chance(0.25):
            self.anything()

    def _refused_between(self) -> None:
        """A start that is refused, and the same one cured: M and what was made of it are kept."""
        rng = self.rng
        before = self._values()
        wrong = [d for d in _that_can_be_written(self.line.model) if d.operand != "M"]
        command = self.start_command()
        self._spoil((rng.choice(wrong),))
        self.start(command)
        self._cure(before, constants=False)
        self.start(command if self.chance(0.8) else self.start_command())
        self._afterwards()

    def _values(self) -> dict[int, int]:
        """What the operands hold, by select."""
        return {select: operand.value for select, operand in self.line.model.operands.items()}

    def _cure(self, before: Mapping[int, int], *, constants: bool) -> None:
        """Write what has changed since; constants that are not supplied again are of no matter."""
        operands = self.line.model.operands
        changed = [select for select in before if operands[select].value != before[select]]
        cured = [s for s in changed if constants or operands[s].name not in CONSTANTS]
        self.load({select: before[select] for select in cured}, alone=True)

    def _again_in_part(self, wrong: Sequence[Defect]) -> None:
        """The low words of what is wrong once more, as they are: it stays wrong."""
        model, rng = self.line.model, self.rng
        selects = [select_of(model, defect) for defect in wrong]
        long = [select for select in selects if model.operands[select].words > 1]
        if long:
            select = rng.choice(long)
            operand = model.operands[select]
            self._write_low(select, operand.value, rng.randrange(1, operand.words))
            self.start(self.start_command())

    def _spoil(self, target: Target) -> str:
        """Defects as they are, or some of the two lines; no other word is written."""
        model, wanted = self.line.model, []
        written = _that_can_be_written(model)
        for part in target:
            fitting = [defect for defect in written if defect.line == part]
            wanted.append(part if isinstance(part, Defect) else self.rng.choice(fitting))
        if any(operand.counter for operand in model.operands.values()):
            self.command("CLEAR")
        return self.spoil(wanted)

    def _rewrite(self, selects: tuple[int, ...]) -> str:
        """The same words once more: only that they were written tells the hardware anything."""
        operands = self.line.model.operands
        self.load({select: operands[select].value for select in selects})
        return self.start_command()

    def abandon(self, selects: Sequence[int]) -> str:
        """Low words of one of some operands and CLEAR: its high words are those of before."""
        rng, operands = self.rng, self.line.model.operands
        long = [select for select in selects if operands[select].words > 1]
        if long:
            select = rng.choice(long)
            if operands[select].counter:
                self.command("CLEAR")
            count = rng.randrange(1, operands[select].words)
            low = rng.getrandbits(count * self.config.bus_width) | 1  # a modulus stays odd
            self._write_low(select, low, count)
        return self.start_command()

    def _write_low(self, select: int, value: int, count: int) -> None:
        """So many words and no more: behind CLEAR the operand counts as written."""
        for word in self.words(value, count):
            self.step(write=True, select=select, data=word)
        self.command("CLEAR")

    def _afterwards(self) -> None:
        """Read what there is: all, a part, too much, nothing."""
        rng, model = self.rng, self.line.model
        results = sorted(model.results)
        kind = rng.randrange(8)
        if kind == 0:
            return
        chosen = results if kind < 4 else [rng.choice(results)]
        reads = []
        for select in chosen:
            words = model.results[select].words
            count = words if kind < 5 else rng.randrange(1, 2 * words + 2)
            reads += [select] * (count if model.status(self.line.now) != "BUSY" else 1)
        if self.chance(0.5):  # words of several results in turns
            rng.shuffle(reads)
        for select in reads:
            self.step(write=False, select=select, data=rng.getrandbits(self.config.bus_width))
            if self.chance(0.04):
                self.anything()
        if self.chance(0.5):
            self.command("CLEAR")


def _that_can_be_written(model: BusModel) -> list[Defect]:
    """What can be wrong with words that are written for a start."""
    return [d for d in possible_defects(model) if d.how not in (KEPT, IGNORED)]
