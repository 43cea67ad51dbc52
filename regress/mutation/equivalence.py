"""Proves that a mutant is equivalent: the same at every output, in every clock, for every input.

Both designs are flattened and run side by side on the same inputs. The proof is an inductive
invariant, found by weakening (Houdini): candidates are

* facts about the registers of the original alone: which values small ones take, and together,
* each register of the original equals the mutant's, always or only while a small one has a value.

Candidates that a reset does not establish, or a clock does not keep, are dropped until all that are
left are kept together. If they leave no state in which an output differs, the mutant is equivalent;
otherwise nothing is known. Inputs are free, a reset may come at any time, and registers have any
value before the first reset.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from regress.mutation.netlist import yosys

# A register is small, that is, one of control, up to so many bits.
SMALL = 4
WIRE = re.compile(r"^; yosys-smt2-wire (g(?:old|ate))\.(\S+) (\d+)$")
INPUT = re.compile(r"^; yosys-smt2-input (\S+) (\d+)$")
REGISTER = re.compile(r"(^|[.\]])\w+_q$")
# Registers that say what the others are for.
GUARD = re.compile(r"\b(state|phase|mode|running|issue|ready_seen|valid|first)_q$")
MITER = (
    "miter -equiv -make_outputs gold gate miter", "hierarchy -top miter", "flatten", "async2sync",
    "dffunmap", "setundef -undriven -zero", "memory_map", "opt_expr", "opt_clean",
    "write_smt2 -wires -stbv miter.smt2",
)  # fmt: skip


@dataclass(frozen=True)
class Proof:
    """What became of an attempt.

    Attributes:
        proved: the mutant is equivalent.
        method: in one line: invariant of how many facts.
        seconds: wall-clock time.
    """

    proved: bool
    method: str
    seconds: float


class SolverError(Exception):
    """The solver did not answer as expected, or in time."""


class Solver:
    """Yices, asked over a pipe."""

    def __init__(self, preamble: str, seconds: float) -> None:
        """Start it with definitions; it ends after so many seconds."""
        executable = Path(sys.executable).with_name("yices-smt2")
        self._deadline = time.monotonic() + seconds
        self._process = subprocess.Popen(
            [str(executable), "--incremental", f"--timeout={int(seconds)}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.tell("(set-option :produce-models true)\n(set-logic QF_BV)\n" + preamble)

    def tell(self, text: str) -> None:
        """Send commands that have no answer."""
        try:
            self._process.stdin.write(text + "\n")
        except OSError as error:
            raise SolverError(f"the solver is gone: {error}") from None

    def satisfiable(self) -> bool:
        """Check what is asserted."""
        answer = self._ask("(check-sat)")
        if answer not in ("sat", "unsat"):
            raise SolverError(f"the solver says {answer!r}")
        return answer == "sat"

    def truths(self, terms: Sequence[str]) -> list[bool]:
        """Values of Boolean terms in the model found last."""
        self.tell(f"(get-value ({' '.join(terms)}))")
        self._process.stdin.flush()
        depth, text = 0, []
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise SolverError("the solver ended")
            text.append(line)
            bare = re.sub(r"\|[^|]*\|", "", line)
            depth += bare.count("(") - bare.count(")")
            if depth <= 0:
                break
        values = re.findall(r"\s(true|false)\)", "".join(text))
        if len(values) != len(terms):
            raise SolverError(f"asked for {len(terms)} values, got {len(values)}")
        return [value == "true" for value in values]

    def _ask(self, command: str) -> str:
        if time.monotonic() > self._deadline:
            raise SolverError("out of time")
        self.tell(command)
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


@dataclass(frozen=True)
class Fact:
    """A candidate: a formula over a state, written with ``{s}`` for it."""

    formula: str

    def at(self, state: str) -> str:
        """The formula for one state."""
        return self.formula.replace("{s}", state)


class Pair:
    """An original and a mutant, side by side.

    Args:
        gold: RTLIL of the original, whose top is ``top``.
        gate: of the mutant.
        top: name of both modules.
        folder: for files.
        reset: name of the active-low reset.
    """

    def __init__(self, gold: Path, gate: Path, top: str, folder: Path, reset: str = "rst_ni"):
        yosys(
            [
                f"read_rtlil {gold.relative_to(folder)}", f"rename {top} gold",
                f"read_rtlil {gate.relative_to(folder)}", f"rename {top} gate", *MITER,
            ],
            folder,
        )  # fmt: skip
        lines = (folder / "miter.smt2").read_text().splitlines()
        self._model = "\n".join(line.partition(" ; ")[0] for line in lines if line[:1] != ";")
        sizes: dict[str, dict[str, int]] = {"gold": {}, "gate": {}}
        for line in lines:
            if match := WIRE.match(line):
                sizes[match[1]][match[2]] = int(match[3])
        self._sizes = {
            name: size
            for name, size in sizes["gold"].items()
            if REGISTER.search(name) and sizes["gate"].get(name) == size
        }
        self._reset = f"|miter_n in_{reset}|"
        self._small = [name for name, size in self._sizes.items() if size <= SMALL]
        self._guards = [name for name in self._small if GUARD.search(name)]

    def control_facts(self, seconds: float) -> list[Fact]:
        """What holds of the original's small registers; the same for every mutant of it.

        Empty if the time is over before it is known.
        """
        solver = self._solver(seconds)
        try:
            return self._inductive(solver, self._control(), ())
        except SolverError:
            return []
        finally:
            solver.close()

    def prove(self, seconds: float, control: Callable[[], Sequence[Fact]]) -> Proof:
        """Try for so long.

        Args:
            seconds: limit of wall-clock time.
            control: what :meth:`control_facts` says, asked only if it is needed.
        """
        begin = time.monotonic()
        solver = self._solver(seconds)
        try:
            facts = self._inductive(solver, self._equalities(), ())
            if self._outputs_agree(solver, facts):
                method = f"{len(facts)} of {len(self._sizes)} registers always equal"
                return Proof(True, method, time.monotonic() - begin)
            known = control()
            candidates = [*self._equalities(), *self._guarded(facts)]
            facts = self._inductive(solver, candidates, known)
            proved = self._outputs_agree(solver, [*known, *facts])
            method = f"{len(known)} facts about control, {len(facts)} equalities in its states"
            return Proof(proved, method, time.monotonic() - begin)
        except SolverError as error:
            return Proof(False, str(error), time.monotonic() - begin)
        finally:
            solver.close()

    def _solver(self, seconds: float) -> Solver:
        return Solver(self._preamble(), seconds)

    def _preamble(self) -> str:
        return (
            f"{self._model}\n(declare-fun s0 () |miter_s|)\n(declare-fun s1 () |miter_s|)\n"
            "(assert (|miter_t| s0 s1))\n(assert (|miter_u| s0))\n(assert (|miter_u| s1))"
        )

    def _value(self, side: str, name: str) -> str:
        return f"(|miter_n {side}.{name}| {{s}})"

    def _is(self, name: str, value: int) -> str:
        size, term = self._sizes[name], self._value("gold", name)
        if size == 1:
            return term if value else f"(not {term})"
        return f"(= {term} (_ bv{value} {size}))"

    def _equal(self, name: str) -> str:
        return f"(= {self._value('gold', name)} {self._value('gate', name)})"

    def _equalities(self) -> list[Fact]:
        return [Fact(self._equal(name)) for name in self._sizes]

    def _control(self) -> list[Fact]:
        """Which values the small registers never take, alone and together."""
        values = self._values(self._small)
        facts = [Fact(f"(not {self._is(n, v)})") for n, v in values]
        for first, v in self._values(self._guards):
            for second, w in values:
                if first != second and (second not in self._guards or first < second):
                    both = f"(and {self._is(first, v)} {self._is(second, w)})"
                    facts.append(Fact(f"(not {both})"))
        return facts

    def _values(self, names: Iterable[str]) -> list[tuple[str, int]]:
        return [(name, value) for name in names for value in range(1 << self._sizes[name])]

    def _guarded(self, known: Iterable[Fact]) -> list[Fact]:
        """Equality while a small register has a value, of those that are not always equal."""
        formulas = {fact.formula for fact in known}
        facts = []
        for name in self._sizes:
            if self._equal(name) in formulas:
                continue
            for guard, value in self._values(self._guards):
                if guard != name:
                    facts.append(Fact(f"(=> {self._is(guard, value)} {self._equal(name)})"))
        return facts

    def _inductive(self, solver: Solver, facts: list[Fact], known: Sequence[Fact]) -> list[Fact]:
        """Those that a reset establishes and a clock keeps, all together; ``known`` ones hold."""
        if self._reset in self._model:
            facts = self._kept(solver, facts, f"(not ({self._reset} s0))", ())
        while True:
            fewer = self._kept(solver, facts, "true", [*known, *facts])
            if len(fewer) == len(facts):
                return facts
            facts = fewer

    def _kept(
        self, solver: Solver, facts: list[Fact], condition: str, assumed: Sequence[Fact]
    ) -> list[Fact]:
        """Without those that may be wrong a clock after ``condition`` and ``assumed`` hold."""
        solver.tell(f"(push 1)\n(assert {condition})")
        solver.tell("\n".join(f"(assert {fact.at('s0')})" for fact in assumed))
        while facts:
            after = [fact.at("s1") for fact in facts]
            solver.tell(f"(assert (not (and true {' '.join(after)})))")
            if not solver.satisfiable():
                break
            truths = solver.truths(after)
            facts = [fact for fact, true in zip(facts, truths, strict=True) if true]
        solver.tell("(pop 1)")
        return facts

    def _outputs_agree(self, solver: Solver, facts: Sequence[Fact]) -> bool:
        solver.tell("(push 1)")
        solver.tell("\n".join(f"(assert {fact.at('s0')})" for fact in facts))
        solver.tell("(assert (|miter_n trigger| s0))")
        found = solver.satisfiable()
        solver.tell("(pop 1)")
        return not found
