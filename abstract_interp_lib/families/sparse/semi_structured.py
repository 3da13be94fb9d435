"""Matmul with 2:4 semi-structured sparse matrices on CUDA.

The sparse matrix is compressed to half its columns, with the positions of the kept elements. Only
the meta kernels run here.
"""

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

_KEPT = T(6, 1, dtype=torch.int16)
_HALF = torch.float16
_BYTE = torch.int8


@shape_function(
    "aten::_sparse_semi_structured_linear",
    ok=[
        Invocation(T(2, 8, dtype=_HALF), T(6, 4, dtype=_HALF), _KEPT),
        Invocation(T(0, 8), T(6, 4), _KEPT, bias=T(6)),
    ],
    error=[
        Invocation(T(2, 9), T(6, 4), _KEPT),
        Invocation(T(2, 8), T(6, 4), _KEPT, bias=T(5)),
    ],
)
def _sparse_semi_structured_linear(
    input: List[int],
    weight: List[int],
    meta: List[int],
    bias: Optional[List[int]] = None,
    activation: Optional[str] = None,
    out_dtype: Optional[int] = None,
) -> List[int]:
    """A linear layer; the weight is compressed."""
    assert input[-1] == 2 * weight[1], (
        f"aten::_sparse_semi_structured_linear: weight expects {2 * weight[1]} input features, "
        f"got {input[-1]}"
    )
    if bias is not None:
        assert bias[0] == weight[0], (
            f"aten::_sparse_semi_structured_linear: bias must have {weight[0]} elements, got {bias[0]}"
        )
    return input[:-1] + weight[:1]


def wider(dtype: int, out_dtype: Optional[int]) -> int:
    """The dtype of an operand; int8 operands may return int32."""
    if out_dtype is None:
        return dtype
    else:
        assert dtype == torch.int8 and out_dtype == torch.int32, (
            f"out_dtype must be int32 for int8 operands, got {out_dtype} for {dtype}"
        )
        return out_dtype


@dtype_function(
    "aten::_sparse_semi_structured_linear",
    ok=[
        Invocation(T(2, 8, dtype=torch.bfloat16), T(6, 4, dtype=torch.bfloat16), _KEPT),
        Invocation(T(2, 8, dtype=_BYTE), T(6, 4, dtype=_BYTE), _KEPT),
        Invocation(T(2, 8, dtype=_BYTE), T(6, 4, dtype=_BYTE), _KEPT, out_dtype=torch.int32),
    ],
    error=[Invocation(T(2, 8), T(6, 4), _KEPT, out_dtype=torch.int32)],
)
def _sparse_semi_structured_linear_dtype(
    input: Tuple[int, int],
    weight: Tuple[int, int],
    meta: Tuple[int, int],
    bias: Optional[Tuple[int, int]] = None,
    activation: Optional[str] = None,
    out_dtype: Optional[int] = None,
) -> int:
    """The dtype of the input, or `out_dtype`."""
    return wider(input[1], out_dtype)


def semi_structured_product(mat1: List[int], mat1_meta: List[int], mat2: List[int]) -> List[int]:
    """A matrix product, whose first operand is compressed."""
    assert len(mat1) == 2 and len(mat1_meta) == 2 and len(mat2) == 2, (
        f"mat1, mat1_meta and mat2 must be matrices, got {mat1}, {mat1_meta} and {mat2}"
    )
    assert 2 * mat1[1] == mat2[0], f"inner dimensions must match, got 2 * {mat1[1]} and {mat2[0]}"
    return [mat1[0], mat2[1]]


def semi_structured_sum(
    input: List[int], mat1: List[int], mat1_meta: List[int], mat2: List[int]
) -> List[int]:
    """A matrix product plus a column vector."""
    out = semi_structured_product(mat1, mat1_meta, mat2)
    assert len(input) == 1, f"input must be 1-D, got shape {input}"
    assert input[0] == mat1[0], f"input must have {mat1[0]} elements, got {input[0]}"
    return out


def semi_structured_dtype(mat2: Tuple[int, int], out_dtype: Optional[int]) -> int:
    """The dtype of the dense operand, or `out_dtype`."""
    return wider(mat2[1], out_dtype)


