"""Calls that a compiled program refuses because of its weights, or of gradients."""

from __future__ import annotations


class WeightError(RuntimeError):
    """A weight is no longer one that the program was compiled for; the message says which."""


class GradientError(RuntimeError):
    """A gradient was wanted of a compiled program, which computes none."""
