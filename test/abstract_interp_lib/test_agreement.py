"""Both ways over every case of the library: they give the same types."""

import pytest
from torch_refine.build_tools.agreement import differences
from torch_refine.build_tools.check_functions import load_families

FILES = sorted({declaration.file for declaration in load_families().values()})


@pytest.mark.parametrize("file", FILES)
def test_both_ways_give_the_same_types(file):
    """A seeded twentieth of the cases; `make agreement` runs all of them."""
    assert differences(file, 0.05) == []
