"""Transforms in the set of primitive operators: Fourier's and the singular values of a matrix.

The Fourier kernels of the CPU take no negative dimensions; the meta kernels do.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.rules.complex import real_dtype
from torch_refine.abstract_interp_lib.rules.dims import wrap_dims
from torch_refine.abstract_interp_lib.rules.pointwise import complex_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex
from torch_refine.abstract_interp_lib.rules.sizes import append_size, replace_size


def last_transformed(self: List[int], dim: List[int]) -> int:
    """The dimension that is transformed last, counted from the front."""
    assert len(self) > 0 and len(dim) > 0, (
        f"there must be a dimension to transform, got shape {self} and dimensions {dim}"
    )
    return wrap_dims(dim, len(self))[len(dim) - 1]


def real_to_complex(self: List[int], dim: List[int], onesided: bool) -> List[int]:
    """Keeps the shape, or half of the dimension that is named last, its middle included."""
    last = last_transformed(self, dim)
    if onesided:
        return replace_size(self, last, self[last] // 2 + 1)
    else:
        return self


def complex_to_complex(self: List[int], dim: List[int]) -> List[int]:
    """Keeps the shape."""
    wrap_dims(dim, len(self))
    return self


def complex_to_real(self: List[int], dim: List[int], last_dim_size: int) -> List[int]:
    """The dimension that is named last gets the size asked for."""
    return replace_size(self, last_transformed(self, dim), last_dim_size)


def real_to_complex_dtype(self: Tuple[int, int]) -> int:
    """The complex dtype whose parts have the dtype of `self`."""
    return complex_dtype(self[1])


def complex_to_complex_dtype(self: Tuple[int, int]) -> int:
    """Keeps the dtype, which is complex."""
    assert is_complex(self[1]), f"the dtype must be complex, got {self[1]}"
    return self[1]


def complex_to_real_dtype(self: Tuple[int, int]) -> int:
    """The dtype of the parts of complex numbers."""
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
# The meta kernel takes any dtype.
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
    """Square factors around the singular values, or as much of them as these meet."""
    assert len(A) >= 2, f"A must be a matrix or a batch of them, got shape {A}"
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
    """The factors keep the dtype; the singular values are real."""
    assert A[1] in [torch.float32, torch.float64, torch.complex64, torch.complex128], (
        f"the dtype must be float32, float64 or complex of such parts, got {A[1]}"
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
