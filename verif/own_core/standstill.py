"""End a simulation whose simulated time stands still."""

from __future__ import annotations

import os
import signal

from cocotb.triggers import Timer

from regress.run.judge import STANDSTILL_SIGNAL
from verif.bench.configuration.config import CLOCK_PERIOD_NS

# Limit of processor time in seconds for a fixed number of cycles; the widest cores on the slowest
# simulator need a tenth of it.
LIMIT_VARIABLE = "STANDSTILL_SECONDS"
LIMIT_SECONDS = "20"
CYCLES = 500


async def end_at_standstill() -> None:
    """Restart an alarm every few cycles while the test runs.

    In a combinational loop the simulator no longer calls Python, so the alarm has no handler and
    ends the process. The alarm counts processor time, because the machine may be busy.
    """
    limit = float(os.environ.get(LIMIT_VARIABLE, LIMIT_SECONDS))
    signal.signal(STANDSTILL_SIGNAL, signal.SIG_DFL)
    while True:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        await Timer(CYCLES * CLOCK_PERIOD_NS, "ns")
