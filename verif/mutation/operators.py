"""Mutation operators: small, named changes of SystemVerilog text, found in its syntax tree.

Only the design is changed: no comment, module header, check of parameters, nor what exists to keep
a linter quiet (signals named ``unused_…``) or for the bench's observer (:data:`OBSERVED`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from verif.faults.places import named_places
from verif.mutation.syntax import Node, Source

EXPRESSION, STATEMENT, PORT = "expression", "statement", "port"
SKIPPED_LABELS = re.compile(r":\s*gen_check")
# Read by the bench's observer alone: what the coverage goals are for. Names begin so.
OBSERVED = (
    "report", "table_valid", "table_addr", "position", "top_carry", "carry_valid", "carry_word",
)  # fmt: skip
UNUSED = re.compile(rf"\s*(unused|{'|'.join(OBSERVED)})\w*")
CLOCK_AND_RESET = ("clk_i", "rst_ni")
SIZED = re.compile(r"(\d+)\s*'([bdh])([0-9a-fA-F_]+)")
ENUMERATION = re.compile(r"^(St|Ph|State|Status|BusError|Source|Reduce|Mode|Step)[A-Z]\w*$")
ARITHMETIC: Mapping[str, tuple[str, ...]] = {
    "+": ("-",), "-": ("+",), "*": ("+",), "<<": (">>",), ">>": ("<<",), "%": ("/",), "/": ("%",),
}  # fmt: skip
BITWISE: Mapping[str, tuple[str, ...]] = {"&": ("|", "^"), "|": ("&", "^"), "^": ("|", "&")}
LOGICAL: Mapping[str, tuple[str, ...]] = {"&&": ("||",), "||": ("&&",)}
RELATIONAL: Mapping[str, tuple[str, ...]] = {
    "==": ("!=",), "!=": ("==",), "<": ("<=", ">="), "<=": ("<",), ">": (">=", "<="), ">=": (">",),
}  # fmt: skip
# A signal declared too wide is no fault, and one too narrow is the linter's to find.
NO_CODE = (
    "kFormalParameterListDeclaration",
    "kPortDeclarationList",
    "kEventControl",
    "kPackedDimensions",
)
DROPPABLE = ("+", "-", "&", "|", "^", "&&", "||")


@dataclass(frozen=True)
class Mutant:
    """One change of one place.

    Attributes:
        file: path below the design's folder.
        place: name of the place, see :func:`verif.faults.places.named_places`.
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


Found = tuple[Node, str]
Finder = Callable[[Source, Node, "Enumerations"], Iterator[Found]]


class Enumerations:
    """Constants that name the values of one thing, such as the states of a machine."""

    def __init__(self, sources: Iterable[Source]) -> None:
        """Collect them; those of a package are known everywhere, others in their file."""
        self._groups: dict[tuple[str, str, int], list[str]] = {}
        for source in sources:
            package = next(source.root.find("kPackageDeclaration"), None)
            for declaration in source.root.find("kParamDeclaration"):
                self._add("" if package else source.name, source, declaration)

    def _add(self, scope: str, source: Source, declaration: Node) -> None:
        name = next(
            (source.of(n) for n in declaration.children[1].children if n.tag == "SymbolIdentifier"),
            "",
        )
        value = source.of(declaration.children[-1] if declaration.children else declaration)
        value = source.of(declaration)[source.of(declaration).find("=") + 1 :].strip(" ;\n")
        prefix, size = ENUMERATION.match(name), SIZED.fullmatch(value)
        if prefix and size:
            self._groups.setdefault((scope, prefix[1], int(size[1])), []).append(name)

    def others(self, source: Source, name: str) -> list[str]:
        """The next and the one before in the order of declaration, around the ends."""
        for (scope, _, _), names in self._groups.items():
            if scope in ("", source.name) and name in names and len(names) > 1:
                at = names.index(name)
                around = (names[(at + 1) % len(names)], names[at - 1])
                return list(dict.fromkeys(around))
        return []


def _binary(node: Node) -> Iterator[tuple[int, Node]]:
    """(place among the children, operator token) of a binary expression."""
    if node.tag == "kBinaryExpression":
        for index in range(1, len(node.children), 2):
            yield index, node.children[index]


def _swapped(source: Source, node: Node, table: Mapping[str, tuple[str, ...]]) -> Iterator[Found]:
    for _, token in _binary(node):
        for new in table.get(source.of(token), ()):
            head = source.text[node.start : token.start].decode()
            tail = source.text[token.end : node.end].decode()
            yield node, f"{head}{new}{tail}"