shape_family(
    semi_structured_product,
    "aten::_sparse_semi_structured_mm",
    ok=[
        Invocation(T(6, 4, dtype=_HALF), _KEPT, T(8, 3, dtype=_HALF)),
        Invocation(T(6, 4, dtype=torch.bfloat16), _KEPT, T(8, 0, dtype=torch.bfloat16)),
        Invocation(T(6, 4, dtype=_BYTE), _KEPT, T(8, 3, dtype=_BYTE), out_dtype=torch.int32),
    ],
    error=[
        Invocation(T(6, 4), _KEPT, T(7, 3)),
        Invocation(T(6), _KEPT, T(8, 3)),
        Invocation(T(6, 4), T(6), T(8, 3)),
        Invocation(T(6, 4), _KEPT, T(8)),
    ],
)
shape_family(
    semi_structured_sum,
    "aten::_sparse_semi_structured_addmm",
    ok=[
        Invocation(T(6, dtype=_HALF), T(6, 4, dtype=_HALF), _KEPT, T(8, 3, dtype=_HALF)),
        Invocation(T(6), T(6, 4), _KEPT, T(8, 3), alpha=2, beta=0.5),
        Invocation(T(6), T(6, 4), _KEPT, T(8, 3, dtype=_BYTE), out_dtype=torch.int32),
    ],
    error=[
        Invocation(T(3), T(6, 4), _KEPT, T(8, 3)),
        Invocation(T(6, 1), T(6, 4), _KEPT, T(8, 3)),
        Invocation(T(6), T(6, 4), _KEPT, T(9, 3)),
    ],
)
dtype_family(
    semi_structured_dtype,
    "aten::_sparse_semi_structured_mm",
    error=[Invocation(T(6, 4), _KEPT, T(8, 3), out_dtype=torch.int32)],
)
dtype_family(semi_structured_dtype, "aten::_sparse_semi_structured_addmm")


@shape_function(
    "aten::_cslt_sparse_mm",
    ok=[
        Invocation(T(6, 9, dtype=_HALF), T(8, 3, dtype=_HALF)),
        Invocation(T(6, 9), T(8, 3), T(6), None, None, True),
        Invocation(T(6, 9, dtype=_BYTE), T(8, 0, dtype=_BYTE), alpha=T()),
    ],
    error=[
        Invocation(T(6, 9), T(8)),
        Invocation(T(6, 9), T(8, 3), T(5)),
    ],
)
def _cslt_sparse_mm(
    compressed_A: List[int],
    dense_B: List[int],
    bias: Optional[List[int]] = None,
    alpha: Optional[List[int]] = None,
    out_dtype: Optional[int] = None,
    transpose_result: bool = False,
    alg_id: int = 0,
    split_k: int = 1,
    split_k_mode: int = -1,
) -> List[int]:
    """The product of a matrix compressed by cuSPARSELt and a dense one."""
    assert len(dense_B) == 2, (
        f"aten::_cslt_sparse_mm: dense_B must be a matrix, got shape {dense_B}"
    )
    rows, columns = compressed_A[0], dense_B[1]
    if bias is not None:
        assert bias[0] == rows, (
            f"aten::_cslt_sparse_mm: bias must have {rows} elements, got {bias[0]}"
        )
    return [columns, rows] if transpose_result else [rows, columns]


@dtype_function(
    "aten::_cslt_sparse_mm",
    ok=[
        Invocation(T(6, 9, dtype=_BYTE), T(8, 3, dtype=_BYTE), out_dtype=torch.int32),
        Invocation(T(6, 9, dtype=torch.bfloat16), T(8, 3, dtype=torch.bfloat16)),
    ],
    error=[Invocation(T(6, 9), T(8, 3, dtype=_HALF))],
)
def _cslt_sparse_mm_dtype(
    compressed_A: Tuple[int, int],
    dense_B: Tuple[int, int],
    bias: Optional[Tuple[int, int]] = None,
    alpha: Optional[Tuple[int, int]] = None,
    out_dtype: Optional[int] = None,
    transpose_result: bool = False,
    alg_id: int = 0,
    split_k: int = 1,
    split_k_mode: int = -1,
) -> int:
    """`out_dtype`, or the dtype of the operands."""
    assert compressed_A[1] == dense_B[1], (
        f"aten::_cslt_sparse_mm: dtypes must match, got {compressed_A[1]} and {dense_B[1]}"
    )
    return dense_B[1] if out_dtype is None else out_dtype
