"""Tests of waveforms: reading, finding the first difference, and drawing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from models.registry import architecture, hardware_architectures
from regress.core.jobfile import RESULT_FILE, TRACE_FILE, WAVES_FILE, Job, JobResult
from regress.waves.document import NO_FAILURE, document
from regress.waves.fst import WaveError, WaveFile
from regress.waves.picture import Picture
from regress.waves.words import abbreviated, short_operands
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import ROOT
from verif.bench.configuration.job import job_of, point_of
from verif.bench.waves.mismatch import bits_text, find
from verif.bench.waves.scopes import unit_path, unit_paths
from verif.bench.waves.signals import state_names
from verif.bench.waves.tests.conftest import JOB, WRONG_ENTRY, at_16_bits
from verif.bench.waves.view import WAVES, wave_signals, wave_view
from verif.library.edits.operators import Replace
from verif.tests.context import PROJECT
from verif.tests.injected import SIMULATOR, InjectedFault

TOP = "multiplier_tb"
WRONG_ADDRESS = 0b0011


@pytest.mark.simulation
@pytest.mark.parametrize(
    "runs",
    [
        [(SIMULATOR, False), (SIMULATOR, True)],
        # Verilator builds a model for each.
        pytest.param(
            [(SIMULATOR, False), ("verilator", True), ("verilator", False)],
            marks=pytest.mark.campaign,
        ),
    ],
    ids=["one simulator", "Verilator too"],
)
def test_waves_and_simulators_change_nothing_but_time(
    run: Callable[..., Path], runs: Sequence[tuple[str, bool]]
) -> None:
    """Every operation is the same; a waveform shows every cycle."""
    traces = set()
    for simulator, waves in runs:
        folder = run(replace(JOB, simulator=simulator, waves=waves, trace=True))
        assert not JobResult.read(folder / "result.json").failures
        traces.add((folder / TRACE_FILE).read_text())
        assert (folder / WAVES_FILE).exists() == waves
        if not waves:
            continue
        file = WaveFile(folder / WAVES_FILE, TOP)
        edges = file.rising_edges(100, 1000)
        assert edges == [100 + 10 * i + edges[0] % 10 for i in range(90)]
        assert file.signal("clk_burst").between(0, 1e9) in ([], [(0.0, 0)])
    (trace,) = traces
    assert len(trace.splitlines()) == JOB.operations
    first = trace.splitlines()[0]
    start = next(at for at, value in file.signal("u_view.core_start").between(1, 1e9) if value == 1)
    x = re.search(r'"x":"(0x[0-9a-f]+)"', first)
    assert x and file.signal("gen_parallel.u_window.x").at(start) == int(x[1], 16)


@pytest.mark.simulation
def test_the_first_wrong_iteration_is_found_and_drawn(broken: Path) -> None:
    result = JobResult.read(broken / "result.json")
    assert result.failures and len(result.failure_times) == len(result.failures)
    assert all(0 < time <= result.sim_time_ns for time in result.failure_times)
    assert f"at {result.failure_times[0]:.0f} ns" in result.failures[0]

    found = document(PROJECT, broken)
    operands = re.search(r"x=(\w+) y=(\w+) m=(\w+)", result.failures[0])
    assert operands
    x, y, m = (int(text, 16) for text in operands.groups())
    addresses = architecture("faster_montgomery").coverage.addresses(x, y, m, 16)
    # Model and hardware agree up to the wrong entry. Y = 0 would hide the fault.
    iteration = addresses.index(WRONG_ADDRESS) + 1
    assert re.match(rf"[SC] after iteration {iteration} of 16 = ", found.finding)
    assert found.moment_ns < result.failure_times[0]

    svg = found.picture.read_text()
    root = ElementTree.fromstring(svg)
    texts = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]
    for label in ("clk", "control state", "table address", "S expected", "C expected", "entry"):
        assert any(text.startswith(label) for text in texts), label
    assert f"{found.moment_ns:.0f} ns" in texts
    assert any(found.finding in text for text in texts)
    assert 'class="wv-bad"' in svg and 'class="wv-wanted"' in svg
    # The faulty design treats address 0011 as if x_i were 1: it adds Y.
    assert "1011" in texts and "running" in texts
    assert "<script" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert len(svg) < 150_000


@pytest.mark.simulation
def test_a_good_design_has_no_failure(good: Path) -> None:
    found = document(PROJECT, good)
    assert (found.failure, found.finding) == (NO_FAILURE, "")
    assert 'class="wv-bad"' not in found.picture.read_text()


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("name", "width", "iterations"),
    [
        ("fast_montgomery", 9, 9),
        pytest.param("optimized_interleaved", 9, 9, marks=pytest.mark.campaign),
        pytest.param("unfolded_faster_montgomery", 9, 9, marks=pytest.mark.campaign),
        ("unfolded_mm42", 9, 9),
        ("dual_radix", 16, 0),
        pytest.param("mwr2mm", 9, 0, marks=pytest.mark.campaign),
    ],
)
def test_iterations_of_the_model_are_those_of_the_hardware(
    run: Callable[..., Path], name: str, width: int, iterations: int
) -> None:
    """On a correct design, every iteration is compared and none differs."""
    job = replace(JOB, point=point_of(name, width), operations=4)
    folder = run(job)
    waves = WaveFile(folder / WAVES_FILE, TOP)
    config = BenchConfig.from_job(job)
    missing = [s.path for s in wave_signals(config) if s.path not in waves]
    assert missing == []
    compared = []
    for time, value in waves.signal("u_dut.busy_o").between(1, 1e9):
        if value == 0:
            finding = find(WAVES[type(config.design)].examine, config, waves, "", time)
            assert finding.text == ""
            counts = [step.value for steps in finding.iterations.values() for step in steps]
            compared.append(max((count or 0 for count in counts), default=0))
            assert finding.expected[unit_paths(config, unit_path(config)).s, 0]
    assert len(compared) >= job.operations and max(compared) == iterations


@pytest.mark.simulation
@pytest.mark.parametrize(
    ("case", "pattern"),
    [
        (
            InjectedFault(
                "top carry",
                "mwr2mm",
                (Replace(module="mwr2mm_element", signal="sum", term="carry_q", to="@[0]"),),
            ),
            r"S after the run = 0x\w+, the model says",
        ),
        (
            InjectedFault(
                "wrong result",
                "faster_montgomery",
                (
                    Replace(
                        module="parallel_unit",
                        signal="stored_words",
                        to="@ ^ (Kinds * AddWidth)'({AddWidth'(1), AddWidth'(1)})",
                    ),
                ),
            ),
            r"P = 0x\w+, gmpy2 says 0x\w+; S and C were right",
        ),
        (
            InjectedFault(
                "wrong constant",
                "faster_montgomery",
                (
                    Replace(
                        module="constant_registers",
                        signal="word_in",
                        term="sum_word_i",
                        to="WordWidth'(0)",
                    ),
                ),
            ),
            r"constant R = Y \+ M: 0x\w+, the model says",
        ),
        (
            InjectedFault(
                "operand cut",
                "fast_montgomery",
                (Replace(module="parallel_operands", signal="y_o", to="@ & ~WordWidth'(2)"),),
            ),
            r"Y = 0x\w+, the bench wrote 0x\w+",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, InjectedFault) else "",
)
def test_other_faults_are_told_apart(
    run: Callable[..., Path], case: InjectedFault, pattern: str
) -> None:
    folder = run(replace(JOB, point=point_of(case.architecture, 16)), case)
    assert JobResult.read(folder / "result.json").failures
    found = document(PROJECT, folder)
    assert re.match(pattern, found.finding), found
    assert 'class="wv-bad"' in found.picture.read_text()


@pytest.mark.simulation
def test_operands_of_which_no_model_knows_the_product_are_shown(run: Callable[..., Path]) -> None:
    case = InjectedFault(
        "even modulus",
        "dual_radix",
        (
            Replace(
                module="ring_unit_control",
                signal="verdict",
                term="odd_i",
                to="1'b1",
            ),
        ),
    )
    folder = run(replace(JOB, test="bad_input", point=point_of("dual_radix", 8)), case)
    failures = JobResult.read(folder / "result.json").failures
    index = next(i for i, text in enumerate(failures) if "expected MODULUS_EVEN" in text)
    assert document(PROJECT, folder, index).finding.startswith("the core was started with x=")


@pytest.mark.simulation
def test_the_wrong_product_of_an_exponentiation_is_found(run: Callable[..., Path]) -> None:
    job = replace(at_16_bits(JOB), test="exp_random", operations=3)
    folder = run(job, WRONG_ENTRY)
    waves = WaveFile(folder / WAVES_FILE, "exponentiation_tb")
    assert [s.path for s in wave_signals(BenchConfig.from_job(job)) if s.path not in waves] == []
    found = document(PROJECT, folder)
    assert re.match(
        r"[AS] after (the entry|bit \d+) = \w+, the model says \w+; "
        r"(in an earlier product of [AS], )?in its core [SC] after iteration \d+ of 18",
        found.finding,
    ), found.finding
    assert "exponent bit" in found.picture.read_text()


@pytest.mark.simulation
def test_a_failure_without_a_result_is_shown_at_its_time(broken: Path, tmp_path: Path) -> None:
    """A test of a front that fails by an exception writes no result."""
    folder = tmp_path / "job"
    shutil.copytree(broken, folder)
    (folder / RESULT_FILE).unlink()
    (folder / "results.xml").write_text(
        '<testsuites><testsuite name="t"><testcase name="random">'
        '<properties><property name="sim_time_stop" value="400"/></properties>'
        '<failure message="word 3 is wrong" type="AssertionError"/>'
        "</testcase></testsuite></testsuites>"
    )
    found = document(PROJECT, folder)
    assert (found.failure, found.moment_ns <= 400) == ("word 3 is wrong", True)


@pytest.mark.simulation
def test_the_simulated_time_limit_fails_the_test(run: Callable[..., Path]) -> None:
    folder = run(replace(JOB, waves=False, time_limit_ns=2500.0))
    result = JobResult.read(folder / "result.json")
    assert result.failures == ["simulated time limit of 2500 ns reached"]
    assert 2500 <= result.failure_times[0] <= result.sim_time_ns < 4000
    assert "<failure" in (folder / "results.xml").read_text()
    enough = JobResult.read(run(replace(JOB, time_limit_ns=1e6)) / "result.json")
    assert not enough.failures


@pytest.mark.simulation
def test_a_picture_that_would_be_too_large_shows_fewer_cycles(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = BenchConfig.from_job(Job.read(broken / "job.json"))
    waves = WaveFile(broken / WAVES_FILE, TOP)
    result = JobResult.read(broken / "result.json")
    view = wave_view(config, waves, result.failures[0], result.failure_times[0])
    picture = Picture(waves, view, "job", "message")
    full = picture.svg()
    monkeypatch.setattr("regress.waves.picture.MAX_BYTES", len(full) - 1)
    assert len(picture.svg()) < len(full)


@pytest.mark.simulation
@pytest.mark.parametrize("keep", [0, 100, 0.5, 0.99])
def test_unreadable_waves_are_one_line(broken: Path, tmp_path: Path, keep: float) -> None:
    folder = tmp_path / "job"
    shutil.copytree(broken, folder, ignore=shutil.ignore_patterns("hdl"))
    data = (folder / WAVES_FILE).read_bytes()
    (folder / WAVES_FILE).write_bytes(data[: int(keep if keep > 1 else keep * len(data))])
    with pytest.raises(WaveError) as caught:
        document(PROJECT, folder)
    error = str(caught.value)
    assert error.startswith(f"{folder / WAVES_FILE} cannot be read") and "\n" not in error


@pytest.mark.parametrize("name", ["job.json", "result.json", WAVES_FILE])
def test_missing_files_are_one_line(tmp_path: Path, name: str) -> None:
    JOB.write(tmp_path / "job.json")
    JobResult(failures=["x"], failure_times=[1.0]).write(tmp_path / "result.json")
    (tmp_path / name).unlink(missing_ok=True)
    with pytest.raises(WaveError, match=f"{tmp_path / name} is missing"):
        document(PROJECT, tmp_path)


@pytest.mark.simulation
def test_an_unknown_signal_is_named(broken: Path) -> None:
    waves = WaveFile(broken / WAVES_FILE, TOP)
    with pytest.raises(WaveError, match=r"has no signal multiplier_tb\.u_dut\.nothing"):
        waves.signal("u_dut.nothing")
    with pytest.raises(WaveError, match="has no module exponentiation_tb"):
        WaveFile(broken / WAVES_FILE, "exponentiation_tb")


@pytest.mark.parametrize("name", list(hardware_architectures()))
def test_signals_of_an_entry_are_in_its_module(name: str) -> None:
    entry = architecture(name)
    hdl = ROOT / "hdl"
    shared = ("lib/*.sv", "cores/ring/systolic_ring.sv", "cores/bit_serial/bit_serial_*.sv")
    files = [
        *hdl.rglob(f"{entry.module}.sv"),
        *(path for part in shared for path in hdl.glob(part)),
    ]
    text = "\n".join(path.read_text() for path in files)
    assert entry.wave_signals
    for signal in (*entry.wave_signals, *entry.running_sum):
        assert re.search(rf"\b{signal.rpartition('.')[2]}\b", text), signal


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [("12345678", 8, "12345678"), ("123456789", 8, "1234…789"), ("1234", 2, "…"), ("12", 0, "")],
)
def test_long_values_lose_their_middle(text: str, room: int, short: str) -> None:
    assert abbreviated(text, room) == short


def test_long_operands_are_short_in_a_message() -> None:
    assert short_operands(f"x=0x{'1' * 40} y=0x12") == "x=0x11111111…1111111111 y=0x12"


@pytest.mark.parametrize(
    ("seen", "right", "text"),
    [
        (1, 2, ""),
        (1 << 80, 3 << 80, " (bit 81)"),
        (1 << 80, 7, " (4 bits from 0 to 80)"),
        ("xx", 1 << 80, ""),
    ],
)
def test_long_values_say_which_bits_differ(seen: int | str, right: int, text: str) -> None:
    assert bits_text(seen, right) == text


def test_the_picture_of_the_page_shows_states_of_the_present_design() -> None:
    """It showed states that no longer exist. Signals are hierarchical names, states are words."""
    svg = (ROOT / "verif" / "docs" / "waveform.svg").read_text()
    shown = re.search(r'class="wv-h"[^>]*>(\w+) ', svg)
    assert shown
    config = BenchConfig.from_job(job_of("random", shown[1], 32, SIMULATOR, seed=1))
    titles = set(re.findall(r"<title>([\w.\[\]]+)</title>", svg))
    states = {title for title in titles if "." not in title}
    paths = {f"{TOP}.{signal.path}" for signal in wave_signals(config)}
    assert states
    assert states <= set(state_names(config).values())
    assert {title for title in titles if "." in title} <= paths
