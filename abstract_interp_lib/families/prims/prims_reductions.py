"""Reductions and transforms among the primitive operators: `prims::sum`, `prims::fft_r2c`.

The dimensions are required and must be non-negative. For an empty list of dimensions the meta
kernels reduce none, and they keep integer dtypes; the other kernels reduce all, and sum in int64,
as the aten operators do.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.dims import wrap_dims
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same
from torch_refine.abstract_interp_lib.rules.pointwise import complex_dtype
from torch_refine.abstract_interp_lib.rules.prims import check_dims
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, real_dtype
from torch_refine.abstract_interp_lib.rules.reduction import (
    check_not_empty,
    remove_dims,
    sum_dtype,
    variance_dtype,
)
from torch_refine.abstract_interp_lib.rules.sizes import append_size, remove_size, replace_size


def given_dims(dims: Optional[List[int]], rank: int) -> List[int]:
    """The argument `dims`, which must not be None."""
    assert dims is not None, f"dims must be given, got {dims}"
    check_dims(dims, rank)
    return dims


def given_dims_or_all(dims: Optional[List[int]], rank: int) -> List[int]:
    """The argument `dims`, or all dimensions for an empty list."""
    given = given_dims(dims, rank)
    if len(given) == 0:
        return [index for index in range(rank)]
    else:
        return given


def reduced(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over the given dimensions, or over all for an empty list."""
    return remove_dims(inp, given_dims_or_all(dims, len(inp)), False)


