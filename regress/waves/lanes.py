"""One row of a waveform as shapes in coordinates of the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from regress.waves.words import abbreviated

LANE = 16
SLANT = 3
CHAR_WIDTH = 6.7
MOST_CHARS = 32
PADDING = 7
NARROWEST_TEXT = 14


@dataclass
class Text:
    """A text in a row; ``full`` is the whole text if it was shortened."""

    x: float
    text: str
    full: str = ""
    style: str = "v"


@dataclass(frozen=True)
class Segment:
    """A value from one time to another; ``style``: bus, bad, idle, unknown or model."""

    begin: float
    end: float
    text: str
    style: str


@dataclass
class Lane:
    """One row: paths by style, and texts."""

    label: str
    y: float
    style: str = ""
    title: str = ""
    paths: dict[str, list[str]] = field(default_factory=dict)
    texts: list[Text] = field(default_factory=list)

    def draw(self, style: str, path: str) -> None:
        """Add a path."""
        self.paths.setdefault(style, []).append(path)

    def level(
        self, segment: Segment, place: Callable[[float], float], previous: str | None
    ) -> None:
        """Draw the value of a single bit after the previous one; ``place`` maps times to x."""
        high, low, middle = self.y + 2, self.y + LANE - 1, self.y + LANE / 2
        heights = {"1": high, "0": low}
        x0, x1 = place(segment.begin), place(segment.end)
        y = heights.get(segment.text, middle)
        style = "unknown" if segment.text not in heights else segment.style
        start = heights.get(previous, y) if previous is not None else y
        path = f"M{px(x0)} {px(start)}"
        if start != y:
            path += f"V{px(y)}"
        self.draw("bit" if style == "bus" else style, f"{path}H{px(x1)}")

    def bus(self, segment: Segment, place: Callable[[float], float]) -> None:
        """Draw a hexagon with as much of the value as fits."""
        x0, x1 = place(segment.begin), place(segment.end)
        top, low, middle = self.y + 1, self.y + LANE, self.y + LANE / 2 + 0.5
        if x1 - x0 < 0.5:
            return
        if segment.style == "idle":
            self.draw("idle", f"M{px(x0)} {px(middle)}H{px(x1)}")
            return
        slant = min(SLANT, (x1 - x0) / 2)
        self.draw(
            segment.style,
            f"M{px(x0)} {px(middle)}L{px(x0 + slant)} {px(top)}H{px(x1 - slant)}"
            f"L{px(x1)} {px(middle)}L{px(x1 - slant)} {px(low)}H{px(x0 + slant)}Z",
        )
        if x1 - x0 < NARROWEST_TEXT:
            return
        room = min(MOST_CHARS, int((x1 - x0 - PADDING) / CHAR_WIDTH))
        text = abbreviated(segment.text, room)
        full = segment.text if text != segment.text else ""
        if text:
            self.texts.append(Text((x0 + x1) / 2, text, full, segment.style))


def px(value: float) -> str:
    """Format a coordinate with no more digits than are visible."""
    return f"{value:.1f}".removesuffix(".0")
