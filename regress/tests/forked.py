"""The command in a fork of this process: the import of regress takes longer than most commands."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from regress.cli.command_line import main
from regress.core.loading import ROOT_VARIABLE

PACKAGE = Path(__file__).parents[1]


def regress(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call the command in a folder, as if it were installed; see ``test_samples.regress``."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout.flush()
        process = os.fork()
        if not process:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            _called(folder, arguments)
        _, status = os.waitpid(process, 0)
        code = os.waitstatus_to_exitcode(status)
        texts = [file.read() for file in (out, err) if not file.seek(0)]
    return subprocess.CompletedProcess(arguments, code, *texts)


def _called(folder: Path, arguments: Sequence[str]) -> NoReturn:
    """Call the command and end the fork; never return into the tests."""
    code = 1
    try:
        sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
        os.environ.pop(ROOT_VARIABLE, None)
        os.environ["PYTHONPATH"] = str(PACKAGE.parent)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        code = main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
