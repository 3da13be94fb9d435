"""Direct and reified inference give the same types for every case of the library."""

import pytest
from torch_refine.build_tools.agreement import differences
from torch_refine.build_tools.check_functions import load_families

FILES = sorted({declaration.file for declaration in load_families().values()})


@pytest.mark.parametrize("file", FILES)
@pytest.mark.seeded_part(12)
def test_direct_and_reified_inference_agree(file):
    """Runs a seeded twentieth of the cases; `make agreement` runs all of them."""
    assert differences(file, 0.05) == []
