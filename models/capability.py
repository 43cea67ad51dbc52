"""What an architecture can do, one small object for each capability.

A registry entry (:class:`models.architecture.Architecture`) states the facts: name, source, module,
parameters, constants. Everything else is an object that the entry has:

=============  =======================================================================
``model``      (S, C) of a product, bit by bit; R; values of the constants
``timing``     cycles of the loop and of a whole operation
``coverage``   table addresses that the core shows, and operands that reach rare ones
``published``  figures that the source prints
``streams``    words and digits of a word-stream core
``chaining``   products without a final subtraction between them
``scaling``    results modulo a multiple of M, and the way back to M
``binary``     products of polynomials over GF(2)
=============  =======================================================================

The first four exist for every entry. Each of the others is None where the core lacks the
capability, so that a caller asks ``if entry.chaining:`` and no method raises. An entry declares an
object by its class, ``timing = Part(RingTiming)``; the object reads the facts through ``entry``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from models.architecture import Architecture

AnyCapability = TypeVar("AnyCapability", bound="Capability")


class Capability:
    """Base of the objects that describe one side of an entry.

    Attributes:
        entry: the registry entry with its parameters.
    """

    def __init__(self, entry: Any) -> None:
        self.entry = entry


class Part(Generic[AnyCapability]):
    """Declares a capability in the body of an entry's class.

    Args:
        kind: class of the object.
        arguments: what the class takes after the entry.
    """

    def __init__(self, kind: Callable[..., AnyCapability], *arguments: Any) -> None:
        self._kind = kind
        self._arguments = arguments

    def __set_name__(self, owner: type, name: str) -> None:
        """Note under which name an entry keeps the object."""
        self._name = name

    @overload
    def __get__(self, entry: None, owner: type) -> Part[AnyCapability]: ...

    @overload
    def __get__(self, entry: Architecture, owner: type) -> AnyCapability: ...

    def __get__(
        self, entry: Architecture | None, owner: type
    ) -> Part[AnyCapability] | AnyCapability:
        """The object of an entry, made when it is first asked for."""
        if entry is None:
            return self
        made = self._kind(entry, *self._arguments)
        # This descriptor has no __set__: from now on the entry's own attribute is found first.
        entry.__dict__[self._name] = made
        return made
