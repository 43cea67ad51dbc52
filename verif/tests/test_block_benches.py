"""The benches of library blocks: the list has all of them, and each fails on a faulty block."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regress.cli import command_line as cli
from regress.core.lists import find_list, load_list
from regress.simulators.icarus import Icarus
from verif.bench.configuration.block_design import BLOCKS
from verif.bench.configuration.design import ROOT
from verif.library.edits.altered import altered_copy
from verif.library.edits.operators import Replace
from verif.tests.context import CONTEXT, PROJECT, make_workspace
from verif.tests.injected import run_list

HDL = ROOT / "hdl"
# One fault for each block: what changes, and the width at which its bench shows it.
FAULTS: dict[str, tuple[int, dict[str, Any]]] = {
    "carry_save_adder": (32, {"signal": "sum_o", "to": "a_xor_b | c_i"}),
    "carry_select_adder": (
        70, {"signal": "with_carry", "to": "a_segment + b_segment", "at": "gen_segment"},
    ),
    "pipelined_multiplier": (
        36, {"signal": "limb_b", "to": "LimbWidth'(@ >> 1)", "at": "gen_limbs/gen_a/gen_b"},
    ),
    "stream_adder": (4, {"signal": "one_o", "to": "sum_one_q"}),
    "word_memory": (17, {"signal": "same", "to": "1'b0"}),
    "parity_memory": (17, {"signal": "fault_o", "to": "1'b0", "at": "gen_parity"}),
    "operand_memory": (40, {"signal": "read_part_d", "to": "32'd0"}),
    "delay_line": (40, {"signal": "read", "to": "@ + 1'b1", "at": "gen_ram"}),
    "word_converter": (64, {"signal": "final_word", "to": "1'b1"}),
    "word_splitter": (20, {"signal": "word", "to": "word_i | (WordWidth)'(running_q)"}),
    "digit_converter": (24, {"signal": "index_next", "to": "index_q"}),
    "operand_loader": (
        32, {"signal": "fetched_q", "at": "else accept / if withheld", "to": "fetched_q"},
    ),
    # Step Result is accepted in state CheckConstant.
    "exponentiation_legal_state": (
        9,
        {"signal": "step_legal", "at": "ExpCheckConstant", "to": "@ || (step_i == ExpStepResult)"},
    ),
}  # fmt: skip


def test_the_list_has_every_block() -> None:
    regression = load_list(CONTEXT, find_list(PROJECT, "blocks"))
    widths = {row.test: row.values["width"] for row in regression.jobs}
    assert widths.keys() == {f"block_{name}" for name in BLOCKS}
    assert all(width in widths[f"block_{name}"] for name, (width, _) in FAULTS.items())
    assert FAULTS.keys() == BLOCKS.keys()


@pytest.mark.campaign  # the smallest variant of `regress blocks` runs a bench
@pytest.mark.simulation
def test_every_bench_fails_on_a_faulty_block(tmp_path: Path) -> None:
    changes = [Replace(module=name, **change) for name, (_, change) in FAULTS.items()]
    hdl = altered_copy(HDL, tmp_path / "hdl", changes)
    path = tmp_path / "faults.yaml"
    path.write_text(
        "description: each block at the width that shows its fault\njobs:\n"
        + "".join(
            f"  - {{test: block_{name}, architectures: [library], widths: [{width}], "
            f"simulators: [{Icarus.name}], operations: 200}}\n"
            for name, (width, _) in FAULTS.items()
        )
    )
    code, run = run_list(path, tmp_path, "--hdl", str(hdl))
    assert code == 1
    ended = {
        (job["planned"]["job"]["test"], job["planned"]["job"]["point"]["width"]): job["status"]
        for job in run["jobs"]
    }
    for name, (width, _) in FAULTS.items():
        assert ended[f"block_{name}", width] == "failed", (name, ended)


@pytest.mark.parametrize(
    ("point", "message"),
    [
        (["fast_montgomery", "8"], "tests of blocks: accepted is library"),
        (["library", "8", "--parameter", "BusWidth=8"], "tests of blocks: no parameters"),
    ],
)
def test_a_point_of_no_block_is_rejected_in_one_line(
    point: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["job", "block_word_memory", point[0], point[1], Icarus.name, *point[2:]]
    assert cli.main(command, make_workspace(tmp_path)) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
