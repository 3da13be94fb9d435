"""Covariance and correlation of the rows of matrices, Vandermonde matrices, quantiles."""

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
from torch_refine.abstract_interp_lib.rules.normalization import is_half
from torch_refine.abstract_interp_lib.rules.promotion import (
    bool_to_int,
    int_to_float,
    is_integral,
    promote_two,
)
from torch_refine.abstract_interp_lib.rules.reduction import dim_or_all, remove_dims
from torch_refine.abstract_interp_lib.rules.sizes import append_size
from torch_refine.abstract_interp_lib.rules.unknown import either_dtype

_DTYPES = (
    torch.float16,
    torch.bfloat16,
    torch.float64,
    torch.complex64,
    torch.int64,
    torch.int32,
    torch.uint8,
)


def variables_twice(self: List[int]) -> List[int]:
    """One scalar per pair of variables; 0-dim for a single variable."""
    assert len(self) <= 2, f"self must have at most 2 dimensions, got shape {self}"
    variables = 1
    if len(self) == 2:
        variables = self[0]
    out: List[int] = []
    if variables != 1:
        out = [variables, variables]
    return out


def check_weights(self: List[int], weights: Optional[List[int]], name: str) -> None:
    """Raise unless there is one weight per observation."""
    if weights is not None:
        observations = 1
        if len(self) > 0:
            observations = self[-1]
        given = 1
        if len(weights) > 0:
            given = weights[0]
        assert len(weights) <= 1 and given == observations, (
            f"aten::cov: {name} must have {observations} elements, one per observation, "
            f"got shape {weights}"
        )


# The meta kernels fail.
@shape_function(
    "aten::cov",
    ok=[
        *[Invocation(T(*sizes), device="cpu") for sizes in ((2, 3), (1, 3), (3,), (), (0, 3))],
        *[Invocation(T(*sizes), device="cpu") for sizes in ((2, 0), (0,), (1, 0))],
        *[Invocation(T(2, 3, dtype=dtype), device="cpu") for dtype in _DTYPES],
        Invocation(T(2, 3), correction=0, device="cpu"),
        Invocation(T(2, 3), fweights=T(3, dtype=torch.int64), device="cpu"),
        Invocation(T(1, 3), aweights=T(3), device="cpu"),
        Invocation(T(2, 1), aweights=T(), correction=0, device="cpu"),
        Invocation(T(), fweights=T(1, dtype=torch.int32), correction=0, device="cpu"),
    ],
    error=[
        Invocation(T(2, 3, 4), device="cpu"),
        Invocation(T(2, 3), fweights=T(2, dtype=torch.int64), device="cpu"),
        Invocation(T(2, 3), aweights=T(1, 3), device="cpu"),
    ],
)
def cov(
    self: List[int],
    correction: int = 1,
    fweights: Optional[List[int]] = None,
    aweights: Optional[List[int]] = None,
) -> List[int]:
    """The covariance matrix (`torch.cov`)."""
    check_weights(self, fweights, "fweights")
    check_weights(self, aweights, "aweights")
    return variables_twice(self)


def _weighted(dtype: torch.dtype, weights: torch.dtype, *sizes: int) -> Invocation:
    """A case with floating-point weights."""
    return Invocation(
        T(2, 3 if sizes else 1, dtype=dtype),
        aweights=T(*sizes, dtype=weights),
        correction=0,
        device="cpu",
    )


