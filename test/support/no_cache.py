"""What tests compile is compiled anew, and leaves nothing in the user's cache."""

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
