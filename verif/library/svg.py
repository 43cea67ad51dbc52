"""A figure of matplotlib as SVG text, to be put into a page."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def svg(figure: Figure, salt: str) -> str:
    """Return the element ``svg`` of a figure; the same figure and salt give the same text."""
    # Slow to load.
    from matplotlib import rc_context

    text = io.StringIO()
    with rc_context({"svg.hashsalt": salt}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return re.sub(r"\A.*?(?=<svg)", "", text.getvalue(), flags=re.DOTALL)
