"""The project's own architectures as cores from outside: a slice of what the nightly checks."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from models.registry import architecture, hardware_architectures
from verif.blackbox.facts import Core
from verif.blackbox.own.__main__ import facts, main
from verif.blackbox.tests.test_check import check


def test_each_architecture_has_a_file_of_facts(tmp_path: Path) -> None:
    assert main([str(tmp_path), "--width", "16"]) == 0
    cores = [Core.read(path) for path in sorted(tmp_path.iterdir())]
    assert {core.facts.name for core in cores} == {f"own_{a}" for a in hardware_architectures()}
    assert all(core.facts.claims.latency for core in cores)


def test_wrong_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--arch", "fastest"]) == 2
    assert main([str(tmp_path), "--width", "3"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "unknown architecture 'fastest'" in first
    assert "accepted are" in second


@pytest.mark.simulation
@pytest.mark.parametrize("name", ["faster_montgomery", "optimized_interleaved"])
def test_ours_hold_what_the_registry_claims(name: str, tmp_path: Path) -> None:
    path = tmp_path / "core.yaml"
    path.write_text(yaml.safe_dump(facts(architecture(name), 8)))
    done = check(path, tmp_path / "run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "broken" not in done.stdout


@pytest.mark.simulation
def test_wrong_claims_of_ours_are_broken(tmp_path: Path) -> None:
    claimed = facts(architecture("mm42"), 8)
    claimed["k"] += 1
    claimed["claims"]["latency"] += 1
    path = tmp_path / "core.yaml"
    path.write_text(yaml.safe_dump(claimed))
    done = check(path, tmp_path / "run", "--only", "M = 3", "--only", "latency as claimed")
    assert done.returncode == 1
    assert "broken: M = 3, 8 bits: " in done.stdout
    assert "broken: latency as claimed, 8 bits: " in done.stdout
