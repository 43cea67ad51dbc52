"""Mutation operators: small named changes of SystemVerilog text at nodes of the syntax tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verif.library.edits.syntax import Node, Source

EXPRESSION, STATEMENT, PORT = "expression", "statement", "port"
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
DROPPABLE = ("+", "-", "&", "|", "^", "&&", "||")


Found = tuple[Node, str]
Finder = Callable[[Source, Node, "Enumerations"], Iterator[Found]]


class Enumerations:
    """Groups of constants that name the values of one type, such as the states of a machine."""

    def __init__(self, sources: Iterable[Source]) -> None:
        """Collect the groups; those of a package are visible everywhere, others in their file."""
        self._groups: dict[tuple[str, str, int], list[str]] = {}
        for source in sources:
            package = next(source.root.find("kPackageDeclaration"), None)
            scope = "" if package else source.name
            for declaration in source.root.find("kParamDeclaration"):
                self._add(scope, source, declaration, declaration.children[1].children)
            for constant in source.root.find("kEnumName"):
                self._add(scope, source, constant, constant.children)

    def _add(self, scope: str, source: Source, declaration: Node, named: Sequence[Node]) -> None:
        name = next((source.of(n) for n in named if n.tag == "SymbolIdentifier"), "")
        value = source.of(declaration).partition("=")[2].strip(" ;\n")
        prefix, size = ENUMERATION.match(name), SIZED.fullmatch(value)
        if prefix and size:
            self._groups.setdefault((scope, prefix[1], int(size[1])), []).append(name)

    def others(self, source: Source, name: str) -> list[str]:
        """Return the next and the previous constant in the order of declaration, cyclically."""
        for (scope, _, _), names in self._groups.items():
            if scope in ("", source.name) and name in names and len(names) > 1:
                at = names.index(name)
                around = (names[(at + 1) % len(names)], names[at - 1])
                return list(dict.fromkeys(around))
        return []


def _binary(node: Node) -> Iterator[tuple[int, Node]]:
    """Yield (index among the children, operator token) of a binary expression."""
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
    """Swap arithmetic operators: addition and subtraction, left and right shift, and so on."""
    return _swapped(source, node, ARITHMETIC)


def bitwise(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Swap AND, OR and XOR."""
    return _swapped(source, node, BITWISE)


def logical(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Swap && and ||."""
    return _swapped(source, node, LOGICAL)


def relational(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Make a comparison wrong by one, or reverse it."""
    return _swapped(source, node, RELATIONAL)


def drop_operand(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Drop one operand, such as a carry or a condition."""
    for index, token in _binary(node):
        if source.of(token) not in DROPPABLE:
            continue
        if index == 1:
            yield node, source.text[node.children[2].start : node.end].decode()
        head = source.text[node.start : node.children[index - 1].end].decode()
        tail = source.text[node.children[index + 1].end : node.end].decode()
        yield node, head + tail


def negation(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Drop a negation, or use the wrong reduction operator."""
    if node.tag == "kUnaryPrefixExpression":
        sign, operand = source.of(node.children[0]), source.of(node.children[1])
        if sign in ("!", "~"):
            yield node, operand
        elif sign in ("&", "|", "^"):
            yield node, ("|" if sign == "&" else "&") + operand


def condition(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Invert a condition, or make it always or never true."""
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
    """Change a constant by one, or invert its bits."""
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
    """Select the bit or slice next to the right one."""
    if node.tag in ("kDimensionScalar", "kDimensionSlice"):
        index = node.children[1]
        yield index, f"({source.of(index)}) + 1"
        if not source.of(index).isdigit() or int(source.of(index)) > 0:
            yield index, f"({source.of(index)}) - 1"


def state(source: Source, node: Node, names: Enumerations) -> Iterator[Found]:
    """Use another state, status, operand source, reduction or mode."""
    if node.tag == "kReference":
        for other in names.others(source, source.of(node)):
            yield node, other


def reset_value(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Invert the reset value of a register."""
    if node.tag == "kNonblockingAssignmentStatement":
        value = node.children[-2]
        text = source.of(value)
        yield value, {"'0": "'1", "'1": "'0"}.get(text, f"~({text})")


def delete_assignment(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Delete an assignment, so that the previous value stays."""
    if node.tag == "kNonblockingAssignmentStatement" or (
        node.tag == "kNetVariableAssignment" and source.of(node).endswith(";")
    ):
        yield node, ";"


def port(source: Source, node: Node, _: Enumerations) -> Iterator[Found]:
    """Tie an input of an instance to 0 or to 1."""
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
    """A named operator: its changes, and where it applies.

    Attributes:
        find: yields (node to replace, replacement).
        static: True if it also applies to code that is fixed at elaboration.
        reset: True: only in reset branches; False: only outside; None: everywhere.
        kind: kind of its mutants.
    """

    find: Finder
    static: bool = False
    reset: bool | None = False
    kind: str = EXPRESSION

    @property
    def name(self) -> str:
        """Name of the operator in ids."""
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
