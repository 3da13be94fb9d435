"""Indexed writes: `scatter`, `index_put`, `index_add`."""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.indexing import (
    check_index_fits,
    check_index_vector,
    index_sizes,
    size_at,
)
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import dtype_of_filled
from torch_refine.abstract_interp_lib.rules.sizes import product

_DTYPES = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.uint8)


def _index(*sizes: int) -> TensorCase:
    return T(*sizes, dtype=torch.int64)


def scatter_value_rule(self: List[int], dim: int, index: List[int]) -> List[int]:
    """The shape of `self`, into which a scalar is written at `index`."""
    check_index_fits(index, self, wrap_dim(dim, len(self)))
    return self


def scatter_rule(self: List[int], dim: int, index: List[int], src: List[int]) -> List[int]:
    """The shape of `self`, into which `src` is written at `index`."""
    check_index_fits(index, self, wrap_dim(dim, len(self)))
    # src must be at least as large as index in every dimension, including dim.
    check_index_fits(index, src, -1)
    return self


def same_dtype_as_src(self: Tuple[int, int], src: Tuple[int, int]) -> int:
    """Both tensors have the same dtype."""
    assert self[1] == src[1], f"dtypes must match, got {self[1]} and {src[1]}"
    return self[1]


def _scatter_cases(**keywords: str) -> List[Invocation]:
    """Accepted cases for an overload that also takes `keywords`."""
    return [
        Invocation(T(4, 3), 0, _index(2, 3), T(2, 3), **keywords),
        Invocation(T(4, 3), -1, _index(2, 7), T(5, 8), **keywords),
        Invocation(T(4, 3), 0, T(2, 1, dtype=torch.int32), T(2, 1), **keywords),
        Invocation(T(4, 3), 0, _index(0), T(2, 3), **keywords),
        Invocation(T(), 0, _index(), T(), **keywords),
        Invocation(T(), 0, _index(1), T(1), **keywords),
        *[
            Invocation(T(4, 3, dtype=dtype), 0, _index(2, 3), T(2, 3, dtype=dtype), **keywords)
            for dtype in _DTYPES
        ],
    ]


def _scatter_errors(**keywords: str) -> List[Invocation]:
    """Rejected cases for an overload that also takes `keywords`."""
    return [
        Invocation(T(4, 3), 2, _index(2, 3), T(2, 3), **keywords),
        Invocation(T(4, 3), 0, _index(2, 4), T(2, 4), **keywords),
        Invocation(T(4, 3), 0, _index(2, 3), T(2, 2), **keywords),
        Invocation(T(4, 3), 0, _index(2), T(2), **keywords),
    ]


_MIXED = [T(4, 3), 0, _index(2, 3), T(2, 3, dtype=torch.float64)]
_SCATTERS = ["aten::scatter.src", "aten::scatter_add"]

shape_family(scatter_rule, *_SCATTERS, ok=_scatter_cases(), error=_scatter_errors())
dtype_family(same_dtype_as_src, *_SCATTERS, error=[Invocation(*_MIXED)])
for _operator, _reduce in [("aten::scatter.reduce", "add"), ("aten::scatter_reduce.two", "amax")]:
    shape_family(
        scatter_rule,
        _operator,
        ok=_scatter_cases(reduce=_reduce),
        error=_scatter_errors(reduce=_reduce),
    )
    dtype_family(same_dtype_as_src, _operator, error=[Invocation(*_MIXED, reduce=_reduce)])

_VALUE_ARGUMENTS = [
    [T(4, 3), 0, _index(2, 3), 1.5],
    [T(4, 3), -1, T(4, 1, dtype=torch.int32), 2],
    [T(4, 3), 0, _index(0), 2],
    [T(), 0, _index(1), 2],
    *[[T(4, 3, dtype=dtype), 0, _index(2, 3), 1] for dtype in _DTYPES],
]
_VALUE_ERROR_ARGUMENTS = [
    [T(4, 3), 2, _index(2, 3), 1],
    [T(4, 3), 0, _index(2, 4), 1],
    [T(4, 3), 0, _index(2), 1],
]

shape_family(
    scatter_value_rule,
    "aten::scatter.value",
    ok=[Invocation(*arguments) for arguments in _VALUE_ARGUMENTS],
    error=[Invocation(*arguments) for arguments in _VALUE_ERROR_ARGUMENTS],
)
shape_family(
    scatter_value_rule,
    "aten::scatter.value_reduce",
    ok=[Invocation(*arguments, reduce="multiply") for arguments in _VALUE_ARGUMENTS],
    error=[Invocation(*arguments, reduce="add") for arguments in _VALUE_ERROR_ARGUMENTS],
)
dtype_family(dtype_of_self, "aten::scatter.value", "aten::scatter.value_reduce")


def index_put_rule(
    self: List[int], indices: List[Optional[Tuple[List[int], int]]], values: List[int]
) -> List[int]:
    """The shape of `self`, into which values are written that broadcast to what is indexed."""
    check_expands(values, index_sizes(self, indices))
    return self


