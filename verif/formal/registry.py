"""Every proof, by name."""

from __future__ import annotations

from models.architecture import Architecture, Reduction
from models.registry import hardware_architectures
from verif.formal.proof import Edit, Mode, Proof, Settings


def proofs() -> dict[str, Proof]:
    """All proofs by name, in the order in which they are listed."""
    every = tuple(hardware_architectures())
    found = (
        Proof(
            name="core_protocol",
            says="ready and done come exactly when the registry entry says, busy up to done",
            source="",
            module="core_protocol",
            mode=Mode.PROVE,
            settings=_core_protocol,
            architectures=every,
            widths=(8,),
            planted=(),
        ),
        Proof(
            name="unit_product",
            says="status and result of every operand triple: P < M, P*R = X*Y (mod M)",
            source="",
            module="unit_product",
            mode=Mode.BMC,
            settings=_unit_product,
            architectures=every,
            widths=(4,),
            planted=(),
        ),
    )
    return {proof.name: proof for proof in found}


def _core_protocol(entry: Architecture, width: int) -> Settings:
    done = entry.done_clocks(width)
    binary = entry.binary_loop_clocks(width) if entry.binary else done
    clocks = {
        "ReadyClocks": entry.loop_clocks(width),
        "DoneClocks": done,
        "BinaryClocks": binary,
    }
    return Settings(max(done, binary) + 3, clocks)


def _unit_product(entry: Architecture, width: int) -> Settings:
    full = entry.final_reduction is Reduction.FULL
    moduli = ((1 << width) - 1,) if full else (3, (1 << width) - 1)
    clocks = max(
        entry.operation_clocks(m, width, binary=binary)
        for m in moduli
        for binary in {False, entry.binary}
    )
    parameters = {
        "MaxClocks": clocks,
        "RadixBits": entry.radix(width).bit_length() - 1,
        "BinaryRadixBits": entry.binary_radix_bits(width),
        "OddModulusOnly": int(entry.montgomery),
        "FullLength": int(full),
    }
    return Settings(clocks + 4, parameters)
