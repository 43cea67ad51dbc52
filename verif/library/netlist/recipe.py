"""Input of a synthesis: files, top, parameters. It is independent of any design."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class Recipe(BaseModel):
    """One configuration of a design.

    The sources are kept as text, so that a job needs no file of the machine it was planned on and
    its key depends on no path.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    top: str = Field(description="module to synthesise")
    clock: str = Field(description="clock port of the top")
    sources: dict[str, str] = Field(
        description="text of each SystemVerilog file by a name unique among them, in compile order"
    )
    defines: dict[str, str] = Field(default_factory=dict, description="macros")
    parameters: dict[str, int] = Field(
        default_factory=dict, description="parameters of the top module"
    )

    @classmethod
    def from_files(
        cls,
        top: str,
        clock: str,
        files: list[Path],
        defines: dict[str, str],
        parameters: dict[str, int],
    ) -> Recipe:
        """Read the sources.

        Raises:
            ValueError: two files have the same name.
            OSError: a file cannot be read.
        """
        names = [path.name for path in files]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two files are called {twice[0]}: names must differ")
        texts = {path.name: path.read_text() for path in files}
        return cls(top=top, clock=clock, sources=texts, defines=defines, parameters=parameters)

    def write_sources(self, folder: Path) -> list[Path]:
        """Write the sources, the macros first, and return their paths in compile order.

        The macros are in a file, because ``read_slang -D`` rejects values with quotes and commas.
        """
        folder.mkdir(parents=True, exist_ok=True)
        macros = folder / "defines.svh"
        macros.write_text("".join(f"`define {k} {v}\n" for k, v in self.defines.items()))
        paths = [macros]
        for name, text in self.sources.items():
            path = folder / name
            path.write_text(text)
            paths.append(path)
        return paths


def digest(value: object) -> str:
    """Return the SHA-256 of a value that JSON can represent."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
