"""Decompositions that preserve which indices an operator accepts.

The lowering asserts that indices are in bounds of the tensor (`insert-bounds-checks`). PyTorch's
decompositions use `index_put`, slices and comparisons, where an index that the operator rejects may
be valid: -1 the last element, or no class at all. Here such an index is replaced by one that is out
of bounds of any tensor, and fails the same assertion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._decomp import global_decomposition_table
from torch._ops import OpOverload
from torch.fx.experimental.symbolic_shapes import guard_or_false

aten = torch.ops.aten
Decomposition = Callable[..., Any]

# Out of bounds of any tensor. It is not multiplied by strides, and adding a size does not overflow.
_NONE = 1 << 62


def index_decompositions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    table: dict[OpOverload, Decomposition] = {
        aten._embedding_bag_forward_only.default: _embedding_bag_forward_only,
        aten.index_put.default: _index_put,
        aten.repeat_interleave.Tensor: _repeat_interleave,
        aten.select.int: _select,
        aten.select_scatter.default: _select_scatter,
    }
    for operator in (aten.index_add.default, aten.index_copy.default):
        table[operator] = _with_indices(operator, 2, _without_negative)
    for operator in (aten.index_fill.int_Scalar, aten.index_fill.int_Tensor):
        table[operator] = _with_indices(operator, 2, _nonnegative)
    return table


def _embedding_bag_forward_only(
    weight: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: torch.Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> Any:
    """The operator that the gradient needs more results of.

    PyTorch's import takes this one for another, which counts a negative padding from the end, and
    its fake kernel gives some results of sums other sizes than its kernel.
    """
    found = aten._embedding_bag.default(
        weight,
        indices,
        offsets,
        scale_grad_by_freq,
        mode,
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )
    if mode != 0:
        return found
    output, bags, *rest = found
    if weight.dtype == torch.bfloat16 and padding_idx < 0:
        bags = bags.new_zeros([0])
    if include_last_offset:
        rest = [torch.zeros_like(offsets, dtype=bags.dtype) for _ in range(2)]
    return (output, bags, *rest)


def _with_indices(
    operator: OpOverload, place: int, change: Callable[..., torch.Tensor]
) -> Decomposition:
    """PyTorch's decomposition with other indices, the argument at a given position."""
    decomposition = global_decomposition_table["post_autograd"][operator]

    def decompose(*args: Any, **kwargs: Any) -> Any:
        indices = change(*args[:3])
        if args[0].dim() == 0:
            # Its single element is indexed by a row of indices.
            indices = indices.reshape(-1)
        return decomposition(*args[:place], indices, *args[place + 1 :], **kwargs)

    return decompose


def _size(self: torch.Tensor, dim: int) -> Any:
    return self.shape[dim] if self.dim() else 1


def _normalized(index: torch.Tensor, size: Any) -> torch.Tensor:
    """Normalize indices; negative ones that are in bounds count from the end.

    The function is idempotent.
    """
    counted = torch.where(index < -size, _none(index), index + size)
    return torch.where(index < 0, counted, index)


def _none(index: torch.Tensor) -> torch.Tensor:
    return torch.full((), _NONE, dtype=torch.int64, device=index.device)


def _nonnegative(self: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    return _normalized(index, _size(self, dim))


def _without_negative(self: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    return torch.where(index < 0, _none(index), index)


def _indexed_shape(self: torch.Tensor, indices: Sequence[torch.Tensor | None]) -> tuple[Any, ...]:
    """The result shape of indexing: that of the indices replaces the first, or leads if apart."""
    given = [each is not None for each in indices]
    first, last = given.index(True), len(given) - given[::-1].index(True)
    broadcast: Any = torch.broadcast_shapes
    picked = broadcast(*(each.shape for each in indices if each is not None))
    kept = [
        size for dim, size in enumerate(self.shape) if dim >= len(indices) or indices[dim] is None
    ]
    place = first if all(given[first:last]) else 0
    return (*kept[:place], *picked, *kept[place:])


def _check_broadcast(sizes: Sequence[Any], wanted: Sequence[Any]) -> None:
    """Guard that a shape broadcasts; the operator's fake kernel does not check it."""
    check: Any = torch._check
    for size, other in zip(reversed(sizes), reversed(wanted), strict=False):
        if not (isinstance(size, int) and size == 1):
            check(size == other, lambda: f"{sizes} cannot be broadcast to {wanted}")


def _index_put(
    self: torch.Tensor,
    indices: Sequence[torch.Tensor | None],
    values: torch.Tensor,
    accumulate: bool = False,
) -> Any:
    """Require that the values broadcast to what is indexed."""
    given = [each for each in indices if each is not None]
    if not given:
        return NotImplemented
    if not any(each.dtype in (torch.bool, torch.uint8) for each in given):
        _check_broadcast(values.shape, _indexed_shape(self, indices))
    elif len(given) == 1:
        # The number of a mask's true elements is data-dependent; the dimensions after it are
        # static.
        taken = next(place for place, each in enumerate(indices) if each is not None)
        behind = self.shape[taken + given[0].dim() :]
        _check_broadcast(values.shape[-len(behind) :] if behind else (), behind)
    return NotImplemented


def _position(self: torch.Tensor, dim: int, index: Any) -> torch.Tensor:
    """A symbolic index as a tensor."""
    position = torch.full((1,), index, dtype=torch.int64, device=self.device)
    return _normalized(position, self.shape[dim])


def _select(self: torch.Tensor, dim: int, index: Any) -> Any:
    """With a symbolic index; the conversion normalizes it twice."""
    if isinstance(index, int):
        return NotImplemented
    return aten.index_select.default(self, dim, _position(self, dim, index)).squeeze(dim)


def _select_scatter(self: torch.Tensor, src: torch.Tensor, dim: int, index: Any) -> Any:
    if isinstance(index, int):
        return global_decomposition_table["post_autograd"][aten.select_scatter.default](
            self, src, dim, index
        )
    return aten.index_copy.default(self, dim, _position(self, dim, index), src.unsqueeze(dim))


def _taken(values: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
    """Gather values at indices of any shape, each of which must be in bounds."""
    taken: torch.Tensor = aten.index_select.default(values, 0, indices.reshape(-1))
    return taken.reshape(indices.shape)


def _repeat_interleave(repeats: torch.Tensor, *, output_size: Any = None) -> Any:
    """Require that the sum of repeats is `output_size`, and none is negative."""
    if output_size is None:
        return NotImplemented
    count = repeats.shape[0]
    check: Any = torch._check
    # Without repeats the kernel ignores `output_size`, but PyTorch's fake kernel does not.
    check(
        not guard_or_false(count == 0) or output_size == 0,
        lambda: f"output_size is {output_size}, but there are no repeats",
    )
    places = torch.arange(count, dtype=repeats.dtype, device=repeats.device)
    ends = torch.cumsum(repeats, 0)
    steps = torch.arange(output_size, dtype=repeats.dtype, device=repeats.device)
    found = (steps.unsqueeze(0) >= ends.unsqueeze(1)).sum(0)
    is_right = torch.logical_and(repeats.sum() == output_size, torch.all(repeats >= 0))
    if isinstance(output_size, int) and output_size == 0:
        # No element is read that could be out of bounds.
        aten._assert_async.msg(is_right, "allocated size does not match required size")
    return _taken(places, torch.where(is_right, found, _none(repeats)))
