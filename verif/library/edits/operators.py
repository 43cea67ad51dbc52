"""Operators: changes of the design at a place of its syntax tree.

Operators are data, with the same form in Python and in a file. ``@`` in a new text stands for the
old text. A path (``at``) names blocks from the outside in, separated by ``/``: labels of generate
blocks and instances, case labels, ``if NAME …``, ``else NAME …``, ``reset``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, model_validator

from regress.core.formats.model import Format
from verif.library.edits.places import (
    FaultError,
    Found,
    assignments,
    conditions,
    connections,
    found_in,
    names_in,
    parameters,
    terms,
    value_of,
)
from verif.library.edits.syntax import Node, Source

OLD = "@"
DROPPABLE = ("+", "-", "&", "|", "^", "&&", "||")


@dataclass(frozen=True, order=True)
class Edit:
    """Replacement of bytes ``start`` to ``end`` of a file by ``text``."""

    start: int
    end: int
    text: str


class Operator(Format):
    """A change at one place of one module.

    Attributes:
        module: name of the module or package, which is the name of its file.
        at: path of the blocks around the place, as far as needed; a place in the branch of a reset
            matches only if the path has ``reset``.
        reading: names that the value (or condition) at the place must read.
    """

    module: str
    at: str = ""
    reading: str = ""

    @abstractmethod
    def edits(self, source: Source) -> list[Edit]:
        """Return the edits in the file of its module.

        Raises:
            FaultError: the place does not exist exactly once.
        """

    @property
    @abstractmethod
    def says(self) -> str:
        """Place and change in one line."""

    @property
    def place(self) -> str:
        """The place in words."""
        words = [self.module, self.at and f"at {self.at}"]
        words.append(self.reading and f"reading {self.reading}")
        return " ".join(word for word in words if word)

    def _one(self, what: str, source: Source, found: Iterator[Found]) -> Found:
        """Return the single place in ``found`` that matches."""
        candidates = list(found)
        reads = frozenset(self.reading.split())
        meant = [
            one
            for one in candidates
            if one.lies_in(self.at) and reads <= names_in(source, _subject(one.node))
        ]
        if len(meant) == 1:
            return meant[0]
        lines = [source.line(one.node.start) for one in meant or candidates]
        where = f"; {what} in lines {', '.join(map(str, lines))}" if lines else ""
        raise FaultError(f"{self.place}: {what} found {len(meant)} times{where} of {source.name}")

    def _one_node(self, what: str, source: Source, nodes: Sequence[Node]) -> Node:
        if len(nodes) != 1:
            raise FaultError(f"{self.place}: {what} found {len(nodes)} times in {source.name}")
        return nodes[0]


def _subject(node: Node) -> Node:
    """Return the node that must contain the names in ``reading``."""
    tags = ("kNetVariableAssignment", "kNonblockingAssignmentStatement", "kParamDeclaration")
    return value_of(node) if node.tag in tags else node


class Expression(Operator):
    """A change of an expression. Exactly one attribute before ``term`` names the expression.

    Attributes:
        signal: the value assigned to this signal.
        guard: the condition of the innermost ``if`` (that reads ``reading``) around the assignment
            to this signal.
        condition: the only condition of an ``if`` or a generate block that reads exactly these
            names.
        parameter: the value of this parameter.
        port: the connection of ``instance.port``; also for parameters of instances.
        term: only the smallest part of the expression that reads these names.
    """

    signal: str = ""
    guard: str = ""
    condition: str = ""
    parameter: str = ""
    port: str = ""
    term: str = ""

    @model_validator(mode="after")
    def _one_target(self) -> Expression:
        given = [self.signal, self.guard, self.condition, self.parameter, self.port]
        if sum(map(bool, given)) != 1:
            raise ValueError("give exactly one of signal, guard, condition, parameter and port")
        return self

    @property
    def place(self) -> str:
        """The place in words."""
        kinds = ("signal", "guard", "condition", "parameter", "port", "term")
        named = [f"{kind} {getattr(self, kind)}" for kind in kinds if getattr(self, kind)]
        return f"{super().place}, {', '.join(named)}"

    def _whole(self, source: Source) -> Node:
        """Return the expression before ``term`` narrows it."""
        if self.signal:
            found = self._one(f"{self.signal}", source, assignments(source, self.signal))
            return value_of(found.node)
        if self.parameter:
            return value_of(
                self._one(self.parameter, source, parameters(source, self.parameter)).node
            )
        if self.port:
            return value_of(self._one(self.port, source, connections(source, self.port)).node)
        if self.condition:
            reads = frozenset(self.condition.split())
            those = (c for c in conditions(source) if reads == names_in(source, c.node))
            return self._one("such a condition", source, those).node
        return self._guard(source)

    def _guard(self, source: Source) -> Node:
        reads = frozenset(self.reading.split())
        around: dict[tuple[int, int], Node] = {}
        for found in assignments(source, self.guard):
            if not found.lies_in(self.at):
                continue
            headers = [b.header for b in found.blocks if b.kind == "if" and b.header]
            meant = [h for h in headers if reads <= names_in(source, h)]
            if meant:
                around[meant[-1].start, meant[-1].end] = meant[-1]
        return self._one_node(f"a condition around {self.guard}", source, list(around.values()))

    def target(self, source: Source) -> Node:
        """Return the expression to change."""
        whole = self._whole(source)
        if not self.term:
            return whole
        found = terms(source, whole, frozenset(self.term.split()))
        return self._one_node(f"term {self.term!r}", source, found)


class Replace(Expression):
    """Replace the expression by ``to``."""

    do: Literal["replace"] = "replace"
    to: str

    @property
    def says(self) -> str:
        """Place and change in one line."""
        return f"{self.place}: {self.to.replace(OLD, '…')}"

    def edits(self, source: Source) -> list[Edit]:
        """See :meth:`Operator.edits`."""
        node = self.target(source)
        if node.tag == "kActualNamedPort":  # the short form .name
            old = source.of(node.children[1])
            return [Edit(node.end, node.end, f"({self.to.replace(OLD, old)})")]
        return [Edit(node.start, node.end, self.to.replace(OLD, source.of(node)))]


class Drop(Expression):
    """Remove the operand that reads ``term`` from a sum or a logical operation.

    Attributes:
        operator: consider only operands of this operator.
    """

    do: Literal["drop"] = "drop"
    term: str
    operator: str = ""

    @property
    def says(self) -> str:
        """Place and change in one line."""
        return f"{self.place}: dropped"

    def edits(self, source: Source) -> list[Edit]:
        """See :meth:`Operator.edits`."""
        names = frozenset(self.term.split())
        found = [
            (node, index)
            for node in self._whole(source).find("kBinaryExpression")
            for index in range(0, len(node.children), 2)
            if self._droppable(source, node, index)
            and names <= names_in(source, node.children[index])
        ]
        # Take the innermost of nested operands.
        inner = [
            (node, index)
            for node, index in found
            if not any(
                other is not node and other in node.children[index].walk() for other, _ in found
            )
        ]
        if len(inner) != 1:
            raise FaultError(
                f"{self.place}: an operand with it found {len(inner)} times in {source.name}"
            )
        node, index = inner[0]
        if index == 0:
            return [Edit(node.start, node.children[2].start, "")]
        return [Edit(node.children[index - 2].end, node.children[index].end, "")]

    def _droppable(self, source: Source, node: Node, index: int) -> bool:
        operator = source.of(node.children[1 if index == 0 else index - 1])
        return operator in DROPPABLE and self.operator in ("", operator)


class Swap(Expression):
    """Replace the only ``operator`` in the expression by ``to``: another comparison, + for -."""

    do: Literal["swap"] = "swap"
    operator: str
    to: str

    @property
    def says(self) -> str:
        """Place and change in one line."""
        return f"{self.place}: {self.operator} becomes {self.to}"

    def edits(self, source: Source) -> list[Edit]:
        """See :meth:`Operator.edits`."""
        tokens = [
            child
            for node in self.target(source).find("kBinaryExpression")
            for child in node.children[1::2]
            if source.of(child) == self.operator
        ]
        token = self._one_node(f"operator {self.operator!r}", source, tokens)
        return [Edit(token.start, token.end, self.to)]


class Remove(Operator):
    """Remove an assignment to ``signal``, so that the signal keeps its value."""

    do: Literal["remove"] = "remove"
    signal: str

    @property
    def says(self) -> str:
        """Place and change in one line."""
        return f"{self.place}: no assignment to {self.signal}"

    def edits(self, source: Source) -> list[Edit]:
        """See :meth:`Operator.edits`."""
        found = self._one(self.signal, source, assignments(source, self.signal))
        node = _statement(self.place, source, found.node)
        return [Edit(node.start, node.end, ";")]


class Insert(Operator):
    """Insert text: statements next to the assignment to ``signal``, or items of a block.

    Attributes:
        text: the text to insert.
        signal: signal of the assignment; empty for items of the module or generate block.
        where: before or after the assignment; for items, before the first or after the last.
    """

    do: Literal["insert"] = "insert"
    text: str
    signal: str = ""
    where: Literal["before", "after"] = "after"

    @property
    def says(self) -> str:
        """Place and change in one line."""
        beside = f", {self.where} the assignment to {self.signal}" if self.signal else ""
        return f"{self.place}{beside}: {self.text}"

    def edits(self, source: Source) -> list[Edit]:
        """See :meth:`Operator.edits`."""
        if self.signal:
            found = self._one(self.signal, source, assignments(source, self.signal))
            node = _statement(self.place, source, found.node)
            before, after = "begin ", " end"
            if self.where == "before":
                before += f"{self.text} "
            else:
                after = f" {self.text}{after}"
            return [Edit(node.start, node.start, before), Edit(node.end, node.end, after)]
        lists = found_in(source, "kModuleItemList", "kGenerateItemList")
        found_lists = [one.node for one in lists if one.lies_in(self.at)]
        node = self._one_node("items", source, found_lists if self.at else found_lists[:1])
        at = node.start if self.where == "before" else node.end
        return [Edit(at, at, f" {self.text} ")]


def _statement(place: str, source: Source, node: Node) -> Node:
    if not source.of(node).endswith(";"):
        raise FaultError(f"{place}: not a statement but an item, in {source.name}")
    return node


class ResetBy(Operator):
    """Change the reset of the registers that share a process with ``signal``."""

    do: Literal["reset_by"] = "reset_by"
    signal: str
    to: str

    @property
    def says(self) -> str:
        """Place and change in one line."""
        return f"{self.place}: {self.signal} is reset by {self.to}"

    def edits(self, source: Source) -> list[Edit]:
        """See :meth:`Operator.edits`."""
        blocks = [
            found.node
            for found in found_in(source, "kAlwaysStatement")
            if found.lies_in(self.at) and self._assigns(source, found.node)
        ]
        block = self._one_node(f"an always block of {self.signal}", source, blocks)
        edges = [e for e in block.find("kEventExpression") if source.of(e).startswith("negedge")]
        edge = self._one_node("an asynchronous reset", source, edges)
        old = source.of(edge.children[-1])
        header = next(block.find("kIfHeader"))
        places = [
            name
            for part in (edge, header)
            for name in part.find("SymbolIdentifier")
            if source.of(name) == old
        ]
        return [Edit(name.start, name.end, self.to) for name in places]

    def _assigns(self, source: Source, block: Node) -> bool:
        return any(
            self.signal in names_in(source, node.children[0])
            for node in block.find("kNonblockingAssignmentStatement")
        )


Change = Annotated[Replace | Drop | Swap | Remove | Insert | ResetBy, Field(discriminator="do")]
