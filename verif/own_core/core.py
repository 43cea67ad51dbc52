"""The user's own core: its description and its files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from random import Random

from regress.core.errors import UsageError
from regress.core.formats.files import Document, read_yaml
from verif.own_core.description import (
    BRACES,
    MAX_LATENCY,
    MAX_WIDTH,
    Constant,
    CoreDescription,
    Latency,
)
from verif.own_core.draw import MODULI, Draw
from verif.own_core.formula import Formula, short

NAME = re.compile(r"[A-Za-z_]\w*")
HIERARCHY = re.compile(r"[A-Za-z_][\w$]*(\[\d+\])?(\.[A-Za-z_][\w$]*(\[\d+\])?)*")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
# A memory file; comments are matched first, so that their text is skipped.
MEMORY_FILE = re.compile(r"//[^\n]*|/\*.*?\*/|(\$readmem[bh])\s*\(\s*\"([^\"\n]*)\"", re.DOTALL)
# The parameter Width of a module, also in a list of parameters without the word parameter.
HAS_WIDTH = re.compile(
    r"\bparameter\b[^;]*?\bWidth\b|#\s*\((?:(?!\blocalparam\b)[^;])*?\bWidth\s*=(?!=)"
)
LENGTH, K = re.compile(r"\blength\b"), re.compile(r"\bk\b")
MAX_K = 16 * MAX_WIDTH
MAX_PARAMETER = (1 << 31) - 1


class Core:
    """The user's own core: its description and its files.

    Attributes:
        path: path of the core description.
        description: content of the core description.
    """

    def __init__(self, path: Path, description: CoreDescription) -> None:
        self.path = path
        self.description = description

    @classmethod
    def read(cls, path: Path) -> Core:
        """Read and check a core description.

        Raises:
            UsageError: one line for each mistake, with file and line.
        """
        document = read_yaml(path, CoreDescription, "the core description")
        for place, problem in _problems(document, path.parent):
            document.complain(place, problem)
        document.stop_if_any()
        return cls(path.resolve(), document.value)

    @cached_property
    def folder(self) -> Path:
        """Folder of the core description."""
        return self.path.parent

    def sources_at(self, width: int) -> list[Path]:
        """Return the absolute paths of the sources at a width, in compile order."""
        return [
            (self.folder / self.description.at(name, width)).resolve()
            for name in self.description.sources
        ]

    def variants(self, name: str) -> list[Path]:
        """Return the existing files of one source at all legal widths."""
        widths = (
            self.description.widths
            if BRACES.search(name)
            else [next(iter(self.description.widths))]
        )
        paths: dict[Path, None] = {}
        for width in widths:
            # No file belongs to a width at which a formula of its name has no value.
            with suppress(ValueError):
                paths[(self.folder / self.description.at(name, width)).resolve()] = None
        return [path for path in paths if path.is_file()]

    @property
    def sources(self) -> list[Path]:
        """Return the sources of all widths, in compile order."""
        return [path for name in self.description.sources for path in self.variants(name)]

    def takes_width(self, width: int) -> bool:
        """Return True if the shim has a parameter ``Width``; otherwise its ports have one width."""
        module = re.compile(rf"\bmodule\s+{self.description.shim}\b.*?\bendmodule\b", re.DOTALL)
        for path in self.sources_at(width):
            text = COMMENT.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
            found = module.search(text)
            if found:
                return HAS_WIDTH.search(found[0]) is not None
        return True

    @property
    def includes(self) -> list[Path]:
        """Absolute paths of the include folders."""
        return [(self.folder / name).resolve() for name in self.description.include]

    def check_width(self, width: int) -> None:
        """Reject a width that is illegal or at which a formula has no legal value.

        Raises:
            UsageError: one line, with the file.
        """
        self._check_legal(width)
        for key, text, least, most in self._formulas():
            every = self.description.length and LENGTH.search(text)
            lengths = range(1, width + 1) if every else (width,)
            for length in lengths:
                try:
                    value = Formula(text, ("n", "length"))(n=width, length=length)
                except ValueError as error:
                    raise UsageError(f"{self.path}: {key}: {error}") from None
                if not least <= value <= most:
                    raise UsageError(
                        f"{self.path}: {key}: {text!r} is {short(value)} at {width} bits; "
                        f"accepted are {short(least)} to {short(most)}"
                    )
        for path in self.sources_at(width):
            if not path.is_file():
                raise UsageError(f"{self.path}: sources: file {path} does not exist")
            _check_memory_files(path)
        self._check_operands(width)
        claimed = self.description.latency(width, width)
        if claimed and claimed[0] > claimed[1]:
            raise UsageError(
                f"{self.path}: claims.latency: at {width} bits the minimum is {claimed[0]}, above "
                f"the maximum {claimed[1]}"
            )

    def _check_operands(self, width: int) -> None:
        """Reject rules by which no operand is legal or no result is defined."""
        try:
            Draw(self.description, width, Random(0)).modulus()
        except ValueError:
            raise UsageError(
                f"{self.path}: modulus: no legal M was found at {width} bits in {MODULI} tries"
            ) from None
        if (
            self.description.is_product
            and self.description.modulus.parity == "any"
            and self.description.k_at(width)
        ):
            raise UsageError(
                f"{self.path}: modulus: parity any with k = {self.description.k} at {width} bits; "
                "accepted is k = 0: 2 has no inverse modulo an even M"
            )
        minimum = self.description.exponent_minimum
        if not self.description.is_product and minimum >> width:
            raise UsageError(
                f"{self.path}: exponent_minimum: {short(minimum)} has more than {width} bits; "
                f"accepted at this width are values below 2**{width}"
            )

    def _formulas(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield key, text, least and greatest value of each formula."""
        description = self.description
        yield "k", description.k, 0, MAX_K
        yield "m_prime_bits", description.m_prime_bits, 1, MAX_WIDTH
        if description.modulus.maximum:
            yield "modulus.maximum", description.modulus.maximum, 1, (1 << MAX_WIDTH) - 1
        yield "modulus.one_modulo", description.modulus.one_modulo, 1, (1 << MAX_WIDTH) - 1
        for one in description.constants:
            if isinstance(one, Constant):
                yield f"constants.{one.name}.bits", one.bits, 1, 2 * MAX_WIDTH
        for name, text in description.parameters.items():
            yield f"parameters.{name}", text, -MAX_PARAMETER, MAX_PARAMETER
        for place, text in _braced(description):
            for formula in BRACES.findall(text):
                yield ".".join(map(str, place)), formula, -MAX_PARAMETER, MAX_PARAMETER
        latency = description.claims.latency
        if isinstance(latency, Latency):
            yield "claims.latency.minimum", latency.minimum, 0, MAX_LATENCY
            if latency.maximum:
                yield "claims.latency.maximum", latency.maximum, 0, MAX_LATENCY
        elif latency is not None:
            yield "claims.latency", latency, 0, MAX_LATENCY

    def _check_legal(self, width: int) -> None:
        widths = self.description.widths
        if width not in widths:
            if widths.values:
                accepted = ", ".join(map(str, widths))
                raise UsageError(
                    f"width {width} of {self.description.name}: accepted are {accepted}"
                )
            steps = f", multiples of {widths.multiple_of}" if widths.multiple_of > 1 else ""
            raise UsageError(
                f"width {width} of {self.description.name}: accepted are {widths.minimum} to "
                f"{widths.maximum}{steps}"
            )


