"""How a calculation can end without a result, and its budget."""

# The budget of a calculation: instructions run, nested calls, and iterations over the body of a
# loop of unknown trip count. Beyond it, nothing is inferred.
STEP_LIMIT = 200_000
CALL_LIMIT = 40
ROUND_LIMIT = 20


class Raised(Exception):
    """The calculation always raises; the argument is its message."""


class GivenUp(Exception):
    """The calculation cannot be simplified and is left unchanged; the argument says why."""
