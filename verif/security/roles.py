"""What a register is for: data, the exponent, or control and addresses."""

from __future__ import annotations

import re
from enum import Enum

from verif.library.netlist.gates import FlipFlop


class Role(Enum):
    """What a register holds, as the leakage report groups it."""

    CONTROL = "control and addresses"
    EXPONENT = "exponent"
    DATA = "data"


# The exponent's bits, and what they decide directly.
EXPONENT = re.compile(r"(^|\.)u_exponent\.|(^|\.)a_write_q$")
# Words, digits, sums, carries and the flags of a value; everything else is control.
DATA = re.compile(
    r"""(^|\.)(
        words(\[\d+\])? | word(_q)? | data_q | rdata_q | buffer_q | rest_q
        | [abcmsxy]_q | [mxy]_in_q | sum(_m|_one)?_q | difference(_one)?_q | saved_q
        | carry(_\w+)?_q | borrow_q | [xy]_carry_q | (\w+_)?low_q | above_one_q | odd_q
        | acc_q | bit_q | value_q | shifted_m_q | u_q | u\w*_digit_q | product\w*_q
        | (above|below|aligned|top_word|top_place|measured_bits)_q | const_q | m_prime_operand_q
        | copy_q | lower_q | shift_q
    )$""",
    re.VERBOSE,
)


def role_of(register: FlipFlop) -> Role:
    """The role, by the register's name."""
    if EXPONENT.search(register.name):
        return Role.EXPONENT
    return Role.DATA if DATA.search(register.name) else Role.CONTROL
