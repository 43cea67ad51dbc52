"""Sequences of illegal exponentiations: everything that the hardware must reject."""

from __future__ import annotations

from collections.abc import Iterator

from models.status import Address, BusError, Command, Status
from verif.bench.agent.item import ExponentiationItem, ResetItem, TransferItem
from verif.bench.sequences.exponentiation import (
    BASE,
    EXPONENT,
    LENGTH,
    MODULUS,
    Addresses,
    ExponentiationSequence,
    key_of,
)
from verif.bench.sequences.powers import Power

# Number of keys that get wrong constants of every kind.
BAD_CONSTANT_KEYS = 4


class BadInputSequence(ExponentiationSequence):
    """Everything that the hardware must reject; after each rejection a legal operation."""

    async def body(self) -> None:
        """All illegal values, constants and transfers, and ``operations`` random ones."""
        for power in [*self._bad_values(), *self._random_bad_values()]:
            await self._rejected(self.item(power))
        for item in self._bad_constants():
            await self._rejected(item)
        await self._kept_constants()
        await self._partly_written()
        await self._transfers()
        await self.first_word_after_reset(self.item(self.powers.power(short=True)))
        self.forget()
        await self._nothing_loaded()
        await self.good()
        await self._shorter_by_its_first_word()
        await self._over_wide_without_length()

    async def _rejected(self, item: ExponentiationItem) -> None:
        """Send an illegal operation: no result can be read after it, and the next one works."""
        await self.send_paced(item)
        status = self.core.status(
            item.base, item.exponent, item.modulus, item.length,
            r_squared=item.r_squared, m_prime=item.m_prime,
        )  # fmt: skip
        if status is not Status.OK:  # some cores take even moduli, or need no constants
            await self.send(TransferItem(False, BASE, error=BusError.NO_RESULT))
            await self.send(TransferItem(False, EXPONENT, error=BusError.UNKNOWN_ADDRESS))
            await self.send(TransferItem.command(Command.CLEAR))
        await self.good()

    def _bad_values(self) -> list[Power]:
        width = self.config.width
        everything, high = (1 << width) - 1, 1 << (width - 1)
        bad = [
            Power(base, 1, m, 2) for m in (0, 1) for base in (0, 1, everything)
        ]  # fmt: skip
        for m in (2, 4, high, everything - 1):  # even: rejected by Montgomery cores
            bad += [Power(0, 3, m, 2), Power(m - 1, 1, m, 2), Power(m, 1, m, 2)]
        bad += [Power(m, 3, m, 2) for m in (3, everything, high + 1)]
        bad += [Power(everything, 3, 3, 2), Power(everything, 1, everything - 2, 1)]
        good = self.powers.power(short=True)
        for length in (0, width + 1, 0xFFFF, 0x8000 | width):
            bad.append(Power(good.base, 0, good.modulus, length))
            bad.append(Power(good.base, 1, good.modulus, length))
        for length in (1, 2, width - 1):
            bad.append(Power(good.base, 1 << length, good.modulus, length))
            bad.append(Power(good.base, everything, good.modulus, length))
        # Whether the last word of an operand has bits above the operand.
        spare = {
            operand.name: operand.words * self.config.bus_width > operand.bits
            for operand in self.bus.operands
        }
        if spare["base"]:
            over = 1 << width
            bad += [Power(over, 1, 5, 1), Power(1, 1, over + 5, 1), Power(1, over, 5, width)]
            bad += [Power(1, over + 1, 5, 1), Power(over, 0, over, width)]
        if spare["length"]:
            bad += [Power(1, 1, 5, 1 << 16 | 1), Power(1, 1, 5, 1 << 16)]
        return bad

    def _random_bad_values(self) -> list[Power]:
        rng, bad = self.rng, []
        for _ in range(self.config.job.operations):
            good = self.powers.power(short=True)
            base, exponent, m, length = good.base, good.exponent, good.modulus, good.length
            if rng.randrange(2):
                base = rng.randrange(m, 1 << self.config.width)
            elif length < self.config.width:
                exponent |= 1 << rng.randrange(length, self.config.width)
            else:
                length = 0
            bad.append(Power(base, exponent, m, length))
        return bad

    def _bad_constants(self) -> Iterator[ExponentiationItem]:
        """Yield wrong R**2 and m'; cores that do not use them must ignore them.

        A generator, because an item depends on the length that the previous item has left.
        """
        core, rng, width = self.core, self.rng, self.config.width
        for _ in range(BAD_CONSTANT_KEYS):
            power = self.powers.power(short=True)
            m = power.modulus
            right, m_prime = core.r_squared(m), core.m_prime(m)
            wrong = [(right + 1) % m, (right - 1) % m, m - right, 0, m, (1 << width) - 1]
            wrong += [1 << width] if self._spare("r_squared") else []
            wrong += [right + m] if right + m < 1 << width else []
            for value in wrong:
                if value != right:
                    yield self.item(power, r_squared=value)
            bits = max(1, core.m_prime_width)
            wrong = [m_prime ^ 1, m_prime ^ 1 << rng.randrange(bits), 0]
            wrong += [m_prime | 1 << bits] if self._spare("m_prime") else []
            for value in wrong:
                yield self.item(power, m_prime=value)
                yield self.item(power, m_prime=value, r_squared=right)

    def _spare(self, name: str) -> bool:
        operand = self.bus.operand(name)
        return operand.words * self.config.bus_width > operand.bits

    async def _kept_constants(self) -> None:
        """Check a kept R**2 after errors that come before and after the check of R**2."""
        core = self.core
        power = self.powers.power(short=True)
        m = power.modulus
        right = core.r_squared(m)
        legal = self.item(power, r_squared=right)
        again: Addresses = (EXPONENT, MODULUS)
        wrong = (right + 1) % m
        rejections = [  # base, R**2, m'
            (m, None, None),
            (power.base, None, core.m_prime(m) ^ 1),
            (m, wrong, None),
            (power.base, wrong, None),
        ]
        await self.send_paced(legal)
        for base, r_squared, m_prime in rejections:
            bad = Power(base, *key_of(power))
            await self.send_paced(self.item(bad, keep=again, r_squared=r_squared, m_prime=m_prime))
            for _ in range(2):  # R**2 kept or computed anew, then kept
                good = Power(self.powers.base(m), *key_of(power))
                await self.send_paced(self.item(good, keep=again))

    async def _partly_written(self) -> None:
        """Check that a start with a partly written operand is rejected."""
        word = (1 << self.config.bus_width) - 1
        for operand in self.bus.operands:
            if operand.words == 1:
                continue
            power = self.powers.power(short=True)
            m = power.modulus
            values = {
                "base": power.base, "exponent": power.exponent, "modulus": m,
                "length": power.length,
                "r_squared": self.core.r_squared(m), "m_prime": self.core.m_prime(m),
            }  # fmt: skip
            await self.send_paced(
                self.item(power, r_squared=values["r_squared"], m_prime=values["m_prime"])
            )
            low = self.rng.getrandbits(self.config.bus_width)
            values[operand.name] = values[operand.name] & ~word | low
            constant = operand.name in ("r_squared", "m_prime")
            item = ExponentiationItem(
                values["base"], values["exponent"], values["modulus"], values["length"],
                r_squared=values["r_squared"] if operand.name == "r_squared" else None,
                m_prime=values["m_prime"] if operand.name == "m_prime" else None,
                keep=tuple(
                    address
                    for address in ExponentiationItem.OPERANDS
                    if constant or address != operand.address
                ),
            )  # fmt: skip
            item.word_by_word = item.incomplete = True
            self._kept_length = values["length"]
            await self.send(item)
            await self.send(TransferItem(False, BASE, error=BusError.NO_RESULT))
            await self.send(TransferItem.command(Command.CLEAR))
            await self.good()

    async def _shorter_by_its_first_word(self) -> None:
        """Write an exponent that fills its first bus word, then only this word again, as 1."""
        if self.bus.operand("exponent").words == 1:
            return
        power = self.powers.power(short=True)
        full = (1 << self.config.bus_width) - 1
        await self.send_paced(self.item(Power(power.base, full, power.modulus, 1)))
        await self.send(TransferItem(True, EXPONENT, 1))
        await self.send(TransferItem.command(Command.CLEAR))
        one = Power(power.base, 1, power.modulus, 1)
        await self.send_paced(self.item(one, keep=(BASE, EXPONENT, MODULUS)))

    async def _over_wide_without_length(self) -> None:
        """Write an exponent with a bit too many; the host has not written Length since ZEROISE."""
        if not self._spare("exponent"):
            return
        await self.zeroise()
        power = self.powers.power(short=True)
        width = self.config.width
        over = Power(power.base, 1 << width | power.exponent, power.modulus, width)
        await self._rejected(self.item(over, keep=(LENGTH,)))

    async def _transfers(self) -> None:
        config = self.config
        await self.send(TransferItem.status())
        for operand in self.bus.operands:  # one word too many
            for _ in range(operand.words):
                await self.send(TransferItem(True, operand.address, 0))
            await self.send(TransferItem(True, operand.address, 0, BusError.UNKNOWN_ADDRESS))
        await self.expect_bus_error(BusError.UNKNOWN_ADDRESS)
        await self.send(TransferItem.command(Command.CLEAR))
        await self.expect_bus_error(BusError.NONE)
        everything = (1 << config.bus_width) - 1
        known = {Command.START, Command.CLEAR, Command.ZEROISE}
        unknown = {0, 5, 6, everything, *self.near_commands(known)}
        for command in sorted(unknown | set(Command) - known):
            await self.send(TransferItem.command(command, BusError.UNKNOWN_COMMAND))
        await self.expect_bus_error(BusError.UNKNOWN_COMMAND)
        known = {operand.address for operand in self.bus.operands} | {int(Address.CONTROL)}
        readable = {result.address for result in self.bus.results} | {int(Address.CONTROL)}
        for address in range(1 << config.address_width):
            if address not in known:  # no such operand
                await self.send(TransferItem(True, address, 1, BusError.UNKNOWN_ADDRESS))
            if address not in readable:  # only results can be read
                await self.send(TransferItem(False, address, error=BusError.UNKNOWN_ADDRESS))
        await self.send(TransferItem.command(Command.CLEAR))
        self._kept_length = 0  # written above
        await self.good()  # R**2 and m' count as supplied, but are wrong
        await self.good()
        for address in set(readable) - {int(Address.CONTROL)}:  # read each result twice
            for _ in range(2 * self.bus.results[0].words):
                await self.send(TransferItem(False, address))
        await self.send(TransferItem.command(Command.CLEAR))

    async def _nothing_loaded(self) -> None:
        """Read results before any operation, and start without operands."""
        nothing = Power(0, 0, 0, self.config.width)
        for cut in (ResetItem(self.item(self.powers.power(short=True)), after=3), None):
            if cut:
                await self.cut_off(cut)
            else:
                await self.good()
                # Set a bus error, because ZEROISE must clear it, too.
                await self.send(TransferItem.command(0, BusError.UNKNOWN_COMMAND))
                await self.zeroise()
            await self.send(TransferItem.status(Status.IDLE))
            await self.send(TransferItem(False, BASE, error=BusError.NO_RESULT))
            await self.send(TransferItem.command(Command.CLEAR))
            await self.send_paced(self.item(nothing, keep=(BASE, EXPONENT, MODULUS)))
            await self.good()


class LengthSequence(ExponentiationSequence):
    """Exponents that are too long for their length, by one bit and by any number of bits.

    Such an operation takes one cycle, so that the widest exponents can be tested, too.
    """

    async def body(self) -> None:
        """Lengths around each power of two and each bus word boundary; then a legal operation."""
        rng, width, bus_width = self.rng, self.config.width, self.config.bus_width
        edges = {1 << i for i in range(width.bit_length())} | {*range(0, width, bus_width)}
        lengths = {edge + offset for edge in edges for offset in (-1, 0, 1)}
        good = self.powers.power(short=True)
        keep: Addresses = ()
        for length in sorted(length for length in lengths if 0 < length < width):
            for top in sorted({length, rng.randrange(length, width), width - 1}):
                exponent = 1 << top | rng.getrandbits(top)
                power = Power(good.base, exponent, good.modulus, length)
                await self.send_paced(self.item(power, keep=keep))
                keep = (BASE, MODULUS)
        await self.good()
