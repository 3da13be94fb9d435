"""Operators with tensors of indices, which are counted from the front.

The lowering asserts that indices are in bounds. Negative ones that an operator accepts count from
the end; others are replaced by one that is out of bounds of any tensor, and fails the assertion.
"""

from typing import List, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    decomposition,
    decomposition_family,
)
from torch_refine.abstract_interp_lib.rules.decomposing import asserted, in_dtype
from torch_refine.abstract_interp_lib.rules.formulas.complex_parts import is_covered
from torch_refine.abstract_interp_lib.rules.formulas.indexed_dims import (
    are_integers,
    from_front,
    given_of,
    indexed_first,
    indices_of_all,
    is_consecutive,
    places_of,
)
from torch_refine.abstract_interp_lib.rules.formulas.shared_shapes import broadcast_all
from torch_refine.abstract_interp_lib.rules.unknown import is_known


@decomposition(
    "aten::index_put",
    ok=[
        Invocation(T(4, 3), [T(2, dtype=torch.int64, values=[-1, 2])], T(3), device="cpu"),
        Invocation(
            T(4, 3, 5),
            [None, T(dtype=torch.int64, values=[-1]), T(dtype=torch.int32, values=[2])],
            T(4),
            True,
            device="cpu",
        ),
        Invocation(
            T(4, 3, dtype=torch.complex64),
            [None, T(2, dtype=torch.int64, values=[-1, 1])],
            T(1, dtype=torch.complex64),
            True,
            device="cpu",
        ),
        Invocation(
            T(4, 3, 5),
            [T(2, dtype=torch.int64, values=[-1, 1]), None, T(dtype=torch.int64, values=[2])],
            T(3),
            device="cpu",
        ),
        Invocation(
            T(2, 2, dtype=torch.complex64),
            [T(2, dtype=torch.bool, values=[True, False])],
            T(dtype=torch.complex64),
            device="cpu",
        ),
        Invocation(
            T(2, 2, dtype=torch.bool),
            [T(2, dtype=torch.bool, values=[True, False])],
            T(1, 2, dtype=torch.bool),
            True,
            device="cpu",
        ),
    ],
)
def index_put(
    self: torch.Tensor,
    indices: List[Optional[torch.Tensor]],
    values: torch.Tensor,
    accumulate: bool = False,
) -> torch.Tensor:
    """At indices of consecutive dimensions from the first on, or of all."""
    if is_covered(self) and not are_integers(indices):
        # Masks are decomposed elsewhere, for pairs of parts.
        pairs, written = torch.view_as_real(self), torch.view_as_real(values)
        found = torch.ops.aten.index_put(pairs, indices, written, accumulate)
        return torch.view_as_complex(found)
    if accumulate and self.dtype == torch.bool and not are_integers(indices):
        # One is true if any of those added is.
        wide, added = in_dtype(self, torch.int64), in_dtype(values, torch.int64)
        return in_dtype(torch.ops.aten.index_put(wide, indices, added, True), torch.bool)
    assert are_integers(indices), "concerns only integer indices"
    places, given = places_of(indices), given_of(indices)
    if len(places) == len(indices):
        return torch.ops.aten.index_put(self, given, values, accumulate)
    return put_elements(self, places, given, values, accumulate)


def put_elements(
    self: torch.Tensor,
    places: List[int],
    given: List[torch.Tensor],
    values: torch.Tensor,
    accumulate: bool,
) -> torch.Tensor:
    """Elements are written one by one, at indices of all dimensions."""
    order = indexed_first(places, self.dim())
    turned = torch.permute(self, order)
    first = places[0] if is_consecutive(places) else 0
    every = broadcast_all(indices_of_all(turned, given, first))
    written = torch.ops.aten.index_put(turned, every, values.expand(every[0].size()), accumulate)
    back: List[int] = []
    for dim in range(self.dim()):
        for place in range(self.dim()):
            if order[place] == dim:
                back.append(place)
    return torch.permute(written, back)


