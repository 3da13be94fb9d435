"""How many examples the property tests try.

`TORCH_REFINE_EXAMPLES=50` tries fifty times as many as usual, and other ones than usual.
"""

import os

from hypothesis import HealthCheck, settings

_TIMES = int(os.environ.get("TORCH_REFINE_EXAMPLES", "1"))


def seeded(examples):
    """Settings for a property that this many examples usually show."""
    return settings(
        derandomize=_TIMES == 1,
        deadline=None,
        max_examples=examples * _TIMES,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
