"""Orthogonal polynomials, element by element: Chebyshev, Hermite, Laguerre and Legendre.

`x` is the argument and `n` the degree; either may be a number.
"""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.pointwise import (
    float_of_number_tensor,
    float_of_tensor_number,
    float_of_tensors,
)

_TENSORS = (
    "aten::special_chebyshev_polynomial_t",
    "aten::special_chebyshev_polynomial_u",
    "aten::special_chebyshev_polynomial_v",
    "aten::special_chebyshev_polynomial_w",
    "aten::special_hermite_polynomial_h",
    "aten::special_hermite_polynomial_he",
    "aten::special_laguerre_polynomial_l",
    "aten::special_legendre_polynomial_p",
    "aten::special_shifted_chebyshev_polynomial_t",
    "aten::special_shifted_chebyshev_polynomial_u",
    "aten::special_shifted_chebyshev_polynomial_v",
    "aten::special_shifted_chebyshev_polynomial_w",
)
_NUMBER_DEGREE = tuple(f"{name}.n_scalar" for name in _TENSORS)
_OF_NUMBER = tuple(f"{name}.x_scalar" for name in _TENSORS)
_DTYPES = (
    torch.float16,
    torch.bfloat16,
    torch.float64,
    torch.int64,
    torch.int32,
    torch.uint8,
    torch.bool,
)


def polynomial(x: List[int], n: List[int]) -> List[int]:
    """Arguments and degrees broadcast."""
    return broadcast_two(x, n)


def polynomial_of_one_degree(x: List[int]) -> List[int]:
    """One value for each argument."""
    return x


def polynomials_of_number(n: List[int]) -> List[int]:
    """One value for each degree."""
    return n


def polynomial_dtype(x: Tuple[int, int], n: Tuple[int, int]) -> int:
    """Arguments and degrees promote; integers and bool then become float32."""
    return float_of_tensors(x, n)


def polynomial_of_one_degree_dtype(x: Tuple[int, int], n: Union[int, float, complex]) -> int:
    """Arguments and degree promote; integers and bool then become float32."""
    return float_of_tensor_number(x, n)


def polynomials_of_number_dtype(x: Union[int, float, complex], n: Tuple[int, int]) -> int:
    """Argument and degrees promote; integers and bool then become float32."""
    return float_of_number_tensor(x, n)


shape_family(
    polynomial,
    *_TENSORS,
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(2, 1, 4), T(3, 1)),
        Invocation(T(), T(3)),
        Invocation(T(), T()),
        Invocation(T(0, 3), T(1, 3)),
    ],
    error=[Invocation(T(2, 3), T(4, 3))],
)
dtype_family(
    polynomial_dtype,
    *_TENSORS,
    ok=[
        *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _DTYPES],
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.bfloat16)),
        Invocation(T(2, dtype=torch.int64), T(2, dtype=torch.float16)),
        Invocation(T(2, dtype=torch.float16), T(2, dtype=torch.int64)),
        Invocation(T(2, dtype=torch.int64), T(dtype=torch.float64)),
        Invocation(T(2), T(dtype=torch.float64)),
        Invocation(T(2, dtype=torch.bool), T(2, dtype=torch.int64)),
    ],
)
shape_family(
    polynomial_of_one_degree,
    *_NUMBER_DEGREE,
    ok=[Invocation(T(2, 3), 2), Invocation(T(), 2), Invocation(T(0, 3), 2)],
)
dtype_family(
    polynomial_of_one_degree_dtype,
    *_NUMBER_DEGREE,
    ok=[
        *[Invocation(T(2, dtype=dtype), 2) for dtype in _DTYPES],
        *[Invocation(T(2, dtype=dtype), 2.5) for dtype in _DTYPES],
    ],
)
shape_family(
    polynomials_of_number,
    *_OF_NUMBER,
    ok=[Invocation(2, T(2, 3)), Invocation(2.5, T()), Invocation(2, T(0, 3))],
)
dtype_family(
    polynomials_of_number_dtype,
    *_OF_NUMBER,
    ok=[
        *[Invocation(2, T(2, dtype=dtype)) for dtype in _DTYPES],
        *[Invocation(2.5, T(2, dtype=dtype)) for dtype in _DTYPES],
    ],
)
