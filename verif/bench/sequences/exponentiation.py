"""Sequences of the exponentiation core on the loader bus."""

from __future__ import annotations

from models.status import BusError, Command, ExponentiationAddress, Status
from verif.bench.agent.item import ExponentiationItem, ResetItem, TransferItem, ZeroiseItem
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.tops import EXPONENTIATION
from verif.bench.sequences.combination import Combiner
from verif.bench.sequences.powers import ExponentiationGenerator, Power, corner_powers
from verif.bench.sequences.rsa_jobs import rsa_jobs
from verif.bench.sequences.sequence import STALLS, LoaderSequence

Addresses = tuple[ExponentiationAddress, ...]
BASE = ExponentiationAddress.DATA_RESULT
EXPONENT = ExponentiationAddress.EXPONENT
MODULUS = ExponentiationAddress.MODULUS
R_SQUARED = ExponentiationAddress.R_SQUARED
M_PRIME = ExponentiationAddress.M_PRIME
LENGTH = ExponentiationAddress.LENGTH
# Minimum exponent length of disturbed operations, so that they are busy during the disturbances.
DISTURBED_LENGTH = 8
# One random exponentiation in this number has values that are as large as possible; the first is
# the second of each job.
LARGE_EVERY = 8
# Kinds of cuts: reset or ZEROISE x R**2 computed or supplied.
RESET_KINDS = 4


class ExponentiationSequence(LoaderSequence):
    """Base class: exponentiations for the job's core; tracks the length that the hardware keeps."""

    def __init__(self, config: BenchConfig) -> None:
        """Create the sequence of one job."""
        super().__init__(config)
        self.core = EXPONENTIATION.model(config.at)
        self.powers = ExponentiationGenerator(
            config.entry, config.width, config.random(f"{type(self).__name__} powers")
        )
        self._kept_length = config.width

    def item(
        self,
        power: Power,
        *,
        keep: Addresses = (),
        r_squared: int | None = None,
        m_prime: int | None = None,
    ) -> ExponentiationItem:
        """Return an operation. If the hardware keeps this length already, write it half the time.

        Args:
            power: the operands.
            keep: addresses that the host does not write.
            r_squared: R**2 that the host supplies; None for none.
            m_prime: m' that the host supplies; None for none.
        """
        if power.length == self._kept_length and self.rng.randrange(2):
            keep = (*keep, LENGTH)
        self._kept_length = power.length
        return ExponentiationItem(
            power.base, power.exponent, power.modulus, power.length,
            r_squared=r_squared, m_prime=m_prime, keep=keep,
        )  # fmt: skip

    def supplied(self, power: Power, *, keep: Addresses = ()) -> ExponentiationItem:
        """Return an operation; the host supplies R**2 and m' sometimes."""
        rng, m = self.rng, power.modulus
        return self.item(
            power,
            keep=keep,
            r_squared=self.core.r_squared(m) if rng.randrange(4) == 0 else None,
            m_prime=self.core.m_prime(m) if rng.randrange(4) == 0 else None,
        )

    async def good(self) -> None:
        """Send a random legal operation with a new key."""
        await self.send_paced(self.supplied(self.powers.power(short=True)))

    def forget(self) -> None:
        """Note that the hardware was reset or zeroised."""
        self._kept_length = self.config.width

    async def cut_off(self, cut: ResetItem | ZeroiseItem) -> None:
        """Send an operation that a reset or ZEROISE ends."""
        await self.send(cut)
        self.forget()

    async def zeroise(self) -> None:
        """Send ZEROISE and check the status after it."""
        await self.send(TransferItem.command(Command.ZEROISE))
        await self.send(TransferItem.status(Status.IDLE))
        self.forget()


class RandomSequence(ExponentiationSequence):
    """Random keys and data, back to back, sometimes with operands that are already loaded."""

    async def body(self) -> None:
        """``operations`` exponentiations."""
        generator, rng = self.powers, self.rng
        power = generator.power()
        await self.send_paced(self.supplied(power))
        for number in range(1, self.config.job.operations):
            kind = rng.randrange(8)
            keep: Addresses = ()
            base, exponent, m, length = power.base, power.exponent, power.modulus, power.length
            if kind == 0:  # the same operands again
                keep = (BASE, EXPONENT, MODULUS)
            elif kind in (1, 2):  # new data under the same key
                base, keep = generator.base(m), (EXPONENT, MODULUS)
            elif kind == 3:  # another exponent, the same modulus
                length = generator.length()
                exponent, keep = generator.exponent(length), (BASE, MODULUS)
            elif kind == 4:  # the same modulus, written again
                base = generator.base(m)
            elif kind == 5:  # another modulus, the same exponent
                new = generator.power()
                base, m, keep = new.base, new.modulus, (EXPONENT,)
            else:
                new = generator.power()
                base, exponent, m, length = new.base, new.exponent, new.modulus, new.length
            power = Power(base, exponent, m, length)
            if number % LARGE_EVERY == 1:
                power, keep = generator.large(), ()
            await self.send_paced(self.supplied(power, keep=keep))


