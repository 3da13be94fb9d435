"""The corpus as a fixture."""

from __future__ import annotations

import pytest

from .corpus import Corpus


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Corpus:
    """The imported networks, kept in pytest's cache between sessions."""
    return Corpus(request.config.cache.mkdir("torch-refine-corpus"))