def reduced_to_extremum(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over the given dimensions, or all; they must not be empty."""
    given = given_dims_or_all(dims, len(inp))
    check_not_empty(inp, given)
    return remove_dims(inp, given, False)


def reduced_strictly(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over the given dimensions, or over none for an empty list."""
    return remove_dims(inp, given_dims(dims, len(inp)), False)


def reduced_one_by_one(inp: List[int], dims: Optional[List[int]]) -> List[int]:
    """Reduces over one dimension after the other, the last one first."""
    given = given_dims(dims, len(inp))
    out = inp
    for index in range(len(inp)):
        last = len(inp) - 1 - index
        for dim in given:
            if dim == last:
                out = remove_size(out, last)
    return out


def sum_dtype_of_inp(inp: Tuple[int, int], output_dtype: Optional[int]) -> int:
    """The argument `output_dtype`; if None, the dtype of `inp`, or int64 for integers and bool."""
    return sum_dtype(inp, output_dtype)


def product_dtype_of_inp(
    inp: Tuple[int, int], dims: Optional[List[int]], output_dtype: Optional[int]
) -> int:
    """As for sums, but a product over no dimension is a copy."""
    if len(given_dims(dims, inp[0])) == 0:
        return dtype_or_same(inp, output_dtype)
    else:
        return sum_dtype(inp, output_dtype)


def same_dtype_of_inp(inp: Tuple[int, int], output_dtype: Optional[int]) -> int:
    """The argument `output_dtype`, or the dtype of `inp`."""
    return dtype_or_same(inp, output_dtype)


def variance_dtype_of_inp(inp: Tuple[int, int], output_dtype: Optional[int]) -> int:
    """The real dtype of `inp`; no kernel supports `output_dtype`."""
    assert output_dtype is None, f"output_dtype is not supported, got dtype {output_dtype}"
    return variance_dtype(inp)


_SHAPES = [
    Invocation(T(2, 3), [0]),
    Invocation(T(2, 3, 4), [2, 0]),
    Invocation(T(2, 3), [0, 1]),
    Invocation(T(0, 3), [1]),
    Invocation(T(), [0]),
    Invocation(T(), []),
]
_ALL = [Invocation(T(2, 3), [], device="cpu")]
_EMPTY = [Invocation(T(0, 3), [0])]
_WRONG_DIMS = [
    Invocation(T(2, 3), None),
    Invocation(T(2, 3), [2]),
    Invocation(T(2, 3), [-1]),
    Invocation(T(), [1]),
]
_FLOATS = [
    Invocation(T(2, 3, dtype=torch.float64), [0]),
    Invocation(T(2, 3, dtype=torch.float16), [0]),
    Invocation(T(2, 3, dtype=torch.bfloat16), [0]),
]
_COMPLEX = [Invocation(T(2, 3, dtype=torch.complex64), [0])]
_INTEGERS = [
    Invocation(T(2, 3, dtype=torch.int32), [0]),
    Invocation(T(2, 3, dtype=torch.uint8), [0]),
    Invocation(T(2, 3, dtype=torch.bool), [0]),
]
_INTEGERS_CPU = [Invocation(*case.args, device="cpu") for case in _INTEGERS]
_INT64 = [Invocation(T(2, 3, dtype=torch.int64), [0])]
# Only the meta kernels accept it.
_CHOSEN = [
    Invocation(T(2, 3), [0], output_dtype=torch.float64),
    Invocation(T(2, 3, dtype=torch.int64), [0], output_dtype=torch.int32),
]

shape_family(reduced, "prims::sum", ok=[*_SHAPES, *_ALL, *_EMPTY], error=_WRONG_DIMS)
dtype_family(
    sum_dtype_of_inp,
    "prims::sum",
    ok=[*_FLOATS, *_COMPLEX, *_INT64, *_INTEGERS_CPU, *_CHOSEN],
)
shape_family(
    reduced_one_by_one,
    "prims::prod",
    ok=[
        *_SHAPES,
        *_EMPTY,
        Invocation(T(2, 3), []),
        # The meta kernel reduces over the dimension once.
        Invocation(T(2, 3), [0, 0], device="cpu"),
    ],
    error=_WRONG_DIMS,
)
dtype_family(
    product_dtype_of_inp,
    "prims::prod",
    ok=[
        *_FLOATS,
        *_COMPLEX,
        *_INT64,
        *_INTEGERS_CPU,
        *_CHOSEN,
        Invocation(T(2, 3, dtype=torch.int32), []),
    ],
    error=[Invocation(T(2, 3), None)],
)
shape_family(
    reduced_to_extremum,
    "prims::amax",
    "prims::amin",
    ok=[*_SHAPES, *_ALL],
    # The meta kernels accept empty inputs.
    error=[*_WRONG_DIMS, *[Invocation(*case.args, device="cpu") for case in _EMPTY]],
)
dtype_family(
    same_dtype_of_inp,
    "prims::amax",
    "prims::amin",
    ok=[*_FLOATS, *_INT64, *_INTEGERS, *_CHOSEN],
)
# It only occurs in traced programs; its only kernel is the meta kernel.
shape_family(
    reduced_strictly,
    "prims::xor_sum",
    ok=[*_SHAPES, *_EMPTY, Invocation(T(2, 3), [])],
    error=_WRONG_DIMS,
)
dtype_family(same_dtype_of_inp, "prims::xor_sum", ok=[*_FLOATS, *_INT64, *_INTEGERS, *_CHOSEN])

# The default of `correction` is rejected.
shape_family(
    reduced,
    "prims::var",
    ok=[
        *[
            Invocation(*case.args, 0.0, device=case.device)
            for case in (*_SHAPES, *_ALL, *_EMPTY, *_FLOATS, *_COMPLEX)
        ],
        Invocation(T(2, 3), [0], None),
        Invocation(T(2, 3), [0], 1),
    ],
    error=[Invocation(*case.args, 1.0) for case in _WRONG_DIMS],
)
dtype_family(
    variance_dtype_of_inp,
    "prims::var",
    error=[
        # The meta kernel accepts integers.
        Invocation(T(2, 3, dtype=torch.int64), [0], 1.0, device="cpu"),
        Invocation(T(2, 3), [0], 1.0, output_dtype=torch.float64),
    ],
)


# Transforms: Fourier transforms and singular value decomposition.
#
# The Fourier kernels of the CPU reject negative dimensions; the meta kernels accept them.


def last_transformed(self: List[int], dim: List[int]) -> int:
    """The last transformed dimension, wrapped to be non-negative."""
    assert len(self) > 0 and len(dim) > 0, (
        f"dim must not be empty, got shape {self} and dimensions {dim}"
    )
    return wrap_dims(dim, len(self))[len(dim) - 1]


def real_to_complex(self: List[int], dim: List[int], onesided: bool) -> List[int]:
    """The shape of `self`; with `onesided` the last transformed dimension becomes n / 2 + 1."""
    last = last_transformed(self, dim)
    if onesided:
        return replace_size(self, last, self[last] // 2 + 1)
    else:
        return self


def complex_to_complex(self: List[int], dim: List[int]) -> List[int]:
    """The shape of `self`."""
    wrap_dims(dim, len(self))
    return self


def complex_to_real(self: List[int], dim: List[int], last_dim_size: int) -> List[int]:
    """The last transformed dimension gets the given size."""
    return replace_size(self, last_transformed(self, dim), last_dim_size)


def real_to_complex_dtype(self: Tuple[int, int]) -> int:
    """The complex dtype corresponding to the dtype of `self`."""
    return complex_dtype(self[1])


def complex_to_complex_dtype(self: Tuple[int, int]) -> int:
    """The dtype of `self`, which is complex."""
    assert is_complex(self[1]), f"the dtype must be complex, got {self[1]}"
    return self[1]


def complex_to_real_dtype(self: Tuple[int, int]) -> int:
    """The real dtype of `self`, which is complex."""
    return real_dtype(complex_to_complex_dtype(self))


_C = torch.complex64
_NOT_REAL = [T(4, 6, dtype=_C), T(4, 6, dtype=torch.int64)]
shape_family(
    real_to_complex,
    "prims::fft_r2c",
    ok=[
        Invocation(T(4, 6), dim=[1], onesided=True),
        Invocation(T(4, 7), dim=[1], onesided=True),
        Invocation(T(4, 6), dim=[1, 0], onesided=True),
        Invocation(T(4, 6), dim=[-2], onesided=True),
        Invocation(T(4, 6), dim=[0, 1], onesided=False),
        Invocation(T(0, 6), dim=[1], onesided=True),
        Invocation(T(4, 6), dim=[1], onesided=True, device="cpu"),
    ],
    error=[
        Invocation(T(4, 6), dim=[0, 0], onesided=True),
        Invocation(T(4, 6), dim=[2], onesided=True),
        Invocation(T(4, 6), dim=[], onesided=True),
        Invocation(T(4, 6), dim=[], onesided=False, device="cpu"),
        Invocation(T(), dim=[0], onesided=True),
        Invocation(T(), dim=[0], onesided=False, device="cpu"),
    ],
)
dtype_family(
    real_to_complex_dtype,
    "prims::fft_r2c",
    ok=[
        Invocation(T(4, 6, dtype=torch.float64), dim=[1], onesided=True),
        Invocation(T(4, 6, dtype=torch.float16), dim=[1], onesided=False),
    ],
    error=[Invocation(tensor, dim=[1], onesided=True) for tensor in _NOT_REAL],
)
shape_family(
    complex_to_complex,
    "prims::fft_c2c",
    ok=[
        Invocation(T(4, 6, dtype=_C), dim=[1], forward=True),
        Invocation(T(4, 6, dtype=_C), dim=[1, 0], forward=False),
        Invocation(T(4, 6, dtype=_C), dim=[-1], forward=True),
        Invocation(T(4, 6, dtype=_C), dim=[], forward=True),
        Invocation(T(0, 6, dtype=_C), dim=[1], forward=True),
        Invocation(T(4, 6, dtype=_C), dim=[1], forward=True, device="cpu"),
    ],
    error=[
        Invocation(T(4, 6, dtype=_C), dim=[0, 0], forward=True),
        Invocation(T(4, 6, dtype=_C), dim=[2], forward=True),
    ],
)
# The meta kernel accepts any dtype.
dtype_family(
    complex_to_complex_dtype,
    "prims::fft_c2c",
    ok=[Invocation(T(4, 6, dtype=torch.complex128), dim=[1], forward=True)],
    error=[Invocation(T(4, 6), dim=[1], forward=True, device="cpu")],
)
shape_family(
    complex_to_real,
    "prims::fft_c2r",
    ok=[
        Invocation(T(4, 6, dtype=_C), dim=[1], last_dim_size=10),
        Invocation(T(4, 6, dtype=_C), dim=[0, 1], last_dim_size=11),
        Invocation(T(4, 6, dtype=_C), dim=[-2], last_dim_size=7),
        Invocation(T(4, 6, dtype=_C), dim=[1], last_dim_size=10, device="cpu"),
    ],
    error=[
        Invocation(T(4, 6, dtype=_C), dim=[0, 0], last_dim_size=10),
        Invocation(T(4, 6, dtype=_C), dim=[2], last_dim_size=10),
        Invocation(T(4, 6, dtype=_C), dim=[], last_dim_size=10),
        Invocation(T(dtype=_C), dim=[0], last_dim_size=10),
    ],
)
dtype_family(
    complex_to_real_dtype,
    "prims::fft_c2r",
    ok=[
        Invocation(T(4, 6, dtype=torch.complex128), dim=[1], last_dim_size=10),
        Invocation(T(4, 6, dtype=torch.complex32), dim=[1], last_dim_size=10),
    ],
    error=[
        Invocation(T(4, 6), dim=[1], last_dim_size=10),
        Invocation(T(4, 6, dtype=torch.int64), dim=[1], last_dim_size=10),
    ],
)


def singular_values(A: List[int], full_matrices: bool) -> Tuple[List[int], List[int], List[int]]:
    """U, S and Vh; U and Vh are square with `full_matrices`."""
    assert len(A) >= 2, f"A must be a matrix or a batch of matrices, got shape {A}"
    batch = A[:-2]
    rows = A[len(A) - 2]
    columns = A[len(A) - 1]
    least = min(rows, columns)
    left = [rows, least]
    right = [least, columns]
    if full_matrices:
        left = [rows, rows]
        right = [columns, columns]
    return batch + left, append_size(batch, least), batch + right


def singular_values_dtype(A: Tuple[int, int]) -> Tuple[int, int, int]:
    """U and Vh have the dtype of `A`; S is real."""
    assert A[1] in [torch.float32, torch.float64, torch.complex64, torch.complex128], (
        f"the dtype must be float32, float64, complex64 or complex128, got {A[1]}"
    )
    return A[1], real_dtype(A[1]), A[1]


_MATRICES = (T(2, 3), T(4, 3, 2), T(0, 3), T(2, 0, 3, 3))
_REJECTED = (torch.float16, torch.bfloat16, torch.int64)
shape_family(
    singular_values,
    "prims::svd",
    ok=[Invocation(matrix, full_matrices=full) for matrix in _MATRICES for full in (True, False)],
    error=[Invocation(T(3), full_matrices=True)],
)
dtype_family(
    singular_values_dtype,
    "prims::svd",
    ok=[
        Invocation(T(2, 3, dtype=torch.float64), full_matrices=True),
        Invocation(T(2, 3, dtype=_C), full_matrices=False),
        Invocation(T(2, 3, dtype=torch.complex128), full_matrices=True),
    ],
    error=[Invocation(T(2, 3, dtype=dtype), full_matrices=True) for dtype in _REJECTED],
)
