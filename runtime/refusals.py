"""Errors of calls that a compiled program refuses because of its weights or gradients."""

from __future__ import annotations


class WeightError(RuntimeError):
    """A model differs from the one that the program was compiled from; the message says where.

    A weight has another type, an attribute that `forward` reads another value, a module another
    class, hook or `forward`.
    """


class GradientError(RuntimeError):
    """A compiled program was asked for a gradient, which it does not compute."""
