"""Joined and broadcast tensor lists: `cat`, `stack`, `meshgrid`, `broadcast_tensors`."""

from functools import partial
from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.promotion_kinds import promotes
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.promotion import promote_dtypes
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    ceil_divide,
    insert_size,
    product,
    replace_size,
    wrap_existing,
)

_OTHER_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


@promotes("no-opmath")
def joined_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All tensors promote together, including empty ones, without regard to rank."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    ranks: List[Optional[int]] = []
    dtypes: List[int] = []
    for tensor in tensors:
        ranks.append(1)
        dtypes.append(tensor[1])
    return promote_dtypes(ranks, dtypes)


def equal_sizes(left: List[int], right: List[int]) -> List[int]:
    """The common shape of two tensors, which must be equal."""
    assert len(left) == len(right), f"ranks must match, got shapes {left} and {right}"
    out: List[int] = []
    for index in range(len(left)):
        size = left[index]
        assert size == right[index], f"sizes must match, got shapes {left} and {right}"
        out.append(size)
    return out


def cat_vectors(tensors: List[List[int]], dim: int) -> List[int]:
    """Concatenated vectors; if all are empty, PyTorch accepts any `dim`."""
    total = 0
    for tensor in tensors:
        total = total + tensor[0]
    assert dim == 0 or dim == -1 or total == 0, f"dimension {dim} is out of range for rank 1"
    return [total]


def cat_rank(tensors: List[List[int]]) -> int:
    """The rank of the result: that of the first tensor that is not 1-D, or 1."""
    rank = 1
    for tensor in tensors:
        assert len(tensor) > 0, f"0-dim tensors cannot be concatenated, got shapes {tensors}"
        if rank == 1:
            rank = len(tensor)
    return rank


def cat_rule(tensors: List[List[int]], dim: int) -> List[int]:
    """Concatenation along a dimension; all other sizes must match.

    PyTorch skips empty vectors among tensors of a higher rank.
    """
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    rank = cat_rank(tensors)
    if rank == 1:
        return cat_vectors(tensors, dim)
    else:
        return cat_ranked(tensors, wrap_dim(dim, rank), rank)


def cat_ranked(tensors: List[List[int]], dim: int, rank: int) -> List[int]:
    """Concatenation of tensors of rank `rank`, which is above 1, skipping empty vectors."""
    total = 0
    common: List[int] = []
    for tensor in tensors:
        if len(tensor) == 1:
            assert tensor[0] == 0, (
                f"a tensor of rank 1 cannot be concatenated with tensors of rank {rank}"
            )
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
    """Tensors of the same shape along a new dimension at `dim` of the result."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
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
    """A 0-dim tensor becomes 1-D."""
    return [1] if len(self) == 0 else self


def at_least_2d(self: List[int]) -> List[int]:
    """A 0-dim or 1-D tensor becomes a matrix of one row."""
    return insert_size(at_least_1d(self), 0, 1) if len(self) < 2 else self


def at_least_3d(self: List[int]) -> List[int]:
    """A tensor of rank below 3 becomes a batch of matrices with one column each."""
    return append_size(at_least_2d(self), 1) if len(self) < 3 else self


def as_columns(self: List[int]) -> List[int]:
    """A 0-dim or 1-D tensor becomes a matrix of one column."""
    return append_size(at_least_1d(self), 1) if len(self) < 2 else self


def all_at_least_1d(tensors: List[List[int]]) -> List[List[int]]:
    """Every tensor as at least 1-D."""
    return [at_least_1d(tensor) for tensor in tensors]


def all_at_least_2d(tensors: List[List[int]]) -> List[List[int]]:
    """Every tensor as at least 2-D."""
    return [at_least_2d(tensor) for tensor in tensors]


def all_at_least_3d(tensors: List[List[int]]) -> List[List[int]]:
    """Every tensor as at least 3-D."""
    return [at_least_3d(tensor) for tensor in tensors]


def hstack_rule(tensors: List[List[int]]) -> List[int]:
    """Concatenation along dimension 1, or along dimension 0 if the first tensor is 1-D."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    joined = all_at_least_1d(tensors)
    return cat_rule(joined, 0 if len(joined[0]) == 1 else 1)


def vstack_rule(tensors: List[List[int]]) -> List[int]:
    """Concatenation along dimension 0."""
    return cat_rule(all_at_least_2d(tensors), 0)


def dstack_rule(tensors: List[List[int]]) -> List[int]:
    """Concatenation along dimension 2."""
    return cat_rule(all_at_least_3d(tensors), 2)


def column_stack_rule(tensors: List[List[int]]) -> List[int]:
    """Concatenation along dimension 1, with 1-D tensors as columns."""
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
    """Each result has the dtype of the tensor at the same index."""
    return [tensor[1] for tensor in tensors]


dtype_family(
    dtypes_of_tensors,
    "aten::atleast_1d.Sequence",
    "aten::atleast_2d.Sequence",
    "aten::atleast_3d.Sequence",
    "aten::broadcast_tensors",
)


