"""Operators that sweeps are tried on."""

from random import Random

from torch_refine.operator_coverage import lowered

# Entries whose samples take long to record.
_SLOW = ("linalg", "fft", "signal", "masked", "special", "tensor_split")


def sampled_operators(seed, count):
    """Some operators that are compiled, by their names."""
    operators = lowered()["operators"]
    names = [
        name
        for name, entry in operators.items()
        if entry["equal"] and not entry["entry"].startswith(_SLOW)
    ]
    return Random(seed).sample(names, count)
