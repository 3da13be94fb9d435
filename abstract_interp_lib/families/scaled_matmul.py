"""Products of matrices of few bits with scales, and grouped products.

On the CPU `_scaled_mm` takes factors of any layout; the meta kernels, which stand for CUDA, want
the columns of the second one contiguous, which only made tensors have.
"""

from typing import List, Optional, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.made_cases import made
from torch_refine.abstract_interp_lib.rules.matmul import matrix_product
from torch_refine.abstract_interp_lib.rules.sizes import product

_FLOAT8 = torch.float8_e4m3fn
_OUT_DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float8_e5m2, None)


def F(*sizes: int, dtype: torch.dtype = _FLOAT8) -> TensorCase:
    """A factor for a case."""
    return T(*sizes, dtype=dtype)


def by_columns(*sizes: int, dtype: torch.dtype = _FLOAT8) -> TensorCase:
    """A factor on the meta device whose columns are contiguous."""

    def transposed() -> torch.Tensor:
        *batch, rows, columns = sizes
        return torch.empty(*batch, columns, rows, dtype=dtype, device="meta").transpose(-1, -2)

    return made(dtype, *sizes, make=transposed)


def check_bias(bias: Optional[List[int]], columns: int) -> None:
    """Raise unless there is no bias, or one with an element for each column."""
    if bias is not None:
        assert product(bias) == columns, (
            f"bias must have an element for each of {columns} columns, got shape {bias}"
        )


def scaled_mm(self: List[int], mat2: List[int], bias: Optional[List[int]]) -> List[int]:
    """The product of two matrices; scales change no shape."""
    out = matrix_product(self, mat2)
    check_bias(bias, mat2[1])
    return out


def scaled_mm_v2(
    self: List[int], mat2: List[int], bias: Optional[List[int]], contraction_dim: List[int]
) -> List[int]:
    """The rows of one matrix and the columns of another, of which given dimensions must match.

    Those of packed factors may be others than the last and the first. Where there is nothing to
    multiply, the CPU compares nothing.
    """
    assert len(self) == 2 and len(mat2) == 2, (
        f"both factors must be matrices, got shapes {self} and {mat2}"
    )
    assert len(contraction_dim) == 0 or len(contraction_dim) == 2, (
        f"contraction_dim must name two dimensions, or none, got {contraction_dim}"
    )
    dims = contraction_dim if len(contraction_dim) > 0 else [1, 0]
    if 0 not in self and 0 not in mat2:
        inner, other = self[dims[0]], mat2[dims[1]]
        assert inner == other, f"inner dimensions must match, got {inner} and {other}"
        check_bias(bias, mat2[1])
    return [self[0], mat2[1]]


def out_or_first(self: Tuple[int, int], out_dtype: Optional[int]) -> int:
    """The dtype asked for, or that of the first factor."""
    out = self[1]
    if out_dtype is not None:
        out = out_dtype
    return out


shape_family(
    scaled_mm,
    "aten::_scaled_mm",
    ok=[
        Invocation(F(2, 3), F(3, 4), T(), T(1), device="cpu"),
        Invocation(F(2, 3), F(3, 4), T(2, 1), T(1, 4), T(4), T(), device="cpu"),
        Invocation(F(0, 3), F(3, 4), T(), T(), bias=T(1, 4), device="cpu"),
        Invocation(F(2, 0), F(0, 4), T(), T(), device="cpu"),
        Invocation(F(2, 16), by_columns(16, 32), T(), T(), out_dtype=torch.bfloat16),
        *[
            Invocation(
                *(F(2, 3), F(3, 4, dtype=torch.float8_e5m2), T(), T()),
                out_dtype=dtype,
                use_fast_accum=True,
                device="cpu",
            )
            for dtype in _OUT_DTYPES
        ],
    ],
    error=[
        Invocation(F(2, 3), F(4, 3), T(), T(), device="cpu"),
        Invocation(F(3), F(3, 4), T(), T(), device="cpu"),
        Invocation(F(2, 3), F(3), T(), T(), device="cpu"),
        Invocation(F(2, 3), F(3, 4), T(), T(), T(5), device="cpu"),
    ],
)
# What follows the factors: scales, recipes and swizzles of both, a bias, an output dtype.
_PLAIN = ([T()], [0], [], [T()], [0], [])
shape_family(
    scaled_mm_v2,
    "aten::_scaled_mm_v2",
    ok=[
        Invocation(F(2, 3), F(3, 4), *_PLAIN, T(4), None, [1, 0], device="cpu"),
        Invocation(
            F(2, 3), F(3, 4), [T(2, 1)], [1], [], [T(1, 4)], [1], [], None, None, device="cpu"
        ),
        Invocation(F(2, 16), by_columns(16, 32), *_PLAIN, None, torch.bfloat16),
        *[Invocation(F(2, 3), F(3, 4), *_PLAIN, None, d, device="cpu") for d in _OUT_DTYPES],
    ],
    error=[
        Invocation(F(2, 3), F(4, 3), *_PLAIN, None, None, device="cpu"),
        Invocation(F(3), F(3, 4), *_PLAIN, None, None, device="cpu"),
        Invocation(F(2, 3), F(3, 4), *_PLAIN, T(5), None, device="cpu"),
        Invocation(F(2, 3), F(3, 4), *_PLAIN, None, None, [1], device="cpu"),
        Invocation(F(2, 3), F(3, 4), *_PLAIN, None, None, [0, 1], device="cpu"),
    ],
)
dtype_family(out_or_first, "aten::_scaled_mm", "aten::_scaled_mm_v2")