def arithmetic(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Addition becomes subtraction, a left shift a right one, and so on."""
    return _swapped(source, node, ARITHMETIC)


def bitwise(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """AND, OR and XOR become one another."""
    return _swapped(source, node, BITWISE)


def logical(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """&& becomes ||, and the other way round."""
    return _swapped(source, node, LOGICAL)


def relational(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Comparisons off by one, or the other way round."""
    return _swapped(source, node, RELATIONAL)


def drop_operand(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """One term is missing: a carry that is dropped, a condition that is forgotten."""
    for index, token in _binary(node):
        if source.of(token) not in DROPPABLE:
            continue
        if index == 1:
            yield node, source.text[node.children[2].start : node.end].decode()
        head = source.text[node.start : node.children[index - 1].end].decode()
        tail = source.text[node.children[index + 1].end : node.end].decode()
        yield node, head + tail


def negation(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """A missing negation, or the wrong reduction."""
    if node.tag == "kUnaryPrefixExpression":
        sign, operand = source.of(node.children[0]), source.of(node.children[1])
        if sign in ("!", "~"):
            yield node, operand
        elif sign in ("&", "|", "^"):
            yield node, ("|" if sign == "&" else "&") + operand


def condition(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """A condition the wrong way round, always true, or never."""
    if node.tag == "kConditionExpression":
        subject = node.children[0]
    elif node.tag in ("kIfHeader", "kGenerateIf"):
        subject = node.children[-1].children[1]
    else:
        return
    yield subject, f"!({source.of(subject)})"
    yield subject, "1'b1"
    yield subject, "1'b0"


def constant(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """A constant off by one, or with a bit the other way round."""
    if node.tag != "kNumber":
        return
    text = source.of(node)
    if text in ("'0", "'1"):
        yield node, "'1" if text == "'0" else "'0"
    elif size := SIZED.fullmatch(text):
        base = {"b": 2, "d": 10, "h": 16}[size[2]]
        width, value = int(size[1]), int(size[3].replace("_", ""), base)
        for other in dict.fromkeys((value + 1, value - 1)):
            other %= 1 << width
            if other != value:
                yield node, f"{width}'d{other}"
            if width == 1:
                break
    elif text.isdigit():
        yield node, str(int(text) + 1)
        if int(text) > 0:
            yield node, str(int(text) - 1)


def bit_index(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """A bit or a slice next to the right one."""
    if node.tag in ("kDimensionScalar", "kDimensionSlice"):
        index = node.children[1]
        yield index, f"({source.of(index)}) + 1"
        if not source.of(index).isdigit() or int(source.of(index)) > 0:
            yield index, f"({source.of(index)}) - 1"


def state(source: Source, node: Node, names: Enumerations) -> Iterator[Found]:
    """Another state, status, source of an operand, reduction or mode."""
    if node.tag == "kReference":
        for other in names.others(source, source.of(node)):
            yield node, other


def reset_value(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """A register starts with every bit the other way round."""
    if node.tag == "kNonblockingAssignmentStatement":
        value = node.children[-2]
        text = source.of(value)
        yield value, {"'0": "'1", "'1": "'0"}.get(text, f"~({text})")


def delete_assignment(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """An assignment is missing: the value before stays."""
    if node.tag == "kNonblockingAssignmentStatement" or (
        node.tag == "kNetVariableAssignment" and source.of(node).endswith(";")
    ):
        yield node, ";"


def port(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """An input of an instance is stuck."""
    if node.tag != "kActualNamedPort":
        return
    name = source.of(node.children[1])
    if name.endswith("_i") and name not in CLOCK_AND_RESET:
        connected = re.sub(r"\s", "", source.text[node.children[1].end : node.end].decode())
        for value, bit in (("'0", "1'b0"), ("'1", "1'b1")):
            if connected not in (f"({value})", f"({bit})"):
                yield node, f".{name}({value})"


@dataclass(frozen=True)
class Operator:
    """A named operator: what it finds, and where it makes sense.

    Attributes:
        find: yields (what to replace, replacement).
        static: also for what is fixed at elaboration.
        reset: for the branch of a reset: True only there, False only elsewhere, None everywhere.
        kind: of its mutants.
    """

    find: Finder
    static: bool = False
    reset: bool | None = False
    kind: str = EXPRESSION

    @property
    def name(self) -> str:
        """By which it is known in ids."""
        return self.find.__name__


OPERATORS = (
    Operator(arithmetic, static=True),
    Operator(bitwise),
    Operator(logical, static=True),
    Operator(relational, static=True),
    Operator(drop_operand, static=True),
    Operator(negation),
    Operator(condition, static=True, reset=None),
    Operator(constant, static=True),
    Operator(bit_index, static=True),
    Operator(state),
    Operator(reset_value, reset=True),
    Operator(delete_assignment, reset=None, kind=STATEMENT),
    Operator(port, kind=PORT),
)


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
        place = replace(place, code=True)
    elif tag in NO_CODE:
        return
    elif tag in ("kParamDeclaration", "kGenerateIf", "kActualParameterList"):
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
    return False
