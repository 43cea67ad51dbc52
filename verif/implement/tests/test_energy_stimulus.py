"""Operations on the bus: the counted cycles, and answers that differ from the model."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from models.registry import architecture
from verif.bench.configuration.design import DESIGNS, hardware
from verif.implement.energy.simulate import LANES, Simulator
from verif.implement.energy.stimulus import Stimulus, _bits, run, stimulus_of
from verif.library.netlist.process import ToolError

WIDTH = 8


class Stand:
    """Answers as the model does, unless one bit is wrong."""

    def __init__(self, stimulus: Stimulus, wrong: int = 0) -> None:
        self.counting = False
        self.counted = 0
        self._wrong = np.uint64(wrong)
        answers = stimulus.planned.prediction.answers
        self._answers = iter([_bits(answer, stimulus.bus_width) for answer in answers])

    def bits(self, port: str) -> int:
        return 3

    def drive(self, port: str, lanes: NDArray[np.uint64]) -> None:
        assert lanes.dtype == np.uint64

    def read(self, port: str) -> NDArray[np.uint64]:
        return next(self._answers) ^ self._wrong

    def run(self, cycles: int) -> None:
        self.counted += cycles * self.counting


@pytest.fixture(params=list(DESIGNS))
def stimulus(request: pytest.FixtureRequest) -> Stimulus:
    design = DESIGNS[request.param]
    return stimulus_of(design, hardware(design, architecture("mwrkmm"), WIDTH, {}), WIDTH)


def test_cycles_of_the_operation_count(stimulus: Stimulus) -> None:
    stand = Stand(stimulus)
    run(stimulus, cast(Simulator, stand))
    assert stand.counted == stimulus.cycles
    assert stimulus.planned.words.shape[2] == LANES


def test_a_wrong_answer_is_reported(stimulus: Stimulus) -> None:
    with pytest.raises(ToolError, match="the netlist answers differently from the model, cycle"):
        run(stimulus, cast(Simulator, Stand(stimulus, wrong=1 << 63)))