# Grouped products.
def grouped_mm(
    self: List[int], mat2: List[int], offs: Optional[List[int]], bias: Optional[List[int]]
) -> List[int]:
    """A product for each group; `offs` says where the groups of a matrix, which lie in one, end.

    A matrix times a batch, or a batch times a matrix, gives products that lie in one matrix. The
    groups of two matrices cut up their inner dimensions.
    """
    assert (len(self) == 2 or len(self) == 3) and (len(mat2) == 2 or len(mat2) == 3), (
        f"both factors must be matrices or batches of them, got shapes {self} and {mat2}"
    )
    if len(self) == 3 or len(mat2) == 3:
        assert self[-1] == mat2[-2], f"inner dimensions must match, got {self[-1]} and {mat2[-2]}"
    groups = self[0] if len(self) == 3 else mat2[0]
    if len(self) == 3 and len(mat2) == 3:
        assert offs is None, "two batches of matrices take no offsets, got some"
        assert self[0] == mat2[0], f"batch sizes must match, got {self[0]} and {mat2[0]}"
    else:
        assert offs is not None, "a matrix needs offsets of its groups, got None"
        assert len(offs) == 1, f"offsets must be a vector, got shape {offs}"
        if len(self) == 3 or len(mat2) == 3:
            assert offs[0] == groups, f"each matrix needs an offset, got {offs[0]} for {groups}"
        groups = offs[0]
    assert bias is None, f"there is no kernel that adds a bias, got shape {bias}"
    out = [self[-2], mat2[-1]]
    if len(self) == len(mat2):
        out = [groups, self[-2], mat2[-1]]
    return out


def bfloat16_or_out(out_dtype: Optional[int]) -> int:
    """The dtype asked for, or bfloat16."""
    out = torch.bfloat16
    if out_dtype is not None:
        out = out_dtype
    return out


def grouped_mm_dtype(self: Tuple[int, int], mat2: Tuple[int, int], out_dtype: Optional[int]) -> int:
    """The one dtype of both factors, which `out_dtype` can only repeat."""
    assert self[1] == mat2[1], f"dtypes must match, got {self[1]} and {mat2[1]}"
    assert out_dtype is None or out_dtype == self[1], (
        f"out_dtype must be that of the factors, {self[1]}, got {out_dtype}"
    )
    return self[1]


_OFFSETS = T(2, dtype=torch.int32, values=[2, 4])
_BF16 = torch.bfloat16
_OTHER_FACTORS = (torch.float32, torch.float16)
# The meta kernel takes bfloat16 only.
shape_family(
    grouped_mm,
    "aten::_grouped_mm",
    ok=[
        Invocation(F(4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(2, 4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(2, 4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16), out_dtype=_BF16),
        *[
            Invocation(F(4, 16, dtype=d), F(2, 16, 8, dtype=d), _OFFSETS, device="cpu")
            for d in _OTHER_FACTORS
        ],
        *[
            Invocation(F(2, 4, 16, dtype=d), F(2, 16, 8, dtype=d), device="cpu")
            for d in _OTHER_FACTORS
        ],
    ],
    error=[
        Invocation(F(4, dtype=_BF16), F(4, dtype=_BF16)),
        Invocation(F(4, 16, dtype=_BF16), F(2, 8, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(4, 16, dtype=_BF16), F(3, 16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(2, 4, 16, dtype=_BF16), F(3, 16, 8, dtype=_BF16)),
        Invocation(F(2, 4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16), _OFFSETS),
        Invocation(F(4, 16, dtype=_BF16), F(2, 16, 8, dtype=_BF16)),
        Invocation(F(4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), T(2, 1, dtype=torch.int32)),
        Invocation(F(4, 16, dtype=_BF16), F(16, 8, dtype=_BF16), _OFFSETS, T(8, dtype=_BF16)),
    ],
)
dtype_family(
    grouped_mm_dtype,
    "aten::_grouped_mm",
    error=[
        Invocation(T(4, 16), F(16, 8, dtype=_BF16), _OFFSETS, device="cpu"),
        Invocation(T(4, 16), T(16, 8), _OFFSETS, out_dtype=_BF16, device="cpu"),
    ],
)
shape_family(
    grouped_mm,
    "aten::_scaled_grouped_mm",
    ok=[
        Invocation(F(16, 16), by_columns(16, 32), T(32), T(64), T(2, dtype=torch.int32)),
        Invocation(F(16, 16), by_columns(2, 16, 32), T(16), T(2, 32), _OFFSETS),
        Invocation(F(2, 16, 16), by_columns(16, 32), T(2, 16), T(32), _OFFSETS),
        Invocation(
            *(F(2, 16, 16), by_columns(2, 16, 32), T(2, 16), T(2, 32)), out_dtype=torch.bfloat16
        ),
    ],
    error=[
        Invocation(F(16, 16), by_columns(2, 32, 32), T(16), T(2, 32), _OFFSETS),
        Invocation(F(16, 16), by_columns(3, 16, 32), T(16), T(3, 32), _OFFSETS),
        Invocation(F(16, 16), by_columns(2, 16, 32), T(16), T(2, 32)),
        Invocation(F(16), by_columns(16, 32), T(32), T(64), _OFFSETS),
        Invocation(F(2, 16, 16), by_columns(2, 16, 32), T(2, 16), T(2, 32), _OFFSETS),
        Invocation(F(2, 16, 16), by_columns(3, 16, 32), T(2, 16), T(3, 32)),
        Invocation(F(16, 16), by_columns(16, 32), T(32), T(64), T(2, 1, dtype=torch.int32)),
        Invocation(F(16, 16), by_columns(16, 32), T(32), T(64), _OFFSETS, T(32)),
    ],
)
dtype_family(bfloat16_or_out, "aten::_scaled_grouped_mm")