def index_put_twin_rule(
    self: List[int], indices: List[Tuple[List[int], int]], values: List[int]
) -> List[int]:
    """The shape of `self`, into which values are written that broadcast to what is indexed."""
    given: List[Optional[Tuple[List[int], int]]] = []
    for index in indices:
        given.append(index)
    return index_put_rule(self, given, values)


_PUT_OK = [
    Invocation(T(4, 3), [_index(2)], T(3)),
    Invocation(T(4, 3), [_index(2), _index(1)], T(), True),
    Invocation(T(4, 3), [T(4, dtype=torch.bool)], T()),
    *[Invocation(T(4, 3, dtype=dtype), [_index(2)], T(3, dtype=dtype)) for dtype in _DTYPES],
    Invocation(T(4, 3, dtype=torch.bool), [_index(2)], T(3, dtype=torch.bool)),
]
_PUTS = ["aten::index_put", "aten::_unsafe_index_put", "aten::_index_put_impl"]
_PUT_TWINS = ["aten::index_put.hacked_twin", "aten::_unsafe_index_put.hacked_twin"]

# The meta kernels accept any number of indices.
_PUT_ERROR = [
    Invocation(T(4), [_index(2), _index(2)], T(2), device="cpu"),
    Invocation(T(4, 3), [_index(2), _index(2)], T(3), device="cpu"),
    Invocation(T(4, 3), [_index(2)], T(1, 2, 3, 3), device="cpu"),
]

shape_family(
    index_put_rule,
    *_PUTS,
    ok=[*_PUT_OK, Invocation(T(4, 3), [None, _index(2)], T(4, 2))],
    error=_PUT_ERROR,
)
shape_family(index_put_twin_rule, *_PUT_TWINS, ok=_PUT_OK, error=_PUT_ERROR)
dtype_family(dtype_of_self, *_PUTS, *_PUT_TWINS)


def index_add_rule(self: List[int], dim: int, index: List[int], source: List[int]) -> List[int]:
    """The shape of `self`, to whose entries at `index` those of `source` are added."""
    at = wrap_dim(dim, len(self))
    check_index_vector(index)
    count = product(index)
    assert count == size_at(source, at), (
        f"index and source must match at dim, got {count} and shape {source}"
    )
    return self


def index_accumulate_rule(
    self: List[int], dim: int, index: List[int], source: List[int]
) -> List[int]:
    """The shape of `self`; `source` has the same rank and the same sizes except at `dim`.

    The meta kernel accepts other sizes, unlike every device.
    """
    out = index_add_rule(self, dim, index, source)
    at = wrap_dim(dim, len(self))
    assert len(self) == len(source), (
        f"self and source must have the same rank, got {self} and {source}"
    )
    for i in range(len(self)):
        assert i == at or self[i] == source[i], (
            f"self and source may differ in dimension {at} only, got {self} and {source}"
        )
    return out


def same_dtype_as_source(self: Tuple[int, int], source: Tuple[int, int]) -> int:
    """Both tensors have the same dtype."""
    assert self[1] == source[1], f"dtypes must match, got {self[1]} and {source[1]}"
    return self[1]


_ADD_ARGUMENTS = [
    [T(4, 3), 0, _index(2), T(2, 3)],
    [T(4, 3), -1, T(2, dtype=torch.int32), T(4, 2)],
    [T(4, 3), 0, _index(), T(1, 3)],
    [T(), 0, _index(), T()],
    [T(4, 3), 0, _index(0), T(0, 3)],
    *[[T(4, 3, dtype=dtype), 0, _index(2), T(2, 3, dtype=dtype)] for dtype in _DTYPES],
]
_ADD_ERROR_ARGUMENTS = [
    [T(4, 3), 2, _index(2), T(2, 3)],
    [T(4, 3), 0, _index(2, 1), T(2, 3)],
    [T(4, 3), 0, _index(2), T(3, 3)],
]
_OTHER_SIZES_ARGUMENTS = [
    [T(4, 3), 0, _index(2), T(2, 2)],
    [T(4, 3), 0, _index(2), T(2)],
    [T(), 0, _index(1), T(1)],
]
_SOURCE_MIXED = [T(4, 3), 0, _index(2), T(2, 3, dtype=torch.float64)]
_COPY_OK = [
    Invocation(*arguments) for arguments in _ADD_ARGUMENTS if arguments[2].dtype != torch.int32
]

