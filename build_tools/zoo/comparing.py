"""Whether results are those of eager mode, up to rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

# Relative to the greatest element of a result. Errors up to some of eager mode's are allowed, too.
_BOUNDS = {torch.float32: 1e-4, torch.bfloat16: 5e-2, torch.float16: 1e-2}
_TIMES_EAGER = 4.0
# A cache has layers, which have tensors.
_DEEPEST = 4


@dataclass(frozen=True)
class Comparison:
    """The greatest errors relative to each result's scale, infinite where results differ by
    more than numbers; `problem` is empty if all are small."""

    problem: str = ""
    error: float = 0.0
    eager_error: float = 0.0


def compare(found: Any, eager: Any, reference: Any) -> Comparison:
    """Compare results with eager mode's, and both with a reference of higher precision."""
    ours, theirs, exact = map(leaves_of, (found, eager, reference))
    if not len(ours) == len(theirs) == len(exact):
        return Comparison(f"{len(ours)} results instead of {len(theirs)}", math.inf)
    worst = Comparison()
    for place, leaves in enumerate(zip(ours, theirs, exact, strict=True)):
        each = _compare_leaf(*leaves)
        problem = worst.problem or (each.problem and f"result {place}: {each.problem}")
        worst = Comparison(
            problem, max(worst.error, each.error), max(worst.eager_error, each.eager_error)
        )
    return worst


def leaves_of(results: Any, depth: int = _DEEPEST) -> list[Any]:
    """The leaves of results; of objects that PyTorch does not know, such as some caches, those of
    their attributes."""
    found = []
    for leaf in pytree.tree_leaves(results):
        is_opaque = hasattr(leaf, "__dict__") and not isinstance(leaf, torch.Tensor | type)
        found.extend(leaves_of(vars(leaf), depth - 1) if is_opaque and depth else [leaf])
    return found


def _compare_leaf(found: Any, eager: Any, exact: Any) -> Comparison:
    if not isinstance(eager, torch.Tensor):
        return Comparison() if found == eager else Comparison(f"{found!r} != {eager!r}", math.inf)
    if not isinstance(found, torch.Tensor):
        return Comparison(f"{type(found).__name__} instead of a tensor", math.inf)
    if (found.shape, found.dtype) != (eager.shape, eager.dtype):
        shown = [f"{each.dtype} {list(each.shape)}" for each in (found, eager)]
        return Comparison(f"{shown[0]} instead of {shown[1]}", math.inf)
    if not (eager.is_floating_point() or eager.is_complex()):
        count = int((found != eager).sum())
        if count and torch.equal(eager, exact.to(eager.dtype)):
            return Comparison(f"{count} of {eager.numel()} integers differ", math.inf)
        return Comparison()
    if not torch.equal(found.isnan(), eager.isnan()):
        counts = f"{int(found.isnan().sum())} instead of {int(eager.isnan().sum())}"
        return Comparison(f"NaN: {counts} of {eager.numel()}", math.inf)
    infinite = eager.isinf()
    if not torch.equal(found[infinite], eager[infinite]) or bool(found.isinf()[~infinite].any()):
        return Comparison("infinities differ", math.inf)
    own, other = relative_error(found, exact, eager), relative_error(eager, exact, eager)
    if own > max(_BOUNDS.get(eager.dtype, 1e-9), _TIMES_EAGER * other):
        return Comparison(f"an error of {own:.1e}, eager mode's is {other:.1e}", own, other)
    return Comparison("", own, other)


def relative_error(found: torch.Tensor, exact: torch.Tensor, eager: torch.Tensor) -> float:
    """The greatest error of finite elements, relative to the greatest finite element."""
    finite = eager.isfinite() & exact.isfinite()
    if not bool(finite.any()):
        return 0.0
    wide = torch.complex128 if eager.is_complex() else torch.float64
    values, expected = found[finite].to(wide), exact[finite].to(wide)
    scale = max(float(expected.abs().max()), 1e-12)
    return float((values - expected).abs().max()) / scale