def _check_memory_files(path: Path) -> None:
    """Reject a source that reads a memory from a file that the simulation does not find.

    Raises:
        UsageError: one line, with file and line.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    for found in MEMORY_FILE.finditer(text):
        task, name = found.groups()
        if task and not (Path(name).is_absolute() and Path(name).is_file()):
            line = text.count("\n", 0, found.start()) + 1
            raise UsageError(
                f'{path}:{line}: {task}("{name}"): the simulation runs in a folder of its own; '
                "accepted is the absolute path of a file that exists"
            )


def _braced(description: CoreDescription) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield place and text of all entries with formulas in braces."""
    yield from ((("sources", index), name) for index, name in enumerate(description.sources))
    yield from ((("defines", name), text) for name, text in description.defines.items())


def _problems(
    document: Document[CoreDescription], folder: Path
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the place and the message of each mistake that the format check does not find."""
    description = document.value
    for key, names in (("sources", description.sources), ("include", description.include)):
        for index, name in enumerate(names):
            path = folder / name
            if key == "sources" and not BRACES.search(name) and not path.is_file():
                yield (key, index), f"{key}: file {path} does not exist"
            if key == "include" and not path.is_dir():
                yield (key, index), f"{key}: there is no folder {path}"
    for place, text in _braced(description):
        if set("{}") & set(BRACES.sub("", text)):
            yield place, f"{place[0]}: {text!r} has a brace without its partner"
        for formula in BRACES.findall(text):
            try:
                Formula(formula)
            except ValueError as error:
                yield place, f"{place[0]}: {error}"
    names = description.constant_names
    taken = ["clk", "start", "length", *(p.removesuffix("_i") for p in description.operand_ports)]
    for key, some, others in (
        ("constants", names, taken),
        ("watch", [watch.name for watch in description.watch], []),
    ):
        for name, number in Counter([*some, *others]).items():
            if number > 1 and name in some:
                port = ", or is another port" if others else ""
                yield (key,), f"{key}: {name} stands there twice{port}"
    if "k" not in description.model_fields_set and any(
        K.search(one.value) if isinstance(one, Constant) else one == "r_squared"
        for one in description.constants
    ):
        yield ("constants",), "constants: k is missing: without it they have no values"
    if description.status and description.status.ok in description.status.rejected:
        yield ("status",), f"status: {description.status.ok} is ok and rejected"
    if not NAME.fullmatch(description.shim):
        yield ("shim",), f"shim: {description.shim!r} is no name of a module"
    if not list(description.widths):
        yield ("widths",), "widths: no width lies between minimum and maximum"
    for index, watch in enumerate(description.watch):
        if not HIERARCHY.fullmatch(watch.signal):
            yield ("watch", index, "signal"), f"signal: {watch.signal!r} is no hierarchical name"
        for key, values in (("values", watch.values), ("names", watch.names)):
            if any(not 0 <= value < 1 << watch.bits for value in values):
                yield ("watch", index, key), f"{key}: one does not fit into {watch.bits} bits"
    if description.is_product and description.length:
        yield ("length",), "length: only an exponentiation has one"
    if not description.is_product and description.k != "0" and not description.constants:
        yield ("k",), "k: of an exponentiation it only says what r_squared is"
