"""Products of matrices of which one or both may be sparse.

Factors must have one dtype, as those of dense products.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.matmul import addmm_dtype_rule, addmm_rule
from torch_refine.abstract_interp_lib.rules.matmul import matrix_product

_DTYPES = (torch.float64, torch.bfloat16, torch.int64, torch.complex64)


def sparse_product(sparse: List[int], dense: List[int]) -> List[int]:
    """The product of two matrices."""
    return matrix_product(sparse, dense)


def sparse_product_dtype(sparse: Tuple[int, int], dense: Tuple[int, int]) -> int:
    """Both factors have one dtype, which the product keeps."""
    assert sparse[1] == dense[1], f"dtypes must match, got {sparse[1]} and {dense[1]}"
    return sparse[1]


# Both operators take dense tensors, too. The meta kernels let `self` broadcast the result up and
# mix dtypes, which no device does.
shape_family(
    sparse_product,
    "aten::_sparse_mm",
    ok=[Invocation(T(2, 3), T(3, 4)), Invocation(T(0, 3), T(3, 0), device="cpu")],
    error=[
        Invocation(T(2, 3), T(4, 4)),
        Invocation(T(2), T(2, 4)),
        Invocation(T(2, 3), T(3)),
    ],
)
dtype_family(
    sparse_product_dtype,
    "aten::_sparse_mm",
    ok=[Invocation(T(2, 3, dtype=dtype), T(3, 4, dtype=dtype)) for dtype in _DTYPES],
    error=[Invocation(T(2, 3), T(3, 4, dtype=torch.float64), device="cpu")],
)
shape_family(
    addmm_rule,
    "aten::_sparse_addmm",
    ok=[
        Invocation(T(2, 4), T(2, 3), T(3, 4)),
        Invocation(T(4), T(2, 3), T(3, 4), beta=2, alpha=0.5),
        Invocation(T(), T(2, 3), T(3, 4)),
    ],
    error=[
        Invocation(T(2, 4), T(2, 3), T(4, 4)),
        Invocation(T(3, 4), T(2, 3), T(3, 4)),
    ],
)
dtype_family(
    addmm_dtype_rule,
    "aten::_sparse_addmm",
    ok=[Invocation(*[T(2, 2, dtype=dtype)] * 3) for dtype in _DTYPES],
    error=[Invocation(T(2, 4, dtype=torch.float64), T(2, 3), T(3, 4), device="cpu")],
)
