"""``python -m regress faults``, and the commands that are short for one of its sources."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from regress.cli.options import (
    Call,
    add_axes,
    add_executor_options,
    argument,
    positive,
    seconds,
    seed,
)
from regress.core.errors import UsageError
from regress.core.project import AddCommand, Project
from verif.faults.campaign.engine import Campaign
from verif.faults.campaign.source import Source

COMMAND = "faults"


def commands(sources: Sequence[type[Source]], spellings: Mapping[str, str]) -> list[AddCommand]:
    """Return the command ``faults`` and its short spellings.

    Args:
        sources: the sources of faults; the first one is the default.
        spellings: names of sources by the name of the command that is short for them.
    """
    known = {source.name: source for source in sources}
    short = [partial(_add, name=name, sources=[known[of]]) for name, of in spellings.items()]
    return [partial(_add, name=COMMAND, sources=sources), *short]


def _add(
    commands: argparse._SubParsersAction,
    project: Project,
    name: str,
    sources: Sequence[type[Source]],
) -> argparse.ArgumentParser:
    first = sources[0]
    text = "inject faults into the design, and show which tests detect them"
    parser = commands.add_parser(
        name, help=text if len(sources) > 1 else f"{COMMAND} --source {first.name}: {first.noun}"
    )
    if len(sources) > 1:
        parser.add_argument(
            "--source", choices=[source.name for source in sources], default=first.name,
            help="where the faults come from: "
            + ", ".join(f"{source.name} ({source.noun})" for source in sources)
            + f" (default: {first.name})",
        )  # fmt: skip
    add_common(parser, project)
    for source in sources:
        group = parser.add_argument_group(f"only {source.noun}")
        for option, how in source.options.items():
            group.add_argument(option, **how)
    by_name = {source.name: source for source in sources}
    parser.set_defaults(run=lambda call: run(call, by_name))
    return parser


def add_common(parser: argparse.ArgumentParser, project: Project) -> None:
    """Add the options that all sources share."""
    add = parser.add_argument
    add("fault", nargs="*", metavar="NAME", help="only these (patterns with * may be given)")
    add_axes(parser, [project.axis("architecture")])
    add("--width", type=argument(_widths), default=(), metavar="N,…",
        help="operand widths, where a source has a choice")  # fmt: skip
    add("--seed", type=seed, metavar="S", help="chooses faults, or their order (default: none)")
    add("--budget", type=seconds, default=0.0, metavar="TIME", help="begin no job after this time")
    add("--hdl", type=Path, metavar="DIR",
        help="folder with the design, for mutants and proofs (default: hdl)")  # fmt: skip
    add("--again", action="store_true", help="repeat also the faults with a valid verdict")
    add("--record", type=Path, metavar="FILE",
        help="file of the verdicts, read and extended (default: the source's own)")  # fmt: skip
    add("--jobs", type=positive, default=len(os.sched_getaffinity(0)), metavar="J",
        help="builds or jobs at once (default: one for each CPU)")  # fmt: skip
    add("--out", type=Path, metavar="DIR", help="folder of the run (default: below runs/)")
    add("--resume", type=Path, metavar="RUN", help="finish a run that was interrupted")
    add("--keep", action="store_true", help="keep altered designs, builds and simulations")
    add("--show", action="store_true", help="show the faults and stop")
    add("--report", action="store_true", help="show the recorded verdicts and stop")
    add("--write", type=Path, metavar="FILE", help="put the table of the results in this file")
    add_executor_options(parser)


def run(call: Call, sources: Mapping[str, type[Source]]) -> int:
    """Run the campaign of a call; return 1 if a fault was not found.

    Raises:
        UsageError: an option names something that does not exist, or is of another source.
    """
    source = sources[getattr(call, "source", next(iter(sources)))]
    for other in sources.values():
        for option, how in other.options.items():
            given = getattr(call, how.get("dest", option.lstrip("-").replace("-", "_")))
            if option not in source.options and given not in (how.get("default"), None, False):
                raise UsageError(f"{option}: accepted with --source {other.name} only")
    if call.hdl:
        if not source.takes_hdl:
            raise UsageError(f"--hdl: the {source.noun} are of the project's own design")
        call.project.check_hdl(call.hdl)
    return Campaign(source(), call).run()


def _widths(text: str) -> tuple[int, ...]:
    try:
        return tuple(dict.fromkeys(int(word) for word in text.split(",")))
    except ValueError:
        raise UsageError(f"{text!r} is not accepted; accepted: integers with commas between"
                         ) from None  # fmt: skip


def words(value: Any) -> dict[str, Any]:
    """Return the arguments of an option that may be repeated."""
    return {"action": "append", "default": [], "metavar": value}
