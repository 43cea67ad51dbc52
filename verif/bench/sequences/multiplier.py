"""Sequences of a multiplier on the loader bus."""

from __future__ import annotations

from models.reference import modular_product
from models.status import Address, BusError, Command, Status
from regress.simulators.icarus import Icarus
from verif.bench.agent.item import MultiplierItem, ResetItem, TransferItem
from verif.bench.agent.state_elements import (
    StateElements,
    in_reset,
    left_in_reset,
    look_in_first_reset,
    of_design,
    stop_if_any,
)
from verif.bench.configuration.config import BenchConfig
from verif.bench.sequences.operands import (
    OperandGenerator,
    Triple,
    corner_triples,
    essential_triples,
    exhaustive_triples,
    standard_fields,
    walking_triples,
)
from verif.bench.sequences.sequence import STALLS, LoaderSequence

# Minimum number of visible bits per operand bit: operands, a product in two forms, and the core's
# own registers. If fewer bits are visible, the simulator hides registers.
MIN_BITS_A_BIT = 20
# Maximum number of draws of a product whose words must differ.
DRAWS = 100


class MultiplierSequence(LoaderSequence):
    """Base class: draws operands for the job's multiplier and sends products."""

    def __init__(self, config: BenchConfig) -> None:
        """Create the sequence of one job."""
        super().__init__(config)
        self.operands = OperandGenerator(
            config.entry, config.width, config.random(f"{type(self).__name__} operands")
        )

    async def multiply(
        self, triple: Triple, *, load: int = 7, raw: bool = False, binary: bool = False
    ) -> None:
        """Send one operation with random idle cycles and stalls."""
        await self.send_paced(MultiplierItem(*triple, load=load, raw=raw, binary=binary))


class RandomSequence(MultiplierSequence):
    """Random operands, back to back, sometimes with operands that are already loaded.

    The entry's rare operands come first, so that even a short job covers them.
    """

    async def body(self) -> None:
        """The rare operands in each field in which they are legal, then ``operations`` products."""
        entry, width = self.config.entry, self.config.width
        for triple in entry.coverage.rare_operands(width):
            await self.multiply(triple)
            if entry.binary and entry.binary.status(*triple, width) is Status.OK:
                await self.multiply(triple, binary=True)
        generator, rng = self.operands, self.rng
        x, y, m = generator.triple()
        await self.multiply((x, y, m))
        for _ in range(self.config.job.operations - 1):
            kind = rng.randrange(8)
            binary = entry.binary is not None and rng.randrange(3) == 0
            if binary and rng.randrange(2):  # change the field, keep the loaded modulus
                degree = m.bit_length() - 1
                x, y, load = rng.getrandbits(degree), rng.getrandbits(degree), 3
            elif binary:
                (x, y, m), load = generator.binary_triple(), 7
            elif kind == 0:  # the same operands again
                load = 0
            elif kind == 1:  # a new multiplier for the loaded Y and M
                x, load = generator.operand(m), 1
            elif kind == 2:  # new operands under the loaded modulus
                x, y, load = generator.operand(m), generator.operand(m), 3
            else:
                (x, y, m), load = generator.triple(), 7
            await self.multiply((x, y, m), load=load, binary=binary)


class ThroughputSequence(MultiplierSequence):
    """Products of full width without idle cycles or stalls, for measuring speed."""

    async def body(self) -> None:
        """``operations`` products, all operands reloaded."""
        rng, width = self.rng, self.config.width
        for _ in range(self.config.job.operations):
            m = rng.getrandbits(width) | 1 << (width - 1) | 1
            await self.send(MultiplierItem(rng.randrange(m), rng.randrange(m), m))


class CornerSequence(MultiplierSequence):
    """All essential corners, and as many of the other corners as the job asks for."""

    async def body(self) -> None:
        """All essential corners and at most ``operations`` others."""
        entry, width = self.config.entry, self.config.width
        others = [*corner_triples(entry, width), *walking_triples(entry, width)]
        limit = min(self.config.job.operations, len(others))
        for triple in [*essential_triples(entry, width), *self.rng.sample(others, limit)]:
            await self.multiply(triple)
        for m in (3, (1 << width) - 1, 1 << width - 1 | 1) if entry.binary else ():
            top = (1 << m.bit_length() - 1) - 1
            for x in (0, 1, top):
                for y in (0, 1, top):
                    await self.multiply((x, y, m), binary=True)


