"""Tensors put together: `cat`, `stack` and their relatives, `meshgrid`, `broadcast_tensors`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.promotion import promote_dtypes
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    insert_size,
    product,
    replace_size,
)

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def joined_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All tensors promote together, empty ones included; they count alike, whatever their ranks."""
    assert len(tensors) > 0, f"there must be tensors to join, got {len(tensors)}"
    ranks: List[Optional[int]] = []
    dtypes: List[int] = []
    for tensor in tensors:
        ranks.append(1)
        dtypes.append(tensor[1])
    return promote_dtypes(ranks, dtypes)


def equal_sizes(left: List[int], right: List[int]) -> List[int]:
    """One shape of two that must be equal."""
    assert len(left) == len(right), f"ranks must match, got shapes {left} and {right}"
    out: List[int] = []
    for index in range(len(left)):
        size = left[index]
        assert size == right[index], f"sizes must match, got shapes {left} and {right}"
        out.append(size)
    return out


def cat_vectors(tensors: List[List[int]], dim: int) -> List[int]:
    """Vectors one after another; without an element, PyTorch takes any `dim`."""
    total = 0
    for tensor in tensors:
        total = total + tensor[0]
    assert dim == 0 or dim == -1 or total == 0, f"dimension {dim} is out of range for vectors"
    return [total]


def cat_rank(tensors: List[List[int]]) -> int:
    """The rank of the result: that of the first tensor that is no vector, 1 without any."""
    rank = 1
    for tensor in tensors:
        assert len(tensor) > 0, f"zero-dim tensors cannot be joined, got shapes {tensors}"
        if rank == 1:
            rank = len(tensor)
    return rank


def cat_rule(tensors: List[List[int]], dim: int) -> List[int]:
    """Tensors one after another along a dimension; apart from it their sizes must match.

    PyTorch passes over empty vectors among tensors of a higher rank.
    """
    assert len(tensors) > 0, f"there must be tensors to join, got {len(tensors)}"
    rank = cat_rank(tensors)
    if rank == 1:
        return cat_vectors(tensors, dim)
    else:
        return cat_ranked(tensors, wrap_dim(dim, rank), rank)


def cat_ranked(tensors: List[List[int]], dim: int, rank: int) -> List[int]:
    """Tensors of rank `rank`, which is above 1, and empty vectors."""
    total = 0
    common: List[int] = []
    for tensor in tensors:
        if len(tensor) == 1:
            assert tensor[0] == 0, f"a vector of rank 1 cannot join tensors of rank {rank}"
        else:
            assert len(tensor) == rank, f"ranks must match, got {len(tensor)} and {rank}"
            total = total + tensor[dim]
            others = replace_size(tensor, dim, 0)
            common = others if len(common) == 0 else equal_sizes(common, others)
    return replace_size(common, dim, total)


_CATS = ["aten::cat", "aten::concat"]

shape_family(
    cat_rule,
    *_CATS,
    ok=[
        Invocation([T(2, 3), T(4, 3)]),
        Invocation([T(2, 3), T(2, 1), T(2, 0)], -1),
        Invocation([T(2), T(0), T(3)], 0),
        Invocation([T(2, 3), T(0), T(2, 3)], 1),
        Invocation([T(0), T(2, 3)], -1),
        Invocation([T(0), T(0)], 0),
        Invocation([T(0), T(0)], 3),
        Invocation([T(2, 3)]),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.float16)]),
        Invocation([T(3, dtype=torch.bool), T(3, dtype=torch.uint8)]),
        Invocation([T(3, dtype=torch.bool), T(3, dtype=torch.bool)]),
        Invocation([T(0, dtype=torch.complex64), T(3, dtype=torch.int32)]),
    ],
    error=[
        Invocation([]),
        Invocation([T(), T()]),
        Invocation([T(2, 3), T(2, 3, 1)]),
        Invocation([T(2, 3), T(3)]),
        Invocation([T(2, 3), T(4, 5)]),
        Invocation([T(2, 3), T(4, 3)], 2),
        Invocation([T(2), T(3)], 1),
    ],
)
dtype_family(joined_dtype, *_CATS, error=[Invocation([])])


def stack_rule(tensors: List[List[int]], dim: int) -> List[int]:
    """Tensors of one shape along a new dimension, which stands at `dim` of the result."""
    assert len(tensors) > 0, f"there must be tensors to join, got {len(tensors)}"
    common = tensors[0]
    for tensor in tensors[1:]:
        common = equal_sizes(common, tensor)
    at = wrap_dim(dim, len(common) + 1)
    return insert_size(common, at, len(tensors))


shape_family(
    stack_rule,
    "aten::stack",
    ok=[
        Invocation([T(2, 3), T(2, 3), T(2, 3)]),
        Invocation([T(2, 3), T(2, 3)], -1),
        Invocation([T(2, 3)], -3),
        Invocation([T(), T()]),
        Invocation([T(0), T(0)], 1),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.float16)]),
        Invocation([T(dtype=torch.bool), T(dtype=torch.uint8)]),
        Invocation([T(3, dtype=torch.bool)]),
    ],
    error=[
        Invocation([]),
        Invocation([T(2), T(3)]),
        Invocation([T(2), T(2, 1)]),
        Invocation([T(2), T(2)], 2),
    ],
)
dtype_family(joined_dtype, "aten::stack", error=[Invocation([])])


