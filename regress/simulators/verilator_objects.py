"""Compiler wrapper of Verilator builds: compiles what all designs share only once.

Verilator's makefiles call ``OBJCACHE COMPILER ARGUMENTS``. This script takes the place of OBJCACHE
and runs without the package, so that each of the few compiler calls of a build starts fast. It

- compiles a source of Verilator's runtime once for each set of flags, cocotb's main() also once
  for each header of a top, and copies the object into the other builds;
- precompiles the header that every design includes, as soon as a second design needs it.

The environment names the folder of the shared files (:data:`FOLDER`), which must belong to one
version of the compiler, of Verilator and of cocotb; cocotb's own C++ folder (:data:`COCOTB`); and
the program to put before the compiler, for instance ccache (:data:`LAUNCHER`).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

FOLDER = "REGRESS_OBJECTS"
LAUNCHER = "REGRESS_OBJECTS_LAUNCHER"
COCOTB = "REGRESS_OBJECTS_COCOTB"
VERILATORS = "verilated.mk"
INCLUDE = "-include"
TOP_HEADER = "Vtop.h"
# Macros of Verilator's makefiles that no source of its runtime reads: they select these sources.
UNREAD = tuple(
    f"-DVM_{name}="
    for name in ("COVERAGE", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD", "TRACE_SAIF")
)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold a lock of the shared folder, so that concurrent builds make a file only once."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _key(words: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


def _run(words: Sequence[str]) -> int:
    return subprocess.run([*os.environ.get(LAUNCHER, "").split(), *words]).returncode


def _of_the_runtime(source: Path) -> bool:
    """Return whether a source is Verilator's or cocotb's, and not the design's or the user's."""
    return (source.parent / VERILATORS).is_file() or source.parent == _cocotb()


def _cocotb() -> Path:
    return Path(os.environ.get(COCOTB, ""))


def _temporary(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.getpid()}")


def _of_every_design(words: Sequence[str]) -> list[str]:
    """Return the call that compiles a source of Verilator's runtime, the same for all designs.

    Designs with and without delays, waves or coverage then share the object. The included header
    is for the C++ of designs.
    """
    return [
        word
        for before, word in zip(["", *words[:-1]], words, strict=True)
        if not word.startswith(UNREAD) and INCLUDE not in (before, word)
    ]


def shared_object(words: Sequence[str], source: Path, target: Path, folder: Path) -> int:
    """Make an object of the runtime, or copy that of an earlier build.

    Args:
        words: the whole call of the compiler.
        source: what it compiles.
        target: the object.
        folder: the shared folder.

    Returns:
        The exit code of the compiler.
    """
    # cocotb's main() makes an object of the top's class. The size of the class follows from the
    # ports of the top: with the header of another top, the object would be too small.
    header = [Path(TOP_HEADER).read_text()] if source.parent == _cocotb() else []
    words = words if header else _of_every_design(words)
    kept = folder / f"{source.stem}-{_key([*words, *header])}.o"
    with _lock(kept.with_suffix(".lock")):
        if not kept.is_file():
            if code := _run(words):
                return code
            shutil.copyfile(target, _temporary(kept))
            _temporary(kept).replace(kept)
            return 0
    shutil.copyfile(kept, target)
    return 0


def with_precompiled(words: Sequence[str], source: Path, target: Path, folder: Path) -> list[str]:
    """Return the call that compiles a design with the precompiled form of its included header.

    The first design with these flags leaves a mark and compiles the header itself: precompiling it
    takes longer than it saves one design.
    """
    if words.count(INCLUDE) != 1:
        return list(words)
    place = words.index(INCLUDE) + 1
    header = Path(words[place])
    flags = [*words[: place - 1], *words[place + 1 :]]
    for gone in ("-MMD", "-c", "-o", str(target), str(source)):
        if gone in flags:
            flags.remove(gone)
    own = folder / f"{header.stem}-{_key([*flags, header.read_text()])}"
    copy = own / header.name
    precompiled = copy.with_name(f"{copy.name}.gch")
    with _lock(own.with_suffix(".lock")):
        if not own.is_dir():
            own.mkdir()
            return list(words)
        if not precompiled.is_file():
            shutil.copyfile(header, copy)
            new = _temporary(precompiled)
            if subprocess.run([*flags, "-x", "c++-header", "-o", str(new), str(copy)]).returncode:
                return list(words)
            new.replace(precompiled)
    # Found beside the copy, and only if it was made with these very flags.
    return [*words[:place], str(copy), *words[place + 1 :]]


def main(words: Sequence[str]) -> int:
    """Run the compiler, or take the object from the cache; return the exit code."""
    folder = os.environ.get(FOLDER, "")
    sources = [Path(word) for word in words if word.endswith(".cpp")]
    if not folder or "-c" not in words or "-o" not in words or len(sources) != 1:
        return _run(words)
    Path(folder).mkdir(parents=True, exist_ok=True)
    source, target = sources[0], Path(words[words.index("-o") + 1])
    if _of_the_runtime(source):
        return shared_object(words, source, target, Path(folder))
    call = with_precompiled(words, source, target, Path(folder))
    # ccache does not store what includes a precompiled header.
    return _run(words) if call == list(words) else subprocess.run(call).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
