"""A path in a comment, docstring or description exists in the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from ci.documentation import ROOT, files_of

PATH = re.compile(
    r"(?<![\w./<{*-])(?:[\w-]+/)+[\w-]+\.(?:py|svh?|md|ya?ml|jsonl?|sh|vh?|toml)\b", re.ASCII
)
READ = (".py", ".sv", ".svh", ".yaml")
# Folders that commands make, and files of an exported folder.
MADE = ("build/", "runs/", "tb/test_smoke.py", "tb/kit.json")


def missing(text: str, files: Set[str]) -> Iterator[str]:
    """Yield the paths in a text that name no file of the tree, in any of its folders."""
    for path in PATH.findall(text):
        known = path in files or any(file.endswith(f"/{path}") for file in files)
        if not known and not path.startswith(MADE):
            yield path


def test_each_path_exists() -> None:
    files = frozenset(map(str, files_of(ROOT)))
    texts = {
        name: (ROOT / name).read_text()
        for name in files
        if name.endswith(READ) and "/tests/" not in name
    }
    found = {name: [*missing(text, files)] for name, text in texts.items()}
    assert not {name: paths for name, paths in found.items() if paths}


def test_a_path_that_does_not_exist_is_found() -> None:
    text = "// Latency: models/ring_unit.py. See ring/ring_unit.sv."
    files = {"models/ring.py", "hdl/ring/ring_unit.sv"}
    assert list(missing(text, files)) == ["models/ring_unit.py"]
