"""Proofs about the bus fronts, see ``hdl/docs/fronts.md``."""

from __future__ import annotations

from verif.formal.proof import Injected, Mode, Proof, Settings
from verif.library.edits.operators import Drop, Operator, Replace

AXI, APB, WISHBONE, BLOCK = "axi4_lite_front", "apb4_front", "wishbone_front", "register_block"


def front_proofs() -> tuple[Proof, ...]:
    """Return the proofs in the order of the list."""
    return (
        _rules(
            "axi4_lite",
            "AXI4-Lite",
            Replace(module=AXI, signal="write", to="choice"),
            Replace(module=AXI, signal="bvalid_q", at="else rst_ni", to="ack && write"),
            Replace(module=AXI, signal="wready_o", to="ack"),
            Drop(module=AXI, signal="req", term="rvalid_q"),
            Replace(module=AXI, signal="choice", to="write_waits"),
            Replace(module=AXI, signal="choice", to="write_waits && !read_waits"),
            Replace(module=AXI, signal="rresp_o", to="{1'b0, error_q}"),
            Replace(module=AXI, signal="rdata_o", to="rdata"),
        ),
        _rules(
            "apb4",
            "APB4",
            Replace(module=APB, signal="pready_o", to="1'b1"),
            Replace(module=APB, signal="req", to="psel_i && penable_i"),
            Replace(module=APB, signal="pslverr_o", to="err"),
        ),
        _rules(
            "wishbone",
            "Wishbone B4",
            Replace(module=WISHBONE, signal="stall_o", to="1'b0"),
            Replace(module=WISHBONE, signal="ack_o", to="ack"),
            Replace(module=WISHBONE, signal="err_o", to="1'b0"),
        ),
        Proof(
            name="register_block_rules",
            says="an access that the block rejects reaches no core and changes only REASON and the "
            "event; words reach a window in ascending order, each once in a pass",
            source="",
            module="register_block_rules",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3, {"Operation": 1}),
            architectures=(),
            widths=(70,),
            injected=tuple(
                Injected(change, depth=14)
                for change in (
                    Replace(module=BLOCK, signal="in_order", to="1'b1"),
                    Replace(module=BLOCK, signal="forward", to="in_window || is_forwarded"),
                    Replace(module=BLOCK, signal="last", to="1'b0"),
                    Replace(module=BLOCK, signal="accepted", to="ack_q"),
                    Replace(module=BLOCK, signal="aligned", to="1'b1"),
                )
            ),
            macros=True,
        ),
    )


def _rules(front: str, bus: str, *faults: Operator) -> Proof:
    return Proof(
        name=f"{front}_front_rules",
        says=f"the front keeps every rule of {bus} and of the loader bus, for every host and core",
        source="",
        module=f"{front}_front_rules",
        mode=Mode.PROVE,
        settings=lambda entry, width: Settings(3),
        architectures=(),
        widths=(70,),
        injected=tuple(Injected(change, depth=14) for change in faults),
        macros=True,
        uses=("bench/agent/loader_rules.sv", f"bench/agent/{front}_rules.sv"),
    )
