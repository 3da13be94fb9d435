"""Seeded parts of the cases of tests that have many.

`TORCH_REFINE_ALL_CASES=1` runs all of them: `make test-all`.
"""

import os
from random import Random


def seeded_part(cases, number):
    """A part of the cases, in their order and the same in each run."""
    cases = list(cases)
    if os.environ.get("TORCH_REFINE_ALL_CASES") == "1" or len(cases) <= number:
        return cases
    chosen = Random(number).sample(range(len(cases)), number)
    return [cases[place] for place in sorted(chosen)]
