"""Programs with a size multiplied wherever it occurs, for loops of vectors, blocks and tails."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_refine.build_tools.fuzz.steps import Program, Step, call_plainly
from torch_refine.build_tools.numerics.eager_mode import REJECTIONS
from torch_refine.build_tools.numerics.varying import with_larger_tensors

# Products of two inputs fit into memory.
_MOST_ELEMENTS = 20_000
_MOST_ELEMENTS_OF_A_VALUE = 1_000_000


def enlarged(program: Program, rng: Random) -> Program | None:
    """The program with one size multiplied; None if eager mode runs it in no such form."""
    return next(filter(_runs, _alternatives(program, rng)), None)


def _alternatives(program: Program, rng: Random) -> Iterator[Program]:
    for tensors, changes in with_larger_tensors(program.inputs, rng, _MOST_ELEMENTS):
        for change in changes:
            steps = tuple(
                Step(
                    step.operator,
                    tuple(map(change, step.args)),
                    {name: change(value) for name, value in step.kwargs.items()},
                )
                for step in program.steps
            )
            yield replace(program, inputs=tuple(tensors), steps=steps)


def _runs(program: Program) -> bool:
    """Whether eager mode runs it, with values of a moderate size."""
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            results = program.run(program.copies(), _call_within_bounds)
        except REJECTIONS:
            return False
    return all(isinstance(each, torch.Tensor) for each in results)


def _call_within_bounds(overload: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    found = call_plainly(overload, args, kwargs)
    for each in pytree.tree_leaves(found):
        if isinstance(each, torch.Tensor) and each.numel() > _MOST_ELEMENTS_OF_A_VALUE:
            raise ValueError(f"{each.numel()} elements")
    return found