@decomposition("aten::_index_put_impl")
def _index_put_impl(
    self: torch.Tensor,
    indices: List[Optional[torch.Tensor]],
    values: torch.Tensor,
    accumulate: bool = False,
    unsafe: bool = False,
) -> torch.Tensor:
    """Indices are always checked."""
    return torch.ops.aten.index_put(self, indices, values, accumulate)


@decomposition(
    "aten::_unsafe_index.Tensor",
    ok=[Invocation(T(4, 3), [None, T(2, dtype=torch.int64, values=[-1, 2])], device="cpu")],
)
def _unsafe_index(self: torch.Tensor, indices: List[Optional[torch.Tensor]]) -> torch.Tensor:
    """Indices along one dimension select its elements, in one loop that can be vectorized."""
    number, place = 0, 0
    found = torch.zeros([], dtype=torch.int64)
    for dim in range(len(indices)):
        each = indices[dim]
        if each is not None:
            number += 1
            place = dim
            found = each
    is_index = found.dtype == torch.int64 or found.dtype == torch.int32
    if number == 1 and found.dim() == 1 and is_index:
        return torch.index_select(self, place, from_front(found, self.size(place)))
    return torch.ops.aten.index(self, indices)


def is_nothing(self: torch.Tensor) -> bool:
    """Whether a tensor is known to have no elements."""
    found = False
    for size in self.size():
        if is_known(size):
            found = found or size == 0
    return found


def all_clamped(
    self: torch.Tensor, indices: List[Optional[torch.Tensor]]
) -> List[Optional[torch.Tensor]]:
    """Indices of each dimension, or of its first or last element."""
    found: List[Optional[torch.Tensor]] = []
    for dim in range(len(indices)):
        each = indices[dim]
        if each is None:
            found.append(None)
        else:
            size = self.size(dim)
            found.append(from_front(torch.clamp(each, -size, size - 1), size))
    return found


@decomposition("aten::_unsafe_masked_index")
def _unsafe_masked_index(
    self: torch.Tensor,
    mask: torch.Tensor,
    indices: List[Optional[torch.Tensor]],
    fill: Union[int, float, complex],
) -> torch.Tensor:
    """Indices are clamped to valid ones, where negative ones count from the end."""
    sizes: List[int] = []
    is_empty = is_nothing(self)
    for dim in range(self.dim()):
        size = self.size(dim)
        if is_empty and dim >= len(indices):
            # As in PyTorch's kernel.
            size = 0
        elif is_empty and indices[dim] is not None:
            size = max(size, 1)
        sizes.append(size)
    # Of no elements, the result has the same shape, and is filled.
    source = torch.zeros(sizes, dtype=self.dtype) if is_empty else self
    found = torch.ops.aten._unsafe_index(source, all_clamped(source, indices))
    if is_empty:
        return torch.full_like(found, fill)
    return torch.masked_fill(found, torch.logical_not(mask), fill)


@decomposition("aten::_unsafe_masked_index_put_accumulate")
def _unsafe_masked_index_put_accumulate(
    self: torch.Tensor,
    mask: torch.Tensor,
    indices: List[Optional[torch.Tensor]],
    values: torch.Tensor,
) -> torch.Tensor:
    """Indices are clamped to valid ones; nothing is added where the mask is false."""
    if is_nothing(self):
        return torch.clone(self)
    added = torch.masked_fill(values, torch.logical_not(mask), 0)
    return torch.ops.aten.index_put(self, all_clamped(self, indices), added, True)


@decomposition(
    "aten::one_hot",
    ok=[Invocation(T(2, 3, dtype=torch.int64, values=[0, 1, 2, 3, 0, 1]), 4, device="cpu")],
)
def one_hot(self: torch.Tensor, num_classes: int = -1) -> torch.Tensor:
    """Each class is looked up, so that an invalid one is rejected."""
    assert num_classes > 0, "the number of classes depends on the elements"
    classes = torch.arange(num_classes, dtype=torch.int64)
    flat = torch.reshape(self, [self.numel()])
    named = torch.reshape(torch.index_select(classes, 0, flat), self.size())
    return in_dtype(torch.eq(torch.unsqueeze(named, -1), classes), torch.int64)


