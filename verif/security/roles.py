"""Roles of registers: data, the exponent, or control and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from verif.library.netlist.gates import FlipFlop


class Role(Enum):
    """Role of a register; the leakage report groups registers by role."""

    CONTROL = "control and addresses"
    EXPONENT = "exponent"
    DATA = "data"


# Bits of the exponent, and registers that one bit selects.
EXPONENT = re.compile(r"(^|\.)u_exponent\.|(^|\.)a_write_q$")
# Words, digits, sums, carries and the flags of a value.
DATA = re.compile(
    r"""(^|\.)(
        words(\[\d+\])? | word(_q)? | old | data_q | rdata_q | buffer_q | rest_q
        | [abcmstuxyzqr]_q | z_2_q | [mxy]_in_q | sum(_m|_one)?_q | difference(_one)?_q | saved_q
        | carry(_\w+)?_q | add_carry_q | borrow_q | [xy]_carry_q | (\w+_)?low_q | above_one_q
        | odd_q | acc_q | bit_q | value_q | shifted_m_q | u\w*_(digit|word)_q | product\w*_q
        | (above|aligned|before|below|top|top_word|top_place|measured_bits)_q | const_q
        | m_prime_operand_q | copy_q | lower_q | upper_q | shift_q | part_q | queue_q | added_q
        | rows(\[\d+\])? | row(_q)? | [xy]_reaches_q | y_top_q | c_last_q | (own|own_out|use)_q
        | different_q | matched_q | same_q | (binary_(addend|even|odd)|addend)_q
        | (end|out|ring|unused|late|one_in)_q | (upper|added)_(um|xy)_q | bank_[01](\[\d+\])?
    )$""",
    re.VERBOSE,
)
# State machines, counters, addresses, flags of the bus, enables.
CONTROL = re.compile(
    r"""(^|\.)(
        (\w+_)?(state|step|phase|kind|slot|status|outcome|error|field|fields|index|count|number)_q
        | (\w+_)?(pointer|place|parts|read|write|valid|ready|last|first|final|next|length|bits)_q
        | (\w+_)?(start|started|done|run|running|begin|feed|take|taken|give|given|more)_q
        | (\w+_)?(supplied|delivering|token|drain|load|loading|loaded|unload|waiting|result)_q
        | (\w+_)?(full|filled|fetched|written|overwide|set|ack|err|busy|core|constant|raw)_q
        | (\w+_)?(range|second|zeroise|power|passed|bank|pass|chain|again|reduce|division)_q
        | (\w+_)?(reduction|words|digit|less|none|crowded|short|read_part|there)_q
        | (illegal|integrity|wiped|settled|chosen|other|kept|keep|s_discard|parity|absent|beyond)_q
        | clear_q | left_q | higher_q | (store|sum)_word_q | tags_q
        | source_[ab]_q | start_[as]_q | s_write_r_q | there | ring_first | ring_last
    )$""",
    re.VERBOSE,
)


def role_of(register: FlipFlop) -> Role:
    """Return the role by the register's name; a register without a role is held to be control."""
    if EXPONENT.search(register.name):
        return Role.EXPONENT
    return Role.DATA if DATA.search(register.name) else Role.CONTROL


def without_role(registers: Iterable[FlipFlop]) -> list[str]:
    """Return the names of the registers that no pattern of this module names."""
    names = {register.name for register in registers}
    return sorted(n for n in names if not any(p.search(n) for p in (EXPONENT, DATA, CONTROL)))
