"""The project's own architectures as cores from outside: a slice of what the nightly checks."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from models.registry import architecture, hardware_architectures
from regress.cli.command_line import main
from regress.cli.workspace import Workspace
from verif.own_core.core import Core
from verif.own_core.correct import Checked
from verif.own_core.own import command as own
from verif.own_core.own.command import exponentiation_description, multiplier_description
from verif.own_core.tests.test_check import check

DESIGNS = {"": multiplier_description, "exponentiation-": exponentiation_description}


def test_each_architecture_has_a_file_of_facts(tmp_path: Path) -> None:
    assert main(["own-cores", str(tmp_path), "--width", "16"]) == 0
    known = hardware_architectures()
    wanted = {f"{design}{name}-16" for design in DESIGNS for name in known}
    wanted |= {f"exponentiation-{n}-16-constants" for n, entry in known.items() if entry.montgomery}
    cores = {path.stem: Core.read(path) for path in tmp_path.iterdir()}
    assert set(cores) == wanted
    for core in cores.values():
        core.check_width(16)
        assert core.description.claims.latency


def test_wrong_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["own-cores", str(tmp_path), "--arch", "fastest"]) == 2
    assert main(["own-cores", str(tmp_path), "--width", "3"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "unknown architecture 'fastest'" in first
    assert "accepted are" in second


def test_one_that_is_broken_fails_the_check_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def checked(workspace: Workspace, core: Core, out: Path) -> Checked:
        return Checked(27, 530, 9.0, ("job: X = Y: wrong",) if out.name == "mm42-33" else ())

    monkeypatch.setattr(own, "check_correct", checked)
    argv = ["own-cores", str(tmp_path), "--check", "--arch", "mm42", "--design", "multiplier"]
    assert main(argv) == 1
    first, second, last = capsys.readouterr().out.splitlines()
    assert first == "mm42-8: 27 classes and claims, 530 operations, 9 s: all held"
    assert second.endswith("9 s: job: X = Y: wrong")
    assert last == "1 of 2 cores keep all their claims"
    assert main([*argv, "--width", "8"]) == 0
    (tmp_path / "runs").mkdir()
    assert main(argv) == 2
    assert "runs exists; remove it" in capsys.readouterr().err


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("design", "name", "width", "constants"),
    [
        ("", "mm42", 8, ()),
        pytest.param("", "optimized_interleaved", 8, (), marks=pytest.mark.campaign),
        pytest.param(
            "exponentiation-", "mwrkmm", 5, ("r_squared", "m_prime"), marks=pytest.mark.campaign
        ),
        pytest.param("", "faster_montgomery", 33, (), marks=pytest.mark.campaign),
        pytest.param("exponentiation-", "mm42", 4, (), marks=pytest.mark.campaign),
    ],
)
def test_ours_hold_what_the_registry_claims(
    design: str, name: str, width: int, constants: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "core.yaml"
    more = {"constants": constants} if constants else {}
    path.write_text(yaml.safe_dump(DESIGNS[design](architecture(name), width, **more)))
    done = check(path, tmp_path / "run", "--sim", "verilator")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "broken" not in done.stdout


@pytest.mark.simulation
def test_wrong_claims_of_ours_are_broken(tmp_path: Path) -> None:
    claimed = multiplier_description(architecture("mm42"), 8)
    claimed["k"] += 1
    claimed["claims"]["latency"] += " + 1"
    path = tmp_path / "core.yaml"
    path.write_text(yaml.safe_dump(claimed))
    done = check(path, tmp_path / "run", "--only", "M = 3", "--only", "latency as claimed")
    assert done.returncode == 1
    assert "broken: M = 3, 8 bits: " in done.stdout
    assert "broken: latency as claimed, 8 bits: " in done.stdout
