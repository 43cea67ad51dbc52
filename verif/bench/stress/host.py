"""Host of the protocol stress test: random legal and illegal bus transfers at any time.

A sequence is a series of steps (transfers, drops, resets) that begins with a reset. The host
favours the cycles in which the state of an operation changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from models.bus.loader_bus import CONTROL, BusModel
from models.bus.start_defects import (
    CONSTANTS,
    IGNORED,
    KEPT,
    Defect,
    Target,
    address_of,
    possible_defects,
)
from verif.bench.agent.bus_model import bus_model
from verif.bench.agent.step import AIM_LAST, MAX_AIM, Kind
from verif.bench.stress.timeline import Timeline
from verif.bench.stress.transfers import SOME_IDLE, Transfers

# Maximum number of draws of low words, of full and of random length, until they form a legal
# operand with the old high words.
LOW_DRAWS = 64
# The same of operands until the high words of one of them are not 0.
HIGH_DRAWS = 8
# Steps of one sequence. A sequence of this length can be shrunk in seconds.
SEQUENCE_STEPS = 60


class Host(Transfers, ABC):
    """Makes sequences on one top.

    Stimulus is coverage-driven: in each state of the model, the host favours commands that its
    sequences have not yet made in this state.
    """

    @abstractmethod
    def prepare(self) -> str:
        """Write some operands and keep the others; return the start command to use."""

    @abstractmethod
    def complete(self) -> str:
        """Write all operands and constants with legal values; return the start command to use."""

    @abstractmethod
    def inject_fault(
        self, wanted: Sequence[Defect], *, same_modulus: bool = False, supply: bool = False
    ) -> str:
        """Inject exactly these faults into the operands; return the start command to use.

        Args:
            wanted: the faults.
            same_modulus: keep M unless M itself is faulty, even if another M would cover more.
            supply: supply every constant; a constant that is not faulty gets its legal value.
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
        With a fault of another operand the host supplies legal constants: the hardware checks them
        later, and the outcome of their check must not replace that of the operand.

        Args:
            steps: number of steps of all sequences together, without the reads of results and
                without the legal constants.
        """
        operands = self.line.model.operands.values()
        words = sum(operand.words for operand in operands if operand.name in CONSTANTS)
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
            supply = defect.operand not in CONSTANTS
            self.uninterrupted(self.inject_fault((defect,), same_modulus=True, supply=supply))
            self._cure(before, constants=self.chance(0.5))
            steps -= len(self.line.played) - words * supply
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

    def shortened(self) -> Iterator[Timeline]:
        """Make sequences with an operand that ends with a word, and that word then shorter.

        None here: only an exponent has a length that decides something.
        """
        return iter(())

    def rewritten_after_reset(self, steps: int) -> Iterator[Timeline]:
        """Make sequences of about ``steps`` steps with an operand of few words after a reset.

        The host writes the same low words again and again, as many words as the operand has. The
        high words must be 0, although the memory of the operand still has old ones. An operand
        whose high words are always 0 has no sequence.
        """
        width, operands = self.config.bus_width, self.line.model.operands
        long = [address for address, operand in operands.items() if operand.words > 1]
        self.rng.shuffle(long)
        for address in long:
            if steps <= 0:
                break
            for _ in range(HIGH_DRAWS):
                self.begin()
                command, before = self.complete_long(), self._values()
                if before[address] >> width:
                    break
            else:
                continue
            value, words = before.pop(address), operands[address].words
            self.uninterrupted(command)
            self.step(Kind.RESET)
            count = self.rng.randrange(1, words)
            for _ in range(-(-words // count)):
                self._write_low(address, value, count)
            self.load(before, alone=True)
            self.to_the_result(command)
            steps -= len(self.line.played)
            yield self.line

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
