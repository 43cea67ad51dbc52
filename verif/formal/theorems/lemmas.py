"""Translate the lemmas of a property that Yices proves to hypotheses for Coq. Trusted.

Signals and labelled assertions of the property are its only text; :func:`print_lemmas` prints the
records ``trace`` and ``lemmas``. NAME is the value in a cycle, NAME_q that in the cycle before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SIGNAL = re.compile(r"^  (logic|number_t) (\w+);(  // of j\b)?", re.MULTILINE)
LEMMA = re.compile(r"^      (\w+)\s*:\s+assert \((.*?)\);$", re.MULTILINE | re.DOTALL)
LITERAL = re.compile(r"localparam number_t (\w+) = (\d+);")
TOKEN = re.compile(r"\s*(\w+|&&|\|\||==|<=|[-!<+/%(),])")
FUNCTIONS = {"bit_of": "bit_of", "above": "above_word w", "inverse": "inverse_word w"}
# Numbers have 13 bits more than a word, see the assertion before the invariants: no sum wraps.
MAX_TERMS = 4

HEAD = """\
(* Generated from {name} by python -m regress prove: what Yices proves. *)
From Coq Require Import ZArith.
Local Open Scope Z_scope.

Definition bit_of (value position : Z) : Prop := Z.testbit value position = true.
Definition above_word (w value : Z) : Z := 2 ^ w * value.
Definition inverse_word (w value : Z) : Z := 2 ^ w - 1 - value.
"""


class LemmaError(ValueError):
    """The property has a text that is not translated; the message quotes it."""


@dataclass(frozen=True)
class Property:
    """A property whose lemmas a theory assumes.

    Attributes:
        path: file of the property.
        theory: name of the theory with its lemmas.
        parameters: parameters of the property, and variables of Coq for them.
        positions: condition on the position j of its lemmas; empty if they have none.
    """

    path: Path
    theory: str
    parameters: Mapping[str, str]
    positions: str = ""

    @property
    def text(self) -> str:
        """Text of the file."""
        return self.path.read_text()


FOLDER = Path(__file__).parents[1]
UNIT = Property(
    FOLDER / "unit_lemmas.sv",
    "Lemmas",
    {
        "Positions": "n",
        "BusBits": "bus",
        "WordBits": "w",
        "PassWords": "words_of_pass",
        "Taken": "taken_a_cycle",
        "Sums": "sums",
    },
    "0 <= j < w * words_of_pass",
)
LADDER = Property(
    FOLDER / "exponentiation_ladder.sv",
    "LadderLemmas",
    {"Doublings": "doublings", "Squarings": "squarings", "Domain": "domain"},
)
RING = Property(FOLDER / "mwr2mm_element_words.sv", "RingLemmas", {"WordBits": "w"})
PROPERTIES = (UNIT, LADDER, RING)


@dataclass(frozen=True)
class Signal:
    """A signal of the lemmas.

    Attributes:
        number: True for a number, False for a bit.
        of_j: True if it depends on the bit position j.
    """

    number: bool
    of_j: bool

    @property
    def type(self) -> str:
        """Its type in Coq."""
        return ("Z -> " if self.of_j else "") + ("nat -> Z" if self.number else "nat -> bool")


def lemma_names(of: Property) -> tuple[str, ...]:
    """Return the names of the lemmas in their order."""
    return tuple(_lemmas(of.text))


def print_lemmas(of: Property) -> str:
    """Return the records of Coq.

    Raises:
        LemmaError: the property has a text that is not translated.
    """
    text = of.text
    section = _between(text, "// signals", "// end signals")
    signals = {name: Signal(kind == "number_t", bool(of_j))
               for kind, name, of_j in SIGNAL.findall(section)}  # fmt: skip
    constants = {**of.parameters, **dict(LITERAL.findall(text))}
    fields = ";\n".join(f"  u_{name} : {signal.type}" for name, signal in signals.items())
    every = f"forall (j : Z) (t : nat), {of.positions} ->" if of.positions else "forall (t : nat),"
    stated = ";\n".join(
        f"  h_{name} : {every}\n    {_Translator(lemma, signals, constants).statement()}"
        for name, lemma in _lemmas(text).items()
    )
    numbers = " /\\ ".join(
        f"0 <= u_{name} u {'j ' if signal.of_j else ''}t"
        for name, signal in signals.items()
        if signal.number
    )
    stated += f";\n  h_not_negative : {every}\n    {numbers}"
    variables = " ".join(of.parameters.values())
    return (
        f"{HEAD.format(name=of.path.name)}\nRecord trace := {{\n{fields}\n}}.\n\n"
        f"Record lemmas ({variables} : Z) (u : trace) : Prop := {{\n{stated}\n}}.\n"
    )


def _between(text: str, begin: str, end: str) -> str:
    _, found, rest = text.partition(begin)
    section, closed, _ = rest.partition(end)
    if not found or not closed:
        raise LemmaError(f"no section from {begin!r} to {end!r}")
    return section


def _lemmas(text: str) -> dict[str, str]:
    section = _between(text, "// lemmas\n", "// end lemmas")
    found = dict(LEMMA.findall(section))
    left = re.sub(r"//.*", "", LEMMA.sub("", section)).strip()
    if left:
        raise LemmaError(f"not a lemma: {left.splitlines()[0]}")
    return found


def _split_first(text: str) -> tuple[str, str]:
    """Split a disjunction after its first part."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth and text.startswith(" \\/ ", place + 1):
            return text[: place + 1], text[place + 5 :]
    return text, ""


