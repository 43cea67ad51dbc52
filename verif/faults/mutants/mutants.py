"""Mutants of a file: every operator is applied wherever it is useful.

Mutants change only the design. They do not change comments, module headers or parameter checks,
signals that only silence a linter (``unused_…``), or signals of the bench's observer
(:data:`OBSERVED`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from verif.faults.mutants.operators import EXPRESSION, OPERATORS, STATEMENT, Enumerations, Operator
from verif.library.edits.places import named_places
from verif.library.edits.syntax import Node, Source

SKIPPED_LABELS = re.compile(r":\s*gen_check")
# First parts of the names of signals that only the bench's observer reads. No test checks them;
# they are covered by goals. The bench checks the table addresses of a multiplier, but not those of
# an exponentiation (a_, s_).
OBSERVED = (
    "report", "a_table", "s_table", "position", "top_carry", "carry_valid", "carry_word",
    "carry_first", "digit_first", "digit_queued", "digit_report",
)  # fmt: skip
# Only these members of an observation struct are skipped: the bench checks the others.
MEMBER = r"((observation|view)_o\.(\w+\.)?)?"
UNUSED = re.compile(rf"\s*(unused|{MEMBER}({'|'.join(OBSERVED)}))\w*")
# A constant with the name of such a signal defines when the bench samples it.
_NAMES = "|".join(name.title().replace("_", "") for name in OBSERVED)
OBSERVED_CONSTANT = re.compile(rf"localparam\s+int\s+({_NAMES})\b")
STATIC = (
    "kParamDeclaration",
    "kGenerateIf",
    "kActualParameterList",
    "kFunctionDeclaration",  # computes a parameter's value
    "kTypeDeclaration",
)
# Skip widths: a signal that is too wide is not a fault, and the linter reports a narrow signal.
NO_CODE = (
    "kFormalParameterListDeclaration",
    "kPortDeclarationList",
    "kEventControl",
    "kPackedDimensions",
)


@dataclass(frozen=True)
class Mutant:
    """One change of one place.

    Attributes:
        file: path below the design's folder.
        place: name of the place, see :func:`verif.library.edits.places.named_places`.
        line: line number, from 1.
        operator: name of the operator that generated it.
        number: number among the mutants of one operator at one place, from 1.
        start: byte offset of the replaced text.
        end: byte offset after the replaced text.
        original: replaced text.
        replacement: new text.
        kind: ``expression``, ``statement`` or ``port``; it decides how a select enables the mutant.
        static: True if it changes something fixed at elaboration, so it needs its own build.
    """

    file: str
    place: str
    line: int
    operator: str
    number: int
    start: int
    end: int
    original: str
    replacement: str
    kind: str = EXPRESSION
    static: bool = False

    @property
    def id(self) -> str:
        """Id of the mutant; it stays the same as long as the place does, even if lines move."""
        return f"{self.place}:{self.operator}:{self.number}"

    @property
    def change(self) -> str:
        """The change in one line."""
        old, new = (re.sub(r"\s+", " ", text) for text in (self.original, self.replacement))
        return f"{old}  →  {new or '(nothing)'}"

    def applied(self, text: bytes) -> bytes:
        """Return the file's text with the change applied."""
        return text[: self.start] + self.replacement.encode() + text[self.end :]


@dataclass(frozen=True)
class Place:
    """Context of a node.

    Attributes:
        code: the node is inside the statements and declarations of a module.
        static: the node is fixed at elaboration.
        reset: the node is in a reset branch.
        procedural: the node is inside an always block.
        default: the node is a direct statement of an always_comb block; its deletion makes a latch.
    """

    code: bool = False
    static: bool = False
    reset: bool = False
    procedural: bool = False
    default: bool = False