def broadcast_tensors_rule(tensors: List[List[int]]) -> List[List[int]]:
    """All tensors expand to their broadcast shape."""
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
    """The sizes of the vectors; a 0-dim tensor counts as a vector of one element."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    sizes: List[int] = []
    for tensor in tensors:
        assert len(tensor) <= 1, f"tensors must be 0-dim or 1-D, got shape {tensor}"
        sizes.append(product(tensor))
    return sizes


def meshgrid_rule(tensors: List[List[int]]) -> List[List[int]]:
    """One grid per vector; dimension i corresponds to vector i."""
    sizes = grid_sizes(tensors)
    return [sizes for _ in tensors]


def meshgrid_indexing_rule(tensors: List[List[int]], indexing: str) -> List[List[int]]:
    """As `meshgrid`; the first two dimensions are swapped for "xy"."""
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
    """All vectors have the same dtype, which the grids keep."""
    for tensor in tensors:
        assert tensor[1] == tensors[0][1], f"dtypes must match, got {tensor[1]} and {tensors[0][1]}"
    return [tensor[1] for tensor in tensors]


_MIXED = [T(2), T(3, dtype=torch.float64)]

dtype_family(grid_dtypes, "aten::meshgrid", error=[Invocation(_MIXED)])
dtype_family(grid_dtypes, "aten::meshgrid.indexing", error=[Invocation(_MIXED, indexing="xy")])


# Aliases of `cat`, `stack` and `vstack`, and `_chunk_cat`, which interleaves chunks.

shape_family(
    cat_rule,
    "aten::concatenate",
    ok=[
        Invocation([T(2, 3), T(4, 3)]),
        Invocation([T(2, 3), T(2, 1), T(2, 0)], -1),
        Invocation([T(2, 3), T(0), T(2, 3)], 1),
        Invocation([T(0), T(0)], 0),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.float16)]),
        Invocation([T(3, dtype=torch.bool), T(3, dtype=torch.uint8)]),
    ],
    error=[
        Invocation([]),
        Invocation([T(), T()]),
        Invocation([T(2, 3), T(2, 3, 1)]),
        Invocation([T(2, 3), T(3)]),
        Invocation([T(2, 3), T(4, 5)]),
        Invocation([T(2), T(3)], 1),
    ],
)
dtype_family(joined_dtype, "aten::concatenate", error=[Invocation([])])

# PyTorch crashes on an empty tensor list.
shape_family(
    stack_rule,
    "aten::_stack",
    ok=[
        Invocation([T(2, 3), T(2, 3), T(2, 3)]),
        Invocation([T(2, 3), T(2, 3)], 2),
        Invocation([T(2, 3), T(2, 3)], -2),
        Invocation([T(), T()]),
        Invocation([T(0), T(0)], 1),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.float16)]),
        Invocation([T(dtype=torch.bool), T(dtype=torch.uint8)]),
        Invocation([T(3, dtype=torch.bool)]),
    ],
    error=[
        Invocation([T(2), T(3)]),
        Invocation([T(2), T(2, 1)]),
        Invocation([T(2), T(2)], 2),
    ],
)
dtype_family(joined_dtype, "aten::_stack")

shape_family(
    vstack_rule,
    "aten::row_stack",
    ok=[
        Invocation([T(), T()]),
        Invocation([T(3), T(2, 3)]),
        Invocation([T(2, 3, 4), T(5, 3, 4)]),
        Invocation([T(0), T(0)]),
        Invocation([T(3, dtype=torch.int64), T(3, dtype=torch.bfloat16)]),
        Invocation([T(3, dtype=torch.bool), T(3, dtype=torch.bool)]),
    ],
    error=[Invocation([]), Invocation([T(2, 3), T(4, 5)]), Invocation([T(2, 3), T(2)])],
)
dtype_family(joined_dtype, "aten::row_stack", error=[Invocation([])])


def chunk_cat_dim(tensors: List[List[int]], dim: int) -> int:
    """`dim` wrapped to be non-negative; a negative one requires tensors of equal rank."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    rank = len(tensors[0])
    same = True
    for tensor in tensors:
        same = same and len(tensor) == rank
    assert same or dim >= 0, f"dimension {dim} must not be negative for tensors of different ranks"
    return wrap_existing(dim, rank)


def chunk_cat_rule(tensors: List[List[int]], dim: int, num_chunks: int) -> List[int]:
    """Each tensor is split in `num_chunks` flattened chunks; chunks with the same index are joined.

    Dimensions before `dim` are kept; a tensor whose size is not divisible is padded.
    """
    at = chunk_cat_dim(tensors, dim)
    assert num_chunks > 0, f"num_chunks must be positive, got {num_chunks}"
    leading = tensors[0][:at]
    total = 0
    for tensor in tensors:
        assert at < len(tensor), f"dimension {at} is out of range for shape {tensor}"
        assert tensor[:at] == leading, f"shapes must match before dimension {at}, got {tensors}"
        assert 0 not in tensor, f"tensors must not be empty, got shape {tensor}"
        total = total + ceil_divide(tensor[at], num_chunks) * product(tensor[at + 1 :])
    return append_size(append_size(leading, num_chunks), total)


