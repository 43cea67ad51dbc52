"""Entry point of ``python -m regress``."""

import sys

try:
    from regress.cli.command_line import main
except ModuleNotFoundError as error:
    # A package of the environment; a module of regress itself that is missing is a bug.
    if (error.name or "").partition(".")[0] in ("", "regress"):
        raise
    sys.exit(
        f"regress: {sys.executable} does not have the package {error.name!r}; in a checkout type "
        "'make setup' once and call .venv/bin/python -m regress; elsewhere: pip install "
        "cocotb-regress"
    )

if __name__ == "__main__":
    sys.exit(main())