def gradient_of_classes(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    target: torch.Tensor,
    weight: Optional[torch.Tensor],
    reduction: int,
    ignore_index: int,
    total_weight: torch.Tensor,
) -> torch.Tensor:
    """The gradient at each target class, and 0 elsewhere, also if the gradient is not finite."""
    channels = 0 if self.dim() < 2 else 1
    gradient = torch.div(grad_output, total_weight) if reduction == 1 else grad_output
    classes = torch.unsqueeze(target, channels)
    is_counted = torch.ne(classes, ignore_index)
    chosen = torch.where(is_counted, classes, torch.zeros_like(classes))
    none = torch.zeros_like(self)
    is_target = torch.ne(torch.scatter(none, channels, chosen, 1.0), 0)
    if self.dim() > gradient.dim() and gradient.dim() > 0:
        gradient = torch.unsqueeze(gradient, channels)
    if weight is not None:
        shape: List[int] = []
        for dim in range(self.dim()):
            shape.append(weight.size(0) if dim == channels else 1)
        gradient = torch.mul(gradient, torch.reshape(weight, shape))
    is_written = torch.logical_and(is_target, is_counted)
    return torch.where(is_written, in_dtype(torch.neg(gradient), self.dtype), none)


_TOTAL = T(values=[2.5])
_ROW = T(2, dtype=torch.int64, values=[1, 2])
_PLANE = T(1, 2, 2, dtype=torch.int64, values=[1, 2, 0, -100])
# The kernel writes outside of the gradient for a class that is neither one nor ignored.
_CLASSES = T(1, 2, 2, dtype=torch.int64, values=[1, 2, 0, 2])
decomposition_family(
    gradient_of_classes,
    "aten::nll_loss_backward",
    ok=[
        Invocation(T(), T(2, 3), _ROW, None, 1, -100, _TOTAL),
        Invocation(T(2), T(2, 3), _ROW, T(3), 0, 2, _TOTAL),
        Invocation(T(), T(3), T(dtype=torch.int64, values=[1]), T(3), 2, -100, _TOTAL),
    ],
)
decomposition_family(
    gradient_of_classes,
    "aten::nll_loss2d_backward",
    ok=[
        Invocation(T(), T(1, 3, 2, 2), _PLANE, T(3), 1, -100, _TOTAL),
        Invocation(T(1, 2, 2), T(1, 3, 2, 2), _CLASSES, None, 0, 2, _TOTAL),
    ],
)


@decomposition(
    "aten::repeat_interleave.Tensor",
    ok=[
        Invocation(T(3, dtype=torch.int64, values=[2, 0, 3]), output_size=5, device="cpu"),
        Invocation(T(2, dtype=torch.int32, values=[0, 0]), output_size=0, device="cpu"),
    ],
)
def repeat_interleave(repeats: torch.Tensor, output_size: Optional[int] = None) -> torch.Tensor:
    """Each index as often as its element says, if their sum is the number of results."""
    assert output_size is not None, "concerns only a number that is given"
    # Without results, nothing would depend on the assertion.
    assert not is_known(output_size) or output_size > 0, "there are no results"
    places = torch.arange(repeats.size(0), dtype=repeats.dtype)
    ends = torch.unsqueeze(torch.cumsum(repeats, 0), 1)
    steps = torch.arange(output_size, dtype=torch.int64)
    found = torch.sum(in_dtype(torch.ge(steps, ends), torch.int64), 0)
    is_right = torch.logical_and(
        torch.eq(torch.sum(repeats), output_size), torch.all(torch.ge(repeats, 0))
    )
    said = "allocated size does not match required size"
    return torch.index_select(places, 0, asserted(found, is_right, said))
