"""The pyuvm tests of the exponentiation core. One simulator process runs one test."""

from __future__ import annotations

import pyuvm

from verif.bench.env.env import ExponentiationEnv, ProductsEnv
from verif.bench.sequences.exponentiation import (
    BusSequence,
    ConstantTimeSequence,
    CornerSequence,
    ProductsSequence,
    RandomSequence,
    ResetSequence,
    RsaSequence,
    ThroughputSequence,
    VectorSequence,
)
from verif.bench.sequences.exponentiation_bad_input import BadInputSequence, LengthSequence
from verif.bench.sequences.zeroise import ZeroiseSequence
from verif.bench.stress.env import ExponentiationStressEnv
from verif.bench.stress.sequence import ExponentiationStress
from verif.bench.tests.base import LoaderTest


class ExponentiationTest(LoaderTest):
    """Base class of the tests of an exponentiation core."""

    environment = ExponentiationEnv


@pyuvm.test()
class RandomTest(ExponentiationTest):
    """Random keys and data, back to back, with and without reuse."""

    sequence = RandomSequence


@pyuvm.test()
class CornersTest(ExponentiationTest):
    """Exponents, bases and moduli of every special class."""

    sequence = CornerSequence


@pyuvm.test()
class BusTest(ExponentiationTest):
    """Loader protocol word by word: idle cycles, stalls, writes and reads during an operation."""

    sequence = BusSequence
    burst_clock = False


@pyuvm.test()
class BadInputTest(ExponentiationTest):
    """Illegal values, constants, lengths, commands: check the status and the next operation."""

    sequence = BadInputSequence
    burst_clock = False


@pyuvm.test()
class ResetTest(ExponentiationTest):
    """A reset or ZEROISE in each phase of an exponentiation; the next operation must work."""

    sequence = ResetSequence
    burst_clock = False


@pyuvm.test()
class ZeroiseTest(ExponentiationTest):
    """ZEROISE and reset leave no value in any state element."""

    sequence = ZeroiseSequence
    burst_clock = False


@pyuvm.test()
class ConstantTimeTest(ExponentiationTest):
    """The number of cycles depends on no operand or exponent value."""

    sequence = ConstantTimeSequence

    def check_phase(self) -> None:
        """Fail if an exponent weight was not compared."""
        scoreboard = self.env.scoreboard
        for missing in scoreboard.checker.times.missing():
            scoreboard.fail(missing)


@pyuvm.test()
class ProductsTest(ExponentiationTest):
    """Compare every intermediate product with the model, for debugging."""

    environment = ProductsEnv
    sequence = ProductsSequence
    burst_clock = False


@pyuvm.test()
class RsaTest(ExponentiationTest):
    """Signatures, verifications and decryptions with RSA keys; OpenSSL checks the results."""

    sequence = RsaSequence


@pyuvm.test()
class LengthTest(ExponentiationTest):
    """Exponents that are too long, for every class of lengths."""

    sequence = LengthSequence


@pyuvm.test()
class ThroughputTest(ExponentiationTest):
    """Full-length exponentiations, for measuring speed."""

    sequence = ThroughputSequence


@pyuvm.test()
class VectorsTest(ExponentiationTest):
    """The vectors of the job."""

    sequence = VectorSequence


@pyuvm.test()
class StressTest(LoaderTest):
    """Protocol stress test: random sequences; the bus model predicts every transfer."""

    environment = ExponentiationStressEnv
    sequence = ExponentiationStress
    burst_clock = False
