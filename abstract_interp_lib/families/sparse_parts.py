"""Sparse tensors: their parts, their own sizes, masks, and the way back to dense ones."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.sparse_construction import of_dimensions
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same, given_size
from torch_refine.abstract_interp_lib.rules.matching import check_expands, check_same
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.unknown import (
    unknown_dtype,
    unknown_size,
    unknown_sizes,
)

_COO = torch.sparse_coo
_CSR = torch.sparse_csr
_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
)
_OF_DTYPES = [T(2, 3, dtype=dtype, layout=_COO) for dtype in _DTYPES]


def indices_sizes(self: List[int]) -> List[int]:
    """A row for each sparse dimension, of which there may be fewer than dimensions."""
    return [unknown_size(), unknown_size()]


shape_family(
    indices_sizes,
    "aten::_indices",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
dtype_family(int64_dtype, "aten::_indices")


def values_sizes(self: List[int]) -> List[int]:
    """How many entries there are, and what sizes each has, depends on values and layout."""
    return unknown_sizes()


_VALUES = ("aten::values", "aten::_values", "aten::values_copy")
shape_family(
    values_sizes,
    "aten::values",
    "aten::_values",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
# The copy does not take coordinates.
shape_family(
    values_sizes,
    "aten::values_copy",
    ok=[
        Invocation(T(4, 6, dtype=dtype, layout=layout), device="cpu")
        for dtype in _DTYPES
        for layout in (_CSR, torch.sparse_bsc)
    ],
)
dtype_family(dtype_of_self, *_VALUES)

# Entries at one place are added up; the second operator only says whether they are.
shape_family(
    same_as_self,
    "aten::coalesce",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
shape_family(
    same_as_self,
    "aten::_coalesced",
    ok=[Invocation(tensor, True, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
dtype_family(dtype_of_self, "aten::coalesce", "aten::_coalesced")

# Only from the layout of oneDNN can the dtype be changed on the way.
shape_family(
    same_as_self,
    "aten::_to_dense",
    ok=[
        *[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
        Invocation(T(2, 3, layout=_CSR), device="cpu"),
        Invocation(T(2, 3, layout=torch._mkldnn), device="cpu"),
    ],
)
dtype_family(dtype_or_same, "aten::_to_dense")


def same_as_grad(grad: List[int]) -> List[int]:
    """The shape of the incoming gradient."""
    return grad


def to_dense_backward_dtype(grad: Tuple[int, int], input: Tuple[int, int]) -> int:
    """The dtype of gradient and input; if they differ, it depends on the layout of the input."""
    return grad[1] if grad[1] == input[1] else unknown_dtype()


shape_family(
    same_as_grad,
    "aten::to_dense_backward",
    ok=[
        *[
            Invocation(T(2, 3, dtype=dtype), T(2, 3, dtype=dtype, layout=_COO), device="cpu")
            for dtype in _DTYPES
        ],
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 3), T(2, 3, dtype=torch.float64)),
        Invocation(T(2, 3), T(2, 3, dtype=torch.float64, layout=_COO), device="cpu"),
        Invocation(T(2, 3), T(2, 3, layout=_CSR), False, device="cpu"),
        Invocation(T(2, 3), T(2, 3, layout=torch._mkldnn), device="cpu"),
    ],
)
dtype_family(to_dense_backward_dtype, "aten::to_dense_backward")


def same_as_src(src: List[int]) -> List[int]:
    """The shape of what is copied."""
    return src


def same_as_template(the_template: List[int]) -> List[int]:
    """The shape of the template."""
    return the_template


_LARGER = T(4, 5, dtype=torch.int32, layout=_COO)
shape_family(
    same_as_src,
    "aten::copy_sparse_to_sparse",
    ok=[Invocation(tensor, _LARGER, device="cpu") for tensor in _OF_DTYPES],
)
shape_family(
    same_as_template,
    "aten::resize_as_sparse",
    ok=[
        *[Invocation(tensor, _LARGER, device="cpu") for tensor in _OF_DTYPES],
        Invocation(T(2, 3, layout=_CSR), T(1, 5, layout=_CSR), device="cpu"),
    ],
)
_RESIZES = ("aten::sparse_resize", "aten::sparse_resize_and_clear")
shape_family(
    of_dimensions,
    *_RESIZES,
    ok=[Invocation(tensor, [4, 5], 2, 0, device="cpu") for tensor in _OF_DTYPES],
    error=[
        Invocation(T(2, 3, layout=_COO), [4, 5], 1, 0, device="cpu"),
        Invocation(T(2, 3, layout=_COO), [4, -5], 2, 0, device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::copy_sparse_to_sparse", "aten::resize_as_sparse", *_RESIZES)


def sparse_broadcast(self: List[int], size: List[int]) -> List[int]:
    """The sizes given, to which the tensor expands; there is no -1 for a size that stays."""
    check_expands(self, size)
    return given_size(size)


shape_family(
    sparse_broadcast,
    "aten::_sparse_broadcast_to",
    ok=[
        Invocation(T(1, 3, layout=_COO), [5, 3], device="cpu"),
        Invocation(T(3, layout=_COO), [2, 3], device="cpu"),
        Invocation(T(layout=_COO), [2], device="cpu"),
        *[Invocation(tensor, [4, 2, 3], device="cpu") for tensor in _OF_DTYPES],
    ],
    error=[
        Invocation(T(2, 3, layout=_COO), [3], device="cpu"),
        Invocation(T(2, 3, layout=_COO), [4, 3], device="cpu"),
        Invocation(T(3, layout=_COO), [-1, 3], device="cpu"),
    ],
)
dtype_family(dtype_of_self, "aten::_sparse_broadcast_to")


def masked(self: List[int], mask: List[int]) -> List[int]:
    """What is left where the mask has entries; both have one shape."""
    check_same(self, mask, "self")
    return self


_MASK = T(2, 3, dtype=torch.float64, layout=_COO)
shape_family(
    masked,
    "aten::sparse_mask",
    ok=[
        *[Invocation(T(2, 3, dtype=dtype), _MASK, device="cpu") for dtype in _DTYPES],
        Invocation(T(2, 3), T(2, 3, layout=_CSR), device="cpu"),
        Invocation(T(2, 3, layout=_COO), _MASK, device="cpu"),
        Invocation(T(), T(layout=_COO), device="cpu"),
    ],
    error=[
        Invocation(T(2, 4), _MASK, device="cpu"),
        Invocation(T(3), _MASK, device="cpu"),
    ],
)
shape_family(
    masked,
    "aten::_sparse_mask_projection",
    ok=[
        Invocation(tensor, T(2, 3, dtype=torch.bool, layout=_COO), device="cpu")
        for tensor in _OF_DTYPES
    ],
    error=[Invocation(T(2, 4, layout=_COO), _MASK, device="cpu")],
)
dtype_family(dtype_of_self, "aten::sparse_mask", "aten::_sparse_mask_projection")
