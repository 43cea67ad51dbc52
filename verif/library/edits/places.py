"""Places in a module, named by names in the code instead of line numbers.

A place is a module, the blocks around the place, and its object: the value assigned to a signal,
the condition of the assignment, a parameter, or a port of an instance. A place stays valid as long
as these names exist, even if other lines change. A place that does not exist exactly once is an
error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verif.library.edits.syntax import Node, Source

RESET = re.compile(r"!\s*\(?\s*\w*rst_n\w*")
ASSIGNMENTS = ("kNetVariableAssignment", "kNonblockingAssignmentStatement")
ITEMS = ("kModuleItemList", "kGenerateItemList", "kPackageItemList", "kCaseItem", "kDefaultItem")
SUBJECTS = (
    *ASSIGNMENTS, "kParamDeclaration", "kActualNamedPort", "kParamByName", "kIfHeader",
    "kGenerateIf",
)  # fmt: skip
STEP = re.compile(r"\s*/\s*")


class FaultError(ValueError):
    """A place does not exist exactly once; the message names the place and the matches."""


@dataclass(frozen=True)
class Block:
    """A block around a place.

    Attributes:
        kind: ``label`` of a generate block or an instance, ``case`` item, ``if`` or ``else``.
        names: label, case labels, or the names that the condition reads.
        header: the condition; None without a condition.
        reset: the block is the branch of a reset.
    """

    kind: str
    names: frozenset[str]
    header: Node | None = None
    reset: bool = False

    def answers(self, step: str) -> bool:
        """Return whether this block matches a step of a path.

        Args:
            step: ``reset``, ``if NAME …`` or ``else NAME …`` (the condition reads all of them), or
                a label.
        """
        kind, *names = step.split()
        if kind in ("if", "else"):
            return self.kind == kind and not self.reset and self.names.issuperset(names)
        if step == "reset":
            return self.reset
        return self.kind in ("label", "case") and re.sub(r"\s", "", step) in self.names


@dataclass(frozen=True)
class Found:
    """A node with the blocks around it, the outermost first."""

    node: Node
    blocks: tuple[Block, ...]

    def lies_in(self, path: str) -> bool:
        """Return whether the blocks around the node match the steps of ``path`` in their order.

        A node in the branch of a reset matches only a path with ``reset``.
        """
        steps = STEP.split(path) if path else []
        if "reset" not in steps and any(block.reset for block in self.blocks):
            return False
        blocks = iter(self.blocks)
        return all(any(block.answers(step) for block in blocks) for step in steps)


def names_in(source: Source, node: Node | None) -> frozenset[str]:
    """Return every name that is read or written at a node."""
    if node is None:
        return frozenset()
    return frozenset(source.of(found) for found in node.find("SymbolIdentifier"))


def found_in(source: Source, *tags: str) -> Iterator[Found]:
    """Yield every node with one of the tags, and the blocks around it, in the order of the text."""
    return _walk(source, source.root, (), tags)


def value_of(node: Node) -> Node:
    """Return the right side of an assignment, the value of a parameter or a port connection."""
    if node.tag in ("kActualNamedPort", "kParamByName"):
        group = next((child for child in node.children if child.tag == "kParenGroup"), None)
        return node if group is None else group.children[1]
    assign = next((child for child in node.children if child.tag == "kTrailingAssign"), node)
    return next(child for child in reversed(assign.children) if child.tag != ";")


def assignments(source: Source, signal: str) -> Iterator[Found]:
    """Yield the assignments to a signal, to a part of it, or to a concatenation with it."""
    for found in found_in(source, *ASSIGNMENTS):
        if signal in _written(source, found.node.children[0]):
            yield found


def parameters(source: Source, name: str) -> Iterator[Found]:
    """Yield the declarations of a parameter or local parameter."""
    for found in found_in(source, "kParamDeclaration"):
        if _declared(source, found.node) == name:
            yield found


def connections(source: Source, port: str) -> Iterator[Found]:
    """Yield the connections of a port or parameter of an instance, ``instance.port``."""
    instance, _, name = port.partition(".")
    for found in found_in(source, "kActualNamedPort", "kParamByName"):
        inside = any(b.kind == "label" and instance in b.names for b in found.blocks)
        if inside and source.of(found.node.children[1]) == name:
            yield found


def conditions(source: Source) -> Iterator[Found]:
    """Yield the conditions of ``if`` statements and generate blocks, each in its own block."""
    for found in found_in(source, "kIfHeader", "kGenerateIf"):
        yield Found(found.node.children[-1].children[1], found.blocks)


def named_places(source: Source) -> Callable[[int], str]:
    """Return a function that names the place of an offset by module, labels, cases and object.

    The name stays the same when lines move: ``multiplier_control/StCheckY/out_of_range_d``.
    """
    module = source.name.rpartition("/")[2].partition(".")[0]
    spans = []
    for found in found_in(source, *ITEMS, *SUBJECTS):
        named = (b for b in found.blocks if b.reset or b.kind in ("label", "case"))
        steps = ["reset" if block.reset else ",".join(sorted(block.names)) for block in named]
        words = [module, *steps, _subject(source, found.node)]
        node = found.node
        spans.append((node.end - node.start, node.start, "/".join(word for word in words if word)))
    spans.sort()

    def name(offset: int) -> str:
        inner = (text for size, start, text in spans if start <= offset < start + size)
        return next(inner, module)

    return name


def _subject(source: Source, node: Node) -> str:
    """Return the object of a node: its assigned signal, connected port or condition."""
    if node.tag in ASSIGNMENTS:
        return ",".join(sorted(_written(source, node.children[0])))
    if node.tag == "kParamDeclaration":
        return _declared(source, node)
    if node.tag in ("kActualNamedPort", "kParamByName"):
        return source.of(node.children[1])
    if node.tag in ("kIfHeader", "kGenerateIf"):
        return " ".join(["if", *sorted(names_in(source, node))])
    return ""


def terms(source: Source, node: Node, names: frozenset[str]) -> list[Node]:
    """Return the smallest expressions at or below ``node`` that read all of ``names``.

    For a single name, these are the references to it, with their indices.
    """
    if len(names) == 1:
        references = (n for n in node.find("kReference") if _root(source, n) in names)
        return list(references)
    holders = [n for n in node.walk() if names <= names_in(source, n)]
    return [n for n in holders if not any(m is not n and m in holders for m in n.walk())]


def _declared(source: Source, parameter: Node) -> str:
    """Return the name of a parameter: the last identifier before its value."""
    names = [n for n in parameter.find("SymbolIdentifier") if n.end <= value_of(parameter).start]
    return source.of(names[-1])


def _root(source: Source, reference: Node) -> str:
    return source.of(reference.children[0])


def _written(source: Source, target: Node) -> frozenset[str]:
    """Return the signals that an assignment to ``target`` changes, without those in its indices."""
    if target.tag == "kReference":
        return frozenset({_root(source, target)})
    return frozenset().union(*(_written(source, child) for child in target.children))


def _walk(
    source: Source, node: Node, blocks: tuple[Block, ...], tags: tuple[str, ...]
) -> Iterator[Found]:
    if node.tag in tags:
        yield Found(node, blocks)
    here = _opened(source, node)
    inner = (*blocks, here) if here else blocks
    if node.tag == "kConditionalStatement":
        yield from _branches(source, node, blocks, tags)
        return
    for child in node.children:
        yield from _walk(source, child, inner, tags)


def _branches(
    source: Source, node: Node, blocks: tuple[Block, ...], tags: tuple[str, ...]
) -> Iterator[Found]:
    clause, *rest = node.children
    header = clause.children[0]
    subject = header.children[-1].children[1]
    names = names_in(source, subject)
    reset = bool(RESET.fullmatch(source.of(subject)))
    body = (*blocks, Block("if", names, subject, reset))
    yield from _walk(source, header, body, tags)
    for child in clause.children[1:]:
        yield from _walk(source, child, body, tags)
    for child in rest:
        yield from _walk(source, child, (*blocks, Block("else", names, subject)), tags)


def _opened(source: Source, node: Node) -> Block | None:
    """Return the block that a node opens for the nodes below it."""
    if node.tag == "kGenerateBlock":
        label = next((n for n in node.children[0].children if n.tag == "kLabel"), None)
        return None if label is None else Block("label", names_in(source, label))
    if node.tag in ("kCaseItem", "kDefaultItem"):
        labels = source.of(node.children[0])
        return Block("case", frozenset(re.sub(r"\s", "", labels).split(",")))
    if node.tag == "kInstantiationBase":  # parameters of an instance come before its name
        instances = (source.of(n.children[0]) for n in node.find("kGateInstance"))
        return Block("label", frozenset(instances))
    return None