class FieldsSequence(MultiplierSequence):
    """The fields of the standard curves: prime fields, and binary ones if the hardware has them."""

    async def body(self) -> None:
        """``operations`` products in each field that fits the width, with alternating fields.

        Raises:
            ValueError: no field fits the width.
        """
        entry, width, rng = self.config.entry, self.config.width, self.rng
        fields = [(m, False) for m in standard_fields(width, binary=False).values()]
        if entry.binary:
            fields += [(m, True) for m in standard_fields(width, binary=True).values()]
        if not fields:
            raise ValueError(f"no standard field fits {width} bits; the smallest has 160")
        for _ in range(self.config.job.operations):
            for m, binary in fields:
                limit = 1 << m.bit_length() - 1 if binary else m
                x, y = rng.randrange(limit), rng.randrange(limit)
                await self.multiply((x, y, m), binary=binary)


class ExhaustiveSequence(MultiplierSequence):
    """Every legal operand triple of each field, for widths up to about 6 bits."""

    async def body(self) -> None:
        """All triples, without idle cycles or stalls."""
        entry, width = self.config.entry, self.config.width
        for binary in (False, True) if entry.binary else (False,):
            for triple in exhaustive_triples(entry, width, binary=binary):
                await self.send(MultiplierItem(*triple, binary=binary))


class RawSequence(MultiplierSequence):
    """Raw starts with operands that are not reduced, mixed with reduced operands."""

    async def body(self) -> None:
        """``operations`` products."""
        everything = (1 << self.config.width) - 1
        for m in (3, everything, (1 << (self.config.width - 1)) + 1):
            # Legal operands and a new M: divisions for the constants and for the result. For the
            # shortest M it is the longest operation.
            await self.multiply((m - 1, 1, m), raw=True)
            await self.multiply((everything, everything, m), raw=True)
            await self.multiply((m, 0, m), raw=True)
        for _ in range(self.config.job.operations):
            raw = self.rng.randrange(4) > 0
            triple = self.operands.raw_triple() if raw else self.operands.triple()
            await self.multiply(triple, raw=raw or self.rng.randrange(2) == 0)


class BusSequence(MultiplierSequence):
    """The protocol word by word: idle cycles, reuse, and writes during an operation."""

    async def body(self) -> None:
        """``operations`` products with random disturbances."""
        rng, generator, top = self.rng, self.operands, (1 << self.config.bus_width) - 1
        x, y, m = generator.triple()
        for index in range(self.config.job.operations):
            load = 7 if index == 0 else rng.randrange(8)
            if load & 4:
                x, y, m = generator.triple()
                load = 7
            x = generator.operand(m) if load & 1 else x
            y = generator.operand(m) if load & 2 else y
            item = MultiplierItem(x, y, m, load=load)
            item.word_by_word = True
            item.idle = rng.choice((0, 64, 255))
            item.stall = rng.choice(STALLS)
            item.seed = rng.getrandbits(32)
            if rng.randrange(2):
                disturbances = [
                    rng.choice(
                        (
                            TransferItem(True, rng.randrange(3), rng.randrange(top), BusError.BUSY),
                            TransferItem(False, rng.randrange(3), error=BusError.BUSY),
                            TransferItem.command(Command.START, BusError.START_WHILE_BUSY),
                            TransferItem.command(Command.START_RAW, BusError.START_WHILE_BUSY),
                            TransferItem.command(top, BusError.UNKNOWN_COMMAND),
                        )
                    )
                    for _ in range(rng.randrange(1, 4))
                ]
                cycles = self.config.entry.timing.operation_cycles(
                    m, self.config.width, fresh_modulus=False,
                    add_width=self.config.add_width, bus_width=self.config.bus_width,
                )  # fmt: skip
                self.disturb(item, disturbances, cycles)
            await self.send(item)


