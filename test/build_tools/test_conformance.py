"""PyTorch's samples of a seeded part of its operators; `make conformance` takes all of them."""

from random import Random

import torch
from torch_refine.abstract_interpreter.calling import TensorSpec
from torch_refine.build_tools.conformance.calls import Call, judge_call, recorded
from torch_refine.build_tools.conformance.entry import check_entry
from torch_refine.build_tools.conformance.report import totals
from torch_refine.build_tools.conformance.samples import entries, samples_of

SAMPLE = Random(1).sample(sorted(entries()), len(entries()) // 120)


def test_a_part_of_the_samples():
    """Nothing that is inferred contradicts PyTorch, and of programs nearly all is."""
    total = totals([check_entry(name) for name in SAMPLE])
    wrong = [
        f"{cause}, such as {tally.examples[outcome, cause]}"
        for tally in (total.programs, total.hidden, total.calls)
        for outcome, cause in tally.causes
        if outcome == "contradiction"
    ]
    assert not wrong, "\n".join(wrong)
    tried = sum(total.programs.outcomes.values())
    assert tried > 300
    missed = {cause for outcome, cause in total.programs.causes if outcome == "incomplete"}
    assert total.programs.outcomes["exact"] >= 0.98 * tried, missed


def test_samples_are_the_same_every_time():
    first, second = ([sample.where for sample in samples_of("mm")] for _ in range(2))
    assert first == second
    assert len(set(first)) == len(first) > 3


def test_calls_below_a_composite_operator_are_seen():
    names = {call.operator for call in recorded("nn.functional.linear")}
    assert {"aten::mm", "aten::addmm"} & names
    assert any(name.endswith("_backward") or name == "aten::sum.dim_IntList" for name in names)


def test_a_wrong_result_is_a_contradiction():
    """The judge itself can fail: a call said to give what it does not."""
    matrix = TensorSpec([2, 2])
    right = Call("aten::mm", (matrix, matrix), {}, (matrix,))
    assert judge_call(right).outcome == "exact"
    for result in (TensorSpec([2, 3]), TensorSpec([2]), TensorSpec([2, 2], torch.float64)):
        wrong = Call("aten::mm", (matrix, matrix), {}, (result,))
        assert judge_call(wrong).outcome == "contradiction"
    rejected = Call("aten::mm", (matrix, TensorSpec([3, 3])), {}, (matrix,))
    assert judge_call(rejected).outcome == "contradiction"