def at_least_1d(self: List[int]) -> List[int]:
    """A zero-dim tensor as a vector."""
    return [1] if len(self) == 0 else self


def at_least_2d(self: List[int]) -> List[int]:
    """A zero-dim tensor or a vector as a matrix of one row."""
    return insert_size(at_least_1d(self), 0, 1) if len(self) < 2 else self


def at_least_3d(self: List[int]) -> List[int]:
    """A tensor of fewer dimensions as matrices of one column each."""
    return append_size(at_least_2d(self), 1) if len(self) < 3 else self


def as_columns(self: List[int]) -> List[int]:
    """A zero-dim tensor or a vector as a matrix of one column."""
    return append_size(at_least_1d(self), 1) if len(self) < 2 else self


def all_at_least_1d(tensors: List[List[int]]) -> List[List[int]]:
    """Every tensor as at least a vector."""
    return [at_least_1d(tensor) for tensor in tensors]


def all_at_least_2d(tensors: List[List[int]]) -> List[List[int]]:
    """Every tensor as at least a matrix."""
    return [at_least_2d(tensor) for tensor in tensors]


def all_at_least_3d(tensors: List[List[int]]) -> List[List[int]]:
    """Every tensor as at least a batch of matrices."""
    return [at_least_3d(tensor) for tensor in tensors]


def hstack_rule(tensors: List[List[int]]) -> List[int]:
    """Columns next to each other; vectors one after another, if the first tensor is one."""
    assert len(tensors) > 0, f"there must be tensors to join, got {len(tensors)}"
    joined = all_at_least_1d(tensors)
    return cat_rule(joined, 0 if len(joined[0]) == 1 else 1)


def vstack_rule(tensors: List[List[int]]) -> List[int]:
    """Rows below each other."""
    return cat_rule(all_at_least_2d(tensors), 0)


def dstack_rule(tensors: List[List[int]]) -> List[int]:
    """Along the third dimension."""
    return cat_rule(all_at_least_3d(tensors), 2)


def column_stack_rule(tensors: List[List[int]]) -> List[int]:
    """Columns next to each other, vectors as columns."""
    return cat_rule([as_columns(tensor) for tensor in tensors], 1)


_STACK_OK = [
    Invocation([T(), T()]),
    Invocation([T(3), T(3)]),
    Invocation([T(2, 3), T(2, 3)]),
    Invocation([T(2, 3, 4), T(2, 3, 4)]),
    Invocation([T(0), T(0)]),
    Invocation([T(dtype=torch.float64), T(1)]),
    Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.bfloat16)]),
    Invocation([T(3, dtype=torch.bool), T(3, dtype=torch.bool)]),
]
_STACK_ERROR = [Invocation([]), Invocation([T(2, 3), T(4, 5)]), Invocation([T(2, 3), T(2)])]

shape_family(
    hstack_rule,
    "aten::hstack",
    ok=[
        *_STACK_OK,
        Invocation([T(2, 3), T(2, 1)]),
        Invocation([T(0), T(2, 3)]),
        Invocation([T(2, 3), T(0)]),
        Invocation([T(), T(4)]),
    ],
    error=_STACK_ERROR,
)
shape_family(
    vstack_rule,
    "aten::vstack",
    ok=[*_STACK_OK, Invocation([T(3), T(2, 3)]), Invocation([T(), T(2, 1)])],
    error=_STACK_ERROR,
)
shape_family(
    dstack_rule,
    "aten::dstack",
    ok=[*_STACK_OK, Invocation([T(3), T(1, 3)]), Invocation([T(2, 3), T(2, 3, 4)])],
    error=_STACK_ERROR,
)
shape_family(
    column_stack_rule,
    "aten::column_stack",
    ok=[*_STACK_OK, Invocation([T(3), T(3, 2)]), Invocation([T(0), T(0, 2)])],
    error=[Invocation([]), Invocation([T(2, 3), T(4, 5)]), Invocation([T(2, 3), T(3)])],
)
dtype_family(joined_dtype, "aten::hstack", "aten::vstack", "aten::dstack", "aten::column_stack")

_AT_LEAST_OK = [
    Invocation(T()),
    Invocation(T(3)),
    Invocation(T(2, 3)),
    Invocation(T(2, 3, 4)),
    Invocation(T(5, 2, 3, 4)),
    *[Invocation(T(3, dtype=dtype)) for dtype in _OTHER_DTYPES],
]
_AT_LEAST_LIST_OK = [
    Invocation([T(), T(3), T(2, 3), T(2, 3, 4)]),
    Invocation([T(dtype=torch.bool), T(0, dtype=torch.int64), T(2, 3, dtype=torch.float16)]),
]

