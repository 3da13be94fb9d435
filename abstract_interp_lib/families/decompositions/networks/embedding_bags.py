"""Sums, means and maxima of bags of embeddings, and their gradients."""

from typing import Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import (
    asserted,
    computation_dtype,
    in_dtype,
    of_sizes,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.formulas.scattering import checked


def _bag_of_each(offsets: torch.Tensor, bags: int, count: int, is_whole: bool) -> torch.Tensor:
    """The bag of each of `count` elements; offsets that are no ascending places from 0 raise."""
    every = in_dtype(offsets, torch.int64)
    starts = torch.ops.aten.slice(every, 0, 0, bags, 1)
    ones = torch.ones_like(starts)
    started = torch.scatter_add(torch.zeros([count + 1], dtype=torch.int64), 0, starts, ones)
    bag = torch.sub(torch.ops.aten.slice(torch.cumsum(started, 0), 0, 0, count, 1), 1)
    before = torch.clamp_min(torch.sub(torch.arange(every.size(0), dtype=torch.int64), 1), 0)
    bag = checked(bag, torch.ge(every, torch.index_select(every, 0, before)))
    # Without bags, elements are in none, which has no place to be added at.
    bag = checked(bag, torch.eq(torch.ops.aten.slice(every, 0, 0, 1, 1), 0))
    if is_whole:
        end = torch.ops.aten.slice(every, 0, bags, bags + 1, 1)
        bag = checked(bag, torch.le(end, count))
    return bag


def _columns(index: torch.Tensor, columns: int) -> torch.Tensor:
    """An index for each column of a row."""
    return torch.unsqueeze(index, 1).expand([index.size(0), columns])


def _bagged(
    weight: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    mode: int,
    per_sample_weights: Optional[torch.Tensor],
    include_last_offset: bool,
    padding_idx: int,
    is_forward: bool,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The embedding of each bag, the bag of each element, sizes of bags, and indices of maxima.

    The last three are those of PyTorch's CPU kernels, which compute what they need themselves.
    """
    count, columns = indices.numel(), weight.size(1)
    bags = offsets.size(0) - 1 if include_last_offset else offsets.size(0)
    dtype = weight.dtype
    wide = computation_dtype(dtype)
    index = in_dtype(indices, torch.int64)
    counted = promoted_dtype(indices, offsets)
    bag = _bag_of_each(offsets, bags, count, include_last_offset)
    rows = in_dtype(torch.index_select(weight, 0, index), wide)
    # What is left out goes to another bag behind all.
    place = bag
    if padding_idx >= 0:
        place = torch.where(torch.eq(index, padding_idx), torch.full_like(bag, bags), bag)
    sizes = torch.scatter_add(
        torch.zeros([bags + 1], dtype=torch.int64), 0, place, torch.ones_like(place)
    )
    sizes = torch.ops.aten.slice(sizes, 0, 0, bags, 1)
    if mode == 2:
        steps = torch.arange(count, dtype=torch.int64)
        ends = torch.full([bags + 1], count, dtype=torch.int64)
        first = torch.ops.aten.scatter_reduce(ends, 0, place, steps, "amin")
        is_first = torch.unsqueeze(torch.eq(torch.index_select(first, 0, place), steps), 1)
        # A NaN is the maximum where it is first, and none elsewhere.
        is_nan = torch.isnan(rows)
        ignored = torch.logical_and(is_nan, torch.logical_not(is_first))
        rows = torch.where(ignored, torch.full_like(rows, -float("inf")), rows)
        places = _columns(place, columns)
        least = torch.full([bags + 1, columns], -float("inf"), dtype=wide)
        largest = torch.ops.aten.scatter_reduce(least, 0, places, rows, "amax")
        is_largest = torch.eq(rows, torch.index_select(largest, 0, place))
        is_largest = torch.logical_or(is_largest, torch.logical_and(is_nan, is_first))
        at = torch.where(is_largest, _columns(steps, columns), torch.full([count, columns], count))
        found_at = torch.full([bags + 1, columns], count, dtype=torch.int64)
        found_at = torch.ops.aten.scatter_reduce(found_at, 0, places, at, "amin")
        # A bag without elements has the index 0, which is added behind all.
        ended = torch.cat([index, torch.zeros([1], dtype=torch.int64)])
        found_at = torch.reshape(torch.ops.aten.slice(found_at, 0, 0, bags, 1), [bags * columns])
        at_most = torch.reshape(torch.index_select(ended, 0, found_at), [bags, columns])
        largest = torch.ops.aten.slice(largest, 0, 0, bags, 1)
        is_empty = torch.unsqueeze(torch.eq(sizes, 0), 1)
        out = torch.where(is_empty, torch.zeros_like(largest), largest)
        return (
            in_dtype(out, dtype),
            in_dtype(bag, counted),
            in_dtype(sizes, counted),
            in_dtype(at_most, counted),
        )
    if per_sample_weights is not None:
        rows = torch.mul(rows, torch.unsqueeze(in_dtype(per_sample_weights, wide), 1))
    is_fast = dtype == torch.float32 or dtype == torch.float16 or dtype == torch.bfloat16
    is_fast = is_fast and padding_idx < 0
    if is_fast and include_last_offset:
        # The kernel ends at the last offset, where others, and the sizes, take all elements.
        end = in_dtype(torch.ops.aten.slice(offsets, 0, bags, bags + 1, 1), torch.int64)
        # The places of what is left out are checked, too.
        is_behind = torch.unsqueeze(torch.ge(torch.arange(count, dtype=torch.int64), end), 1)
        rows = torch.where(is_behind, torch.zeros_like(rows), rows)
    zeros = torch.zeros([bags + 1, columns], dtype=wide)
    total = torch.index_add(zeros, 0, place, rows)
    total = torch.ops.aten.slice(total, 0, 0, bags, 1)
    if mode == 0:
        # Sizes are left at 0.
        kept = offsets.size(0) if is_forward else bags
        nothing = torch.zeros([kept], dtype=counted)
        given = in_dtype(bag, counted)
        if is_fast:
            given = torch.zeros([0], dtype=counted)
        return in_dtype(total, dtype), given, nothing, nothing
    assert mode == 1, "PyTorch has sums, means and maxima"
    mean = torch.div(total, torch.unsqueeze(torch.clamp_min(sizes, 1), 1))
    counts = in_dtype(sizes, counted)
    return in_dtype(mean, dtype), in_dtype(bag, counted), counts, counts


def embedding_bag(
    weight: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    mode: int,
    per_sample_weights: Optional[torch.Tensor],
    include_last_offset: bool,
    padding_idx: int,
    is_forward: int,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Rows of the weight, reduced by bags."""
    return _bagged(
        weight,
        indices,
        offsets,
        mode,
        per_sample_weights,
        include_last_offset,
        padding_idx,
        is_forward == 1,
    )


_I = T(6, dtype=torch.int64, values=[1, 2, 3, 4, 5, 2])
_O = T(4, dtype=torch.int64, values=[0, 2, 2, 6])
# The last offset is no end.
_SHORT = T(4, dtype=torch.int64, values=[0, 1, 2, 4])
_CALLS = [
    Invocation(T(10, 3), _I, _SHORT, False, 0, False, None, True, -1),
    Invocation(T(10, 3), _I, _SHORT, False, 1, False, None, True, -1),
    Invocation(T(10, 3), _I, _SHORT, False, 1, False, None, True, 2),
    Invocation(T(10, 3), _I, _SHORT, False, 2, False, None, True, -1),
    Invocation(T(10, 3, dtype=torch.float64), _I, _SHORT, False, 0, False, None, True, -1),
    Invocation(T(10, 3), _I, _O, False, 0, False, None, False, -1),
    Invocation(T(10, 3), _I, _O, False, 0, False, T(6), True, 2),
    Invocation(T(10, 3), _I, _O, False, 1, False, None, True, 2),
    Invocation(T(10, 3), _I, _O, False, 2, False, None, False, 2),
    Invocation(T(10, 3, dtype=torch.float64), _I, _O, False, 2, False, None, True, -1),
]
decomposition_family(embedding_bag, "aten::_embedding_bag", ok=_CALLS, is_forward=0)
decomposition_family(embedding_bag, "aten::_embedding_bag_forward_only", ok=_CALLS, is_forward=1)


@decomposition("aten::embedding_bag")
def embedding_bag_without_padding(
    weight: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Optional[torch.Tensor] = None,
    include_last_offset: bool = False,
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Rows of the weight, reduced by bags."""
    return _bagged(
        weight, indices, offsets, mode, per_sample_weights, include_last_offset, -1, True
    )


@decomposition(
    "aten::embedding_bag.padding_idx",
    ok=[Invocation(T(10, 3), _I, _O, False, 1, False, None, False, -8)],
)
def embedding_bag_with_padding(
    weight: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Optional[torch.Tensor],
    include_last_offset: bool,
    padding_idx: Optional[int],
) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Rows of the weight, reduced by bags; negative paddings count from the end."""
    padding = -1
    if padding_idx is not None:
        assert padding_idx >= -weight.size(0) and padding_idx < weight.size(0), "PyTorch rejects it"
        padding = padding_idx + weight.size(0) if padding_idx < 0 else padding_idx
    return _bagged(
        weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding, True
    )


def _bags_given(
    indices: torch.Tensor, offsets: torch.Tensor, offset2bag: torch.Tensor, bags: int
) -> torch.Tensor:
    """The bag of each element, which is computed where it is not given."""
    count = indices.numel()
    computed = _bag_of_each(offsets, bags, count, False)
    # What is given is empty, or one bag for each.
    given = torch.full([1], offset2bag.numel(), dtype=torch.int64)
    is_right = torch.logical_or(torch.eq(given, 0), torch.eq(given, count))
    either = torch.cat([in_dtype(offset2bag, torch.int64), computed])
    either = asserted(either, is_right, "there must be a bag for each index")
    return torch.ops.aten.slice(either, 0, 0, count, 1)


def _weight_gradient(
    grad: torch.Tensor,
    indices: torch.Tensor,
    bag: torch.Tensor,
    bag_size: torch.Tensor,
    maximum_indices: torch.Tensor,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Optional[torch.Tensor],
    padding_idx: int,
) -> torch.Tensor:
    """The gradient of each bag, added to the rows that it was reduced from."""
    assert mode == 0 or mode == 1 or mode == 2, "PyTorch has sums, means and maxima"
    columns = grad.size(1)
    dtype = grad.dtype
    wide = computation_dtype(dtype)
    given = in_dtype(grad, wide)
    zeros = torch.zeros([num_weights, columns], dtype=wide)
    if mode == 2:
        largest = in_dtype(of_sizes(maximum_indices, grad.size()), torch.int64)
        is_empty = torch.unsqueeze(torch.eq(bag_size, 0), 1)
        given = torch.where(is_empty, torch.zeros_like(given), given)
        return in_dtype(torch.scatter_add(zeros, 0, largest, given), dtype)
    index = in_dtype(indices, torch.int64)
    rows = torch.index_select(given, 0, bag)
    if per_sample_weights is not None:
        rows = torch.mul(rows, torch.unsqueeze(in_dtype(per_sample_weights, wide), 1))
    if scale_grad_by_freq:
        counts = torch.scatter_add(
            torch.zeros([num_weights], dtype=torch.int64), 0, index, torch.ones_like(index)
        )
        rows = torch.div(rows, torch.unsqueeze(torch.index_select(counts, 0, index), 1))
    if mode == 1:
        # A size that is not known, as the sums do not need it, divides nothing.
        sizes = torch.where(torch.eq(bag_size, 0), torch.ones_like(bag_size), bag_size)
        rows = torch.div(rows, torch.unsqueeze(torch.index_select(sizes, 0, bag), 1))
    if padding_idx >= 0:
        is_padding = torch.unsqueeze(torch.eq(index, padding_idx), 1)
        rows = torch.where(is_padding, torch.zeros_like(rows), rows)
    return in_dtype(torch.index_add(zeros, 0, index, rows), dtype)


@decomposition("aten::_embedding_bag_backward")
def embedding_bag_backward(
    grad: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    offset2bag: torch.Tensor,
    bag_size: torch.Tensor,
    maximum_indices: torch.Tensor,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Optional[torch.Tensor],
    padding_idx: int = -1,
) -> torch.Tensor:
    """The gradient of the weight."""
    assert not sparse, "sparse gradients have no elements in order"
    bag = _bags_given(indices, offsets, offset2bag, grad.size(0))
    return _weight_gradient(
        grad,
        indices,
        bag,
        bag_size,
        maximum_indices,
        num_weights,
        scale_grad_by_freq,
        mode,
        per_sample_weights,
        padding_idx,
    )


@decomposition("aten::_embedding_bag_dense_backward")
def embedding_bag_dense_backward(
    grad: torch.Tensor,
    indices: torch.Tensor,
    offset2bag: torch.Tensor,
    bag_size: torch.Tensor,
    maximum_indices: torch.Tensor,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Optional[torch.Tensor],
    padding_idx: int = -1,
) -> torch.Tensor:
    """The gradient of the weight."""
    return _weight_gradient(
        grad,
        indices,
        in_dtype(offset2bag, torch.int64),
        bag_size,
        maximum_indices,
        num_weights,
        scale_grad_by_freq,
        mode,
        per_sample_weights,
        padding_idx,
    )


@decomposition("aten::_embedding_bag_per_sample_weights_backward")
def embedding_bag_per_sample_weights_backward(
    grad: torch.Tensor,
    weight: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    offset2bag: torch.Tensor,
    mode: int,
    padding_idx: int = -1,
) -> torch.Tensor:
    """The inner product of each row with the gradient of its bag."""
    dtype = grad.dtype
    wide = computation_dtype(dtype)
    index = in_dtype(indices, torch.int64)
    bag = _bags_given(indices, offsets, offset2bag, grad.size(0))
    rows = in_dtype(torch.index_select(weight, 0, index), wide)
    found = torch.sum(torch.mul(in_dtype(torch.index_select(grad, 0, bag), wide), rows), [1])
    if padding_idx >= 0:
        found = torch.where(torch.eq(index, padding_idx), torch.zeros_like(found), found)
    return in_dtype(found, dtype)


@decomposition(
    "aten::embedding_renorm",
    ok=[
        Invocation(T(10, 3), T(2, 2, dtype=torch.int64, values=[1, 2, 1, 0]), 0.7, 2.0),
        Invocation(T(4, 3), T(3, dtype=torch.int64, values=[-1, 2, 3]), 0.7, 1.0),
    ],
)
def embedding_renorm(
    self: torch.Tensor, indices: torch.Tensor, max_norm: float, norm_type: float
) -> torch.Tensor:
    """Rows with a greater norm are scaled to it; negative indices count from the end."""
    index = torch.reshape(in_dtype(indices, torch.int64), [indices.numel()])
    index = torch.where(torch.lt(index, 0), torch.add(index, self.size(0)), index)
    wide = computation_dtype(self.dtype)
    rows = in_dtype(torch.index_select(self, 0, index), wide)
    norm = torch.ops.aten.linalg_vector_norm(rows, norm_type, [1], True)
    scaled = torch.mul(rows, torch.mul(torch.reciprocal(torch.add(norm, 1e-7)), max_norm))
    rows = in_dtype(torch.where(torch.gt(norm, max_norm), scaled, rows), self.dtype)
    return torch.scatter(self, 0, _columns(index, self.size(1)), rows)
