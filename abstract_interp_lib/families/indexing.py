"""Elements picked by tensors: `index`, `gather`, `index_select`, `embedding`, masks, `nonzero`."""

from typing import List, Optional, Tuple

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
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.indexing import (
    check_index_fits,
    check_index_vector,
    index_sizes,
)
from torch_refine.abstract_interp_lib.rules.reduction import int64_dtype
from torch_refine.abstract_interp_lib.rules.sizes import (
    append_size,
    product,
    replace_size,
    wrap_existing,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size

_DTYPES = (torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64)


def _index(*sizes: int) -> TensorCase:
    return T(*sizes, dtype=torch.int64)


def _mask(*sizes: int) -> TensorCase:
    return T(*sizes, dtype=torch.bool)


def index_rule(self: List[int], indices: List[Optional[Tuple[List[int], int]]]) -> List[int]:
    """Positions broadcast together; their shape stands where the indexed dimensions adjoin."""
    return index_sizes(self, indices)


def index_twin_rule(self: List[int], indices: List[Tuple[List[int], int]]) -> List[int]:
    """As `index` where no dimension is left out."""
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
# The meta device knows no masks: how many elements they pick depends on values.
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
    """The entries of a dimension at the positions of a vector."""
    at = wrap_dim(dim, len(self))
    check_index_vector(index)
    count = product(index)
    assert len(self) > 0 or count == 1, (
        f"aten::index_select: a zero-dim tensor has one entry to select, got {count} positions"
    )
    return replace_size(self, at, count) if len(self) > 0 else self


dtype_family(dtype_of_self, "aten::index_select")


def gather_rule(self: List[int], dim: int, index: List[int]) -> List[int]:
    """The shape of `index`: its elements say where along `dim`, their places say the rest."""
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
    """The shape of `index`, whose elements are positions in the flattened tensor."""
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
    """The dtype of `self`; positions are int64."""
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
    """As `gather`, after both tensors are broadcast apart from `dim`, or flattened without one."""
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
    """The dtype of `self`; along a dimension, positions are int64."""
    assert dim is None or indices[1] == torch.int64, (
        f"aten::take_along_dim: indices must be of dtype int64, got dtype {indices[1]}"
    )
    return self[1]


def embedding_rule(weight: List[int], indices: List[int]) -> List[int]:
    """A row of `weight` for each index."""
    assert len(weight) == 2, f"weight must be a matrix, got {len(weight)} dimensions"
    return append_size(indices, weight[1])


def embedding_dtype(weight: Tuple[int, int], indices: Tuple[int, int]) -> int:
    """The dtype of `weight`; indices are int64 or int32."""
    assert indices[1] == torch.int64 or indices[1] == torch.int32, (
        f"indices must be of dtype int64 or int32, got dtype {indices[1]}"
    )
    return weight[1]


shape_family(
    embedding_rule,
    "aten::embedding",
    ok=[
        Invocation(T(5, 3), _index(2, 4)),
        Invocation(T(5, 3), _index()),
        Invocation(T(5, 3), _index(0)),
        Invocation(T(5, 0), T(2, dtype=torch.int32), 1, True),
        *[Invocation(T(5, 3, dtype=dtype), _index(2)) for dtype in _DTYPES],
    ],
    error=[Invocation(T(5), _index(2)), Invocation(T(5, 3, 2), _index(2))],
)
dtype_family(embedding_dtype, "aten::embedding", error=[Invocation(T(5, 3), T(2))])


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
    """A last dimension with an entry for each class; -1 counts the classes that occur."""
    assert num_classes == -1 or num_classes > 0, (
        f"aten::one_hot: num_classes must be positive, or -1, got {num_classes}"
    )
    assert num_classes > 0 or 0 not in self, (
        f"aten::one_hot: no classes occur in a tensor without elements, of shape {self}"
    )
    return append_size(self, unknown_size() if num_classes == -1 else num_classes)


@dtype_function("aten::one_hot", error=[Invocation(T(2, dtype=torch.int32), 3)])
def one_hot_dtype(self: Tuple[int, int], num_classes: int = -1) -> int:
    """Zeros and ones of dtype int64, like the classes."""
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
    """A vector of as many elements as `mask`, broadcast, has that are true."""
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
    """A row of positions for each element that is not zero."""
    return [unknown_size(), len(self)]


def nonzero_static_rule(self: List[int], size: int) -> List[int]:
    """`size` rows of positions."""
    assert size >= 0, f"size cannot be negative, got {size}"
    return [size, len(self)]


def positions_rule(self: List[int]) -> List[List[int]]:
    """A vector of positions for each dimension; a zero-dim tensor counts as having one."""
    count = unknown_size()
    return [[count] for _ in range(max(len(self), 1))]


def where_rule(condition: List[int]) -> List[List[int]]:
    """A vector of positions for each dimension; a zero-dim tensor counts as having one."""
    return positions_rule(condition)


def positions_dtype(self: Tuple[int, int]) -> List[int]:
    """Positions are int64."""
    return [torch.int64 for _ in range(max(self[0], 1))]


def where_dtype(condition: Tuple[int, int]) -> List[int]:
    """Positions are int64."""
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
