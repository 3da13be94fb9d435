"""A fixture for tests that declare functions."""

import pytest
from torch_refine.abstract_interp_lib import declaration
from torch_refine.build_tools.check_functions import load_families


@pytest.fixture
def own_declarations(monkeypatch):
    """What a test declares is forgotten after it, but not the families, which are imported once."""
    load_families()
    monkeypatch.setattr(declaration, "_declared", dict(declaration._declared))
