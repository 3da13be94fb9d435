"""Gradients of operators that pick elements: `select`, `slice`, `gather`, masks, scans.

The part that was picked gets the gradient, the rest zeros; so most results have the shape of what
was picked from, and the dtype of the gradient.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.scattering import (
    index_add_rule,
    scatter_rule,
)
from torch_refine.abstract_interp_lib.families.slicing import select_rule, slice_rule
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.either import either_dtype
from torch_refine.abstract_interp_lib.rules.indexing import index_sizes
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import int_to_float, promote_list
from torch_refine.abstract_interp_lib.rules.sizes import insert_size
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64)


def _index(*sizes: int) -> TensorCase:
    return T(*sizes, dtype=torch.int64)


def _mask(*sizes: int) -> TensorCase:
    return T(*sizes, dtype=torch.bool)


def dtype_of_grad(grad: Tuple[int, int]) -> int:
    """The dtype of the gradient."""
    return grad[1]


def dtype_of_grad_output(grad_output: Tuple[int, int]) -> int:
    """The dtype of the gradient."""
    return grad_output[1]


def select_backward_rule(
    grad_output: List[int], input_sizes: List[int], dim: int, index: int
) -> List[int]:
    """The sizes of the input, of which one entry of a dimension gets the gradient."""
    check_expands(grad_output, select_rule(input_sizes, dim, index))
    return input_sizes


def slice_backward_rule(
    grad_output: List[int], input_sizes: List[int], dim: int, start: int, end: int, step: int
) -> List[int]:
    """The sizes of the input, of which a slice gets the gradient."""
    check_expands(grad_output, slice_rule(input_sizes, dim, start, end, step))
    return input_sizes


# The meta kernels take gradients of any shape.
shape_family(
    select_backward_rule,
    "aten::select_backward",
    ok=[
        Invocation(T(3), [5, 3], 0, 4),
        Invocation(T(5), [5, 3], -1, -3),
        Invocation(T(), [5], 0, 1),
        *[Invocation(T(3, dtype=dtype), [5, 3], 0, 1) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4), [5, 3], 0, 1, device="cpu"),
        Invocation(T(3), [5, 3], 0, 5, device="cpu"),
        Invocation(T(), [], 0, 0, device="cpu"),
    ],
)
shape_family(
    slice_backward_rule,
    "aten::slice_backward",
    ok=[
        Invocation(T(2, 3), [5, 3], 0, 1, 3, 1),
        Invocation(T(5, 2), [5, 3], -1, 0, 9223372036854775807, 2),
        Invocation(T(0, 3), [5, 3], 0, 4, 2, 1),
        *[Invocation(T(2, dtype=dtype), [5], 0, -2, 5, 1) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(3, 3), [5, 3], 0, 1, 3, 1, device="cpu"),
        Invocation(T(2, 3), [5, 3], 0, 1, 3, 0, device="cpu"),
    ],
)
dtype_family(dtype_of_grad_output, "aten::select_backward", "aten::slice_backward")


def gather_backward_rule(
    grad: List[int], self: List[int], dim: int, index: List[int], sparse_grad: bool
) -> List[int]:
    """The shape of `self`, whose elements get the gradients of what was gathered."""
    if not sparse_grad:
        scatter_rule(self, dim, index, grad)
    return self


shape_family(
    gather_backward_rule,
    "aten::gather_backward",
    ok=[
        Invocation(T(2, 3), T(4, 3), 0, _index(2, 3), False),
        Invocation(T(4, 7), T(4, 3), -1, _index(4, 7), False),
        Invocation(T(), T(), 0, _index(), False),
        Invocation(T(0, 3), T(4, 3), 0, _index(0, 3), False),
        Invocation(T(2, 3), T(4, 3, dtype=torch.int64), 0, _index(2, 3), False),
        *[Invocation(T(2, dtype=dtype), T(4), 0, _index(2), False) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(2, 3), T(4, 3), 2, _index(2, 3), False),
        Invocation(T(2, 3), T(4, 2), 0, _index(2, 3), False),
        Invocation(T(2, 2), T(4, 3), 0, _index(2, 3), False),
    ],
)
dtype_family(dtype_of_grad, "aten::gather_backward")


def index_select_backward_rule(
    grad: List[int], self_sizes: List[int], dim: int, index: List[int]
) -> List[int]:
    """The sizes of the input, whose entries at `index` get the gradients."""
    return index_add_rule(self_sizes, dim, index, grad)


shape_family(
    index_select_backward_rule,
    "aten::index_select_backward",
    ok=[
        Invocation(T(2, 3), [4, 3], 0, _index(2)),
        Invocation(T(4, 5), [4, 3], -1, T(5, dtype=torch.int32)),
        Invocation(T(1, 3), [4, 3], 0, _index()),
        Invocation(T(), [], 0, _index(1)),
        *[Invocation(T(2, 3, dtype=dtype), [4, 3], 0, _index(2)) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(2, 3), [4, 3], 2, _index(2)),
        Invocation(T(2, 3), [4, 3], 0, _index(3), device="cpu"),
        Invocation(T(2, 3), [4, 3], 0, _index(2, 1), device="cpu"),
    ],
)
dtype_family(dtype_of_grad, "aten::index_select_backward")


def masked_scatter_backward_rule(
    grad_output: List[int], mask: List[int], sizes: List[int]
) -> List[int]:
    """The sizes of the source: what the mask picks of the gradient, then zeros."""
    broadcast_two(grad_output, mask)
    return sizes


def masked_scatter_backward_dtype(grad_output: Tuple[int, int], mask: Tuple[int, int]) -> int:
    """The dtype of the gradient."""
    assert mask[1] == torch.bool, f"the mask must be bool, got dtype {mask[1]}"
    return grad_output[1]


# The meta kernel checks nothing.
shape_family(
    masked_scatter_backward_rule,
    "aten::masked_scatter_backward",
    ok=[
        Invocation(T(2, 3), _mask(2, 3), [2, 3]),
        Invocation(T(2, 3), _mask(3), [7]),
        Invocation(T(), _mask(), []),
        *[Invocation(T(2, dtype=dtype), _mask(2), [2, 1], device="cpu") for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3), _mask(2), [6], device="cpu")],
)
dtype_family(
    masked_scatter_backward_dtype,
    "aten::masked_scatter_backward",
    error=[Invocation(T(2), T(2, dtype=torch.int64), [2], device="cpu")],
)


def masked_select_backward_rule(input: List[int], mask: List[int]) -> List[int]:
    """The shape to which input and mask broadcast."""
    return broadcast_two(input, mask)


def masked_select_backward_dtype(grad: Tuple[int, int], input: Tuple[int, int]) -> int:
    """Gradient and input have one dtype."""
    assert grad[1] == input[1], f"dtypes must match, got {grad[1]} and {input[1]}"
    return input[1]


shape_family(
    masked_select_backward_rule,
    "aten::masked_select_backward",
    ok=[
        Invocation(T(6), T(2, 3), _mask(2, 3)),
        Invocation(T(6), T(3), _mask(2, 1)),
        Invocation(T(1), T(), _mask()),
        *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype), _mask(2)) for dtype in _DTYPES],
    ],
    error=[Invocation(T(6), T(2, 3), _mask(2))],
)
dtype_family(
    masked_select_backward_dtype,
    "aten::masked_select_backward",
    error=[Invocation(T(2), T(2, dtype=torch.float64), _mask(2))],
)


def value_selecting_rule(
    grad: List[int], dim: int, indices: List[int], sizes: List[int], keepdim: bool
) -> List[int]:
    """The sizes of what was reduced; the elements that were selected get the gradients."""
    if keepdim or len(sizes) == 0:
        return scatter_rule(sizes, dim, indices, grad)
    else:
        at = wrap_dim(dim, len(sizes))
        return scatter_rule(sizes, at, insert_size(indices, at, 1), insert_size(grad, at, 1))


shape_family(
    value_selecting_rule,
    "aten::value_selecting_reduction_backward",
    ok=[
        Invocation(T(3), 0, _index(3), [2, 3], False),
        Invocation(T(2, 1), -1, _index(2, 1), [2, 3], True),
        Invocation(T(2), -1, _index(2), [2, 3], False),
        Invocation(T(), 0, _index(), [4], False),
        Invocation(T(), 0, _index(), [], False),
        *[Invocation(T(3, dtype=dtype), 0, _index(3), [2, 3], False) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4), 0, _index(4), [2, 3], False),
        Invocation(T(2), 0, _index(3), [2, 3], False),
        Invocation(T(3), 2, _index(3), [2, 3], False),
    ],
)
dtype_family(dtype_of_grad, "aten::value_selecting_reduction_backward")


def cummaxmin_backward_rule(
    grad: List[int], input: List[int], indices: List[int], dim: int
) -> List[int]:
    """The shape of the input; one without elements is the result."""
    if 0 not in input:
        scatter_rule(input, dim, indices, grad)
    return input


def dtype_of_scanned(input: Tuple[int, int]) -> int:
    """The dtype of the input."""
    return input[1]


shape_family(
    cummaxmin_backward_rule,
    "aten::cummaxmin_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), _index(2, 3), 1),
        Invocation(T(2, 3), T(2, 3), _index(2, 3), -2),
        Invocation(T(), T(), _index(), 0),
        Invocation(T(0, 3), T(0, 3), _index(0, 3), 0),
        *[Invocation(T(3, dtype=dtype), T(3, dtype=dtype), _index(3), 0) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(2, 3), T(2, 3), _index(2, 4), 0),
        Invocation(T(2, 3), T(2, 3), _index(2, 3), 2),
    ],
)
dtype_family(dtype_of_scanned, "aten::cummaxmin_backward")


def cumprod_backward_rule(
    grad: List[int], input: List[int], dim: int, output: List[int]
) -> List[int]:
    """Gradient, input and output have one shape, which the result has, too."""
    return broadcast_three(grad, input, output)


def cumprod_backward_dtype(
    grad: Tuple[int, int], input: Tuple[int, int], output: Tuple[int, int]
) -> int:
    """Operands promote, without a zero in the input to a float; else it is that of the gradient."""
    promoted = promote_list([grad, input, output])
    return either_dtype(either_dtype(int_to_float(promoted), promoted), grad[1])


# Without a zero in the input, the meta device cannot tell the way that is taken.
shape_family(
    cumprod_backward_rule,
    "aten::cumprod_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), 1, T(2, 3), device="cpu"),
        Invocation(T(2, 2), T(2, 2, values=[1.0, 0.0, 2.0, 0.0]), -1, T(2, 2), device="cpu"),
        Invocation(T(), T(), 0, T(), device="cpu"),
        Invocation(T(0, 3), T(0, 3), 0, T(0, 3), device="cpu"),
        *[
            Invocation(*[T(3, dtype=dtype)] * 2, 0, T(3, dtype=dtype), device="cpu")
            for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.complex64)
        ],
    ],
    error=[Invocation(T(2, 3), T(2, 2), 1, T(2, 2), device="cpu")],
)
dtype_family(cumprod_backward_dtype, "aten::cumprod_backward")


def unsafe_masked_index_rule(
    self: List[int], mask: List[int], indices: List[Optional[Tuple[List[int], int]]]
) -> List[int]:
    """As `index`; the mask, broadcast, says where a number takes the place of an element.

    Of a tensor without elements, what `indices` do not reach has a size of 0 on the CPU.
    """
    if 0 in self:
        reached = len(indices)
        sizes = [self[at] if at < reached else unknown_size() for at in range(len(self))]
        return index_sizes(sizes, indices)
    else:
        return broadcast_two(index_sizes(self, indices), mask)


def mask_is_bool(self: Tuple[int, int], mask: Tuple[int, int]) -> int:
    """The dtype of `self`; the mask is bool."""
    assert mask[1] == torch.bool, f"the mask must be bool, got dtype {mask[1]}"
    return self[1]


# The meta kernel keeps all sizes that are not indexed.
shape_family(
    unsafe_masked_index_rule,
    "aten::_unsafe_masked_index",
    ok=[
        Invocation(T(4, 3), _mask(2, 3), [_index(2)], 0),
        Invocation(T(4, 3), _mask(2), [_index(2), _index(2)], 1.5),
        Invocation(T(4, 3, 5), _mask(5, 2), [None, _index(5, 1), _index(2)], 0),
        Invocation(T(4, 3), _mask(6, 4, 1), [None, _index(2)], 0),
        Invocation(T(0, 3), _mask(2, 3), [_index(2)], 0, device="cpu"),
        Invocation(T(0, 3), _mask(2, 3), [_index(2)], 0),
        Invocation(T(0, 3), _mask(), [None, _index(2)], 0, device="cpu"),
        *[Invocation(T(4, dtype=dtype), _mask(2), [_index(2)], 1) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4, 3), _mask(4, 3), [_index(2)], 0),
        Invocation(T(4), _mask(2), [_index(2), _index(2)], 0),
    ],
)
dtype_family(
    mask_is_bool,
    "aten::_unsafe_masked_index",
    error=[Invocation(T(4), T(2, dtype=torch.uint8), [_index(2)], 0)],
)


def unsafe_masked_index_put_rule(self: List[int], indices: List[Optional[List[int]]]) -> List[int]:
    """The shape of `self`, to which values are added."""
    assert len(indices) <= len(self) or 0 in self, (
        f"{len(indices)} indices are too many for shape {self}"
    )
    return self


shape_family(
    unsafe_masked_index_put_rule,
    "aten::_unsafe_masked_index_put_accumulate",
    ok=[
        Invocation(T(4, 3), _mask(2, 3), [_index(2)], T(2, 3)),
        Invocation(T(4, 3), _mask(2), [_index(2), _index(2)], T(2)),
        Invocation(T(4, 3), _mask(4, 2), [None, _index(2)], T(4, 2)),
        Invocation(T(0, 3), _mask(2, 3), [_index(2)], T(2, 3)),
        *[
            Invocation(T(4, dtype=dtype), _mask(2), [_index(2)], T(2, dtype=dtype))
            for dtype in _DTYPES
        ],
    ],
    error=[Invocation(T(4), _mask(2), [_index(2), _index(2)], T(2), device="cpu")],
)
dtype_family(dtype_of_self, "aten::_unsafe_masked_index_put_accumulate")
