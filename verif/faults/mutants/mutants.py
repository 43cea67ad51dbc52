"""The mutants of a file: every operator wherever it makes sense.

Only the design is changed: no comment, module header, check of parameters, nor what exists to keep
a linter quiet (signals named ``unused_…``) or for the bench's observer (:data:`OBSERVED`).
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
# Read by the bench's observer alone, and not judged: what the coverage goals are for. Names begin
# so. The table addresses of a multiplier are judged, those of an exponentiation (a_, s_) are not.
OBSERVED = (
    "report", "a_table", "s_table", "position", "top_carry", "carry_valid", "carry_word",
    "carry_first", "digit_first", "digit_queued", "digit_report",
)  # fmt: skip
# Of a struct of the observation these members alone: the bench judges by the others.
MEMBER = r"((observation|view)_o\.(\w+\.)?)?"
UNUSED = re.compile(rf"\s*(unused|{MEMBER}({'|'.join(OBSERVED)}))\w*")
# A constant named after one says when the bench samples it.
_NAMES = "|".join(name.title().replace("_", "") for name in OBSERVED)
OBSERVED_CONSTANT = re.compile(rf"localparam\s+int\s+({_NAMES})\b")
STATIC = (
    "kParamDeclaration",
    "kGenerateIf",
    "kActualParameterList",
    "kFunctionDeclaration",  # of a parameter's value
    "kTypeDeclaration",
)
# Of widths: a signal declared too wide is no fault, one too narrow is the linter's to find.
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
        line: where, from 1.
        operator: name of the operator that made it.
        number: counts the mutants of one operator at one place, from 1.
        start: byte offset of what is replaced.
        end: behind it.
        original: what is replaced.
        replacement: what comes in its place.
        kind: ``expression``, ``statement`` or ``port``: how it can be made to depend on a select.
        static: it changes what is fixed at elaboration, and so needs a build of its own.
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
        """Stable as long as the place is, whatever happens to the lines around it."""
        return f"{self.place}:{self.operator}:{self.number}"

    @property
    def change(self) -> str:
        """The change in one line."""
        old, new = (re.sub(r"\s+", " ", text) for text in (self.original, self.replacement))
        return f"{old}  →  {new or '(nothing)'}"

    def applied(self, text: bytes) -> bytes:
        """The file's text with the change made."""
        return text[: self.start] + self.replacement.encode() + text[self.end :]


@dataclass(frozen=True)
class Place:
    """What is known of the surroundings of a node.

    Attributes:
        code: inside the statements and declarations of a module.
        static: fixed at elaboration.
        reset: in the branch of a reset.
        procedural: inside an always block.
        default: a direct statement of an always_comb block: without it there would be a latch.
    """

    code: bool = False
    static: bool = False
    reset: bool = False
    procedural: bool = False
    default: bool = False


def mutants_of(source: Source, names: Enumerations) -> list[Mutant]:
    """Every mutant of a file, in the order of its text."""
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
    # The test of the reset itself stays: its stuck values are the reset tree's, not the design's.
    return not (node.tag == "kIfHeader" and place.reset)


def _places(source: Source, node: Node, place: Place) -> Iterator[tuple[Node, Place]]:
    """Every node with its place, without what must not be changed."""
    tag = node.tag
    if _skipped(source, node):
        return
    if tag in ("kModuleItemList", "kPackageItemList"):
        # Functions of a package give parameters.
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
        place = replace(place, static=True)  # how often something is repeated
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
    if tag == "kActualNamedPort":  # an output drives what is written there
        return source.of(node.children[1]).endswith("_o")
    if tag in ("kNetVariableAssignment", "kNonblockingAssignmentStatement"):
        return bool(UNUSED.match(text))
    return tag == "kParamDeclaration" and bool(OBSERVED_CONSTANT.match(text))
