"""Coverage of a bus front: register or window x access x state of the operation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from models.bus.loader_bus import BusModel
from models.front_map import WINDOW_BYTES, FrontRegister, window
from verif.bench.agent.front_model import Access, FrontModel
from verif.bench.coverage.covergroups import Covergroup
from verif.bench.coverage.stress import BUSY_STATES, operation_state

STATES = ("idle", "busy", "after a result", "after a rejection")
HOLE = "hole"
OF_REGISTER = ("read", "write", "unaligned read", "unaligned write", "part of a word")
OF_WINDOW = (*OF_REGISTER, "read out of order", "write out of order")
AFTER_WINDOW = ("read after the last word", "write after the last word")


def front_state(model: BusModel, cycle: int) -> str:
    """Return the state of the operation in a cycle, as a host of a front sees it."""
    found = operation_state(model, cycle)
    if found == "idle":
        return found
    if found in BUSY_STATES:
        return "busy"
    operation = model.operation
    rejected = operation and operation.outcome.status not in ("OK", "RAW")
    return "after a rejection" if rejected else "after a result"


class FrontCoverage:
    """One covergroup: what was accessed, how, and in which state.

    Args:
        model: the front.

    Attributes:
        group: the covergroup. Its goal is every access to every register and window of the map and
            to a hole, in each state: accesses that the map does not have count as well.
    """

    def __init__(self, model: FrontModel) -> None:
        self._model = model
        self._windows = sorted({address for address, _ in model.words})
        self.group = Covergroup(
            f"{access}, {state}" for access, state in product(self._accesses(), STATES)
        )

    def sample(self, access: Access, state: str) -> None:
        """Count an access, before the model takes its answer."""
        self.group.sample(f"{self.bin_of(access)}, {state}")

    def missing(self, state: str) -> list[str]:
        """Return the accesses that are not yet covered in a state, as :meth:`bin_of` names them."""
        return [name for name in self._accesses() if not self.group.hits[f"{name}, {state}"]]

    def bin_of(self, access: Access) -> str:
        """Return what is accessed, and how."""
        return f"{self._place(access.address)} {self._how(access)}"

    def _place(self, address: int) -> str:
        page, offset = divmod(address, WINDOW_BYTES)
        if page:
            return f"window {page - 1}" if page - 1 in self._windows else HOLE
        base = offset - offset % self._model.word_bytes
        known = [register.name for register in FrontRegister if register == base]
        return known[0] if known else HOLE

    def _how(self, access: Access) -> str:
        model = self._model
        verb = "write" if access.write else "read"
        if access.address % model.word_bytes:
            return f"unaligned {verb}"
        if access.write and access.lanes < model.word_bytes:
            return "part of a word"
        page, offset = divmod(access.address, WINDOW_BYTES)
        if page - 1 in self._windows:
            index = offset // model.word_bytes
            words = model.words.get((page - 1, access.write), 0)
            if index >= max(words, 1):
                return f"{verb} after the last word"
            if words and index != model.next_word(page - 1, access.write):
                return f"{verb} out of order"
        return verb

    def _accesses(self) -> Iterator[str]:
        for register in (*(register.name for register in FrontRegister), HOLE):
            yield from (f"{register} {how}" for how in OF_REGISTER)
        for address in self._windows:
            words = [self._model.words.get((address, write), 0) for write in (False, True)]
            for how in OF_WINDOW:
                # A window of one word has no word out of order, and one without words neither.
                many = words[how.startswith("write")] > 1
                if many or "order" not in how:
                    yield f"window {address} {how}"
            yield from (f"window {address} {how}" for how in AFTER_WINDOW)


def place_of(name: str) -> tuple[int, str]:
    """Return address and kind of access of a name of :meth:`FrontCoverage.bin_of`.

    The address of the hole is 0x700.
    """
    words = name.split()
    if words[0] == "window":
        return window(int(words[1])), " ".join(words[2:])
    return 0x700 if words[0] == HOLE else FrontRegister[words[0]], " ".join(words[1:])
