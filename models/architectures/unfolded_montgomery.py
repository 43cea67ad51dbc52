"""Fast and Faster Montgomery unfolded by J: J iterations per cycle (source 001)."""

from __future__ import annotations

from models.architectures.fast_montgomery import FastMontgomery
from models.architectures.faster_montgomery import FasterMontgomery
from models.capability import Part
from models.unfolding import PublishedUnfolding, Unfolding


class UnfoldedFastMontgomery(Unfolding, FastMontgomery):
    """Registry entry B1: Algorithm 1b, J iterations per cycle.

    The last cycle computes the remaining n mod J iterations, so R = 2**n for every n and J.
    """

    name = "unfolded_fast_montgomery"
    title = "Fast Montgomery, unfolded (Alg. 1b)"
    source = "Gajbhiye & Joshi 2018, 'Two-CSA with proposed unfolding', figures 4 to 6"
    published = Part(PublishedUnfolding, "n/J", "Gajbhiye & Joshi 2018, 'K/2 cycles'")


class UnfoldedFasterMontgomery(Unfolding, FasterMontgomery):
    """Registry entry B2: Algorithm 3, J iterations per cycle with J tables."""

    name = "unfolded_faster_montgomery"
    title = "Faster Montgomery, unfolded (Alg. 3)"
    source = "Gajbhiye & Joshi 2018, 'Pre-computed with proposed unfolding', figure 7"
    published = Part(PublishedUnfolding, "n/J", "Gajbhiye & Joshi 2018, 'K/2 cycles'")