class ThroughputSequence(ExponentiationSequence):
    """Full-length exponentiations without idle cycles or stalls, for measuring speed."""

    async def body(self) -> None:
        """``operations`` exponentiations, each with a new key."""
        rng, width = self.rng, self.config.width
        for _ in range(self.config.job.operations):
            m = rng.getrandbits(width) | 1 << (width - 1) | 1
            exponent = rng.getrandbits(width) | 1 << (width - 1)
            await self.send(self.item(Power(rng.randrange(m), exponent, m, width)))


class CornerSequence(ExponentiationSequence):
    """Directed corners: exponents, bases and moduli of every special class."""

    async def body(self) -> None:
        """All corners, then at most ``operations`` random ones."""
        last = None
        for power in corner_powers(self.config.entry, self.config.width, self.rng):
            keep: Addresses = (MODULUS,) if power.modulus == last else ()
            last = power.modulus
            await self.send_paced(self.supplied(power, keep=keep))
        for _ in range(self.config.job.operations):
            await self.good()


class BusSequence(ExponentiationSequence):
    """The protocol word by word: idle cycles, reuse, reads and writes during an operation."""

    async def body(self) -> None:
        """``operations`` exponentiations, half of them with random disturbances."""
        rng, generator, width = self.rng, self.powers, self.config.width
        power = generator.power(short=True)
        for index in range(self.config.job.operations):
            keep: Addresses = ()
            if index and rng.randrange(2):
                power = Power(generator.base(power.modulus), *key_of(power))
                keep = (EXPONENT, MODULUS)
            else:
                m = generator.modulus()
                length = rng.randrange(
                    min(DISTURBED_LENGTH, width), min(3 * DISTURBED_LENGTH, width) + 1
                )
                power = Power(generator.base(m), generator.exponent(length), m, length)
            item = self.supplied(power, keep=keep)
            item.word_by_word = True
            item.idle = rng.choice((0, 64, 255))
            item.stall = rng.choice(STALLS)
            item.seed = rng.getrandbits(32)
            if rng.randrange(2):
                disturbances = [
                    TransferItem.status(Status.BUSY),
                    *(self._disturbance() for _ in range(rng.randrange(1, 4))),
                ]
                cycles = self.core.operation_cycles(
                    power.modulus, power.length, compute_r_squared=False
                )
                self.disturb(item, disturbances, cycles)
            await self.send(item)

    def _disturbance(self) -> TransferItem:
        """Return a transfer that a busy core must reject."""
        rng, top = self.rng, (1 << self.config.bus_width) - 1
        writable = [operand.address for operand in self.bus.operands]
        readable = [result.address for result in self.bus.results]
        hidden = [address for address in writable if address not in readable]
        return rng.choice(
            (
                TransferItem(True, rng.choice(writable), rng.randrange(top), BusError.BUSY),
                TransferItem(False, rng.choice(readable), error=BusError.BUSY),
                TransferItem(False, rng.choice(hidden), error=BusError.UNKNOWN_ADDRESS),
                TransferItem.command(Command.START, BusError.START_WHILE_BUSY),
                TransferItem.command(Command.START_RAW, BusError.UNKNOWN_COMMAND),
                TransferItem.command(top, BusError.UNKNOWN_COMMAND),
            )
        )


def key_of(power: Power) -> tuple[int, int, int]:
    """Return exponent, modulus and length of an exponentiation."""
    return power.exponent, power.modulus, power.length


