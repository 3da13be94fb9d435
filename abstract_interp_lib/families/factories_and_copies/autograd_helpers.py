"""Helpers of autograd, autocast and vmap, and of asserts and normalization in traced graphs."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_default, given_size, zero_dim
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.sizes import (
    insert_size,
    remove_size,
    view_sizes,
    wrap_existing,
)
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype

_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.uint8,
    torch.bool,
    torch.complex64,
)

# Copies and views that keep shape and dtype.
shape_family(
    same_as_self, "aten::_lazy_clone", ok=[Invocation(T(2, 3)), Invocation(T()), Invocation(T(0))]
)
dtype_family(
    dtype_of_self, "aten::_lazy_clone", ok=[Invocation(T(2, dtype=dtype)) for dtype in _DTYPES]
)
shape_family(
    same_as_self, "aten::_fw_primal", ok=[Invocation(T(2, 3), 0), Invocation(T(), level=0)]
)
dtype_family(
    dtype_of_self, "aten::_fw_primal", ok=[Invocation(T(2, dtype=dtype), 0) for dtype in _DTYPES]
)

# A zero tensor that stores no elements.
shape_family(
    given_size,
    "aten::_efficientzerotensor",
    ok=[Invocation([2, 3]), Invocation([]), Invocation([0, 3])],
    error=[Invocation([2, -1])],
)
dtype_family(
    dtype_or_default,
    "aten::_efficientzerotensor",
    ok=[Invocation([2], dtype=dtype) for dtype in (*_DTYPES, None)],
)


# The batch dimension of vmap.
@shape_function(
    "aten::_add_batch_dim",
    ok=[
        Invocation(T(2, 3, 4), 1, 1),
        Invocation(T(2), 0, 1),
        Invocation(T(2, 3, dtype=torch.int64), 0, 2),
        Invocation(T(2, 3, dtype=torch.float16), 1, 1),
        Invocation(T(2, 3, dtype=torch.bool), 1, 1),
    ],
    error=[Invocation(T(2, 3, 4), -1, 1)],
)
def _add_batch_dim(self: List[int], batch_dim: int, level: int) -> List[int]:
    """The batch dimension is hidden; it must be non-negative."""
    assert batch_dim >= 0 and batch_dim < len(self), (
        f"aten::_add_batch_dim: dimension {batch_dim} is out of range for rank {len(self)}"
    )
    return remove_size(self, batch_dim)


@shape_function(
    "aten::_remove_batch_dim",
    ok=[
        Invocation(T(2, 3), 1, 5, 0),
        Invocation(T(), 1, 5, 0),
        Invocation(T(2, 3), 1, 0, 0),
        Invocation(T(1, 3), 1, 5, 1),
        Invocation(T(2, 3, dtype=torch.int64), 1, 5, 0),
        Invocation(T(2, 3, dtype=torch.float16), 1, 5, 0),
        Invocation(T(2, 3, dtype=torch.bool), 1, 5, 0),
    ],
)
def _remove_batch_dim(self: List[int], level: int, batch_size: int, out_dim: int) -> List[int]:
    """The hidden batch dimension is restored at `out_dim`."""
    return insert_size(self, wrap_existing(out_dim, len(self) + 1), batch_size)


dtype_family(dtype_of_self, "aten::_add_batch_dim", "aten::_remove_batch_dim")


def autocasts(cuda_enabled: bool, cpu_enabled: bool) -> bool:
    """Whether autocast is enabled for the program's device."""
    return cpu_enabled if runs_on_cpu() else cuda_enabled


@dtype_function(
    "aten::_autocast_to_full_precision",
    ok=[
        *[Invocation(T(2, dtype=dtype), False, True) for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), False, False) for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), False, True, device="cpu") for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), True, False, device="cpu") for dtype in _DTYPES],
    ],
)
def _autocast_to_full_precision_dtype(
    self: Tuple[int, int], cuda_enabled: bool, cpu_enabled: bool
) -> int:
    """16-bit floats become float32 if autocast is enabled."""
    out = self[1]
    if is_half(out) and autocasts(cuda_enabled, cpu_enabled):
        out = torch.float32
    return out


_REDUCED = (torch.float16, torch.bfloat16)


@dtype_function(
    "aten::_autocast_to_reduced_precision",
    ok=[
        *[Invocation(T(2, dtype=dtype), False, True, *_REDUCED) for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), True, True, *_REDUCED, device="cpu") for dtype in _DTYPES],
        Invocation(T(2), False, True, *_REDUCED),
        Invocation(T(2), False, True, *_REDUCED, device="cpu"),
        Invocation(T(2), True, True, *_REDUCED, device="cpu"),
        Invocation(T(2), True, False, *_REDUCED, device="cpu"),
        Invocation(T(2), False, False, *_REDUCED),
    ],
)
def _autocast_to_reduced_precision_dtype(
    self: Tuple[int, int], cuda_enabled: bool, cpu_enabled: bool, cuda_dtype: int, cpu_dtype: int
) -> int:
    """float32 becomes the given dtype of the device if autocast is enabled."""
    out = self[1]
    if out == torch.float32 and autocasts(cuda_enabled, cpu_enabled):
        out = cpu_dtype if runs_on_cpu() else cuda_dtype
    return out


shape_family(
    same_as_self,
    "aten::_autocast_to_full_precision",
    ok=[Invocation(T(2, 3), True, True), Invocation(T(), False, True)],
)
shape_family(
    same_as_self,
    "aten::_autocast_to_reduced_precision",
    ok=[
        Invocation(T(2, 3), False, True, *_REDUCED),
        Invocation(T(), True, False, *_REDUCED, device="cpu"),
    ],
)


