"""Proves that a mutant is equivalent: the same at every output, in every clock, for every input.

Both designs are flattened and run side by side on the same inputs. The proof is an inductive
invariant, found by weakening (Houdini): candidates are

* each register of the original equals the mutant's, always or only while a small one has a value,
* facts about the registers of the original alone: which values small ones take, and together.

Candidates that a reset does not establish, or a clock does not keep, are dropped until all that are
left are kept together. If they leave no state in which an output differs, the mutant is equivalent;
otherwise nothing is known. Inputs are free, a reset may come at any time, and registers have any
value before the first reset. A value that the original leaves open (X) is 0.

Registers that are taken to be equal are one variable of the solver, so that all the logic which is
the same in both designs falls together before anything is searched.
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
MANY = 20
STATE = re.compile(r"^\(define-sort \|miter_s\| \(\) \(_ BitVec (\d+)\)\)")
SLICE = re.compile(
    r"^\(define-fun \|(miter#\d+)\| \(\(state \|miter_s\|\)\) \(_ BitVec (\d+)\) "
    r"\(\(_ extract (\d+) (\d+)\) state\)\)"
)
NEXT = re.compile(
    r"^\s*\(= \(\|(miter#\d+)\| state\) \(\|(miter#\d+)\| next_state\)\)\)? "
    r"; \$flatten[/\\](gold|gate)\.(?:\$driver\$)?(\S+)"
)
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
class Register:
    """A register of both designs: its bits, the slice of the state and what comes next."""

    size: int
    slices: dict[str, str]
    nexts: dict[str, str]


@dataclass(frozen=True)
class Is:
    """A small register of the original has a value."""

    name: str
    value: int


@dataclass(frozen=True)
class Fact:
    """A candidate: two values never together, or a register equal while a small one has a value.

    Attributes:
        guard: the first value, or when the register is equal.
        other: the second value, None if the first never occurs by itself.
        equal: name of the register, empty for a fact about values.
    """

    guard: Is
    other: Is | None = None
    equal: str = ""


class Pair:
    """An original and a mutant, side by side.

    Args:
        gold: RTLIL of the original, whose top is ``top``.
        gate: of the mutant.
        top: name of both modules.
        folder: for files; has both.
        reset: name of the active-low reset.

    Raises:
        UsageError: Yosys cannot read them.
    """

    def __init__(
        self, gold: Path, gate: Path, top: str, folder: Path, reset: str = "rst_ni"
    ) -> None:
        yosys(
            [
                f"read_rtlil {gold.relative_to(folder)}", f"rename {top} gold",
                f"read_rtlil {gate.relative_to(folder)}", f"rename {top} gate", *MITER,
            ],
            folder,
        )  # fmt: skip
        lines = (folder / "miter.smt2").read_text().splitlines()
        self._model = "\n".join(line.partition(" ; ")[0] for line in lines if line[:1] != ";")
        self._bits = next(int(m[1]) for m in map(STATE.match, lines) if m)
        self._slices = {m[1]: (int(m[3]), int(m[4])) for m in map(SLICE.match, lines) if m}
        self._registers = self._matched(lines)
        self._reset = f"|miter_n in_{reset}|"
        small = [name for name, r in self._registers.items() if r.size <= SMALL]
        self._small = {name: self._registers[name].size for name in small}
        self._guards = {name: size for name, size in self._small.items() if GUARD.search(name)}

    def _matched(self, lines: Iterable[str]) -> dict[str, Register]:
        """The registers that both designs have, by name."""
        found: dict[str, dict[str, tuple[str, str]]] = {}
        for match in filter(None, map(NEXT.match, lines)):
            found.setdefault(match[4], {})[match[3]] = (match[2], match[1])
        matched = {}
        for name, sides in found.items():
            spans = [self._slices.get(slice_name) for slice_name, _ in sides.values()]
            sizes = {high - low for high, low in filter(None, spans)}
            if len(sides) == 2 and None not in spans and len(sizes) == 1:
                matched[name] = Register(
                    sizes.pop() + 1,
                    {side: slice_name for side, (slice_name, _) in sides.items()},
                    {side: next_name for side, (_, next_name) in sides.items()},
                )
        return matched

    def control_facts(self, seconds: float) -> list[Fact]:
        """What holds of the original's small registers; the same for every mutant of it.

        Empty if the time is over before it is known.
        """
        limit = time.monotonic() + seconds
        try:
            facts = self._after_reset([], self._control(), limit)[1]
            return self._kept(list(self._registers), facts, (), limit)[1]
        except SolverError:
            return []

    def prove(self, seconds: float, control: Callable[[], Sequence[Fact]]) -> Proof:
        """Try for so long.

        Args:
            seconds: limit of wall-clock time.
            control: what :meth:`control_facts` says, asked only if it is needed.
        """
        begin = time.monotonic()
        limit = begin + seconds
        whole = len(self._registers)
        try:
            reset = self._after_reset(list(self._registers), [], limit)[0]
            first = self._once(reset, limit)
            equal = self._kept(first, [], (), limit)[0]
            if self._outputs_agree(equal, (), limit):
                method = f"{len(equal)} of {whole} registers always equal"
                return Proof(True, method, time.monotonic() - begin)
            proof = self._with(first, (), begin, limit)
            if proof.proved:
                return proof
            waited = time.monotonic()
            known = control()
            limit += time.monotonic() - waited
            return self._with(first, known, begin, limit) if known else proof
        except SolverError as error:
            return Proof(False, str(error), time.monotonic() - begin)

    def _with(self, first: list[str], known: Sequence[Fact], begin: float, limit: float) -> Proof:
        """With equality that depends on the state of the control, given facts about it."""
        equal, facts = self._guarded_kept(first, known, limit)
        proved = self._outputs_agree(equal, [*known, *facts], limit)
        method = (
            f"{len(equal)} of {len(self._registers)} registers always equal, {len(facts)} "
            f"equalities in states of the control, {len(known)} facts about it"
        )
        return Proof(proved, method, time.monotonic() - begin)

    def _guarded_kept(
        self, equal: list[str], known: Sequence[Fact], limit: float
    ) -> tuple[list[str], list[Fact]]:
        """Equal registers, and the others while small ones have a value."""
        facts: list[Fact] = []
        suspects: set[str] = set()
        while True:
            fresh = set(self._registers) - set(equal) - suspects
            facts += self._guarded(fresh)
            suspects |= fresh
            fewer, facts = self._kept(equal, facts, known, limit, rounds=1)
            if fewer == equal:
                return self._kept(equal, facts, known, limit)
            equal = fewer

    def _guarded(self, names: Iterable[str]) -> list[Fact]:
        return [
            Fact(guard, equal=name)
            for name in names
            for guard in self._values(self._guards)
            if guard.name != name
        ]

    def _control(self) -> list[Fact]:
        """Which values the small registers never take, alone and together."""
        everything, guards = self._values(self._small), self._values(self._guards)
        facts = [Fact(value) for value in everything]
        # In a whole design, where there are many, only the guards among themselves.
        for first in guards:
            for second in guards if len(self._small) > MANY else everything:
                if first.name < second.name or (
                    first.name != second.name and second.name not in self._guards
                ):
                    facts.append(Fact(first, second))
        return facts

    def _values(self, registers: dict[str, int]) -> list[Is]:
        return [Is(name, value) for name, size in registers.items() for value in range(1 << size)]

    # What is sent to the solver.

    def _solver(self, shared: Iterable[str], limit: float) -> Solver:
        """A solver with a state ``s0`` in which some registers are the same in both designs."""
        solver = Solver(self._model, max(1.0, limit - time.monotonic()))
        names = {self._registers[name].slices["gate"]: name for name in shared}
        parts, at = [], 0
        for slice_name, (high, low) in sorted(self._slices.items(), key=lambda item: item[1][1]):
            parts += self._free(solver, at, low)
            name = names.get(slice_name)
            if name is None:
                solver.tell(f"(declare-fun |v {slice_name}| () (_ BitVec {high - low + 1}))")
            source = self._registers[name].slices["gold"] if name else slice_name
            parts.append(f"|v {source}|")
            at = high + 1
        parts += self._free(solver, at, self._bits)
        solver.tell(f"(define-fun s0 () |miter_s| (concat {' '.join(reversed(parts))}))")
        solver.tell("(assert (|miter_u| s0))")
        return solver

    def _free(self, solver: Solver, low: int, high: int) -> list[str]:
        """Bits of the state that are no register's: inputs."""
        if low == high:
            return []
        solver.tell(f"(declare-fun |v bits {low}| () (_ BitVec {high - low}))")
        return [f"|v bits {low}|"]

    def _term(self, side: str, name: str, after: bool) -> str:
        register = self._registers[name]
        return f"(|{(register.nexts if after else register.slices)[side]}| s0)"

    def _is(self, value: Is, after: bool) -> str:
        size = self._registers[value.name].size
        return f"(= {self._term('gold', value.name, after)} (_ bv{value.value} {size}))"

    def _same(self, name: str, after: bool) -> str:
        return f"(= {self._term('gold', name, after)} {self._term('gate', name, after)})"

    def _text(self, fact: Fact, after: bool) -> str:
        guard = self._is(fact.guard, after)
        if fact.equal:
            return f"(=> {guard} {self._same(fact.equal, after)})"
        if fact.other:
            return f"(not (and {guard} {self._is(fact.other, after)}))"
        return f"(not {guard})"

    def _after_reset(
        self, equal: list[str], facts: list[Fact], limit: float
    ) -> tuple[list[str], list[Fact]]:
        """What a clock with the reset on establishes, whatever was before."""
        if self._reset not in self._model:
            return equal, facts
        return self._weakened(equal, facts, f"(not ({self._reset} s0))", (), (), limit)

    def _once(self, equal: list[str], limit: float) -> list[str]:
        """Those that are equal after a clock if all of them are before it."""
        return self._weakened(equal, [], "true", (), equal, limit)[0]

    def _kept(
        self,
        equal: list[str],
        facts: list[Fact],
        known: Sequence[Fact],
        limit: float,
        rounds: int = 0,
    ) -> tuple[list[str], list[Fact]]:
        """The most of both that a clock keeps, all together; after ``rounds`` tries if not 0."""
        while True:
            fewer, left = self._weakened(equal, facts, "true", [*known, *facts], equal, limit)
            rounds -= 1
            if (len(fewer), len(left)) == (len(equal), len(facts)) or not rounds:
                return fewer, left
            equal, facts = fewer, left

    def _weakened(
        self,
        equal: list[str],
        facts: list[Fact],
        condition: str,
        assumed: Sequence[Fact],
        shared: Sequence[str],
        limit: float,
    ) -> tuple[list[str], list[Fact]]:
        """Without those that may be wrong a clock after the condition and what is assumed."""
        solver = self._solver(shared, limit)
        try:
            solver.tell(f"(assert {condition})")
            for fact in assumed:
                solver.tell(f"(assert {self._text(fact, False)})")
            left: list[str | Fact] = [*equal, *facts]
            while left:
                after = [
                    self._same(item, True) if isinstance(item, str) else self._text(item, True)
                    for item in left
                ]
                solver.tell(f"(assert (not (and true {' '.join(after)})))")
                if not solver.satisfiable():
                    break
                truths = solver.truths(after)
                left = [item for item, true in zip(left, truths, strict=True) if true]
        finally:
            solver.close()
        return (
            [item for item in left if isinstance(item, str)],
            [item for item in left if isinstance(item, Fact)],
        )

    def _outputs_agree(self, equal: Sequence[str], facts: Iterable[Fact], limit: float) -> bool:
        solver = self._solver(equal, limit)
        try:
            for fact in facts:
                solver.tell(f"(assert {self._text(fact, False)})")
            solver.tell("(assert (|miter_n trigger| s0))")
            return not solver.satisfiable()
        finally:
            solver.close()