class _Translator:
    """Recursive descent over one expression.

    A Boolean expression becomes a proposition, ``==`` of two of them an equivalence.
    """

    def __init__(
        self, text: str, signals: Mapping[str, Signal], constants: Mapping[str, str]
    ) -> None:
        self._text = text
        self._tokens: Sequence[str] = self._split(text)
        self._place = 0
        self._signals = signals
        self._constants = constants
        self._pair = any(token.endswith("_q") and token[:-2] in signals for token in self._tokens)

    def statement(self) -> str:
        kind, shown = self._either()
        if kind != "P" or self._place != len(self._tokens):
            raise self._error()
        return shown

    def _split(self, text: str) -> list[str]:
        tokens, place = [], 0
        text = text.strip()
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise LemmaError(f"not translated: {text[place:]!r}")
            tokens.append(match[1])
            place = match.end()
        return tokens

    def _error(self) -> LemmaError:
        return LemmaError(f"not translated: {' '.join(self._text.split())}")

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._peek()
        if not token or (wanted and token != wanted):
            raise self._error()
        self._place += 1
        return token

    def _chain(self, operator: str, joined: str, part: str) -> tuple[str, str]:
        parts = [getattr(self, part)()]
        while self._peek() == operator:
            self._take()
            parts.append(getattr(self, part)())
        if len(parts) == 1:
            return parts[0]
        if any(kind != "P" for kind, _ in parts):
            raise self._error()
        return "P", "(" + f" {joined} ".join(shown for _, shown in parts) + ")"

    def _either(self) -> tuple[str, str]:
        negation = "(~ "
        kind, shown = self._chain("||", "\\/", "_all")
        # !A || B is printed as A -> B; both are the same of what is true or false.
        if shown.startswith(f"({negation}") and " \\/ " in shown:
            condition, rest = _split_first(shown[1:-1])
            if rest:
                return kind, f"({condition[len(negation) : -1]} -> {rest})"
        return kind, shown

    def _all(self) -> tuple[str, str]:
        return self._chain("&&", "/\\", "_comparison")

    def _comparison(self) -> tuple[str, str]:
        kind, left = self._sum()
        if (operator := self._peek()) not in ("==", "<", "<="):
            return kind, left
        self._take()
        other, right = self._sum()
        if kind != other or (kind == "P" and operator != "=="):
            raise self._error()
        if kind == "P":
            return "P", f"({left} <-> {right})"
        return "P", f"({left} {operator.replace('==', '=')} {right})"

    def _sum(self) -> tuple[str, str]:
        kind, shown = self._quotient()
        terms = [shown]
        while self._peek() == "+":
            self._take()
            other, shown = self._quotient()
            if kind != "N" or other != "N":
                raise self._error()
            terms.append(shown)
        if len(terms) > MAX_TERMS:
            raise self._error()
        return (kind, terms[0]) if len(terms) == 1 else (kind, "(" + " + ".join(terms) + ")")

    def _quotient(self) -> tuple[str, str]:
        kind, left = self._atom()
        if (operator := self._peek()) not in ("/", "%"):
            return kind, left
        self._take()
        other, right = self._atom()
        # The order of / and % in Coq is that of positive numbers.
        if (kind, other) != ("N", "N"):
            raise self._error()
        return "N", f"({left} {'/' if operator == '/' else 'mod'} {right})"

    def _atom(self) -> tuple[str, str]:
        token = self._take()
        if token == "!":
            kind, shown = self._atom()
            if kind != "P":
                raise self._error()
            return "P", f"(~ {shown})"
        if token == "(":
            inner = self._either()
            self._take(")")
            return inner
        if token in FUNCTIONS:
            self._take("(")
            arguments = [self._number()]
            while self._peek() == ",":
                self._take()
                arguments.append(self._number())
            self._take(")")
            kind = "P" if token == "bit_of" else "N"
            return kind, f"({FUNCTIONS[token]} {' '.join(arguments)})"
        if token == "j":
            return "N", "j"
        if token in self._constants:
            return "N", self._constants[token]
        before = token.endswith("_q") and token not in self._signals
        name = token[:-2] if before else token
        if name not in self._signals:
            raise self._error()
        signal = self._signals[name]
        time = "t" if before or not self._pair else "(S t)"
        shown = f"u_{name} u {'j ' if signal.of_j else ''}{time}"
        return ("N", f"({shown})") if signal.number else ("P", f"({shown} = true)")

    def _number(self) -> str:
        kind, shown = self._sum()
        if kind != "N":
            raise self._error()
        return shown
