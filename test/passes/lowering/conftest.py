"""Disables the compilation cache."""

from no_cache import no_cache  # noqa: F401
