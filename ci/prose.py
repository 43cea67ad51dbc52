"""Words that this project does not use, in comments, strings, pages and lists.

``python -m ci.prose [FOLDER]`` lists each place with the word to write; ``make lint`` runs it. It
checks no word of an identifier (``gen_walk``) or of a name with hyphens (``walk-1``).
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from ci.silencers import listed, project_files

# Pattern of the phrase, and what to write. A phrase that may stand has no entry.
PHRASES = {
    r"behind(?! (?:the operand loader|the loader of|a register bus))": "after (of time); the place",
    r"tells?|told": "report, indicate, state",
    r"nobody|somebody|whoever": "the host, the user, no test, the caller",
    r"there is none|what there is|what is there": "no X exists, the available X",
    r"(?:says?|said) of": "report, state",
    r"clocks": "cycles, or clock signals",
    r"(?:a|one|each|every|per|next|last|first) clock (?:later|earlier|early|late|before|after)": (
        "cycle"
    ),
    r"refus(?:e|es|ed|al|als|ing)": "reject",
    r"requalif\w+": "cross-check",
    r"impolite|(?:a|the|random|of) walks?": "protocol stress test, sequence",
    r"sabotag\w+|planted|plants?": "inject a fault",
    r"(?:is|are|be|was|were|turns?|turned|goes|stays?) (?:red|green)": "fails, passes",
    r"seldom": "rarely",
    r"looked at": "read, checked, compared",
    r"sittings?": "session",
    r"worth it|to be wanted|is wanted|are wanted": "enabled, required",
}
PROSE = re.compile(rf"(?<![\w-])(?:{'|'.join(PHRASES)})(?![\w-])", re.IGNORECASE)
# A search in lower case takes a third of the time; few files have to be split into tokens.
QUICK = re.compile(PROSE.pattern)
IN_C = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"", re.DOTALL)
IN_SHELL = re.compile(r"(?:^|\s)#[^\n]*|\"[^\"\n]*\"")
IN_BRACES = re.compile(r"\{[^{}\n]*\}")  # code in an f-string
# From Python 3.12 on, the text of an f-string has tokens of its own.
READ = (tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
C_LIKE = frozenset({".sv", ".svh", ".v", ".c", ".h", ".cpp", ".vlt"})
TEXT = frozenset({".md", ".yaml", ".yml", ".j2"})
# This list, its test, and pages with quotes of papers or of recorded results.
EXCLUDED = re.compile(r"^ci/(tests/test_)?prose\.py$|/data/|^models/docs/source_|_results\.md$")


def found(root: Path) -> Iterator[str]:
    """Yield place, phrase and advice for each phrase in the files below a folder."""
    for name in project_files(root):
        path = root / name
        if EXCLUDED.search(name) or path.suffix not in C_LIKE | TEXT | {".py", ".sh"}:
            continue
        whole = path.read_text(encoding="utf-8")
        if not QUICK.search(whole.lower()):
            continue
        for line, text in prose(path.suffix, whole):
            for match in PROSE.finditer(text):
                number = line + text.count("\n", 0, match.start())
                yield f"{name}:{number}: {match[0]!r}; write: {advice(match[0])}"


def advice(phrase: str) -> str:
    """Return what to write for a phrase that was found."""
    return next(
        better
        for pattern, better in PHRASES.items()
        if re.match(pattern.split("(?!")[0], phrase, re.IGNORECASE)
    )


def prose(suffix: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and text of each part of a file that people read."""
    if suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in READ:
                yield token.start[0], IN_BRACES.sub(" ", token.string)
    elif suffix in C_LIKE or suffix == ".sh":
        for match in (IN_SHELL if suffix == ".sh" else IN_C).finditer(text):
            yield 1 + text.count("\n", 0, match.start()), match[0]
    else:
        yield 1, text


if __name__ == "__main__":
    sys.exit(listed(found, *sys.argv[1:]))
