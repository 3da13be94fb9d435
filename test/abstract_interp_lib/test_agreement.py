"""Both ways over every case of the library: the direct one may know more, never less."""

import re

import pytest
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.write_agreement import DOCUMENT, REASONS, differences

FILES = sorted({declaration.file for declaration in load_families().values()})
LISTED = DOCUMENT.read_text(encoding="utf-8")


def _operators(reason):
    """The operators that the document lists under a reason, with the number of results."""
    section = LISTED.partition(f"## The direct way knows {reason}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(aten::[^`]+)` \| (\d+) \|", section, re.MULTILINE)
    return {operator: int(count) for operator, count in rows}


@pytest.mark.parametrize("file", FILES)
def test_every_difference_is_listed_with_its_reason(file):
    found = differences(file)
    assert [each for each in found if each.reason == "worse"] == []
    declared = {d.operator for d in load_families().values() if d.file == file}
    for reason in REASONS:
        counts = {}
        for each in found:
            if each.reason == reason:
                counts[each.operator] = counts.get(each.operator, 0) + 1
        listed = {k: v for k, v in _operators(reason).items() if k in declared}
        assert counts == listed, "run `make docs`"
