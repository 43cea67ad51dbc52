"""Derived classes of a configuration, taken from the design's own parameter expressions.

slang elaborates the configuration. Every quotient, remainder, comparison and binary logarithm in
the value of a parameter, in any instance, divides configurations into classes. These classes
matter because code that is correct for a full word can be wrong for a partly filled word. The
classes follow from the design alone; no file lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from pyslang import Bag, SourceManager
from pyslang.ast import (
    BinaryExpression,
    BinaryOperator,
    CallExpression,
    Compilation,
    CompilationOptions,
    EvalContext,
    Expression,
    GenerateBlockArraySymbol,
    GenerateBlockSymbol,
    InstanceBodySymbol,
    InstanceSymbol,
    ParameterSymbol,
    Scope,
    VisitAction,
)
from pyslang.parsing import PreprocessorOptions
from pyslang.syntax import SyntaxTree

from models.architecture import Architecture
from verif.bench.configuration.design import Design, Hardware, hardware

COMPARISONS = (
    BinaryOperator.GreaterThan, BinaryOperator.GreaterThanEqual, BinaryOperator.LessThan,
    BinaryOperator.LessThanEqual, BinaryOperator.Equality, BinaryOperator.Inequality,
)  # fmt: skip
LOGARITHM = "$clog2"
MOST_QUOTIENTS = 3


def derived_classes(
    design: Design, entry: Architecture, width: int, values: Mapping[str, int]
) -> frozenset[str]:
    """Return the derived classes of a configuration, such as ``ring_unit.SumWords: remainder 0``.

    Args:
        design: the top.
        entry: registry entry.
        width: operand width n in bits.
        values: parameters of the top and of the core; missing ones take their defaults.

    Raises:
        DesignError: the configuration is not legal.
    """
    return frozenset(_visited(design, entry, width, values).found)


def elaborated_modules(
    design: Design, entry: Architecture, width: int, values: Mapping[str, int]
) -> frozenset[str]:
    """Return the names of the modules in a configuration; see :func:`derived_classes`."""
    return frozenset(_visited(design, entry, width, values).modules)


def _visited(
    design: Design, entry: Architecture, width: int, values: Mapping[str, int]
) -> _Visitor:
    """Visit every instance of a configuration."""
    made, visitor = hardware(design, entry, width, values), _Visitor()
    compilation = _compiled(made)
    for top in compilation.getRoot().topInstances:
        visitor.instance(top)
    return visitor


def _compiled(made: Hardware) -> Compilation:
    """Compile the design with slang."""
    compiler, bag = CompilationOptions(), Bag()
    compiler.topModules = {made.top}
    compiler.paramOverrides = [f"{name}={value}" for name, value in made.parameters.items()]
    bag.compilationOptions = compiler
    compilation = Compilation(bag)
    compilation.addSyntaxTree(_parsed(made.sources, tuple(made.defines.items()))[0])
    return compilation


@lru_cache  # most configurations have the same macros
def _parsed(
    sources: tuple[Path, ...], defines: tuple[tuple[str, str], ...]
) -> tuple[SyntaxTree, SourceManager]:
    """Parse the sources. The source manager must exist as long as the tree."""
    preprocessor, bag, texts = PreprocessorOptions(), Bag(), SourceManager()
    preprocessor.predefines = [f"{name}={value}" for name, value in defines]
    bag.preprocessorOptions = preprocessor
    return SyntaxTree.fromFiles([str(path) for path in sources], texts, bag), texts


class _Visitor:
    """Visits the instances; each combination of module and parameters only once.

    Attributes:
        found: the classes found so far.
        modules: the modules found so far.
    """

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.modules: set[str] = set()
        self._known: set[tuple[str, ...]] = set()

    def instance(self, symbol: InstanceSymbol) -> None:
        """Visit an instance and everything inside it."""
        module, body = symbol.definition.name, symbol.body
        key = (module, *(str(p.value) for p in body.parameters if p.isPortParam))
        if key not in self._known:
            self._known.add(key)
            self.modules.add(module)
            self._scope(body, module)

    def _scope(self, scope: Scope, module: str) -> None:
        def visit(symbol: object) -> VisitAction:
            if isinstance(symbol, GenerateBlockSymbol):
                return VisitAction.Skip if symbol.isUninstantiated else VisitAction.Advance
            if isinstance(symbol, InstanceBodySymbol | GenerateBlockArraySymbol):
                return VisitAction.Advance
            if isinstance(symbol, InstanceSymbol):
                self.instance(symbol)
            elif isinstance(symbol, ParameterSymbol) and symbol.initializer:
                for text in _classes(symbol):
                    self.found.add(f"{module}.{symbol.name}: {text}")
            return VisitAction.Skip

        scope.visit(visit)


def _classes(parameter: ParameterSymbol) -> set[str]:
    found: set[str] = set()
    context = EvalContext(parameter)

    def value(node: Expression) -> int | None:
        constant = node.constant or node.eval(context)
        try:
            return int(constant.value)
        except (TypeError, ValueError, AttributeError):
            return None

    def visit(node: Expression) -> None:
        if isinstance(node, BinaryExpression):
            left, right = value(node.left), value(node.right)
            if left is not None and right is not None:
                found.update(_of_operator(node.op, left, right))
        elif isinstance(node, CallExpression) and node.subroutineName == LOGARITHM:
            argument = value(node.arguments[0])
            if argument is not None:
                found.add(f"logarithm of {_of_power(argument)}")

    parameter.value  # noqa: B018 - it is evaluated here, and the parts of its expression with it
    parameter.initializer.visit(visit)
    return found


def _of_operator(operator: BinaryOperator, left: int, right: int) -> Iterator[str]:
    if operator in COMPARISONS:
        yield "less" if left < right else "equal" if left == right else "greater"
    elif operator in (BinaryOperator.Divide, BinaryOperator.Mod) and right > 1 and left >= 0:
        quotient, rest = divmod(left, right)
        more = " and more" if quotient >= MOST_QUOTIENTS else ""
        yield f"quotient {min(quotient, MOST_QUOTIENTS)}{more}"
        ends = {0: "0", right - 1: "largest", 1: "1", right - 2: "one below the largest"}
        yield f"remainder {ends.get(rest, 'between')}"


def _of_power(value: int) -> str:
    """Classify a number relative to powers of two, because the logarithm changes there."""
    if value & (value - 1) == 0:
        return "a power of two"
    return "one more" if (value - 1) & (value - 2) == 0 else "another number"
