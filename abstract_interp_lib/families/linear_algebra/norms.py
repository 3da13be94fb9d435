"""Norms of vectors and matrices, and renormalization: `renorm` and its relatives."""

from typing import List, Optional, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, wrap_dim, wrap_dims
from torch_refine.abstract_interp_lib.rules.linalg import precise_dtype
from torch_refine.abstract_interp_lib.rules.promotion import promote_two, real_dtype
from torch_refine.abstract_interp_lib.rules.reduction import (
    norm_dtype,
    norm_dtype_in,
    reduce_all,
    reduce_dims,
    reduce_optional_dims,
    remove_dims,
)

_FLOATS = (torch.float16, torch.bfloat16, torch.float64, torch.complex64)


def norm_of_matrices(self: List[int], dim: List[int], keepdim: bool) -> List[int]:
    """The two dimensions of `dim` are reduced."""
    assert len(dim) == 2, f"dim must have 2 entries, got {dim}"
    assert len(self) >= 2, f"expected a matrix or a batch of matrices, got shape {self}"
    return remove_dims(self, wrap_dims(dim, len(self)), keepdim)


_MATRIX_ERROR = [T(3), T()]
_MATRIX_DTYPES_IN = [
    (torch.float16, torch.float32),
    (torch.float32, torch.float64),
    (torch.complex64, torch.complex128),
    (torch.float32, None),
]

shape_family(
    norm_of_matrices,
    "aten::linalg_matrix_norm",
    ok=[
        *[Invocation(T(3, 4), order) for order in (1, -1, 2, -2.0, float("inf"), float("-inf"))],
        Invocation(T(5, 3, 4), 1),
        Invocation(T(5, 3, 4), 2, [0, -1], True),
        Invocation(T(5, 3, 4), 1, dim=[2, 0], keepdim=True),
        Invocation(T(0, 3), 1),
        Invocation(T(3, 0), 2),
        Invocation(T(0, 3, 3), -2),
        *[Invocation(T(3, 4, dtype=dtype), 1) for dtype in _FLOATS],
        Invocation(T(3, 4, dtype=torch.complex64), 2),
        *[Invocation(T(3, 4, dtype=given), 1, dtype=wanted) for given, wanted in _MATRIX_DTYPES_IN],
    ],
    error=[
        *[Invocation(case, 1) for case in _MATRIX_ERROR],
        Invocation(T(3, 4), 1, [0]),
        Invocation(T(3, 4), 1, [0, -2]),
        Invocation(T(3, 4), 1, [0, 2]),
    ],
)
dtype_family(
    norm_dtype_in,
    "aten::linalg_matrix_norm",
    error=[
        *[Invocation(T(3, 4, dtype=dtype), 1) for dtype in (torch.int64, torch.bool)],
        Invocation(T(3, 4), 1, dtype=torch.complex64),
    ],
)
shape_family(
    norm_of_matrices,
    "aten::linalg_matrix_norm.str_ord",
    ok=[
        Invocation(T(3, 4)),
        Invocation(T(3, 4), "nuc"),
        Invocation(T(5, 3, 4), "fro"),
        Invocation(T(5, 3, 4), "nuc", [0, -1], True),
        Invocation(T(5, 3, 4), dim=[2, 0]),
        Invocation(T(0, 3), "nuc"),
        *[Invocation(T(3, 4, dtype=dtype)) for dtype in _FLOATS],
        Invocation(T(3, 4, dtype=torch.complex64), "nuc", dtype=torch.complex128),
        *[Invocation(T(3, 4, dtype=given), dtype=wanted) for given, wanted in _MATRIX_DTYPES_IN],
    ],
    error=[
        *[Invocation(case) for case in _MATRIX_ERROR],
        Invocation(T(3, 4), "fro", [0]),
        Invocation(T(3, 4), "fro", [0, -2]),
    ],
)
dtype_family(
    norm_dtype_in,
    "aten::linalg_matrix_norm.str_ord",
    error=[Invocation(T(3, 4, dtype=torch.int64)), Invocation(T(3, 4), dtype=torch.complex64)],
)


@shape_function(
    "aten::linalg_norm",
    ok=[
        Invocation(T(2, 3, 4)),
        Invocation(T()),
        Invocation(T(2, 3), 2),
        Invocation(T(2, 3), 1, None, True),
        Invocation(T(3), 3),
        Invocation(T(3), 0.5, keepdim=True),
        Invocation(T(2, 3, 4), 0, [1]),
        Invocation(T(2, 3, 4), None, [-1], True),
        Invocation(T(2, 3, 4), None, [0, -1]),
        Invocation(T(2, 3, 4), float("inf"), [0, -1], True),
        Invocation(T(0, 3), None),
        Invocation(T(2, 3), None, None, True),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _FLOATS],
        *[Invocation(T(2, 3, dtype=dtype), 1) for dtype in _FLOATS],
        *[Invocation(T(3, 4, dtype=given), dtype=wanted) for given, wanted in _MATRIX_DTYPES_IN],
    ],
    error=[
        Invocation(T(2, 3, 4), 1),
        Invocation(T(), 2),
        Invocation(T(2, 3, 4), None, []),
        Invocation(T(2, 3, 4), None, [0, 1, 2]),
        Invocation(T(2, 3, 4), 1, [0, -3]),
    ],
)
def linalg_norm(
    self: List[int],
    ord: Optional[Union[int, float, complex]] = None,
    dim: Optional[List[int]] = None,
    keepdim: bool = False,
    dtype: Optional[int] = None,
) -> List[int]:
    """A norm over 1 or 2 dimensions, or over the whole tensor."""
    if dim is not None:
        assert len(dim) == 1 or len(dim) == 2, (
            f"aten::linalg_norm: dim must have 1 or 2 entries, got {dim}"
        )
    elif ord is not None:
        assert len(self) == 1 or len(self) == 2, (
            f"aten::linalg_norm: self must be 1-D or 2-D, got shape {self}"
        )
    return reduce_optional_dims(self, dim, keepdim)


