"""Both ways over every case of the library: the direct one may know more, never less."""

import os
import re

import pytest
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.write_agreement import DOCUMENT, REASONS, differences

FILES = sorted({declaration.file for declaration in load_families().values()})
LISTED = DOCUMENT.read_text(encoding="utf-8")


def _operators(reason):
    """The operators that the document lists under a reason."""
    section = LISTED.partition(f"## The direct way knows {reason}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+::[^`]+)` \| \d+ \|", section, re.MULTILINE))


@pytest.mark.parametrize("file", FILES)
def test_the_direct_way_is_never_the_less_precise_one(file):
    """A seeded twentieth of the cases; other parts of them are hidden than in the document."""
    found = differences(file, 0.05)
    assert [each for each in found if each.reason not in REASONS] == []


@pytest.mark.skipif(
    os.environ.get("TORCH_REFINE_ALL_CASES") != "1", reason="takes minutes: `make docs` does it"
)
def test_every_difference_is_listed_with_its_reason():
    found = [each for file in FILES for each in differences(file)]
    for reason in REASONS:
        operators = {each.operator for each in found if each.reason == reason}
        assert operators == _operators(reason), "run `make docs`"
