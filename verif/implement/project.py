"""The points of ``implement``: designs, architectures, widths and parameters."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from models.registry import architecture, hardware_architectures
from regress.core.errors import UsageError, not_accepted
from verif.bench.configuration.design import (
    DESIGNS,
    MULTIPLIER,
    NETLIST,
    ROOT,
    Design,
    DesignError,
    hardware,
    resolved_parameters,
)
from verif.implement.flow.project import ImplementProject, Subject
from verif.implement.flow.record import Fmax, PointRecord
from verif.implement.point import KEPT, ImplementationPoint, cycles, read_points, times
from verif.library.netlist.configuration import recipe_of

DEFAULT_WIDTHS = (32,)


class MultiplierDesigns(ImplementProject):
    """The multiplier and the exponentiation core with every architecture of the registry."""

    root: Path = ROOT
    record: ClassVar[type[PointRecord]] = ImplementationPoint
    default_targets: ClassVar[tuple[str, ...]] = ("gates", "nangate45", "ecp5")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Options that choose points."""
        parser.add_argument(
            "--design",
            type=_names("design", DESIGNS),
            default=(MULTIPLIER.name,),
            metavar="D,…",
            help=f"{', '.join(DESIGNS)} (default: {MULTIPLIER.name})",
        )
        parser.add_argument(
            "--arch",
            type=_names("architecture", hardware_architectures()),
            default=tuple(hardware_architectures()),
            metavar="A,…",
            help="architectures (default: all)",
        )
        parser.add_argument(
            "--width",
            type=_widths,
            default=DEFAULT_WIDTHS,
            metavar="N,…",
            help=f"bits of the operands (default: {','.join(map(str, DEFAULT_WIDTHS))})",
        )
        parser.add_argument(
            "--parameter",
            type=_parameter,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="of the top or the core; may be repeated",
        )

    def subjects(self, arguments: argparse.Namespace, hdl: Path | None) -> list[Subject]:
        """Every combination that was asked for; small widths first.

        Raises:
            UsageError: a combination is not legal, or there is no design in ``hdl``.
        """
        if hdl is not None and not (hdl / f"{MULTIPLIER.top}.sv").is_file():
            raise UsageError(
                f"--hdl {hdl}: no design there; accepted: a folder with {MULTIPLIER.top}.sv"
            )
        parameters = dict(arguments.parameter)
        if NETLIST in parameters:
            raise UsageError(f"--parameter {NETLIST}: a netlist is what implement makes")
        try:
            return [
                subject(DESIGNS[design], name, width, parameters, hdl)
                for width in sorted(arguments.width)
                for design in arguments.design
                for name in arguments.arch
            ]
        except (DesignError, OSError) as error:
            raise UsageError(str(error)) from None

    def measured(self, subject: Subject, fmax: Fmax | None) -> Mapping[str, Any]:
        """Times of a product and of an exponentiation."""
        facts = subject.facts
        return times(facts["cycles_product"], facts["cycles_exponentiation"], fmax)

    def published(self) -> Sequence[PointRecord]:
        """The points of the results page."""
        return read_points(KEPT)

    def pictures(self, points: Sequence[PointRecord]) -> Mapping[str, str]:
        """Area and clock over width, area against time, area by module."""
        # matplotlib takes half a second to load, which other commands need not wait for.
        from verif.implement.pictures import pictures

        return pictures([point for point in points if isinstance(point, ImplementationPoint)])


def subject(
    design: Design,
    name: str,
    width: int,
    parameters: Mapping[str, int],
    hdl: Path | None = None,
) -> Subject:
    """One configuration of a design.

    Raises:
        DesignError: it is not legal.
    """
    parameters = {key: value for key, value in parameters.items() if key != NETLIST}
    made = hardware(design, architecture(name), width, parameters, hdl)
    defaults = resolved_parameters(design, architecture(name), width, {})
    changed = {key: value for key, value in made.values.items() if defaults[key] != value}
    words = [design.name, name, str(width), *(f"{k}{v}" for k, v in sorted(changed.items()))]
    facts = {
        "architecture": name,
        "width": width,
        **cycles(made.core, width, made.values["AddWidth"]),
    }
    return Subject("-".join(words), design.name, made.values, recipe_of(made), facts)


def _names(what: str, known: Mapping[str, object]) -> Any:
    def read(text: str) -> tuple[str, ...]:
        if text == "all":
            return tuple(known)
        names = tuple(dict.fromkeys(text.split(",")))
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(not_accepted(what, name, known))
        return names

    return read


def _widths(text: str) -> tuple[int, ...]:
    try:
        return tuple(dict.fromkeys(int(word) for word in text.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not accepted; accepted: integers with commas between them"
        ) from None


def _parameter(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    try:
        return name, int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not accepted; accepted: NAME=VALUE with an integer"
        ) from None