class BadInputSequence(MultiplierSequence):
    """Everything that the hardware must reject; after each rejection a legal operation."""

    async def body(self) -> None:
        """All illegal moduli and operands, then all illegal transfers."""
        config, width = self.config, self.config.width
        everything = (1 << width) - 1
        words, good = self.bus.operand("m").words, self.operands.triple
        bad: list[Triple] = [
            (0, 0, 0), (1, 1, 0), (everything, everything, 0),
            (0, 0, 1), (1, 0, 1), (everything, 0, 1),
            (3, 0, 3), (0, 3, 3), (3, 3, 3), (everything, 1, 3), (1, everything, 3),
            (everything, everything, everything), (everything, 0, everything - 2),
        ]  # fmt: skip
        for m in (2, 4, 1 << (width - 1), everything - 1):
            bad += [(0, 1, m), (m - 1, m - 1, m), (m, 1, m), (1, m, m)]
        if words * config.bus_width > width:  # bits above n in the last word
            over = 1 << width
            bad += [(over, 1, 5), (1, over, 5), (1, 1, over + 5), (over, over, over)]
        for _ in range(config.job.operations):
            x, y, m = good()
            bad.append((x, y + m, m) if y + m <= everything else (x, everything, m))
        for triple in bad:
            for raw in (False, True):
                await self.multiply(triple, raw=raw)
                await self.multiply(good())
        if config.entry.binary:
            for triple in (
                (0, 0, 0), (0, 0, 1), (1, 1, 2), (1, 1, everything - 1),
                (2, 1, 3), (1, 3, 3), (1, 4, 7), (everything, 1, everything),
                (2, 2, 3), (everything, everything, everything),  # the same bit too high in both
                (1 << width - 1, 1, 7), (1, 1 << width - 1, 7),  # in a word above the top one of M
            ):  # fmt: skip
                await self.multiply(triple, binary=True)
                await self.multiply(self.operands.binary_triple(), binary=True)
        await self._transfers()
        await self.multiply(good())

    async def _transfers(self) -> None:
        config = self.config
        words = self.bus.operand("m").words
        await self.send(TransferItem.status())
        for address in (Address.X_P, Address.Y_S, Address.M_C):  # one word too many
            for _ in range(words):
                await self.send(TransferItem(True, address, 0))
            await self.send(TransferItem(True, address, 0, BusError.UNKNOWN_ADDRESS))
        await self.expect_bus_error(BusError.UNKNOWN_ADDRESS)
        await self.send(TransferItem.command(Command.CLEAR))
        await self.expect_bus_error(BusError.NONE)
        known = {Command.START, Command.START_RAW, Command.CLEAR}
        if config.entry.binary:
            known.add(Command.START_BINARY)
        unknown = {0, 4, 6, (1 << config.bus_width) - 1, *self.near_commands(known)}
        for command in sorted(unknown | set(Command) - known):
            await self.send(TransferItem.command(command, BusError.UNKNOWN_COMMAND))
        await self.expect_bus_error(BusError.UNKNOWN_COMMAND)
        for address in range(4, 1 << config.address_width):  # no such operand
            for write in (False, True):
                await self.send(TransferItem(write, address, 1, BusError.UNKNOWN_ADDRESS))
        await self.send(TransferItem.command(Command.CLEAR))
        # A start with a partly written operand is rejected until CLEAR. After CLEAR, the operand
        # has the new low word, and no constant of an old modulus may be kept.
        word = (1 << config.bus_width) - 1
        for index in range(3 if words > 1 else 0):
            for _ in range(DRAWS):
                triple = list(self.operands.triple())
                if index < 2 or triple[2] & word != word:  # otherwise M does not change
                    break
            await self.multiply((triple[0], triple[1], triple[2]))
            low = self.rng.getrandbits(config.bus_width)
            triple[index] = triple[index] & ~word | (word if index == 2 else low)
            item = MultiplierItem(*triple, load=1 << index)
            item.word_by_word = item.incomplete = True
            await self.send(item)
            for result in (Address.X_P, Address.Y_S, Address.M_C):
                await self.send(TransferItem(False, result, error=BusError.NO_RESULT))
            await self.send(TransferItem.command(Command.CLEAR))
            await self.multiply((triple[0], triple[1], triple[2]), load=0)
        # A raw result has S and C but no P.
        m = 3
        await self.multiply((m, m, m), raw=True)
        await self.send(TransferItem.status(Status.RAW))
        await self.send(TransferItem(False, Address.X_P, error=BusError.NO_RESULT))
        await self.send(TransferItem(False, Address.Y_S))
        await self.send(TransferItem.command(Command.CLEAR))
        await self._read_again()
        # Read results before any operation; the reset must clear the bus error, too.
        await self.send(TransferItem.command(0, BusError.UNKNOWN_COMMAND))
        await self.send(ResetItem(MultiplierItem(1, 1, 3), after=3))
        await self.send(TransferItem.status(Status.IDLE))
        for address in (Address.X_P, Address.Y_S, Address.M_C):
            await self.send(TransferItem(False, address, error=BusError.NO_RESULT))
        await self.send(TransferItem.command(Command.CLEAR))
        await self.first_word_after_reset(MultiplierItem(1, 1, 3))
        await self.send(ResetItem(MultiplierItem(1, 1, 3), after=3))
        # Start without operands: the reset has cleared them.
        await self.multiply((0, 0, 0), load=0)

    async def _read_again(self) -> None:
        """Check that reads of P wrap after its last word, and that CLEAR and START restart them."""
        entry, width = self.config.entry, self.config.width
        port = next(result for result in self.bus.results if result.address == Address.X_P)
        for _ in range(DRAWS):
            x, y, m = self.operands.triple()
            words = self.bus.words(modular_product(x, y, m, entry.model.radix(width)), port.words)
            if words[0] != words[-1]:  # otherwise a wrong word could look correct
                break
        await self.multiply((x, y, m))
        for word in (*words, *words, words[0]):
            await self.send(TransferItem(False, Address.X_P, expected_data=word))
        await self.send(TransferItem.command(Command.CLEAR))
        for word in (*words, words[0]):
            await self.send(TransferItem(False, Address.X_P, expected_data=word))
        await self.multiply((x, y, m), load=0)
        await self.send(TransferItem.command(Command.CLEAR))


