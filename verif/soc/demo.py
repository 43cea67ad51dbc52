"""``python -m regress soc-demo``: the C driver signs a file on the core with AXI4-Lite."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from models.exponentiation_core import exponentiation
from models.registry import architecture
from regress.cli.options import Call, argument
from regress.cli.session import execute
from regress.core.errors import UsageError
from regress.core.jobfile import Job
from regress.core.plan import Plan, PlannedJob, planned_job
from regress.core.point import Point, PointError
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, integer, say
from regress.history.database import BY_HAND
from regress.run.record import RunRecord, command_line
from regress.simulators.verilator import Verilator
from verif.bench.configuration.design import EXPONENTIATION, MAX_WIDTH, ROOT
from verif.bench.configuration.job import point_of
from verif.bench.sequences.rsa_jobs import RsaJob, signature_job
from verif.bench.sequences.rsa_keys import MIN_HASHED_BITS, RsaKey, openssl_version
from verif.soc.front_design import FrontDesign
from verif.soc.riscv import COMPILER, compiler_exists

FRONT = "axi4_lite"
TEST = f"{FRONT}_signature"
SIMULATOR = Verilator.name
TIMEOUT_SECONDS = 3600.0
FAULT_IN = 1
# The instructions of the driver grow with the square of the bits: more bits take minutes to count.
COUNTED_BITS = 2048


def add_soc_demo(commands: Any, project: Project) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "soc-demo", help="the C driver signs a file on the core with AXI4-Lite; OpenSSL verifies"
    )
    parser.add_argument(
        "file", type=Path, nargs="?", default=ROOT / "LICENSE", metavar="FILE",
        help="file to sign (default: LICENSE)",
    )  # fmt: skip
    parser.add_argument(
        "--bits", type=_even, default=2048, metavar="N",
        help="of the key; the core has half of it (2048)",
    )  # fmt: skip
    axis = project.axis("architecture")
    parser.add_argument(
        "--arch", type=argument(axis.read), default="mwrkmm", metavar=axis.letters,
        help="multiplier in the core (mwrkmm)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=partial(integer, low=0), default=1, metavar="S", help="of the key (1)"
    )
    parser.set_defaults(run=_demonstrate)


def _even(text: str) -> int:
    bits = integer(text, MIN_HASHED_BITS, 2 * MAX_WIDTH)
    return bits + bits % 2


def _demonstrate(call: Call) -> int:
    try:
        data = call.file.read_bytes()
    except OSError as error:
        raise UsageError(f"{call.file}: {error.strerror}") from None
    key = RsaKey.generate(call.bits, random.Random(call.seed))
    signature = signature_job(key, data)
    try:
        point = FrontDesign(FRONT, EXPONENTIATION).resolved(point_of(call.arch, call.bits // 2))
    except PointError as error:
        raise UsageError(str(error)) from None
    plan = Plan(
        name="soc-demo",
        description=f"one RSA signature with CRT and a key of {key.bits} bits",
        command=command_line(call.argv),
        seed=call.seed,
        jobs=(_planned(call, point, key, signature),),
        apart=BY_HAND,
    )
    say(call.console, f"signing {call.file.name} with RSA of {key.bits} bits …")
    with call.console.status("building and simulating"):
        record = execute(plan, call.workspace, Console(quiet=True), workers=1)
    if record.interrupted:
        raise KeyboardInterrupt
    return _report(call.console, record, signature, _without_crt(point, call.bits))


def _planned(call: Call, point: Point, key: RsaKey, signature: RsaJob) -> PlannedJob:
    case = {
        "name": "signature",
        "p": hex(key.p),
        "q": hex(key.q),
        "message": hex(signature.base),
        "fault_in": FAULT_IN,
        "riscv": key.bits <= COUNTED_BITS and compiler_exists(),
    }
    return planned_job(
        call.context, Job(TEST, point, SIMULATOR, call.seed, cases=(case,)), 1, TIMEOUT_SECONDS
    )


def _without_crt(point: Point, bits: int) -> int:
    """Return the cycles of one exponentiation of all bits on a core that wide, R² on chip."""
    entry = architecture(point["architecture"])
    return exponentiation(entry, bits).operation_cycles((1 << bits) - 1, bits)


def _report(console: Console, record: RunRecord, signature: RsaJob, without_crt: int) -> int:
    job = record.jobs[0]
    if not record.passed or not job.cases:
        say(console, f"FAILED: {job.message}", "bold red")
        say(console, f"run         {record.folder}")
        return FAILED
    facts = job.cases[0].facts
    problem = signature.verdict(int(facts["signature"], 16))
    instructions = facts["instructions"]
    for label, text in (
        ("core", f"{facts['core_cycles']} cycles for both halves"),
        ("bus", f"{facts['bus_cycles']} cycles for {facts['accesses']} accesses"),
        (
            "software",
            f"{instructions} instructions of rv32im"
            if instructions
            else f"not counted: needs {COMPILER} and a key of at most {COUNTED_BITS} bits",
        ),
        (
            "no CRT",
            f"{without_crt} cycles for one exponentiation on a core of all bits, by formula",
        ),
        ("verdict", f"{problem or 'OpenSSL accepts the signature'}: {openssl_version()}"),
        ("fault", "a bit of the first half inverted: the driver reports it and returns 0"),
        ("wall time", f"{record.seconds:.1f} s"),
        ("run", str(record.folder)),
    ):
        say(console, f"{label:<11} {text}")
    return FAILED if problem else PASSED
