"""Errors of calls that a compiled program refuses because of its weights or gradients."""

from __future__ import annotations


class WeightError(RuntimeError):
    """A weight differs from those that the program was compiled for; the message says which."""


class GradientError(RuntimeError):
    """A compiled program was asked for a gradient, which it does not compute."""
