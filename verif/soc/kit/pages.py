"""Pages of the project as pages of a kit, where the project does not exist."""

from __future__ import annotations

import re
from collections.abc import Collection

# What only a reader with the project can use.
PROJECT_ONLY = re.compile(r"<!-- project -->\n.*?<!-- /project -->\n+", re.DOTALL)
MARK = re.compile(r"<!-- (?:run|file|set|measured|/?table)\b.*?-->\n", re.DOTALL)
LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)(#[^)]*)?\)")
# Folders of the project, and of a kit.
MOVED = {"hdl/fronts/driver": "sw/driver", "hdl/fronts/": "sw/"}


def kit_page(text: str, pages: Collection[str]) -> str:
    """Return a page without what only the project has.

    Args:
        text: the page.
        pages: names of all pages of the kit. A link to another file becomes its text.
    """
    text = MARK.sub("", PROJECT_ONLY.sub("", text))
    for project, kit in MOVED.items():
        text = text.replace(project, kit)

    def kept(link: re.Match[str]) -> str:
        target = link[2]
        return link[0] if target in pages or "://" in target else link[1]

    return LINK.sub(kept, text)
