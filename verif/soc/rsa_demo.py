"""``python -m regress rsa-demo``: one RSA signature on the simulated core, verified by OpenSSL.

A key is made from ``--seed``; the SHA-256 digest of a message, padded after PKCS#1 v1.5, is raised
to the private exponent by the hardware, in a job like any other; OpenSSL verifies what comes out.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from typing import Any

from rich.console import Console

from models.registry import architecture, hardware_architectures
from regress.cli.options import Call
from regress.cli.session import execute
from regress.core.errors import UsageError, not_accepted
from regress.core.plan import Plan, PlannedJob, planned_job
from regress.core.project import Project
from regress.core.terminal import FAILED, PASSED, integer, say
from regress.history.database import BY_HAND
from regress.run.progress import build_line
from regress.run.record import RunRecord, command_line
from regress.simulators.verilator import Verilator
from verif.bench.configuration.config import CLOCK_PERIOD_NS
from verif.bench.configuration.design import MAX_WIDTH, DesignError, default_parameters
from verif.bench.configuration.job import job_of
from verif.bench.configuration.tests_by_name import design_of
from verif.bench.sequences.rsa_jobs import RsaJob, signature_job
from verif.bench.sequences.rsa_keys import MIN_HASHED_BITS, RsaKey, openssl_version

MESSAGE = b"Signed by a modular multiplier in SystemVerilog."
TEST = "exp_vectors"
SIMULATOR = Verilator.name
# The widest key on the slowest multiplier, on a slow machine.
TIMEOUT = 3600.0
SHOWN_DIGITS = 32


def add_parser(commands: Any, project: Project) -> None:
    """Mount the command ``rsa-demo``."""
    parser = commands.add_parser(
        "rsa-demo", help="sign with an RSA key on the simulated core; OpenSSL verifies"
    )
    _add_options(parser)
    parser.set_defaults(run=_demonstrate)


def _demonstrate(call: Call) -> int:
    """Sign, verify, print.

    Returns:
        0 if OpenSSL accepts the signature and the environment found no fault, else 1.
    """
    key = RsaKey.generate(call.bits, random.Random(call.seed))
    signature = signature_job(key, MESSAGE)
    asked = Plan(
        name="rsa-demo",
        description=f"one PKCS#1 v1.5 signature with a key of {key.bits} bits",
        command=command_line(call.argv),
        seed=call.seed,
        jobs=(_planned(call, signature),),
        apart=BY_HAND,
    )
    console = call.console
    _print_row(console, "message", MESSAGE.decode())
    _print_row(console, "digest", f"SHA-256 {hashlib.sha256(MESSAGE).hexdigest()}")
    _print_row(console, "key", f"RSA, {key.bits} bits, e = {key.e}, made from seed {call.seed}")
    _print_row(console, "simulating", "one exponentiation with the private exponent …")
    with console.status(f"{asked.jobs[0].point.name}: building and simulating"):
        record = execute(asked, call.workspace, Console(quiet=True), workers=1)
    if record.interrupted:
        raise KeyboardInterrupt
    return _report(console, record, signature)


def _planned(call: Call, signature: RsaJob) -> PlannedJob:
    """The job that makes the signature.

    Raises:
        UsageError: this architecture cannot be that wide.
    """
    entry = architecture(call.architecture)
    try:
        parameters = default_parameters(design_of(TEST), entry, call.bits)
    except DesignError as error:
        raise UsageError(str(error)) from None
    vector = {
        "name": signature.name,
        "line": 1,
        "base": hex(signature.base),
        "exponent": hex(signature.exponent),
        "modulus": hex(signature.modulus),
        "length": signature.length,
        "reject": False,
    }
    job = job_of(
        test=TEST,
        architecture=entry.name,
        width=call.bits,
        simulator=SIMULATOR,
        seed=call.seed,
        parameters=parameters,
        cases=(vector,),
    )
    return planned_job(call.context, job, 1, TIMEOUT)


# --------------------------------------------------------------------------------------------------
# Result
# --------------------------------------------------------------------------------------------------


def _report(console: Console, record: RunRecord, signature: RsaJob) -> int:
    """Print the result; return the exit code."""
    job = record.jobs[0]
    for outcome in record.builds:
        _print_row(console, "build", build_line(outcome))
    accepted = False
    result = job.result
    value = job.cases[0].facts.get("result") if job.cases else None
    if result and value:
        problem = signature.verdict(int(value, 16))
        accepted = problem is None
        milliseconds = CLOCK_PERIOD_NS * 1e-6 * result.cycles
        bus = result.sim_time_ns * 1e-6
        _print_row(console, "signature", _shortened(int(value, 16), signature.modulus))
        _print_row(console, "cycles", f"{result.cycles:_}".replace("_", " "))
        _print_row(
            console,
            "simulated",
            f"{milliseconds:.3f} ms at {CLOCK_PERIOD_NS} ns a cycle; with the bus {bus:.3f} ms",
        )
        verdict = problem or "OpenSSL accepts the signature"
        _print_row(console, "verdict", f"{verdict}: {openssl_version()}")
    _print_row(
        console, "wall time", f"{record.seconds:.1f} s, the simulation {job.seconds:.1f} s of it"
    )
    _print_row(console, "run", str(record.folder))
    if not record.passed:
        say(console, f"FAILED: {job.message}", "bold red")
    return PASSED if accepted and record.passed else FAILED


def _shortened(value: int, modulus: int) -> str:
    """The first and last hex digits of a number as long as the modulus."""
    size = -(-modulus.bit_length() // 8)
    digits = f"{value:0{2 * size}x}"
    return f"{digits[:SHOWN_DIGITS]}…{digits[-SHOWN_DIGITS:]} ({size} bytes)"


def _print_row(console: Console, label: str, text: str) -> None:
    say(console, f"{label:<11}{text}")


# --------------------------------------------------------------------------------------------------
# Options
# --------------------------------------------------------------------------------------------------


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bits", type=_bits, default=1024, metavar="N", help="of the key and the core (1024)"
    )
    parser.add_argument(
        "--architecture",
        type=_architecture,
        default="mwrkmm",
        metavar="A",
        help="multiplier in the core (mwrkmm)",
    )
    parser.add_argument("--seed", type=_seed, default=1, metavar="S", help="of the key (1)")


def _bits(text: str) -> int:
    return integer(text, MIN_HASHED_BITS, MAX_WIDTH)


def _seed(text: str) -> int:
    return integer(text, 0)


def _architecture(name: str) -> str:
    known = hardware_architectures()
    if name not in known:
        raise argparse.ArgumentTypeError(not_accepted("architecture", name, known))
    return name
