"""Which files of the design a top elaborates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pyslang import SourceManager
from pyslang.ast import (
    Compilation,
    GenerateBlockSymbol,
    InstanceSymbol,
    VisitAction,
)
from pyslang.syntax import SyntaxTree

PACKAGE = "_pkg.sv"


def elaborated_files(sources: Sequence[Path], top: Path) -> list[Path]:
    """Return the files with the modules that a top elaborates, and the packages that these name.

    Args:
        sources: design files, packages first; a file has the name of its module.
        top: file of a top without parameters.
    """
    texts, compilation = SourceManager(), Compilation()
    compilation.addSyntaxTree(SyntaxTree.fromFiles([*map(str, sources), str(top)], texts))
    found: set[str] = set()

    def visit(symbol: object) -> VisitAction:
        if isinstance(symbol, GenerateBlockSymbol) and symbol.isUninstantiated:
            return VisitAction.Skip
        if isinstance(symbol, InstanceSymbol):
            found.add(symbol.definition.name)
        return VisitAction.Advance

    (root,) = (one for one in compilation.getRoot().topInstances if one.name == top.stem)
    root.visit(visit)
    modules = [path for path in sources if path.stem in found]
    text = "".join(path.read_text(encoding="utf-8") for path in (*modules, top))
    packages = [
        path
        for path in sources
        # multiplier_pkg has the assertion macros, too.
        if path.name.endswith(PACKAGE) and re.search(rf"\b{path.stem}\b", text)
    ]
    return [*packages, *modules]