shape_family(at_least_1d, "aten::atleast_1d", ok=_AT_LEAST_OK)
shape_family(at_least_2d, "aten::atleast_2d", ok=_AT_LEAST_OK)
shape_family(at_least_3d, "aten::atleast_3d", ok=_AT_LEAST_OK)
dtype_family(dtype_of_self, "aten::atleast_1d", "aten::atleast_2d", "aten::atleast_3d")
shape_family(all_at_least_1d, "aten::atleast_1d.Sequence", ok=_AT_LEAST_LIST_OK)
shape_family(all_at_least_2d, "aten::atleast_2d.Sequence", ok=_AT_LEAST_LIST_OK)
shape_family(all_at_least_3d, "aten::atleast_3d.Sequence", ok=_AT_LEAST_LIST_OK)


def dtypes_of_tensors(tensors: List[Tuple[int, int]]) -> List[int]:
    """Each result has the dtype of its tensor."""
    return [tensor[1] for tensor in tensors]


dtype_family(
    dtypes_of_tensors,
    "aten::atleast_1d.Sequence",
    "aten::atleast_2d.Sequence",
    "aten::atleast_3d.Sequence",
    "aten::broadcast_tensors",
)


def broadcast_tensors_rule(tensors: List[List[int]]) -> List[List[int]]:
    """All tensors expanded to the shape to which they broadcast."""
    common: List[int] = []
    for tensor in tensors:
        common = broadcast_two(common, tensor)
    return [common for _ in tensors]


shape_family(
    broadcast_tensors_rule,
    "aten::broadcast_tensors",
    ok=[
        Invocation([T(2, 1), T(3)]),
        Invocation([T(2, 1, 4), T(3, 1), T()]),
        Invocation([T(0), T(1)]),
        Invocation([T()]),
        Invocation([T(2, dtype=torch.int64), T(1, dtype=torch.float16), T(dtype=torch.bool)]),
    ],
    error=[Invocation([T(2), T(3)]), Invocation([T(2, 1), T(3, 1)])],
)


def grid_sizes(tensors: List[List[int]]) -> List[int]:
    """The sizes of the vectors; a zero-dim tensor counts as a vector of one."""
    assert len(tensors) > 0, f"there must be vectors to make a grid of, got {len(tensors)}"
    sizes: List[int] = []
    for tensor in tensors:
        assert len(tensor) <= 1, f"a grid is made of vectors, got shape {tensor}"
        sizes.append(product(tensor))
    return sizes


def meshgrid_rule(tensors: List[List[int]]) -> List[List[int]]:
    """One grid for each vector; dimension i of a grid goes along vector i."""
    sizes = grid_sizes(tensors)
    return [sizes for _ in tensors]


def meshgrid_indexing_rule(tensors: List[List[int]], indexing: str) -> List[List[int]]:
    """As `meshgrid`; the first two dimensions change places for "xy"."""
    assert indexing == "ij" or indexing == "xy", f'indexing must be "ij" or "xy", got {indexing}'
    sizes = grid_sizes(tensors)
    if indexing == "xy" and len(sizes) >= 2:
        sizes = insert_size(sizes[1:], 1, sizes[0])
    return [sizes for _ in tensors]


_GRID_DTYPES_OK = [
    [T(2, dtype=dtype), T(3, dtype=dtype)] for dtype in (torch.bfloat16, torch.int64, torch.bool)
]
_GRID_ERROR = [[], [T(2, 3), T()]]

shape_family(
    meshgrid_rule,
    "aten::meshgrid",
    ok=[
        Invocation([T(2), T(3), T(4)]),
        Invocation([T(2), T()]),
        Invocation([T(0), T(3)]),
        *[Invocation(tensors) for tensors in _GRID_DTYPES_OK],
    ],
    error=[Invocation(tensors) for tensors in _GRID_ERROR],
)
shape_family(
    meshgrid_indexing_rule,
    "aten::meshgrid.indexing",
    ok=[
        Invocation([T(2), T(3), T(4)], indexing="ij"),
        Invocation([T(2), T(3), T(4)], indexing="xy"),
        Invocation([T(2)], indexing="xy"),
        Invocation([T(2), T()], indexing="xy"),
        *[Invocation(tensors, indexing="xy") for tensors in _GRID_DTYPES_OK],
    ],
    error=[
        *[Invocation(tensors, indexing="ij") for tensors in _GRID_ERROR],
        Invocation([T(2), T(3)], indexing="yx"),
    ],
)


def grid_dtypes(tensors: List[Tuple[int, int]]) -> List[int]:
    """All vectors have one dtype, which the grids keep."""
    for tensor in tensors:
        assert tensor[1] == tensors[0][1], (
            f"all vectors must have one dtype, got {tensor[1]} and {tensors[0][1]}"
        )
    return [tensor[1] for tensor in tensors]


_MIXED = [T(2), T(3, dtype=torch.float64)]

dtype_family(grid_dtypes, "aten::meshgrid", error=[Invocation(_MIXED)])
dtype_family(grid_dtypes, "aten::meshgrid.indexing", error=[Invocation(_MIXED, indexing="xy")])
