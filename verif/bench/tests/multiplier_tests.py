"""The pyuvm tests of a multiplier behind the loader bus: one simulator process runs one of them."""

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
from verif.bench.stress.env import MultiplierWalkEnv
from verif.bench.stress.sequence import MultiplierWalk
from verif.bench.tests.base import LoaderTest


class MultiplierTest(LoaderTest):
    """Base of the tests of a multiplier."""

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
    """Loader protocol word by word: idle cycles, stalls, reuse, rewriting while one runs."""

    sequence = BusSequence
    burst_clock = False


@pyuvm.test()
class BadInputTest(MultiplierTest):
    """Illegal moduli, operands, addresses and commands: a status each, and the next one works."""

    sequence = BadInputSequence
    burst_clock = False


@pyuvm.test()
class ResetTest(MultiplierTest):
    """A reset in each clock of an operation; the next operation works."""

    sequence = ResetSequence
    burst_clock = False


@pyuvm.test()
class RawTest(MultiplierTest):
    """Operands that are not reduced: (S, C) delivered, P flagged."""

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
    """Primes of the standard curves, and their polynomials where the hardware has GF(2**n)."""

    sequence = FieldsSequence


@pyuvm.test()
class ExhaustiveTest(MultiplierTest):
    """Every legal operand triple of a small width."""

    sequence = ExhaustiveSequence


@pyuvm.test()
class WalkTest(LoaderTest):
    """Random walks of an impolite host, every transfer against the model of the bus."""

    environment = MultiplierWalkEnv
    sequence = MultiplierWalk
    burst_clock = False
