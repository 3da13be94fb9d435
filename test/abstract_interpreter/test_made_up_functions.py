"""Inferred results of randomly generated functions agree with Python."""

import copy

import pytest
from hypothesis import given, strategies
from hypothesis.strategies import sampled_from

from .calls import SOME, Ran, Some, called
from .examples import seeded
from .made_up import CALLS, STATEMENTS, compiled, source

WANTED = strategies.tuples(
    sampled_from([SOME, SOME, False, True]),
    sampled_from([SOME, SOME, False]),
    sampled_from([SOME, Some(0), Some(2), 3]),
    sampled_from([SOME, Some(0), [SOME, SOME], [SOME], [1, 2, 3, 0]]),
)


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
@seeded(60)
@given(STATEMENTS, WANTED)
def test_random_function(statements, wanted):
    """Branches, loops, early exits, aliased lists: no known value is wrong."""
    text = source(statements)
    exported, plain = compiled(text)
    ran = Ran(exported, *wanted)
    for arguments in CALLS:
        result = called(plain, copy.deepcopy(arguments))
        wrong = ran.describes(result, *arguments)
        assert wrong is None, f"{text}\nof {wanted} gives {ran.shown()}, for {arguments}: {wrong}"