@dtype_function(
    "aten::cov",
    ok=[
        _weighted(torch.float32, torch.float64, 3),
        _weighted(torch.float32, torch.float16, 3),
        _weighted(torch.float16, torch.float64, 3),
        _weighted(torch.int64, torch.float64, 3),
        _weighted(torch.int64, torch.bfloat16, 3),
        _weighted(torch.complex64, torch.float64, 3),
        _weighted(torch.float16, torch.float64),
        _weighted(torch.int64, torch.float64),
        _weighted(torch.int32, torch.float16),
        Invocation(
            T(2, 3, dtype=torch.float16),
            fweights=T(3, dtype=torch.int32),
            aweights=T(3),
            device="cpu",
        ),
        Invocation(T(2, 3, dtype=torch.int64), fweights=T(3, dtype=torch.int32), device="cpu"),
    ],
    error=[
        Invocation(T(2, 3, dtype=torch.bool), device="cpu"),
        Invocation(T(2, 3), fweights=T(3), device="cpu"),
        Invocation(T(2, 3), aweights=T(3, dtype=torch.int64), device="cpu"),
    ],
)
def cov_dtype(
    self: Tuple[int, int],
    correction: int = 1,
    fweights: Optional[Tuple[int, int]] = None,
    aweights: Optional[Tuple[int, int]] = None,
) -> int:
    """Data and `aweights` promote to a float dtype; 0-dim `aweights` do not take part."""
    assert self[1] != torch.bool, f"aten::cov: bool is not supported, got dtype {self[1]}"
    out = int_to_float(self[1])
    if fweights is not None:
        assert is_integral(fweights[1]), (
            f"aten::cov: fweights must be integers, got dtype {fweights[1]}"
        )
    if aweights is not None:
        assert not is_integral(aweights[1]), (
            f"aten::cov: aweights must be floating-point, got dtype {aweights[1]}"
        )
        if aweights[0] > 0:
            if is_integral(self[1]) and is_half(aweights[1]):
                out = either_dtype(aweights[1], out)
            else:
                out = promote_two((2, self[1]), aweights)
    return out


shape_family(
    variables_twice,
    "aten::corrcoef",
    ok=[
        *[Invocation(T(*sizes), device="cpu") for sizes in ((2, 3), (1, 3), (3,), (), (0, 3))],
        *[Invocation(T(2, 3, dtype=dtype), device="cpu") for dtype in _DTYPES],
    ],
    error=[Invocation(T(2, 3, 4), device="cpu")],
)


def corrcoef_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `cov`."""
    return cov_dtype(self, 1, None, None)


dtype_family(
    corrcoef_dtype,
    "aten::corrcoef",
    error=[Invocation(T(2, 3, dtype=torch.bool), device="cpu")],
)

# Vandermonde matrices.


@shape_function(
    "aten::linalg_vander",
    ok=[
        Invocation(T(3)),
        Invocation(T(2, 3)),
        Invocation(T(2, 3), N=4),
        Invocation(T(), N=3),
        Invocation(T(0), N=2),
        Invocation(T(0, 3), N=None),
        *[
            Invocation(T(3, dtype=dtype))
            for dtype in (torch.float64, torch.complex64, torch.int64, torch.int32, torch.uint8)
        ],
    ],
    error=[Invocation(T()), Invocation(T(1)), Invocation(T(2, 3), N=1)],
)
def linalg_vander(x: List[int], N: Optional[int] = None) -> List[int]:
    """One row of powers per element; `N` of them, by default the size of the last dimension."""
    sizes = x
    if len(x) == 0:
        sizes = [1]
    powers = sizes[-1]
    if N is not None:
        powers = N
    assert powers > 1, f"aten::linalg_vander: N must be greater than 1, got {powers}"
    return append_size(sizes, powers)


@dtype_function(
    "aten::linalg_vander",
    error=[Invocation(T(3, dtype=dtype)) for dtype in (torch.float16, torch.bfloat16, torch.bool)],
)
def linalg_vander_dtype(x: Tuple[int, int], N: Optional[int] = None) -> int:
    """The dtype of products: int64 for integers."""
    assert not is_half(x[1]) and x[1] != torch.bool, (
        f"aten::linalg_vander: half precision and bool are not supported, got dtype {x[1]}"
    )
    return bool_to_int(x[1])


@shape_function(
    "aten::vander",
    ok=[
        Invocation(T(3)),
        Invocation(T(3), 5),
        Invocation(T(3), 0),
        Invocation(T(3), None, True),
        Invocation(T(0)),
        *[Invocation(T(3, dtype=dtype)) for dtype in (*_DTYPES, torch.bool)],
    ],
    error=[Invocation(T()), Invocation(T(2, 3)), Invocation(T(3), -1)],
)
def vander(x: List[int], N: Optional[int] = None, increasing: bool = False) -> List[int]:
    """One row of powers per element; `N` of them, by default the size of `x`."""
    assert len(x) == 1, f"aten::vander: x must be 1-D, got shape {x}"
    powers = x[0]
    if N is not None:
        assert N >= 0, f"aten::vander: N must not be negative, got {N}"
        powers = N
    return [x[0], powers]


@dtype_function("aten::vander")
def vander_dtype(x: Tuple[int, int], N: Optional[int] = None, increasing: bool = False) -> int:
    """The dtype of products: int64 for integers and bool."""
    return bool_to_int(x[1])


# Quantiles: `quantile` and `nanquantile`.

_DOUBLE = torch.float64


def quantile_scalar_rule(
    self: List[int], q: float, dim: Optional[int], keepdim: bool, interpolation: str
) -> List[int]:
    """One quantile along a dimension, or over all elements for None."""
    assert q >= 0 and q <= 1, f"q must be from 0 to 1, got {q}"
    return one_quantile(self, dim, keepdim, interpolation)


def quantile_rule(
    self: List[int], q: List[int], dim: Optional[int], keepdim: bool, interpolation: str
) -> List[int]:
    """One quantile per element of `q`, as the leading dimension."""
    assert len(q) <= 1, f"q must be 0-dim or 1-D, got shape {q}"
    return q + one_quantile(self, dim, keepdim, interpolation)


def one_quantile(
    self: List[int], dim: Optional[int], keepdim: bool, interpolation: str
) -> List[int]:
    """The shape of one quantile."""
    assert interpolation in ["linear", "lower", "higher", "midpoint", "nearest"], (
        f"unknown interpolation '{interpolation}'"
    )
    assert 0 not in self, f"self must not be empty, got shape {self}"
    return remove_dims(self, dim_or_all(dim, len(self)), keepdim)


def check_wide(dtype: int) -> None:
    """Raise unless the dtype is float32 or float64."""
    assert dtype == torch.float32 or dtype == torch.float64, (
        f"self must be float32 or float64, got dtype {dtype}"
    )


def quantile_scalar_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`."""
    check_wide(self[1])
    return self[1]