dtype_family(
    norm_dtype_in,
    "aten::linalg_norm",
    error=[
        *[Invocation(T(3, 4, dtype=dtype)) for dtype in (torch.int64, torch.bool)],
        Invocation(T(3, 4), dtype=torch.complex64),
    ],
)


def norm_of_name(self: List[int], dim: Optional[List[int]], keepdim: bool) -> List[int]:
    """A matrix norm over two dimensions, by default the only two."""
    if dim is None:
        assert len(self) == 2, f"self must be a matrix, got shape {self}"
        out = norm_of_matrices(self, [0, 1], keepdim)
    else:
        out = norm_of_matrices(self, dim, keepdim)
    return out


shape_family(
    norm_of_name,
    "aten::linalg_norm.ord_str",
    ok=[
        Invocation(T(2, 3), "fro"),
        Invocation(T(2, 3), "nuc", None, True),
        Invocation(T(2, 3, 4), "nuc", [0, -1], True),
        Invocation(T(2, 3, 4), "fro", dim=[0, 1]),
        Invocation(T(0, 3), "nuc"),
        *[Invocation(T(2, 3, dtype=dtype), "fro") for dtype in _FLOATS],
        *[
            Invocation(T(3, 4, dtype=given), "fro", dtype=wanted)
            for given, wanted in _MATRIX_DTYPES_IN
        ],
    ],
    error=[
        Invocation(T(3), "fro"),
        Invocation(T(2, 3, 4), "fro"),
        Invocation(T(2, 3), "fro", [0]),
        Invocation(T(3), "fro", [0, 0]),
    ],
)
dtype_family(
    norm_dtype_in,
    "aten::linalg_norm.ord_str",
    error=[Invocation(T(2, 3, dtype=torch.int64), "fro")],
)


def frobenius_norm(self: List[int], dim: List[int], keepdim: bool) -> List[int]:
    """At most two dimensions are reduced, or all for an empty list."""
    assert len(dim) <= 2, f"dim must have at most 2 entries, got {dim}"
    return reduce_dims(self, dim, keepdim)


shape_family(
    frobenius_norm,
    "aten::frobenius_norm.dim",
    ok=[
        Invocation(T(2, 3, 4), [0]),
        Invocation(T(2, 3, 4), [0, -1], True),
        Invocation(T(2, 3, 4), []),
        Invocation(T(), [0]),
        Invocation(T(0, 3), [0, 1]),
        *[Invocation(T(2, 3, dtype=dtype), [0, 1], keepdim=True) for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(2, 3, 4), [0, 1, 2]),
        Invocation(T(2, 3, 4), [0, 0]),
        Invocation(T(2, 3, 4), [3]),
    ],
)
dtype_family(
    norm_dtype,
    "aten::frobenius_norm.dim",
    error=[Invocation(T(2, 3, dtype=torch.int64), [0, 1])],
)


def nuclear_norm(self: List[int], keepdim: bool) -> List[int]:
    """One norm per matrix."""
    return norm_of_matrices(self, [-2, -1], keepdim)


def nuclear_norm_dtype(self: Tuple[int, int]) -> int:
    """The real dtype of `self`."""
    return real_dtype(precise_dtype(self[1]))


_PRECISE = (torch.float64, torch.complex64, torch.complex128)
_NOT_PRECISE = (torch.int64, torch.bool, torch.float16, torch.bfloat16)

shape_family(
    nuclear_norm,
    "aten::nuclear_norm",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(5, 2, 3), True),
        Invocation(T(0, 3)),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _PRECISE],
    ],
    error=[Invocation(T(3))],
)
dtype_family(
    nuclear_norm_dtype,
    "aten::nuclear_norm",
    error=[Invocation(T(2, 3, dtype=dtype)) for dtype in _NOT_PRECISE],
)
shape_family(
    norm_of_matrices,
    "aten::nuclear_norm.dim",
    ok=[
        Invocation(T(2, 3, 4), [0, -1]),
        Invocation(T(2, 3, 4), [2, 1], True),
        Invocation(T(0, 3), [0, 1]),
        *[Invocation(T(2, 3, dtype=dtype), [0, 1]) for dtype in _PRECISE],
    ],
    error=[
        Invocation(T(3), [0, 0]),
        Invocation(T(2, 3, 4), [0]),
        Invocation(T(2, 3, 4), [0, -3]),
    ],
)
dtype_family(
    nuclear_norm_dtype,
    "aten::nuclear_norm.dim",
    error=[Invocation(T(2, 3, dtype=dtype), [0, 1]) for dtype in _NOT_PRECISE],
)