shape_family(
    index_accumulate_rule,
    "aten::index_add",
    ok=[
        *[Invocation(*arguments) for arguments in _ADD_ARGUMENTS],
        Invocation(T(4, 3), 0, _index(2), T(2, 3), alpha=2),
        *[
            Invocation(
                T(4, 3, dtype=torch.bool), dim, _index(2), T(*sizes, dtype=torch.bool), alpha=0.5
            )
            for dim, sizes in ((0, (2, 3)), (1, (4, 2)))
        ],
    ],
    error=[
        *[Invocation(*arguments) for arguments in _ADD_ERROR_ARGUMENTS],
        *[Invocation(*arguments, device="cpu") for arguments in _OTHER_SIZES_ARGUMENTS],
    ],
)
shape_family(
    index_accumulate_rule,
    "aten::index_reduce",
    ok=[Invocation(*arguments, "amax") for arguments in _ADD_ARGUMENTS],
    error=[
        Invocation(*arguments, "amax", device="cpu")
        for arguments in (*_ADD_ERROR_ARGUMENTS, *_OTHER_SIZES_ARGUMENTS)
    ],
)
shape_family(
    index_add_rule,
    "aten::index_copy",
    ok=_COPY_OK,
    error=[Invocation(*arguments) for arguments in _ADD_ERROR_ARGUMENTS],
)
# The meta kernels accept any dtype of source, and that of `index_reduce` also any shape.
dtype_family(
    same_dtype_as_source,
    "aten::index_add",
    "aten::index_copy",
    error=[Invocation(*_SOURCE_MIXED, device="cpu")],
)
dtype_family(
    same_dtype_as_source,
    "aten::index_reduce",
    error=[Invocation(*_SOURCE_MIXED, "amax", device="cpu")],
)


def index_fill_rule(self: List[int], dim: int, index: List[int]) -> List[int]:
    """The shape of `self`, whose entries at `index` are set to a scalar."""
    wrap_dim(dim, len(self))
    check_index_vector(index)
    return self


def index_fill_tensor_rule(
    self: List[int], dim: int, index: List[int], value: List[int]
) -> List[int]:
    """The shape of `self`, whose entries at `index` are set to a 0-dim tensor."""
    assert len(value) == 0, f"value must be 0-dim, got {len(value)} dimensions"
    return index_fill_rule(self, dim, index)


shape_family(
    index_fill_rule,
    "aten::index_fill.int_Scalar",
    ok=[
        Invocation(T(4, 3), 0, _index(2), 1.5),
        Invocation(T(4, 3), -1, _index(), 2),
        Invocation(T(), 0, _index(1), 2),
        *[Invocation(T(4, 3, dtype=dtype), 0, _index(2), 1) for dtype in _DTYPES],
    ],
    error=[Invocation(T(4, 3), 2, _index(2), 1), Invocation(T(4, 3), 0, _index(2, 1), 1)],
)
shape_family(
    index_fill_tensor_rule,
    "aten::index_fill.int_Tensor",
    ok=[
        Invocation(T(4, 3), -1, _index(2), T()),
        *[Invocation(T(4, 3, dtype=dtype), 0, _index(2), T(dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(4, 3), 0, _index(2), T(1)),
        Invocation(T(4, 3), 2, _index(2), T()),
        Invocation(T(4, 3), 0, _index(2, 1), T()),
    ],
)
dtype_family(
    dtype_of_filled,
    "aten::index_fill.int_Scalar",
    error=[Invocation(T(4, 3, dtype=torch.int8), 0, _index(2), 300, device="cpu")],
)
dtype_family(dtype_of_self, "aten::index_fill.int_Tensor")


def put_rule(self: List[int], index: List[int], source: List[int]) -> List[int]:
    """The shape of `self`, into which elements are written at flattened indices."""
    assert product(index) == product(source), (
        f"index and source must have the same numel, got shapes {index} and {source}"
    )
    return self


# The meta kernel checks neither sizes nor dtypes.
shape_family(
    put_rule,
    "aten::put",
    ok=[
        Invocation(T(4, 3), _index(2), T(2)),
        Invocation(T(4, 3), _index(2), T(1, 2), True),
        Invocation(T(), _index(), T()),
        *[Invocation(T(4, dtype=dtype), _index(2), T(2, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[Invocation(T(4, 3), _index(2), T(3), device="cpu")],
)
dtype_family(
    same_dtype_as_source,
    "aten::put",
    error=[Invocation(T(4), _index(2), T(2, dtype=torch.float64), device="cpu")],
)


def masked_scatter_rule(self: List[int], mask: List[int]) -> List[int]:
    """The broadcast shape of `self` and `mask`."""
    return broadcast_two(self, mask)


_MASK = T(3, dtype=torch.bool)

shape_family(
    masked_scatter_rule,
    "aten::masked_scatter",
    ok=[
        Invocation(T(2, 3), _MASK, T(6)),
        Invocation(T(3), T(2, 1, dtype=torch.bool), T(6)),
        *[Invocation(T(3, dtype=dtype), _MASK, T(3, dtype=dtype)) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2), _MASK, T(6))],
)
dtype_family(
    same_dtype_as_source,
    "aten::masked_scatter",
    error=[Invocation(T(3), _MASK, T(3, dtype=torch.float64))],
)
