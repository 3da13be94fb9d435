"""How a calculation can end without a result, and what it may cost."""

# What one calculation may cost: instructions run, calls inside calls, and how often the body of a
# loop of unknown length is looked at. Past it, nothing is inferred.
STEP_LIMIT = 200_000
CALL_LIMIT = 40
ROUND_LIMIT = 20


class Raised(Exception):
    """The calculation raises whenever it runs; the argument is its message."""


class GivenUp(Exception):
    """The calculation cannot be simplified; the argument says why. It stays as it is."""