# The CPU kernel rejects integers, the meta kernel accepts them.
def power_sum_dtype(self: Tuple[int, int], dtype: Optional[int]) -> int:
    """The real dtype of `dtype` or, if None, of `self`."""
    return real_dtype(self[1] if dtype is None else dtype)


shape_family(
    reduce_optional_dims,
    "aten::linalg__powsum",
    ok=[
        Invocation(T(2, 3)),
        Invocation(T(2, 3, 4), 3, [0, -1]),
        Invocation(T(2, 3, 4), 0.5, [1], True),
        Invocation(T(2, 3), 2, [], True),
        Invocation(T(), 2, [0]),
        Invocation(T(0, 3)),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in _FLOATS],
        Invocation(T(2, 3, dtype=torch.int64), dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.complex64), dtype=torch.complex128),
        Invocation(T(2, 3, dtype=torch.complex64), 3, [1], dtype=torch.float32),
        Invocation(T(2, 3, dtype=torch.float64), dtype=torch.float32),
    ],
    error=[Invocation(T(2, 3), 2, [2]), Invocation(T(2, 3), 2, [0, -2])],
)
dtype_family(power_sum_dtype, "aten::linalg__powsum")


@shape_function(
    "aten::dist",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(5, 1, 3), T(4, 1), 1),
        Invocation(T(2, 3), T(), float("inf")),
        Invocation(T(0), T(0)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.bfloat16)),
        Invocation(T(2, dtype=torch.float16), T(dtype=torch.float64), p=0.5),
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.bfloat16)),
        Invocation(T(2, dtype=torch.complex64), T(2, dtype=torch.float64)),
    ],
    error=[Invocation(T(2, 3), T(2, 2))],
)
def dist(self: List[int], other: List[int], p: Union[int, float, complex] = 2) -> List[int]:
    """The norm of the difference of the operands, which broadcast, is 0-dim."""
    return reduce_all(broadcast_two(self, other))


@dtype_function(
    "aten::dist",
    error=[Invocation(*[T(2, dtype=dtype)] * 2) for dtype in (torch.int64, torch.bool)],
)
def dist_dtype(
    self: Tuple[int, int], other: Tuple[int, int], p: Union[int, float, complex] = 2
) -> int:
    """The operands promote; a norm is real."""
    return norm_dtype((0, promote_two(self, other)))


# Renormalization.


def renorm(self: List[int], dim: int) -> List[int]:
    """The shape of `self`, of whose slices along `dim` none exceeds `maxnorm`."""
    assert len(self) > 1, f"aten::renorm: self must have at least 2 dimensions, got shape {self}"
    wrap_dim(dim, len(self))
    return self


shape_family(
    renorm,
    "aten::renorm",
    ok=[
        Invocation(T(2, 3), 2, 0, 1.0),
        Invocation(T(2, 3, 4), 1, -1, 1),
        Invocation(T(0, 3), 2, 0, 1.0),
        *[Invocation(T(2, 3, dtype=dtype), 2, 0, 1.0) for dtype in _FLOATS],
    ],
    error=[Invocation(T(2), 2, 0, 1.0), Invocation(T(2, 3), 2, 2, 1.0)],
)
dtype_family(dtype_of_self, "aten::renorm")

_INDICES = T(2, dtype=torch.int64, values=[0, 1])


# The meta kernel does not check its operands.
@shape_function(
    "aten::embedding_renorm",
    ok=[
        Invocation(T(5, 3), _INDICES, 1.0, 2.0, device="cpu"),
        Invocation(T(5, 3), T(dtype=torch.int32), 1.0, 2.0, device="cpu"),
        *[Invocation(T(5, 3, dtype=dtype), _INDICES, 1.0, 2.0) for dtype in _FLOATS],
    ],
    error=[
        Invocation(T(5), _INDICES, 1.0, 2.0, device="cpu"),
        Invocation(T(5, 3, 2), _INDICES, 1.0, 2.0, device="cpu"),
    ],
)
def embedding_renorm(
    self: List[int], indices: List[int], max_norm: float, norm_type: float
) -> List[int]:
    """The shape of `self`, the embedding weight."""
    assert len(self) == 2, f"aten::embedding_renorm: self must be a matrix, got shape {self}"
    return self


@dtype_function("aten::embedding_renorm", error=[Invocation(T(5, 3), T(2), 1.0, 2.0, device="cpu")])
def embedding_renorm_dtype(
    self: Tuple[int, int], indices: Tuple[int, int], max_norm: float, norm_type: float
) -> int:
    """The dtype of `self`, the embedding weight."""
    assert indices[1] == torch.int64 or indices[1] == torch.int32, (
        f"aten::embedding_renorm: indices must be int64 or int32, got dtype {indices[1]}"
    )
    return self[1]
