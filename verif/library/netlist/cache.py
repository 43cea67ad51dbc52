"""A cache of folders. Each folder is made once; its name is a hash of its content."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from verif.library.netlist.process import ToolError


class FolderCache:
    """Creates each folder atomically; safe for many processes at once.

    Attributes:
        root: folder that contains the folders.

    Args:
        root: folder that contains the folders.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()

    def fill(self, name: str, last: str, make: Callable[[Path], None]) -> bool:
        """Make a folder unless it is complete; return whether it was made now.

        Args:
            name: name of the folder; it contains everything that the content depends on.
            last: the file that ``make`` writes last.
            make: function that fills an empty folder, which is then renamed to ``name``.

        Raises:
            ToolError: from ``make``; the logs are kept in ``failed``.
        """
        folder = self.root / name
        if (folder / last).is_file():
            return False
        locks = self.root / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        with FileLock(locks / f"{name}.lock"):
            if (folder / last).is_file():
                return False
            # This process holds the lock, so any leftover folder belongs to a killed process.
            for left in self.root.glob(f".{name}-*"):
                shutil.rmtree(left, ignore_errors=True)
            work = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=self.root))
            try:
                make(work)
                work.chmod(0o755)  # temporary folders are private
                shutil.rmtree(folder, ignore_errors=True)
                work.rename(folder)
            except ToolError:
                self._keep_logs(work, name)
                raise
            finally:
                shutil.rmtree(work, ignore_errors=True)
        return True

    def _keep_logs(self, work: Path, name: str) -> None:
        """Keep the logs of a tool that failed."""
        kept = self.root / "failed" / name
        kept.mkdir(parents=True, exist_ok=True)
        for log in work.glob("*.log"):
            shutil.copy(log, kept / log.name)
