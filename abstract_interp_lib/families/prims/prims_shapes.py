"""Views and copies among the primitive operators: `prims::transpose`, ...

Negative dimensions are rejected.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.factories_and_copies.conversion import dtype_of_a
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.joining import (
    equal_sizes,
    joined_dtype,
)
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.permutations import permute_rule
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.views import (
    as_strided_rule,
    view_dtype_dtype_rule,
    view_dtype_rule,
)
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.factories import given_size
from torch_refine.abstract_interp_lib.rules.matching import check_expands, check_same
from torch_refine.abstract_interp_lib.rules.prims import check_dim, check_dims, check_permutation
from torch_refine.abstract_interp_lib.rules.reduction import remove_dims
from torch_refine.abstract_interp_lib.rules.sizes import insert_size, product, replace_size

_DTYPES = (torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.complex64)

shape_family(
    as_strided_rule,
    "prims::as_strided",
    ok=[
        Invocation(T(6), [2, 2], [3, 1], 0),
        Invocation(T(6), [2], [1], 3),
        Invocation(T(6), [2], [0], 2),
        Invocation(T(6), [0], [1], 0),
    ],
    error=[Invocation(T(6), [2], [1, 1], 0), Invocation(T(6), [-1], [1], 0)],
)
dtype_family(
    dtype_of_a,
    "prims::as_strided",
    ok=[Invocation(T(6, dtype=dtype), [2], [1], 0) for dtype in _DTYPES],
)


def strided_scatter(self: List[int], src: List[int], size: List[int]) -> List[int]:
    """The shape of `self`; `src` has the shape of the strided view it replaces."""
    check_same(src, size, "src")
    return self


shape_family(
    strided_scatter,
    "prims::as_strided_scatter",
    ok=[
        Invocation(T(6), T(2, 2), [2, 2], [3, 1], 0),
        Invocation(T(2, 3), T(), [], [], 5),
        Invocation(T(6), T(0), [0], [1], 0),
    ],
    error=[
        Invocation(T(6), T(2), [3], [1], 0),
        Invocation(T(6), T(2), [1], [1], 0),
        Invocation(T(6), T(2), [2, 1], [1, 1], 0),
    ],
)
dtype_family(
    dtype_of_self,
    "prims::as_strided_scatter",
    ok=[Invocation(T(6, dtype=dtype), T(2, dtype=dtype), [2], [1], 0) for dtype in _DTYPES],
)


def broadcast_in_dim(a: List[int], shape: List[int], broadcast_dimensions: List[int]) -> List[int]:
    """The argument `shape`; `broadcast_dimensions` are the dimensions of `a` in it."""
    assert len(a) == len(broadcast_dimensions), (
        f"broadcast_dimensions must have one entry per dimension of {a}, got {broadcast_dimensions}"
    )
    earlier = -1
    for index in range(len(a)):
        dim = broadcast_dimensions[index]
        assert dim > earlier and dim < len(shape), (
            f"broadcast_dimensions must be increasing dimensions of {shape}, got {broadcast_dimensions}"
        )
        assert a[index] == 1 or a[index] == shape[dim], (
            f"a dimension of size {a[index]} cannot expand to {shape[dim]}"
        )
        earlier = dim
    return given_size(shape)


shape_family(
    broadcast_in_dim,
    "prims::broadcast_in_dim",
    ok=[
        Invocation(T(2), [3, 2], [1]),
        Invocation(T(2), [2, 3], [0]),
        Invocation(T(1, 2), [4, 2, 5], [0, 1]),
        Invocation(T(), [3], []),
        Invocation(T(), [], []),
        Invocation(T(1), [0], [0]),
    ],
    error=[
        Invocation(T(2, 2), [2, 2], [0]),
        Invocation(T(2, 2), [2, 2], [1, 0]),
        Invocation(T(2), [2], [1]),
        Invocation(T(2), [2, 2], [-1]),
        Invocation(T(2), [3], [0]),
        Invocation(T(1), [-1], [0]),
    ],
)
dtype_family(
    dtype_of_a,
    "prims::broadcast_in_dim",
    ok=[Invocation(T(2, dtype=dtype), [3, 2], [1]) for dtype in _DTYPES],
)


def collapsed(a: List[int], start: int, end: int) -> List[int]:
    """The dimensions from `start` to `end`, inclusive, are merged; 0-dim gives 1-D."""
    check_dims([start, end], len(a))
    assert end >= start, f"start must not be greater than end, got {start}, {end}"
    return insert_size(a[:start] + a[end + 1 :], start, product(a[start : end + 1]))


_COLLAPSES = ("prims::collapse", "prims::collapse_view")
shape_family(
    collapsed,
    *_COLLAPSES,
    ok=[
        Invocation(T(2, 3, 4), 0, 1),
        Invocation(T(2, 3, 4), 1, 2),
        Invocation(T(2, 3, 4), 0, 2),
        Invocation(T(2, 3, 4), 1, 1),
        Invocation(T(0, 3), 0, 1),
        Invocation(T(), 0, 0),
    ],
    error=[
        Invocation(T(2, 3), 1, 0),
        Invocation(T(2, 3), 0, 2),
        Invocation(T(2, 3), -1, 1),
        Invocation(T(), 0, 1),
    ],
)
dtype_family(
    dtype_of_a, *_COLLAPSES, ok=[Invocation(T(2, 3, dtype=dtype), 0, 1) for dtype in _DTYPES]
)


def split(a: List[int], dim: int, outer_length: int) -> List[int]:
    """One dimension is split in two; the outer one has size `outer_length`."""
    check_dim(dim, len(a))
    assert outer_length > 0 and a[dim] % outer_length == 0, (
        f"outer_length must divide the size {a[dim]}, got {outer_length}"
    )
    return insert_size(replace_size(a, dim, a[dim] // outer_length), dim, outer_length)


shape_family(
    split,
    "prims::split_dim",
    ok=[
        Invocation(T(6, 2), 0, 3),
        Invocation(T(6, 2), 1, 1),
        Invocation(T(0), 0, 3),
    ],
    error=[
        Invocation(T(6, 2), 0, 4),
        Invocation(T(6, 2), 0, 0),
        Invocation(T(6, 2), 2, 1),
        Invocation(T(6, 2), -1, 1),
        Invocation(T(), 0, 1),
    ],
)
dtype_family(
    dtype_of_a, "prims::split_dim", ok=[Invocation(T(6, dtype=dtype), 0, 3) for dtype in _DTYPES]
)


def squeezed(a: List[int], dimensions: List[int]) -> List[int]:
    """Removes the given dimensions, which have size 1."""
    for dim in dimensions:
        check_dim(dim, len(a))
        assert a[dim] == 1, f"squeezed dimensions must have size 1, got {a[dim]}"
    return remove_dims(a, dimensions, False)


shape_family(
    squeezed,
    "prims::squeeze",
    ok=[
        Invocation(T(1, 2, 1), [0, 2]),
        Invocation(T(1, 2), [0]),
        Invocation(T(1, 2), []),
        Invocation(T(), []),
    ],
    error=[
        Invocation(T(1, 2), [1]),
        Invocation(T(1, 2), [2]),
        Invocation(T(2, 1), [-1]),
        Invocation(T(), [0]),
    ],
)
dtype_family(
    dtype_of_a, "prims::squeeze", ok=[Invocation(T(1, 2, dtype=dtype), [0]) for dtype in _DTYPES]
)


def transposed(a: List[int], permutation: List[int]) -> List[int]:
    """The dimensions in another order."""
    check_permutation(permutation, len(a))
    return permute_rule(a, permutation)


shape_family(
    transposed,
    "prims::transpose",
    ok=[
        Invocation(T(2, 3), [1, 0]),
        Invocation(T(1, 2, 3), [2, 0, 1]),
        Invocation(T(), []),
    ],
    error=[
        Invocation(T(1, 2), [1]),
        Invocation(T(1, 2), [0, 0]),
        Invocation(T(1, 2), [-1, 0]),
        Invocation(T(1, 2), [0, 2]),
    ],
)
dtype_family(
    dtype_of_a,
    "prims::transpose",
    ok=[Invocation(T(2, 3, dtype=dtype), [1, 0]) for dtype in _DTYPES],
)


def view_of_dtype(a: Tuple[List[int], int], dtype: int) -> List[int]:
    """The last size is scaled by the ratio of the element sizes."""
    return view_dtype_rule(a, dtype)


shape_family(
    view_of_dtype,
    "prims::view_of_dtype",
    ok=[
        Invocation(T(3, 4), torch.float64),
        Invocation(T(3, 4), torch.int16),
        Invocation(T(), torch.int32),
        Invocation(T(3, 2, dtype=torch.complex64), torch.uint8),
        Invocation(T(3, 8, dtype=torch.bool), torch.bfloat16),
        Invocation(T(2, 0), torch.int16),
    ],
    error=[Invocation(T(), torch.int16), Invocation(T(3, 3), torch.float64)],
)
dtype_family(view_dtype_dtype_rule, "prims::view_of_dtype")


def joined(tensors: List[List[int]], dim: int) -> List[int]:
    """Concatenation of tensors of the same rank; all other sizes must match."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    check_dim(dim, len(tensors[0]))
    common = replace_size(tensors[0], dim, 0)
    total = 0
    for tensor in tensors:
        assert len(tensor) == len(common), f"ranks must match, got {len(tensor)} and {len(common)}"
        total = total + tensor[dim]
        common = equal_sizes(common, replace_size(tensor, dim, 0))
    return replace_size(common, dim, total)