def chunk_cat_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All tensors have the same dtype."""
    assert len(tensors) > 0, f"the tensor list must not be empty, got {len(tensors)}"
    for tensor in tensors:
        assert tensor[1] == tensors[0][1], f"dtypes must match, got {tensor[1]} and {tensors[0][1]}"
    return tensors[0][1]


shape_family(
    chunk_cat_rule,
    "aten::_chunk_cat",
    ok=[
        Invocation([T(4, 3), T(5, 3)], 0, 2),
        Invocation([T(2, 4, 3), T(2, 5, 7)], 1, 3),
        Invocation([T(2, 4), T(2, 5)], -1, 2),
        Invocation([T(2, 4), T(3, 1, 2), T(7)], 0, 2),
        Invocation([T(2)], 0, 5),
        Invocation([T(4, 3, dtype=torch.float16)], 0, 2),
        Invocation([T(4, 3, dtype=torch.bfloat16)], 0, 2),
        Invocation([T(4, 3, dtype=torch.int64), T(2, dtype=torch.int64)], 0, 2),
    ],
    error=[
        Invocation([], 0, 2),
        Invocation([T(4, 3)], 0, 0),
        Invocation([T(4, 3)], 2, 2),
        Invocation([T(4, 3), T(4)], 1, 2),
        Invocation([T(4, 3), T(4)], -1, 2),
        Invocation([T(4, 3), T(5, 3)], 1, 2),
        Invocation([T(4, 3), T(0, 3)], 0, 2),
    ],
)
dtype_family(
    chunk_cat_dtype,
    "aten::_chunk_cat",
    error=[Invocation([], 0, 2), Invocation([T(4), T(4, dtype=torch.float64)], 0, 2)],
)


# Combinatorial operators: `combinations`, `cartesian_prod`.

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64)
# `combinations` has no meta kernel: it selects by a mask.
_on_cpu = partial(Invocation, device="cpu")


def choices(n: int, r: int) -> int:
    """The number of ways to choose `r` of `n` elements, with or without replacement."""
    count = 1
    for index in range(r):
        count = count * (n - index) // (index + 1)
    return count


@shape_function(
    "aten::combinations",
    ok=[
        _on_cpu(T(4)),
        _on_cpu(T(7), 3),
        _on_cpu(T(4), 1),
        _on_cpu(T(4), 0),
        _on_cpu(T(2), 4),
        _on_cpu(T(0)),
        _on_cpu(T(5), 3, True),
        _on_cpu(T(2), 3, with_replacement=True),
        _on_cpu(T(0), 2, True),
        *[_on_cpu(T(3, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[_on_cpu(T(4), -1), _on_cpu(T()), _on_cpu(T(2, 2))],
)
def combinations(self: List[int], r: int = 2, with_replacement: bool = False) -> List[int]:
    """One row per combination of `r` elements; an empty vector for `r` 0."""
    assert len(self) == 1, f"aten::combinations: self must be 1-D, got shape {self}"
    assert r >= 0, f"aten::combinations: r must not be negative, got {r}"
    if r == 0:
        return [0]
    else:
        return [choices(self[0] + r - 1 if with_replacement else self[0], r), r]


dtype_family(dtype_of_self, "aten::combinations")


@shape_function(
    "aten::cartesian_prod",
    ok=[
        Invocation([T(2)]),
        Invocation([T(2), T(3)]),
        Invocation([T(2), T(3), T(4)]),
        Invocation([T(2), T(0)]),
        *[Invocation([T(3, dtype=dtype), T(2, dtype=dtype)]) for dtype in _DTYPES],
    ],
    error=[Invocation([]), Invocation([T()]), Invocation([T(2), T(2, 2)])],
)
def cartesian_prod(tensors: List[List[int]]) -> List[int]:
    """One row per tuple of elements, one per vector; a single vector is returned unchanged."""
    assert len(tensors) > 0, (
        f"aten::cartesian_prod: the tensor list must not be empty, got {len(tensors)}"
    )
    rows = 1
    for tensor in tensors:
        assert len(tensor) == 1, f"aten::cartesian_prod: tensors must be 1-D, got shape {tensor}"
        rows = rows * tensor[0]
    return [rows] if len(tensors) == 1 else [rows, len(tensors)]


@dtype_function("aten::cartesian_prod", error=[Invocation([T(2), T(3, dtype=torch.int64)])])
def cartesian_prod_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All vectors have the same dtype."""
    for tensor in tensors:
        assert tensor[1] == tensors[0][1], (
            f"aten::cartesian_prod: dtypes must match, got {tensors[0][1]} and {tensor[1]}"
        )
    return tensors[0][1]
