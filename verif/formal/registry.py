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
        Proof(
            name="montgomery_step",
            says="S' + C' = (S + C + x_i*Y + q*M)/2 exactly, x_i the bits of X in turn; S + C < Y + M",
            source="Amanor 2005, Algorithms 1b and 3",
            module="montgomery_step",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2, {"TableAdded": len(entry.constants)}),
            architectures=(
                "fast_montgomery",
                "faster_montgomery",
                "unfolded_fast_montgomery",
                "unfolded_faster_montgomery",
            ),
            widths=(8, 32),
            planted=(),
        ),
        Proof(
            name="interleaved_step",
            says="S' + C' + k*2**(n+1) = 2(S + C) + Table(2k + x_i) and k <= 3, x_i the bits of X",
            source="Amanor 2005, Algorithm 5",
            module="interleaved_step",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(2),
            architectures=("optimized_interleaved",),
            widths=(8, 32, 128),
            planted=(),
        ),
        Proof(
            name="modular_adder",
            says="value, flags and clocks of every reduction for every A, B, M",
            source="",
            module="modular_adder",
            mode=Mode.BMC,
            settings=_modular_adder,
            architectures=(),
            widths=(4,),
            planted=(),
        ),
        Proof(
            name="control_progress",
            says="a multiplier's control ends every start in bounded time, for any program",
            source="",
            module="control_progress",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(8,),
            planted=(),
        ),
        Proof(
            name="loader_protocol",
            says="no word lost, doubled or reordered, acknowledge bounded, refusals change nothing",
            source="",
            module="loader_protocol",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(12,),
            planted=(),
        ),
        Proof(
            name="exponentiation_progress",
            says="an exponentiation's control ends in bounded time, whatever the exponent's bits are",
            source="",
            module="exponentiation_progress",
            mode=Mode.PROVE,
            settings=lambda entry, width: Settings(3),
            architectures=(),
            widths=(32,),
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


def _modular_adder(entry: Architecture | None, width: int) -> Settings:
    add_width, guard = 4, 2
    words = (width + guard + add_width) // add_width
    passes = width + guard + 1
    clocks = passes + passes * (words + 1) + 1
    return Settings(clocks + 4, {"AddWidth": add_width, "Guard": guard, "MaxClocks": clocks})
