"""Figures of Jiang & Harris (source 004) for two architectures and two numbers of elements."""

from __future__ import annotations

from math import ceil

from models.published import PUBLISHED_WIDTH, Published


class PublishedByJiang(Published):
    """Figures of Jiang & Harris for d = 1."""

    def loop_cycles(self, width: int) -> int:
        """Return eq. (2) or (3) without the last e cycles, in which the result appears.

        The source's elements take 2 cycles; :meth:`loops` uses the source's equations.
        """
        f, p, e = (
            self.entry.streams.digits(width),
            self.entry.streams.elements(width),
            self.entry.streams.short_words(width),
        )
        latency = self.entry.streams.latency(width)
        kernel = e if e >= latency * p + 1 else latency * p + 1
        return f // p * kernel + latency * (f % p)

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """Return cycles to the last result word, eq. (4) or (5): 338 at n = 1024, v = w = p = 16.

        The other value of the pair is our number of cycles.
        """
        width = PUBLISHED_WIDTH
        v, w = self.entry.streams.digit_width(width), self.entry.streams.word_width(width)
        p = self.entry.streams.elements(width)
        if width > 2 * p * w - v:
            published = width**2 / (p * w * v) + 4 * width / (p * w) + (width + 2 * v) / w
        else:
            published = 2 * width / v + width / (v * p) + (width + 2 * v) / w + 4
        return (("whole result", self.entry.timing.done_cycles(width), ceil(published)),)

    def points(self) -> tuple[dict[str, int], ...]:
        """Return the parameters of the two multipliers in table 1."""
        return tuple(
            {"WordWidth": 16, "DigitWidth": 16, "Elements": p, "Stages": self.entry.stages}
            for p in (16, 4)
        )

    def exponentiation_cycles(self, width: int) -> int | None:
        """Return the cycles of table 1: 5.1 and 17.4 ms at 135.7 MHz."""
        times = {16: 5.1e-3, 4: 17.4e-3}
        elements = self.entry.streams.elements(width)
        return round(times[elements] * 135.7e6) if width == 1024 and elements in times else None


class PublishedWithoutStages(PublishedByJiang):
    """Figures of Jiang & Harris for d = 0."""

    def loops(self) -> tuple[tuple[str, int, int], ...]:
        """Return eq. (2) or (3) for d = 0, because eq. (4) and (5) hold for d = 1 only."""
        width = PUBLISHED_WIDTH
        published = self.loop_cycles(width) + self.entry.streams.short_words(width)
        return (("whole result", self.entry.timing.done_cycles(width), published),)

    def exponentiation_cycles(self, width: int) -> int | None:
        """Return the cycles of table 1: 6.3 and 21.6 ms at 106.3 MHz."""
        times = {16: 6.3e-3, 4: 21.6e-3}
        elements = self.entry.streams.elements(width)
        return round(times[elements] * 106.3e6) if width == 1024 and elements in times else None
