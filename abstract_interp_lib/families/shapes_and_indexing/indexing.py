"""Indexing by tensors: `index`, `gather`, `take`, masks, `nonzero`, and their gradients."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.scattering import (
    index_add_rule,
    scatter_rule,
)
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.slicing import (
    select_rule,
    slice_rule,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.indexing import (
    check_index_fits,
    check_index_vector,
    index_sizes,
)
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import (
    dtype_of_filled,
    int_to_float,
    promote_list,
)
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    insert_size,
    product,
    replace_size,
    wrap_existing,
)
from torch_refine.abstract_interp_lib.rules.unknown import either_dtype, unknown_size

_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def _index(*sizes: int) -> TensorCase:
    return T(*sizes, dtype=torch.int64)


def _mask(*sizes: int) -> TensorCase:
    return T(*sizes, dtype=torch.bool)


def index_rule(self: List[int], indices: List[Optional[Tuple[List[int], int]]]) -> List[int]:
    """Index tensors broadcast and replace the indexed dimensions if these are adjacent."""
    return index_sizes(self, indices)


def index_twin_rule(self: List[int], indices: List[Tuple[List[int], int]]) -> List[int]:
    """As `index`, with an index for every leading dimension."""
    optional: List[Optional[Tuple[List[int], int]]] = []
    for index in indices:
        optional.append(index)
    return index_sizes(self, optional)


_POSITIONS_OK = [
    Invocation(T(4, 3), [_index(2)]),
    Invocation(T(4, 3), [_index()]),
    Invocation(T(4, 3, 5), [_index(2, 1), _index(6)]),
    Invocation(T(4, 3), [T(2, dtype=torch.int32)]),
    Invocation(T(0, 3), [_index(0)]),
    *[Invocation(T(4, 3, dtype=dtype), [_index(2)]) for dtype in _DTYPES],
]
_SKIPS_OK = [
    Invocation(T(4, 3, 5), [None, _index(2)]),
    Invocation(T(4, 3, 5), [None, _index(2, 7), _index(7)]),
    Invocation(T(4, 3, 5), [_index(2), None, _index(2)]),
    Invocation(T(4, 3, 5, 6), [None, _index(2, 1), None, _index(3)]),
    Invocation(T(4, 3, 5, 6), [None, _index(), _index(), None]),
]
# The meta device does not support masks: the number of selected elements is data-dependent.
_MASKS_OK = [
    Invocation(T(2, 3), [_mask(2)], device="cpu"),
    Invocation(T(2, 3), [_mask(2, 3)], device="cpu"),
    Invocation(T(2, 3), [T(2, dtype=torch.uint8)], device="cpu"),
    Invocation(T(2, 3, 4), [_mask(2), _index(1)], device="cpu"),
    Invocation(T(2, 3, 4), [_mask(2), _index(5, 2)], device="cpu"),
    Invocation(T(2, 3, 4), [_mask(2, 3), _index(1)], device="cpu"),
    Invocation(T(2, 3, 4), [_index(), _mask(), _index()], device="cpu"),
]
_MASK_SKIPS_OK = [
    Invocation(T(2, 3, 4), [None, _mask(3, 4)], device="cpu"),
    Invocation(T(2, 2, 3), [_mask(2), None, _index(2)], device="cpu"),
    Invocation(T(2, 3, 4, 5), [None, _mask(3, 4), _index()], device="cpu"),
]
_POSITIONS_ERROR = [
    Invocation(T(4), [_index(2), _index(2)]),
    Invocation(T(4, 3), [_index(2), _index(3)]),
    Invocation(T(4, 3), [T(2, dtype=torch.int16)]),
]
_MASKS_ERROR = [
    Invocation(T(2, 3), [_mask(3)], device="cpu"),
    Invocation(T(2, 3), [_mask(2, 3), _index(2)], device="cpu"),
    Invocation(T(2, 3), [_mask(2, 3, 1)], device="cpu"),
]

shape_family(
    index_rule,
    "aten::index.Tensor",
    ok=[*_POSITIONS_OK, *_SKIPS_OK, *_MASKS_OK, *_MASK_SKIPS_OK],
    error=[*_POSITIONS_ERROR, *_MASKS_ERROR],
)
shape_family(
    index_rule,
    "aten::_unsafe_index.Tensor",
    ok=[*_POSITIONS_OK, *_SKIPS_OK],
    error=_POSITIONS_ERROR,
)
shape_family(
    index_twin_rule,
    "aten::index.Tensor_hacked_twin",
    ok=[*_POSITIONS_OK, *_MASKS_OK],
    error=[*_POSITIONS_ERROR, *_MASKS_ERROR],
)
shape_family(
    index_twin_rule,
    "aten::_unsafe_index.Tensor_hacked_twin",
    ok=_POSITIONS_OK,
    error=_POSITIONS_ERROR,
)
dtype_family(
    dtype_of_self,
    "aten::index.Tensor",
    "aten::index.Tensor_hacked_twin",
    "aten::_unsafe_index.Tensor",
    "aten::_unsafe_index.Tensor_hacked_twin",
)


@shape_function(
    "aten::index_select",
    ok=[
        Invocation(T(4, 3), 0, _index(2)),
        Invocation(T(4, 3), -1, T(5, dtype=torch.int32)),
        Invocation(T(4, 3), 0, _index()),
        Invocation(T(4, 3), 0, _index(0)),
        Invocation(T(), 0, _index(1)),
        Invocation(T(), -1, _index()),
        *[Invocation(T(4, 3, dtype=dtype), 0, _index(2)) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4, 3), 2, _index(2)),
        Invocation(T(4, 3), 0, _index(1, 1), device="cpu"),
        Invocation(T(), 0, _index(2), device="cpu"),
    ],
)
def index_select(self: List[int], dim: int, index: List[int]) -> List[int]:
    """`dim` gets the size of the 1-D index."""
    at = wrap_dim(dim, len(self))
    check_index_vector(index)
    count = product(index)
    assert len(self) > 0 or count == 1, (
        f"aten::index_select: index must have one element for a 0-dim tensor, got {count}"
    )
    return replace_size(self, at, count) if len(self) > 0 else self


dtype_family(dtype_of_self, "aten::index_select")


def gather_rule(self: List[int], dim: int, index: List[int]) -> List[int]:
    """The shape of `index`."""
    check_index_fits(index, self, wrap_dim(dim, len(self)))
    return index


shape_family(
    gather_rule,
    "aten::gather",
    ok=[
        Invocation(T(4, 3), 0, _index(2, 3)),
        Invocation(T(4, 3), -1, _index(2, 7)),
        Invocation(T(4, 3), 1, T(4, 1, dtype=torch.int32)),
        Invocation(T(4, 3), 0, _index(0)),
        Invocation(T(4, 3), 0, _index(0, 5)),
        Invocation(T(), 0, _index(2)),
        Invocation(T(2), 0, _index()),
        *[Invocation(T(4, 3, dtype=dtype), 0, _index(2, 3)) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4, 3), 0, _index(2, 4)),
        Invocation(T(4, 3), 0, _index(2)),
        Invocation(T(4, 3), 2, _index(2, 3)),
    ],
)
dtype_family(dtype_of_self, "aten::gather")


def take_rule(index: List[int]) -> List[int]:
    """The shape of `index`, whose elements index the flattened tensor."""
    return index


shape_family(
    take_rule,
    "aten::take",
    ok=[
        Invocation(T(4, 3), _index(2, 5)),
        Invocation(T(4, 3), _index()),
        Invocation(T(), _index(1, 1)),
        *[Invocation(T(4, 3, dtype=dtype), _index(2)) for dtype in _DTYPES],
    ],
)


def take_dtype(self: Tuple[int, int], index: Tuple[int, int]) -> int:
    """The dtype of `self`; indices are int64."""
    assert index[1] == torch.int64, f"index must be of dtype int64, got dtype {index[1]}"
    return self[1]


dtype_family(take_dtype, "aten::take", error=[Invocation(T(4), T(2, dtype=torch.int32))])


@shape_function(
    "aten::take_along_dim",
    ok=[
        Invocation(T(4, 3), _index(2, 5)),
        Invocation(T(4, 3), T(2, dtype=torch.int32)),
        Invocation(T(4, 3), _index(5, 3), 0),
        Invocation(T(4, 3), _index(5, 1), -2),
        Invocation(T(4, 1), _index(5, 6), 0),
        Invocation(T(), _index()),
        *[Invocation(T(4, 3, dtype=dtype), _index(2, 3), 0) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4, 3), _index(5), 0),
        Invocation(T(4, 3), _index(5, 2), 0),
        Invocation(T(), _index(), 0),
    ],
)
def take_along_dim(self: List[int], indices: List[int], dim: Optional[int] = None) -> List[int]:
    """As `gather`, after broadcasting except at `dim`; without `dim` both are flattened."""
    if dim is None:
        return [product(indices)]
    else:
        at = wrap_existing(dim, len(self))
        assert len(self) == len(indices), (
            f"aten::take_along_dim: ranks must match, got shapes {self} and {indices}"
        )
        return broadcast_two(replace_size(self, at, indices[at]), indices)


@dtype_function("aten::take_along_dim", error=[Invocation(T(4), T(2, dtype=torch.int32), 0)])
def take_along_dim_dtype(
    self: Tuple[int, int], indices: Tuple[int, int], dim: Optional[int] = None
) -> int:
    """The dtype of `self`; along a dimension, indices are int64."""
    assert dim is None or indices[1] == torch.int64, (
        f"aten::take_along_dim: indices must be of dtype int64, got dtype {indices[1]}"
    )
    return self[1]


@shape_function(
    "aten::one_hot",
    ok=[
        Invocation(_index(2, 4), 3),
        Invocation(_index(), 3),
        Invocation(_index(0), 3),
        Invocation(_index(2, 4), device="cpu"),
    ],
    error=[
        Invocation(_index(2), 0, device="cpu"),
        Invocation(_index(0), device="cpu"),
        Invocation(_index(2), -2, device="cpu"),
    ],
)
def one_hot(self: List[int], num_classes: int = -1) -> List[int]:
    """A last dimension of `num_classes`; for -1 the number of classes is data-dependent."""
    assert num_classes == -1 or num_classes > 0, (
        f"aten::one_hot: num_classes must be positive or -1, got {num_classes}"
    )
    assert num_classes > 0 or 0 not in self, (
        f"aten::one_hot: num_classes must be given for an empty tensor, got shape {self}"
    )
    return append_size(self, unknown_size() if num_classes == -1 else num_classes)


@dtype_function("aten::one_hot", error=[Invocation(T(2, dtype=torch.int32), 3)])
def one_hot_dtype(self: Tuple[int, int], num_classes: int = -1) -> int:
    """int64, like the input."""
    assert self[1] == torch.int64, f"aten::one_hot: self must be int64, got dtype {self[1]}"
    return torch.int64


@shape_function(
    "aten::masked_select",
    ok=[
        Invocation(T(2, 3), _mask(2, 3), device="cpu"),
        Invocation(T(2, 3), _mask(4, 1, 1), device="cpu"),
        Invocation(T(), _mask(), device="cpu"),
        *[Invocation(T(2, 3, dtype=dtype), _mask(3), device="cpu") for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3), _mask(2), device="cpu")],
)
def masked_select(self: List[int], mask: List[int]) -> List[int]:
    """A vector with as many elements as the broadcast mask has true elements."""
    broadcast_two(self, mask)
    return [unknown_size()]


@dtype_function(
    "aten::masked_select", error=[Invocation(T(2), T(2, dtype=torch.uint8), device="cpu")]
)
def masked_select_dtype(self: Tuple[int, int], mask: Tuple[int, int]) -> int:
    """The dtype of `self`."""
    assert mask[1] == torch.bool, f"aten::masked_select: mask must be bool, got dtype {mask[1]}"
    return self[1]


def nonzero_rule(self: List[int]) -> List[int]:
    """One row of indices per nonzero element."""
    return [unknown_size(), len(self)]


def nonzero_static_rule(self: List[int], size: int) -> List[int]:
    """`size` rows of indices."""
    assert size >= 0, f"size must not be negative, got {size}"
    return [size, len(self)]


def positions_rule(self: List[int]) -> List[List[int]]:
    """One index vector per dimension; a 0-dim tensor counts as having one."""
    count = unknown_size()
    return [[count] for _ in range(max(len(self), 1))]


def where_rule(condition: List[int]) -> List[List[int]]:
    """One index vector per dimension; a 0-dim tensor counts as having one."""
    return positions_rule(condition)


def positions_dtype(self: Tuple[int, int]) -> List[int]:
    """Indices are int64."""
    return [torch.int64 for _ in range(max(self[0], 1))]


def where_dtype(condition: Tuple[int, int]) -> List[int]:
    """Indices are int64."""
    return positions_dtype(condition)


_NONZERO_OK = [
    Invocation(T(), device="cpu"),
    Invocation(T(0, 3), device="cpu"),
    Invocation(T(2, 3, 4), device="cpu"),
    *[Invocation(T(2, 3, dtype=dtype), device="cpu") for dtype in _DTYPES],
]

shape_family(nonzero_rule, "aten::nonzero", "aten::argwhere", ok=_NONZERO_OK)
shape_family(
    nonzero_static_rule,
    "aten::nonzero_static",
    ok=[
        Invocation(T(), size=4),
        *[Invocation(T(2, 3, dtype=dtype), size=4) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3), size=-1)],
)
dtype_family(int64_dtype, "aten::nonzero", "aten::argwhere", "aten::nonzero_static")
shape_family(positions_rule, "aten::nonzero_numpy", ok=_NONZERO_OK)
dtype_family(positions_dtype, "aten::nonzero_numpy")
shape_family(where_rule, "aten::where", ok=_NONZERO_OK)
dtype_family(where_dtype, "aten::where")


# Gradients of indexing operators: `select`, `slice`, `gather`, masks, scans.
#
# The selected elements receive the gradient, the others zeros, so most results have the shape of
# the input and the dtype of the gradient.

_GRADIENT_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64)


def dtype_of_grad(grad: Tuple[int, int]) -> int:
    """The dtype of the gradient."""
    return grad[1]


def dtype_of_grad_output(grad_output: Tuple[int, int]) -> int:
    """The dtype of the gradient."""
    return grad_output[1]


def select_backward_rule(
    grad_output: List[int], input_sizes: List[int], dim: int, index: int
) -> List[int]:
    """The argument `input_sizes`; one index of a dimension receives the gradient."""
    check_expands(grad_output, select_rule(input_sizes, dim, index))
    return input_sizes


def slice_backward_rule(
    grad_output: List[int], input_sizes: List[int], dim: int, start: int, end: int, step: int
) -> List[int]:
    """The argument `input_sizes`; a slice receives the gradient."""
    check_expands(grad_output, slice_rule(input_sizes, dim, start, end, step))
    return input_sizes


# The meta kernels accept gradients of any shape.
shape_family(
    select_backward_rule,
    "aten::select_backward",
    ok=[
        Invocation(T(3), [5, 3], 0, 4),
        Invocation(T(5), [5, 3], -1, -3),
        Invocation(T(), [5], 0, 1),
        *[Invocation(T(3, dtype=dtype), [5, 3], 0, 1) for dtype in _GRADIENT_DTYPES],
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
        *[Invocation(T(2, dtype=dtype), [5], 0, -2, 5, 1) for dtype in _GRADIENT_DTYPES],
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
    """The shape of `self`."""
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
        *[Invocation(T(2, dtype=dtype), T(4), 0, _index(2), False) for dtype in _GRADIENT_DTYPES],
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
    """The argument `self_sizes`."""
    return index_add_rule(self_sizes, dim, index, grad)


shape_family(
    index_select_backward_rule,
    "aten::index_select_backward",
    ok=[
        Invocation(T(2, 3), [4, 3], 0, _index(2)),
        Invocation(T(4, 5), [4, 3], -1, T(5, dtype=torch.int32)),
        Invocation(T(1, 3), [4, 3], 0, _index()),
        Invocation(T(), [], 0, _index(1)),
        *[Invocation(T(2, 3, dtype=dtype), [4, 3], 0, _index(2)) for dtype in _GRADIENT_DTYPES],
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
    """The argument `sizes`: the masked elements of the gradient, padded with zeros."""
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
        *[
            Invocation(T(2, dtype=dtype), _mask(2), [2, 1], device="cpu")
            for dtype in _GRADIENT_DTYPES
        ],
    ],
    error=[Invocation(T(2, 3), _mask(2), [6], device="cpu")],
)
dtype_family(
    masked_scatter_backward_dtype,
    "aten::masked_scatter_backward",
    error=[Invocation(T(2), T(2, dtype=torch.int64), [2], device="cpu")],
)


def masked_select_backward_rule(input: List[int], mask: List[int]) -> List[int]:
    """The broadcast shape of input and mask."""
    return broadcast_two(input, mask)


def masked_select_backward_dtype(grad: Tuple[int, int], input: Tuple[int, int]) -> int:
    """Gradient and input have the same dtype."""
    assert grad[1] == input[1], f"dtypes must match, got {grad[1]} and {input[1]}"
    return input[1]


shape_family(
    masked_select_backward_rule,
    "aten::masked_select_backward",
    ok=[
        Invocation(T(6), T(2, 3), _mask(2, 3)),
        Invocation(T(6), T(3), _mask(2, 1)),
        Invocation(T(1), T(), _mask()),
        *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype), _mask(2)) for dtype in _GRADIENT_DTYPES],
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
    """The argument `sizes`; the selected elements receive the gradients."""
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
        *[Invocation(T(3, dtype=dtype), 0, _index(3), [2, 3], False) for dtype in _GRADIENT_DTYPES],
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
    """The shape of the input; an empty input is returned."""
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
        *[
            Invocation(T(3, dtype=dtype), T(3, dtype=dtype), _index(3), 0)
            for dtype in _GRADIENT_DTYPES
        ],
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
    """Gradient, input and output have the same shape, which the result keeps."""
    return broadcast_three(grad, input, output)


def cumprod_backward_dtype(
    grad: Tuple[int, int], input: Tuple[int, int], output: Tuple[int, int]
) -> int:
    """The operands promote, to at least float32 if the input has no zero; else as the gradient."""
    promoted = promote_list([grad, input, output])
    return either_dtype(either_dtype(int_to_float(promoted), promoted), grad[1])


# The meta device cannot tell whether the input contains a zero.
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
    """As `index`; masked elements are replaced by a scalar; the mask broadcasts.

    For an empty tensor, the CPU returns size 0 in the dimensions that `indices` do not reach.
    """
    if 0 in self:
        reached = len(indices)
        sizes = [self[at] if at < reached else unknown_size() for at in range(len(self))]
        return index_sizes(sizes, indices)
    else:
        return broadcast_two(index_sizes(self, indices), mask)


def mask_is_bool(
    self: Tuple[int, int], mask: Tuple[int, int], fill: Union[int, float, complex]
) -> int:
    """The dtype of `self`; the mask is bool."""
    assert mask[1] == torch.bool, f"the mask must be bool, got dtype {mask[1]}"
    return dtype_of_filled(self, fill)


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
        *[Invocation(T(4, dtype=dtype), _mask(2), [_index(2)], 1) for dtype in _GRADIENT_DTYPES],
    ],
    error=[
        Invocation(T(4, 3), _mask(4, 3), [_index(2)], 0),
        Invocation(T(4), _mask(2), [_index(2), _index(2)], 0),
    ],
)
dtype_family(
    mask_is_bool,
    "aten::_unsafe_masked_index",
    error=[
        Invocation(T(4), T(2, dtype=torch.uint8), [_index(2)], 0),
        Invocation(T(4, dtype=torch.int8), _mask(2), [_index(2)], 300, device="cpu"),
    ],
)


def unsafe_masked_index_put_rule(self: List[int], indices: List[Optional[List[int]]]) -> List[int]:
    """The shape of `self`, into which values are accumulated."""
    assert len(indices) <= len(self) or 0 in self, (
        f"too many indices for shape {self}, got {len(indices)}"
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
            for dtype in _GRADIENT_DTYPES
        ],
    ],
    error=[Invocation(T(4), _mask(2), [_index(2), _index(2)], T(2), device="cpu")],
)
dtype_family(dtype_of_self, "aten::_unsafe_masked_index_put_accumulate")