class ResetSequence(ExponentiationSequence):
    """A reset or ZEROISE in every phase of an operation; the next operation must work."""

    async def body(self) -> None:
        """``operations`` cuts, spread over loading and the operation; R**2 supplied or not."""
        core, rng, bus = self.core, self.rng, self.bus
        await self._first_word_stays()
        loading = 2 * sum(operand.words for operand in bus.operands)
        rounds = -(-self.config.job.operations // RESET_KINDS)
        for index in range(self.config.job.operations):
            # Divide the time into equal parts and draw one cut of each kind in each part. A few
            # cuts drawn freely could miss phases of a few cycles.
            place = (index // RESET_KINDS + rng.random()) / rounds
            supply = bool(index & 1)
            power = self._short()
            m = power.modulus
            item = self.item(power, r_squared=core.r_squared(m) if supply else None)
            cycles = core.operation_cycles(
                m, power.length, compute_r_squared=not supply, check_r_squared=supply
            )
            if index & 2:
                await self.cut_off(ZeroiseItem(item, int(place * (cycles + 8))))
                await self.send(TransferItem.status(Status.IDLE))
            else:
                await self.cut_off(ResetItem(item, int(place * (loading + cycles + 8))))
            # Supply no R**2: the core must compute it, because it cannot have kept one.
            await self.send_paced(self.item(self._short()))

    async def _first_word_stays(self) -> None:
        """Check that a one-word modulus written in the first cycle after a reset is used.

        If the design wipes a memory after the reset, it must not erase this word.
        """
        cut = self.item(self._short())
        await self.cut_off(ResetItem(cut, after=3, first=TransferItem(True, MODULUS, 3)))
        words = next(one.words for one in self.bus.operands if one.address == MODULUS)
        for _ in range(words - 1):
            await self.send(TransferItem(True, MODULUS, 0))
        await self.send_paced(self.item(Power(2, 1, 3, 1), keep=(MODULUS,)))

    def _short(self) -> Power:
        power = self.powers.power(short=True)
        length = min(power.length, 3)
        return Power(power.base, power.exponent & ((1 << length) - 1), power.modulus, length)


class ConstantTimeSequence(ExponentiationSequence):
    """The same modulus and length; exponents of weight 1, half and full; various bases.

    The checker compares the cycles of all operations with each other.
    """

    async def body(self) -> None:
        """Every weight for ``operations`` random bases, and once at full length."""
        rng, width = self.rng, self.config.width
        m = rng.getrandbits(width) | 1 << (width - 1) | 1
        bases = [0, 1, m - 1, *(rng.randrange(m) for _ in range(self.config.job.operations))]
        await self._compare(m, min(width, 16), bases)
        await self._compare(m, width, bases[-1:])

    async def _compare(self, m: int, length: int, bases: list[int]) -> None:
        """Send operations with R**2 computed, supplied and kept, of every weight for each base."""
        right = self.core.r_squared(m)
        for keep, r_squared in (((), None), ((), right), ((MODULUS,), None)):
            for base in bases:
                half = sum(1 << i for i in self.rng.sample(range(length), length // 2))
                for exponent in (1, half, (1 << length) - 1, 1 << (length - 1)):
                    power = Power(base, exponent, m, length)
                    await self.send_paced(self.item(power, keep=keep, r_squared=r_squared))


class ProductsSequence(ExponentiationSequence):
    """Operations of every kind; the checker compares each product."""

    async def body(self) -> None:
        """``operations`` exponentiations; R**2 computed, kept and supplied."""
        rng = self.rng
        power = self.powers.power()
        await self.send_paced(self.item(power))
        for _ in range(self.config.job.operations - 1):
            keep: Addresses = ()
            if rng.randrange(3) == 0:
                power = Power(self.powers.base(power.modulus), *key_of(power))
                keep = (MODULUS,)
            else:
                power = self.powers.power()
            await self.send_paced(self.supplied(power, keep=keep))


class RsaSequence(ExponentiationSequence):
    """RSA with keys as wide as the core; each RSA job checks its own result."""

    async def body(self) -> None:
        """``operations`` signatures, verifications and decryptions."""
        jobs = rsa_jobs(self.config.width, self.rng, max(1, self.config.job.operations))
        for job in jobs:
            item = self.item(Power(job.base, job.exponent, job.modulus, job.length))
            item.name, item.judge = job.name, job.verdict
            await self.send(item)


class VectorSequence(ExponentiationSequence):
    """The vectors of the job, in order."""

    async def body(self) -> None:
        """One operation per vector; an unchanged modulus is not rewritten, so R**2 is kept."""
        loaded: int | None = None
        combiner = Combiner()
        for vector in self.config.job.cases:
            values = {
                key: int(vector[key], 16)
                for key in ("base", "exponent", "modulus", "result", "r_squared", "m_prime")
                if vector.get(key)
            }
            power = Power(
                values["base"], values["exponent"], values["modulus"],
                int(vector.get("length", self.config.width)),
            )  # fmt: skip
            item = self.item(
                power,
                keep=(MODULUS,) if power.modulus == loaded else (),
                r_squared=values.get("r_squared"),
                m_prime=values.get("m_prime"),
            )
            loaded = power.modulus
            item.name = str(vector["name"])
            item.rejected = bool(vector.get("reject"))
            item.expected = {key: values[key] for key in ("result",) if key in values}
            item.judge = combiner.judge(vector)
            await self.send(item)
