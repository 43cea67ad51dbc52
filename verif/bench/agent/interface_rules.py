"""Rules of the pins that ``interface_checks.sv`` checks, also for reports without a bench."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule of ``interface_checks.sv``: its pin, empty for all pins, and its requirement."""

    name: str
    pin: str
    wants: str


# In the order of wrong_o, bit 0 first.
RULES = (
    Rule("Unknown", "", "0 or 1 on every output"),
    Rule("InReset", "", "0 on every output while rst_ni is low"),
    Rule("AckMissing", "ack_o", "an acknowledge in the cycle after a request without wait_i"),
    Rule(
        "AckUnasked",
        "ack_o",
        "no acknowledge without request, for two cycles running, or in reset",
    ),
    Rule("Err", "err_o", "an error just where the transfer is to be rejected"),
    Rule("Delivery", "err_o", "a result given just after the outcomes that have it"),
    Rule("Answer", "rdata_o", "the reason of a rejection, 0 for a write"),
    Rule("Status", "rdata_o", "the status word: last bus error, phase or outcome seen before"),
    Rule("Outcome", "rdata_o", "an outcome that this operation can have"),
    Rule("Unused", "rdata_o", "0 above a result's bits"),
    Rule("ErrSteady", "err_o", "no change without an acknowledge"),
    Rule("DataSteady", "rdata_o", "no change without an acknowledge"),
    Rule("Busy", "busy_o", "busy from the acknowledge of a start to the operation's end"),
    Rule("Done", "done_o", "done from an operation's end to the next start, ZEROISE or reset"),
)