class ResetSequence(MultiplierSequence):
    """A reset in every cycle of an operation, or in some cycles; the next operation must work.

    On Icarus, which shows registers, the sequence also reads all registers during the reset. They
    must be 0. A register in a core, which a user may supply, must have the value that it had in a
    reset before any operand was written.
    """

    async def body(self) -> None:
        """At most ``operations`` resets."""
        config = self.config
        elements = StateElements()
        if config.job.simulator == Icarus.name:
            elements = of_design(MIN_BITS_A_BIT * config.width)
        await look_in_first_reset(elements)
        nothing = MultiplierItem(0, 0, 0, load=0)
        clean = await in_reset(elements, self.send(ResetItem(nothing, 0)))
        *_, m = self.operands.triple()
        cycles = config.entry.timing.operation_cycles(
            m, config.width, add_width=config.add_width, bus_width=config.bus_width
        )
        bus = self.bus
        transfers = 2 + sum(port.words for port in (*bus.operands, *bus.results))
        total = cycles + 3 * transfers
        moments = list(range(total))
        limit = config.job.operations or total
        if total > limit:
            moments = sorted(self.rng.sample(moments, limit))
        for after in moments:
            item = ResetItem(MultiplierItem(*self.operands.triple()), after)
            found = await in_reset(elements, self.send(item))
            stop_if_any(f"in a reset after {after} cycles", left_in_reset(clean, found))
            await self.multiply(self.operands.triple())


class VectorSequence(MultiplierSequence):
    """The vectors of the job, in order."""

    async def body(self) -> None:
        """One operation per vector."""
        for vector in self.config.job.cases:
            x, y, m = (int(vector[key], 16) for key in ("x", "y", "m"))
            item = MultiplierItem(x, y, m, raw=bool(vector.get("raw")))
            item.name = str(vector["name"])
            item.rejected = bool(vector.get("reject"))
            item.expected = {
                key: int(vector[key], 16) for key in ("p", "s", "c") if vector.get(key)
            }
            await self.send(item)
