"""The numbers of the cores and the parameters that the tops pass to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import models.cores
from models.architecture import Parameter
from models.cores import PASSED, CoreError, core_parameters, cores
from models.registry import hardware_architectures


def test_every_module_has_one_number() -> None:
    found = cores()
    assert set(found) == {entry.module for entry in hardware_architectures().values()}
    assert [core.number for core in found.values()] == list(range(len(found)))
    assert len({core.constant for core in found.values()}) == len(found)


def test_a_module_has_the_parameters_of_all_its_entries() -> None:
    assert cores()["fast_montgomery"].parameters == ("Unfolding",)
    assert set(cores()["quotient_pipelined"].parameters) == {
        "WordWidth", "DigitWidth", "Elements", "Stages", "Latency",
    }  # fmt: skip


def test_a_top_gets_every_parameter_of_its_kind_of_core() -> None:
    given = core_parameters("mwrkmm", {"WordWidth": 17, "DigitWidth": 16, "Elements": 5})
    assert given.pop("Core") == cores()["mwrkmm"].number
    assert tuple(given) == PASSED[True]
    assert given["Elements"] == 5


@pytest.fixture
def strange(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    entry = hardware_architectures()["mm42"]
    more = (Parameter("Depth", "a name that no top has", lambda entry, width: 1),)
    changed = type("Strange", (type(entry),), {"parameters": more, "name": "strange"})()
    monkeypatch.setattr(models.cores, "hardware_architectures", lambda: {"strange": changed})
    yield


@pytest.mark.usefixtures("strange")
def test_a_parameter_that_no_top_hands_on_is_named() -> None:
    with pytest.raises(CoreError, match="parameter Depth of strange: the tops pass Unfolding"):
        cores()
