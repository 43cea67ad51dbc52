"""The pyuvm tests of a multiplier with the loader bus. One simulator process runs one test."""

from __future__ import annotations

import pyuvm

from verif.bench.env.env import MultiplierEnv
from verif.bench.sequences.multiplier import (
    BadInputSequence,
    BusSequence,
    CornerSequence,
    ExhaustiveSequence,
    FieldsSequence,
    RandomSequence,
    RawSequence,
    ResetSequence,
    ThroughputSequence,
    VectorSequence,
)
from verif.bench.stress.env import MultiplierStressEnv
from verif.bench.stress.sequence import MultiplierStress
from verif.bench.tests.base import LoaderTest


class MultiplierTest(LoaderTest):
    """Base class of the tests of a multiplier."""

    environment = MultiplierEnv


@pyuvm.test()
class RandomTest(MultiplierTest):
    """Random operands of every class, back to back, with and without reloading."""

    sequence = RandomSequence


@pyuvm.test()
class CornersTest(MultiplierTest):
    """Directed corners: special moduli and operands, zero products, walking ones."""

    sequence = CornerSequence


@pyuvm.test()
class BusTest(MultiplierTest):
    """Loader protocol word by word: idle cycles, stalls, reuse, writes during an operation."""

    sequence = BusSequence
    burst_clock = False


@pyuvm.test()
class BadInputTest(MultiplierTest):
    """Illegal moduli, operands, addresses, commands: check the status and the next operation."""

    sequence = BadInputSequence
    burst_clock = False


@pyuvm.test()
class ResetTest(MultiplierTest):
    """A reset in each cycle of an operation; the next operation must work."""

    sequence = ResetSequence
    burst_clock = False


@pyuvm.test()
class RawTest(MultiplierTest):
    """Operands that are not reduced: the design delivers (S, C) and flags P."""

    sequence = RawSequence


@pyuvm.test()
class ThroughputTest(MultiplierTest):
    """Products of full width without idle cycles or stalls, for measuring speed."""

    sequence = ThroughputSequence


@pyuvm.test()
class VectorsTest(MultiplierTest):
    """The vectors of the job."""

    sequence = VectorSequence


@pyuvm.test()
class FieldsTest(MultiplierTest):
    """Primes of the standard curves, and their polynomials if the hardware has GF(2**n)."""

    sequence = FieldsSequence


@pyuvm.test()
class ExhaustiveTest(MultiplierTest):
    """Every legal operand triple of a small width."""

    sequence = ExhaustiveSequence


@pyuvm.test()
class StressTest(LoaderTest):
    """Protocol stress test: random sequences; the bus model predicts every transfer."""

    environment = MultiplierStressEnv
    sequence = MultiplierStress
    burst_clock = False