shape_family(
    joined,
    "prims::cat",
    ok=[
        Invocation([T(2, 3), T(4, 3)], 0),
        Invocation([T(2, 3), T(2, 1), T(2, 0)], 1),
        Invocation([T(2), T(0)], 0),
        Invocation([T(2, 3)], 1),
    ],
    error=[
        Invocation([], 0),
        Invocation([T(2, 3), T(4, 5)], 0),
        Invocation([T(2, 3), T(0)], 0),
        Invocation([T(2, 3), T(2, 3)], 2),
        Invocation([T(2, 3), T(2, 3)], -1),
        Invocation([T(), T()], 0),
    ],
)
# The meta kernel returns the first tensor's dtype.
dtype_family(
    joined_dtype,
    "prims::cat",
    ok=[
        *[Invocation([T(2, dtype=dtype), T(3, dtype=dtype)], 0) for dtype in _DTYPES],
        Invocation([T(2), T(2, dtype=torch.float64)], 0, device="cpu"),
        Invocation([T(2, dtype=torch.int64), T(2, dtype=torch.float16)], 0, device="cpu"),
        Invocation([T(2, dtype=torch.bool), T(2, dtype=torch.uint8)], 0, device="cpu"),
    ],
    error=[Invocation([], 0)],
)


def reshaped(a: List[int], shape: List[int]) -> List[int]:
    """The argument `shape`, with the same numel; -1 is not supported."""
    out = given_size(shape)
    assert product(a) == product(shape), f"shape {a} cannot be viewed as {shape}"
    return out


