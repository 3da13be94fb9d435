"""What the tests compile is compiled anew."""

from no_cache import no_cache  # noqa: F401
