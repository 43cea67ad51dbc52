"""Ends a simulation in which no more time passes."""

from __future__ import annotations

import os
import signal

from cocotb.triggers import Timer

from regress.run.judge import STANDSTILL_SIGNAL
from verif.bench.agent.driver import CLOCK_PERIOD_NS

# Of the processor, in seconds, for so many clocks: the widest cores on the slowest simulator need
# a tenth of it.
LIMIT_VARIABLE = "STANDSTILL_SECONDS"
LIMIT_SECONDS = "20"
CLOCKS = 500


async def end_at_standstill() -> None:
    """Set an alarm anew every some clocks, for as long as the test runs.

    In a loop of signals without a clock the simulator calls no Python any more, so the alarm has no
    handler: it ends the process. Its time is that of the processor, as machines may be busy.
    """
    limit = float(os.environ.get(LIMIT_VARIABLE, LIMIT_SECONDS))
    signal.signal(STANDSTILL_SIGNAL, signal.SIG_DFL)
    while True:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        await Timer(CLOCKS * CLOCK_PERIOD_NS, "ns")
