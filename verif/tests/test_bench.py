"""The bench's own facts: stimulus from one seed, names, parameters, job files."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from models.registry import architecture, hardware_architectures
from models.status import Status
from regress.core.errors import UsageError
from regress.core.jobfile import Job, JobResult
from verif.bench.configuration.config import BenchConfig
from verif.bench.configuration.design import (
    BENCH,
    DESIGNS,
    EXPONENTIATION,
    MULTIPLIER,
    ROOT,
    Design,
    DesignError,
    hardware,
    resolved_parameters,
    simulation_build,
)
from verif.bench.configuration.job import job_of
from verif.bench.configuration.tests_by_name import TESTS, design_of
from verif.bench.sequences.operands import (
    OperandGenerator,
    corner_triples,
    essential_triples,
    walking_triples,
)


def bench(seed: int, simulator: str = "verilator") -> BenchConfig:
    return BenchConfig.from_job(job_of("random", "fast_montgomery", 32, simulator, seed=seed))


def draw(config: BenchConfig, purpose: str = "operands") -> list[tuple[int, int, int]]:
    generator = OperandGenerator(config.entry, config.width, config.random(purpose))
    return [generator.triple() for _ in range(50)]


def test_one_seed_gives_one_stimulus_on_every_simulator_and_two_seeds_differ() -> None:
    assert draw(bench(1)) == draw(bench(1, "icarus"))
    assert draw(bench(1)) != draw(bench(2))
    assert draw(bench(1)) != draw(bench(1), "something else")


WAITS = """
module waits;
  logic clk = 1'b0;
  logic [bench_pkg::request_bits(3, 64)-1:0] request = '0;
  loader_bus_agent agent (.clk_i(clk), .rst_ni(1'b1), .op_go_i(1'b0), .op_request_i(request));
  initial begin
    for (int cycle = 0; cycle < 150; cycle++) begin
      if (cycle % 50 == 10) request = {32'(cycle == 60 ? 5 : 9), 32'd0, 8'd0, 8'd128, 203'd0};
      #1 clk = 1'b1; #1 clk = 1'b0;
      if (cycle % 50 >= 10) $write("%b", agent.wait_o);
      if (cycle % 50 == 49) $write("\\n");
    end
  end
endmodule
"""


@pytest.mark.skipif(
    not shutil.which("iverilog"),
    reason="needs Icarus Verilog, a system package that is not pinned",
)
def test_the_seed_of_an_operation_word_by_word_decides_its_wait_states(tmp_path: Path) -> None:
    agent = BENCH / "agent"
    (tmp_path / "waits.sv").write_text(WAITS)
    sources = [
        ROOT / "hdl/pkg/multiplier_pkg.sv", agent / "bench_pkg.sv",
        agent / "loader_bus_transactor.sv", agent / "loader_bus_recorder.sv",
        agent / "loader_bus_agent.sv", tmp_path / "waits.sv",
    ]  # fmt: skip
    program = tmp_path / "waits"
    compiled = ["iverilog", "-g2012", "-s", "waits", "-o", program, *sources]
    subprocess.run(compiled, check=True, timeout=60)
    output = subprocess.run(
        ["vvp", program], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    first, other, again = output.split()
    assert first == again != other


def test_stimulus_does_not_depend_on_who_draws_first() -> None:
    config = bench(5)
    first = config.random("a").random()
    config.random("b").random()
    assert config.random("a").random() == first


@pytest.mark.parametrize("width", [4, 5, 32, 257])
@pytest.mark.parametrize("name", list(hardware_architectures()))
def test_generated_operands_are_legal(name: str, width: int) -> None:
    entry = architecture(name)
    config = BenchConfig.from_job(job_of("random", name, width, "verilator", seed=3))
    generator = OperandGenerator(entry, width, config.random("legal"))
    for triple in [
        *(generator.triple() for _ in range(300)),
        *essential_triples(entry, width),
        *corner_triples(entry, width),
        *walking_triples(entry, width),
    ]:
        assert entry.operand_status(*triple, width) is Status.OK, triple
    for _ in range(100):
        x, y, m = generator.raw_triple()
        assert entry.operand_status(x, y, m, width, raw=True) in (Status.OK, Status.RAW)


@pytest.mark.parametrize("name", list(hardware_architectures()))
def test_corners_contain_what_the_issue_lists(name: str) -> None:
    entry = architecture(name)
    triples = set(essential_triples(entry, 32))
    moduli = {m for _, _, m in triples}
    assert {3, (1 << 32) - 1, (1 << 31) + 1} <= moduli
    assert any(m.bit_length() <= 8 for m in moduli)
    for m in (3, (1 << 32) - 1):
        assert {(x, y, m) for x in (0, 1, m - 1) for y in (0, 1, m - 1)} <= triples
    assert any(x and y and x * y % m == 0 for x, y, m in triples)
    assert any(m % 2 == 0 for m in moduli) != entry.montgomery


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_tests_by_name_are_the_classes_of_the_module(design: Design) -> None:
    """The table of names, which needs no simulator, against the decorated classes."""
    tree = ast.parse((ROOT / f"{design.test_module.replace('.', '/')}.py").read_text())
    decorated = {
        node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.decorator_list
    }
    names = [name for name in TESTS if design_of(name) is design]
    assert {TESTS[name].name for name in names} == decorated


@pytest.mark.parametrize(
    ("design", "parameters", "message"),
    [
        (
            MULTIPLIER,
            {"BusWidht": 32},
            "unknown parameter 'BusWidht' of fast_montgomery; "
            "accepted: BusWidth, AddressWidth, AddWidth, Watchdog, SegmentWidth",
        ),
        (MULTIPLIER, {"BusWidth": 7}, "BusWidth = 7: accepted are 8 to 4096"),
        (MULTIPLIER, {"AddressWidth": 1}, "AddressWidth = 1: accepted are 2 to"),
        (EXPONENTIATION, {"AddressWidth": 2}, "AddressWidth = 2: accepted are 3 to"),
        (MULTIPLIER, {"SegmentWidth": 3}, "SegmentWidth = 3: accepted are 4 to 4096"),
    ],
)
def test_bad_parameters_are_named(design: Design, parameters: dict[str, int], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        resolved_parameters(design, architecture("fast_montgomery"), 32, parameters)


@pytest.mark.parametrize("design", [MULTIPLIER, EXPONENTIATION])
def test_segments_are_a_macro_and_their_default_is_no_parameter(design: Design) -> None:
    entry = architecture("fast_montgomery")
    whole = hardware(design, entry, 32, {"SegmentWidth": 64})
    assert "SegmentWidth" not in whole.values and "SEGMENT_WIDTH" not in whole.defines
    short = hardware(design, entry, 32, {"SegmentWidth": 8})
    assert short.values == {**whole.values, "SegmentWidth": 8}
    assert short.defines == {**whole.defines, "SEGMENT_WIDTH": "8"}
    assert short.parameters == whole.parameters


def test_bad_width_is_named() -> None:
    with pytest.raises(DesignError, match="width 3 of fast_montgomery: accepted are 4 to 8192"):
        simulation_build(MULTIPLIER, architecture("fast_montgomery"), 3, {})


def test_packages_are_compiled_first() -> None:
    sources = simulation_build(MULTIPLIER, architecture("fast_montgomery"), 32, {}).sources
    kinds = [path.name.endswith("_pkg.sv") for path in sources]
    assert kinds == sorted(kinds, reverse=True) and kinds[0]


@pytest.mark.parametrize("module", ["hypothesis", "flint", "psutil", "cocotb_tools.runner"])
def test_a_simulation_starts_without_what_it_does_not_use(module: str) -> None:
    """Each of them was 20 to 100 ms of every job."""
    tests = "verif.bench.tests.multiplier_tests, verif.bench.tests.exponentiation_tests"
    look = f"import sys, {tests}; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look], cwd=ROOT, check=False).returncode == 0


def test_no_sample_of_a_test_is_compiled_with_the_bench() -> None:
    sources = simulation_build(MULTIPLIER, architecture("fast_montgomery"), 32, {}).sources
    assert not [path for path in sources if "tests" in path.parts]


def test_job_files_round_trip_and_reject_junk(tmp_path: Path) -> None:
    path = tmp_path / "job.json"
    job = job_of("vectors", "fast_montgomery", 32, "icarus", 7, cases=({"name": "a", "x": "0x1"},))
    job.write(path)
    assert Job.read(path) == job
    path.write_text('{"test": "random", "point": {}, "widht": 3}')
    with pytest.raises(UsageError, match="unknown key"):
        Job.read(path)
    path.write_text("[]")
    with pytest.raises(UsageError, match="should be a mapping"):
        JobResult.read(path)
    path.write_text("{")
    with pytest.raises(UsageError, match="cannot be read"):
        JobResult.read(path)
    with pytest.raises(UsageError, match="is missing"):
        JobResult.read(tmp_path / "nothing.json")