def mutants_of(source: Source, names: Enumerations) -> list[Mutant]:
    """Return every mutant of a file, in the order of the text."""
    found: dict[tuple[int, int, str], Mutant] = {}
    place_of = named_places(source)
    for node, place in _places(source, source.root, Place()):
        for operator in OPERATORS:
            if not place.code or not _fits(operator, node, place):
                continue
            for target, replacement in operator.find(source, node, names):
                key = (target.start, target.end, replacement)
                if key in found or replacement == source.of(target):
                    continue
                found[key] = Mutant(
                    file=source.name,
                    place=place_of(target.start),
                    line=source.line(target.start),
                    operator=operator.name,
                    number=0,
                    start=target.start,
                    end=target.end,
                    original=source.of(target),
                    replacement=replacement,
                    kind=operator.kind,
                    static=place.static,
                )
    counts: Counter[tuple[str, str]] = Counter()
    numbered = []
    for mutant in sorted(found.values(), key=lambda m: (m.start, m.end, m.operator)):
        counts[mutant.place, mutant.operator] += 1
        numbered.append(replace(mutant, number=counts[mutant.place, mutant.operator]))
    return numbered


def _fits(operator: Operator, node: Node, place: Place) -> bool:
    if place.static and not operator.static:
        return False
    if operator.reset is not None and operator.reset != place.reset:
        return False
    if operator.kind == STATEMENT and (not place.procedural or place.default):
        return False
    # Keep the reset condition itself: its stuck values are faults of the reset tree.
    return not (node.tag == "kIfHeader" and place.reset)


def _places(source: Source, node: Node, place: Place) -> Iterator[tuple[Node, Place]]:
    """Yield every node with its context, without nodes that must not be changed."""
    tag = node.tag
    if _skipped(source, node):
        return
    if tag in ("kModuleItemList", "kPackageItemList"):
        # Functions of a package compute parameters.
        place = replace(place, code=True, static=tag == "kPackageItemList")
    elif tag in NO_CODE:
        return
    elif tag in STATIC:
        place = replace(place, static=True)
    elif tag == "kLoopHeader":
        place = replace(place, static=not place.procedural)
    elif tag == "kDimensionRange":  # bounds of a slice
        place = replace(place, static=True)
    elif tag == "kAlwaysStatement":
        place = replace(place, procedural=True)
    elif tag in ("kConditionalStatement", "kCaseStatement", "kForLoopStatement"):
        place = replace(place, default=False)
    elif tag == "kExpression" and re.match(rb"\s*\{", source.text[node.end : node.end + 80]):
        place = replace(place, static=True)  # repetition count
    yield node, place
    for index, child in enumerate(node.children):
        below = place
        if tag == "kAlwaysStatement" and node.children[0].tag == "always_comb":
            below = replace(place, default=True)
        elif tag == "kIfClause" and _is_reset(source, node):
            below = replace(place, reset=True)
        elif tag == "kCaseItem" and index == 0:
            continue  # labels
        elif tag in ("kDimensionSlice",) and index == 3:
            below = replace(place, static=True)
        elif (tag == "kLPValue" and not place.procedural) or (tag == "kCast" and index == 0):
            continue
        yield from _places(source, child, below)


def _is_reset(source: Source, clause: Node) -> bool:
    return bool(re.fullmatch(r"if\s*\(!\w*rst_n\w*\)", source.of(clause.children[0])))


def _skipped(source: Source, node: Node) -> bool:
    tag, text = node.tag, source.of(node)
    if tag in ("kInitialStatement", "kPreprocessorDefine", "kSystemTFCall"):
        return tag != "kSystemTFCall" or not text.startswith("$clog2")
    if tag in ("kGenerateIfClause", "kConditionalGenerateConstruct"):
        return bool(SKIPPED_LABELS.search(text)) and "$error" in text
    if tag == "kActualNamedPort":  # an output drives the connected signal
        return source.of(node.children[1]).endswith("_o")
    if tag in ("kNetVariableAssignment", "kNonblockingAssignmentStatement"):
        return bool(UNUSED.match(text))
    return tag == "kParamDeclaration" and bool(OBSERVED_CONSTANT.match(text))
