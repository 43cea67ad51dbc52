"""Tests of area by module and of paths as text."""

from verif.library.netlist.hierarchy import CriticalPath, Hierarchy

HIERARCHY = Hierarchy("top", {"u_a": "alpha", "u_a.u_b": "beta", "u_a.u_b.gen[1].u_c": "gamma"})


def test_a_cell_counts_to_the_innermost_instance_of_its_name() -> None:
    assert HIERARCHY.owner("u_a.u_b.sum_q_reg_3_LUT4_Z") == "u_a.u_b"
    assert HIERARCHY.owner("u_a.u_b.gen[0].carry_q") == "u_a.u_b"
    assert HIERARCHY.owner("u_a.u_b.gen[1].u_c.x") == "u_a.u_b.gen[1].u_c"
    assert HIERARCHY.owner("ack_o_LUT4_Z") == ""


def test_areas_sum_up_to_the_whole() -> None:
    cells = [("LUT4", "u_a.x"), ("LUT4", "u_a.u_b.y"), ("FF", "u_a.x_q_reg_0"), ("NOTE", "z")]

    def cost(kind: str) -> dict[str, float]:
        return {"LUT4": {"luts": 1}, "FF": {"ffs": 1}}.get(kind, {})

    areas = HIERARCHY.area(cells, cost)
    assert [(area.path, area.module, area.luts, area.ffs) for area in areas] == [
        ("u_a", "alpha", 1, 1),
        ("u_a.u_b", "beta", 1, 0),
    ]


def test_registers_have_the_name_of_their_signal() -> None:
    assert HIERARCHY.register("u_a.sum_q_reg_31") == "u_a.sum_q[31]"
    assert HIERARCHY.register("u_a.sum_q_reg_3_TRELLIS_FF_Q") == "u_a.sum_q[3]"
    assert HIERARCHY.register("req_i") == "req_i"


def test_a_path_reads_as_a_sentence() -> None:
    cells = [("LUT", "u_a.x"), ("carry", "u_a.y"), ("carry", "u_a.z"), ("LUT", "p")]
    through = HIERARCHY.through(cells)
    assert through == ["u_a: 1 LUT, 2 carries", "top: 1 LUT"]
    path = CriticalPath(
        start="u_a.s_q[0]", through=through, end="p_q[1]", delay_ns=4.5, logic_ns=1.5, routing_ns=3
    )
    assert path.text == (
        "from u_a.s_q[0] through u_a: 1 LUT, 2 carries, top: 1 LUT to p_q[1] "
        "(4.50 ns, 1.5 logic + 3.0 routing)"
    )
