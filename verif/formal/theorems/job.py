"""Process of a job that proves one configuration.

``python -m verif.formal.theorems.job FOLDER --build BUILD`` reads ``job.json`` in FOLDER and the
design in BUILD. It writes seconds and sizes into ``result.json`` and the outcome into the facts of
the job's case. Netlist, terms and logs stay in FOLDER. Theories and proofs are kept by content in
``build/proof``: an unchanged netlist is not proved twice.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from regress.core.cases import Case, CaseStatus
from regress.core.jobfile import RESULT_FILE, JobResult
from regress.core.jobprocess import begin_job
from regress.core.metrics import Metric
from regress.core.processes import ProcessGroups
from verif.formal.theorems.coq import Coq
from verif.formal.theorems.jobs import OUTCOME, PROGRAM, TIMEOUT, provable, write_outcome
from verif.formal.theorems.ladder import Ladder, prove_ladder
from verif.formal.theorems.prove import FOLDER, REJECTED, Outcome, Prover
from verif.formal.theorems.tools import HDL, CoqTool


def main(argv: Sequence[str] | None = None) -> int:
    """Prove; return the exit code. A rejected configuration is the outcome of the case."""
    folder, build, job = begin_job(PROGRAM, argv)
    point = job.point
    made = provable(job.test, job.subject, point["width"], point["parameters"], build / HDL)
    groups = ProcessGroups()
    coq = Coq(FOLDER, groups, TIMEOUT) if job.simulator == CoqTool.name else None
    if isinstance(made, Ladder):
        outcome = prove_ladder(made, folder, groups, coq)
    else:
        outcome = Prover(folder, groups, coq).prove(made)
    JobResult(metrics=metrics_of(outcome)).write(folder / RESULT_FILE)
    outcome_of(outcome).append(folder)
    print("\n  ".join([f"{outcome.name}: {outcome.verdict}", *outcome.why]))
    return 0


def metrics_of(outcome: Outcome) -> dict[str, Metric]:
    """Return sizes and seconds. Seconds of a kept proof are those of the first."""
    sizes = {"registers": outcome.registers, "netlist gates": outcome.gates}
    found = {name: Metric(float(size)) for name, size in sizes.items() if size}
    return found | {f"{step} s": Metric(round(s, 1)) for step, s in outcome.seconds.items()}


def outcome_of(outcome: Outcome) -> Case:
    """Return the outcome of the case: it failed if the configuration is rejected."""
    status = CaseStatus.FAILED if outcome.verdict == REJECTED else CaseStatus.PASSED
    note = "kept" if outcome.kept else outcome.verdict
    facts = {OUTCOME: write_outcome(outcome)}
    return Case(outcome.name, status, "; ".join(outcome.why), note, facts)


if __name__ == "__main__":
    sys.exit(main())
