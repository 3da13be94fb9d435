"""Wrong calls of operators compiled for unknown sizes raise the operators' messages."""

from random import Random

import pytest
from torch_refine.build_tools.safety.guarded_calls import judge
from torch_refine.operator_coverage import lowered

# All of them take minutes: `make guarded-calls`.
PART = Random(2).sample(sorted(lowered()["operators"]), 12)


@pytest.mark.parametrize("operator", ["aten::mm", "aten::conv2d", *PART])
def test_a_part_of_the_operators(operator):
    report = judge(operator)
    assert not report.wrong, "\n".join(report.wrong)
    if operator == "aten::mm":
        assert report.counts["raises the function's message"] > 5, report.counts
        assert report.counts["answers"] > 2, report.counts
