"""Capabilities of an architecture: one small object for each.

A registry entry (:class:`models.architecture.Architecture`) holds name, source, module, parameters
and constants. Everything else is in these objects of the entry:

=============  =========================================================================
``model``      bit-true (S, C) of a product; R; values of the constants
``timing``     cycles of the loop and of a whole operation
``coverage``   table addresses that the core reports; operands that reach rare addresses
``published``  figures printed in the source
``streams``    words and digits of a word-stream core
``chaining``   products without a final subtraction between them
``scaling``    results modulo a multiple of M, and their reduction to M
``binary``     products of polynomials over GF(2)
=============  =========================================================================

Every entry has the first four; it declares ``model`` and ``published``, and
:class:`models.architecture.Architecture` supplies the other two. Each of the others is None if the
core lacks the capability, so a caller tests ``if entry.chaining:`` and needs no exception handling.
An entry declares an object by its class, ``timing = Part(RingTiming)``. The object reads the entry
through ``self.entry``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from models.architecture import Architecture

AnyCapability = TypeVar("AnyCapability", bound="Capability")


class Capability:
    """Base class of the capability objects.

    Attributes:
        entry: the registry entry with its parameters.
    """

    def __init__(self, entry: Any) -> None:
        self.entry = entry


class Part(Generic[AnyCapability]):
    """Declare a capability in the class body of an entry.

    Args:
        kind: class of the object.
        arguments: arguments of the class after the entry.
    """

    def __init__(self, kind: Callable[..., AnyCapability], *arguments: Any) -> None:
        self._kind = kind
        self._arguments = arguments

    def __set_name__(self, owner: type, name: str) -> None:
        """Store the attribute name of the object in the entry."""
        self._name = name

    @overload
    def __get__(self, entry: None, owner: type) -> Part[AnyCapability]: ...

    @overload
    def __get__(self, entry: Architecture, owner: type) -> AnyCapability: ...

    def __get__(
        self, entry: Architecture | None, owner: type
    ) -> Part[AnyCapability] | AnyCapability:
        """Return the object of an entry; the first access creates it."""
        if entry is None:
            return self
        made = self._kind(entry, *self._arguments)
        # Cache the object. This descriptor has no __set__, so Python finds the instance attribute
        # first on the next access.
        entry.__dict__[self._name] = made
        return made