shape_family(
    reshaped,
    "prims::reshape",
    ok=[
        Invocation(T(2, 3), [6]),
        Invocation(T(2, 3), [3, 2, 1]),
        Invocation(T(), [1]),
        Invocation(T(0, 3), [0]),
    ],
    error=[Invocation(T(2, 3), [5]), Invocation(T(2, 3), [-1])],
)
dtype_family(
    dtype_of_a, "prims::reshape", ok=[Invocation(T(2, 3, dtype=dtype), [6]) for dtype in _DTYPES]
)


def reversed_order(a: List[int], dims: List[int]) -> List[int]:
    """Reversing dimensions keeps the shape."""
    check_dims(dims, len(a))
    return a


shape_family(
    reversed_order,
    "prims::rev",
    ok=[
        Invocation(T(2, 3), [0, 1]),
        Invocation(T(2, 3), []),
        Invocation(T(), [0]),
        Invocation(T(), []),
    ],
    error=[Invocation(T(2, 3), [2]), Invocation(T(2, 3), [-1])],
)
dtype_family(
    dtype_of_a, "prims::rev", ok=[Invocation(T(2, 3, dtype=dtype), [0]) for dtype in _DTYPES]
)


def restrided(a: List[int], stride: List[int]) -> List[int]:
    """A copy with other strides, one per dimension."""
    assert len(a) == len(stride), f"stride must have one entry per dimension of {a}, got {stride}"
    return a


shape_family(
    restrided,
    "prims::copy_strided",
    ok=[Invocation(T(2, 3), [1, 2]), Invocation(T(), []), Invocation(T(0, 3), [3, 1])],
    error=[Invocation(T(2, 3), [1])],
)
dtype_family(
    dtype_of_a,
    "prims::copy_strided",
    ok=[Invocation(T(2, 3, dtype=dtype), [1, 2]) for dtype in _DTYPES],
)


def copied_to(a: List[int], b: List[int]) -> List[int]:
    """`b` expands to the shape of `a`, through dimensions of size 1 only."""
    check_expands(b, a)
    assert product(a) == product(b), f"numel must match shape {a}, got {product(b)}"
    return a


shape_family(
    copied_to,
    "prims::copy_to",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(1, 3), T(3)),
        Invocation(T(1), T()),
        Invocation(T(0, 3), T(0, 3)),
    ],
    error=[
        Invocation(T(2, 3), T(3)),
        # The meta kernel only compares numel.
        Invocation(T(2, 3), T(3, 2), device="cpu"),
        Invocation(T(3), T(1, 3), device="cpu"),
    ],
)
dtype_family(
    dtype_of_a,
    "prims::copy_to",
    ok=[Invocation(T(2, dtype=dtype), T(2, dtype=torch.int32)) for dtype in _DTYPES],
)


def resized(shape: List[int]) -> List[int]:
    """The argument `shape`."""
    return given_size(shape)


shape_family(
    resized,
    "prims::resize",
    ok=[Invocation(T(0), [2, 3]), Invocation(T(6), [2]), Invocation(T(4), [])],
    error=[Invocation(T(4), [-1])],
)
dtype_family(
    dtype_of_a, "prims::resize", ok=[Invocation(T(4, dtype=dtype), [2]) for dtype in _DTYPES]
)