def quantile_dtype(self: Tuple[int, int], q: Tuple[int, int]) -> int:
    """The dtype of `self`, which `q` also has."""
    check_wide(self[1])
    assert q[1] == self[1], f"dtypes must match, got {self[1]} and {q[1]}"
    return self[1]


_SCALAR = ("aten::quantile.scalar", "aten::nanquantile.scalar")
_TENSOR = ("aten::quantile", "aten::nanquantile")
_OTHER_DTYPES = (torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.complex64)
shape_family(
    quantile_scalar_rule,
    *_SCALAR,
    ok=[
        Invocation(T(2, 3), 0.5),
        Invocation(T(2, 3), 0.0, 1),
        Invocation(T(2, 3), 1.0, -2, True),
        Invocation(T(2, 3), 0.5, None, True, interpolation="midpoint"),
        Invocation(T(), 0.5, 0, True),
        Invocation(T(3, dtype=_DOUBLE), 0.5),
    ],
    error=[
        Invocation(T(2, 3), 1.5),
        Invocation(T(2, 3), -0.5),
        Invocation(T(2, 3), 0.5, 2),
        Invocation(T(0, 3), 0.5, 1),
        Invocation(T(2, 3), 0.5, interpolation="cubic"),
    ],
)
dtype_family(
    quantile_scalar_dtype,
    *_SCALAR,
    error=[Invocation(T(3, dtype=dtype), 0.5) for dtype in _OTHER_DTYPES],
)
shape_family(
    quantile_rule,
    *_TENSOR,
    ok=[
        Invocation(T(2, 3), T()),
        Invocation(T(2, 3), T(4)),
        Invocation(T(2, 3), T(0), 1),
        Invocation(T(2, 3), T(4), -2, True),
        Invocation(T(2, 3), T(4), None, True, interpolation="nearest"),
        Invocation(T(2, 3), T(), 0, True),
        Invocation(T(), T(4)),
        Invocation(T(), T(4), 0, True),
        Invocation(T(3, dtype=_DOUBLE), T(2, dtype=_DOUBLE)),
    ],
    error=[
        Invocation(T(2, 3), T(1, 1)),
        Invocation(T(2, 3), T(), 2),
        Invocation(T(0, 3), T()),
        Invocation(T(2, 3), T(), interpolation="cubic"),
    ],
)
dtype_family(
    quantile_dtype,
    *_TENSOR,
    error=[
        Invocation(T(3, dtype=_DOUBLE), T()),
        *[Invocation(T(3, dtype=dtype), T(dtype=dtype)) for dtype in _OTHER_DTYPES],
    ],
)
