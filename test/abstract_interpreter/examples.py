"""The number of examples of property tests.

`TORCH_REFINE_EXAMPLES=50` runs fifty times as many, with other seeds.
"""

import os

from hypothesis import HealthCheck, settings

_TIMES = int(os.environ.get("TORCH_REFINE_EXAMPLES", "1"))


def seeded(examples):
    """Settings for a property that runs this many examples by default."""
    return settings(
        derandomize=_TIMES == 1,
        deadline=None,
        max_examples=examples * _TIMES,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
