"""Results whose size depends on the values of an integer operand."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.torch_builder import LAST, TorchBuilder
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_WHOLE = ("ui8", "si8", "si16", "si32", "si64")


def repeat_interleave(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Repeat each position by its count, in 64 bits."""
    repeats = op.operands[0]
    if build.type(repeats).element not in _WHOLE or len(build.sizes(repeats)) != 1:
        return None
    type = build.type(op.results[0])
    assert type.sizes is not None, "the operand must be a tensor"
    wide = build.to(repeats, "si64")
    found = build.op("repeat_interleave.Tensor", type.sizes, "si64", wide, op.operands[1])
    return [build.to(found, str(type.element))]


def bincount(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """The number of occurrences of each integer, or the sum of the weights there."""
    value, weights, least = op.operands
    minimum, result = constant_of(least), build.type(op.results[0])
    is_weighted = str(weights.type) != "!torch.none"
    is_whole = build.type(value).element in _WHOLE and len(build.sizes(value)) == 1
    if not is_whole or not isinstance(minimum, int) or minimum < 0:
        return None
    if is_weighted and build.sizes(value)[0] == 0:
        # For an empty input, PyTorch counts in int64, whatever the dtype of the weights.
        return None
    numbers = build.to(value, "si64")
    count = build.size(numbers, 0)
    if is_weighted and build.sizes(value)[0] is None:
        some = build.at_most(1, count)
        build.assert_that(some, "bincount: weights for an empty input")
    bounds = [
        build.whole(
            build.op(name, (), "si64", build.cat([numbers, build.full([1], bound, "si64")]))
        )
        for name, bound in (("min", 0), ("max", minimum - 1))
    ]
    build.assert_that(build.at_most(0, bounds[0]), "bincount: the input must not be negative")
    build.assert_that(build.at_most(bounds[1], LAST - 1), "bincount: an input is too large")
    element = str(result.element)
    zeros = build.full([build.add(bounds[1], 1)], 0, element)
    added = build.to(weights, element) if is_weighted else build.full([count], 1, element)
    place = build.number(0)
    return [build.op("scatter_add", (None,), element, zeros, place, numbers, added)]