# Asserts that return a token, which orders them in a graph.
def shape_of_token(dep_token: List[int]) -> List[int]:
    """The shape of the token."""
    return dep_token


def dtype_of_token(dep_token: Tuple[int, int]) -> int:
    """The dtype of the token."""
    return dep_token[1]


_TOKENS = [T(), T(2, 3), *[T(2, dtype=dtype) for dtype in _DTYPES]]
_ASSERTS_OF_SIZES = (
    "aten::_functional_sym_constrain_range",
    "aten::_functional_sym_constrain_range_for_size",
)
shape_family(
    shape_of_token,
    "aten::_functional_assert_async.msg",
    ok=[Invocation(T(dtype=torch.bool), "message", token) for token in _TOKENS],
)
shape_family(
    shape_of_token,
    "aten::_functional_assert_scalar",
    ok=[Invocation(1, "message", token) for token in _TOKENS],
)
shape_family(
    shape_of_token, *_ASSERTS_OF_SIZES, ok=[Invocation(1, 0, 5, token) for token in _TOKENS]
)
dtype_family(
    dtype_of_token,
    "aten::_functional_assert_async.msg",
    "aten::_functional_assert_scalar",
    *_ASSERTS_OF_SIZES,
)

# The meta kernel does not check the dtype.
shape_family(zero_dim, "aten::_make_dep_token", ok=[Invocation()])
dtype_family(
    dtype_or_default,
    "aten::_make_dep_token",
    ok=[Invocation(dtype=dtype, device="cpu") for dtype in (*_DTYPES, None)],
)

_TRUTHS = ("aten::_is_all_true", "aten::_is_any_true")


def truth_of_bool(self: Tuple[int, int]) -> int:
    """The result is bool; the input must be bool."""
    assert self[1] == torch.bool, f"self must be of dtype bool, got dtype {self[1]}"
    return torch.bool


shape_family(
    zero_dim,
    *_TRUTHS,
    ok=[
        Invocation(T(2, 3, dtype=torch.bool)),
        Invocation(T(dtype=torch.bool)),
        Invocation(T(0, dtype=torch.bool)),
    ],
)
dtype_family(truth_of_bool, *_TRUTHS, error=[Invocation(T(2))])


# Parameters of a normalization, viewed such that they broadcast with its input.
@shape_function(
    "aten::_ncf_unsqueeze",
    ok=[
        Invocation(T(3), 4),
        Invocation(T(3), 2),
        Invocation(T(0), 3),
        Invocation(T(1), 1),
        Invocation(T(1), 0),
        *[Invocation(T(3, dtype=dtype), 4) for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3), 4), Invocation(T(), 2), Invocation(T(3), 1)],
)
def _ncf_unsqueeze(self: List[int], ndim: int) -> List[int]:
    """A channel vector gets one leading dimension of size 1 and trailing ones up to `ndim`."""
    assert len(self) == 1, f"aten::_ncf_unsqueeze: self must be 1-D, got shape {self}"
    if ndim >= 2:
        return [1] + self + [1] * (ndim - 2)
    else:
        assert self[0] == 1, (
            f"aten::_ncf_unsqueeze: ndim must be at least 2 for {self[0]} channels, got {ndim}"
        )
        return [1] * ndim


@shape_function(
    "aten::_ncf_view",
    ok=[
        Invocation(T(6), [2, 3, 4, 5], 2),
        Invocation(T(2, 3), [2, 3, 4, 5], 2),
        Invocation(T(2, 3), [2, -1, 4, 5], 2),
        Invocation(T(6), [2, 3], 0),
        Invocation(T(1), [2, 3], 3),
        Invocation(T(), [], 0),
        *[Invocation(T(6, dtype=dtype), [2, 3, 4], 1) for dtype in _DTYPES],
    ],
    error=[
        Invocation(T(6), [2, 4, 4], 1),
        Invocation(T(6), [2, 3], -1),
        Invocation(T(6), [-1, -1, 3], 1),
    ],
)
def _ncf_view(self: List[int], input_shape: List[int], normalized_ndim: int) -> List[int]:
    """`input_shape`, with 1 for the normalized dimensions."""
    assert normalized_ndim >= 0, (
        f"aten::_ncf_view: normalized_ndim must not be negative, got {normalized_ndim}"
    )
    kept = max(len(input_shape) - normalized_ndim, 0)
    return view_sizes(self, input_shape[:kept] + [1] * (len(input_shape) - kept))


dtype_family(dtype_of_self, "aten::_ncf_unsqueeze", "aten::_ncf_view")


# Unpacking of dual numbers in forward-mode AD.


@shape_function(
    "aten::_unpack_dual",
    ok=[
        Invocation(T(2, 3), 0),
        Invocation(T(dtype=torch.float16), 0),
        Invocation(T(2, dtype=torch.int64), 0),
        Invocation(T(2, dtype=torch.bool), 0),
    ],
)
def _unpack_dual(dual: List[int], level: int) -> Tuple[List[int], List[int]]:
    """Primal and tangent, if there is one; both have the same shape."""
    return dual, list(dual)


@dtype_function("aten::_unpack_dual")
def _unpack_dual_dtype(dual: Tuple[int, int], level: int) -> Tuple[int, int]:
    """The dtype of the primal; the tangent may have another dtype."""
    return dual[1], unknown_dtype()
