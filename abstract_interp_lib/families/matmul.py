"""Matrix products: `mm`, `bmm`, `addmm`, `matmul`, `linear` and their relatives."""

from typing import List, Tuple

import torch

from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_function, shape_function
from torch_refine.abstract_interp_lib.rules.promotion import promote_two


@shape_function(
    "aten::mm",
    ok=[
        Invocation(T(2, 3), T(3, 4)),
        Invocation(T(0, 3), T(3, 0)),
        Invocation(T(2, 3, dtype=torch.int64), T(3, 4, dtype=torch.int64)),
    ],
    error=[
        Invocation(T(2, 3), T(4, 5)),
        Invocation(T(3), T(3, 4)),
        Invocation(T(2, 3), T(3)),
    ],
)
def mm(self: List[int], mat2: List[int]) -> List[int]:
    """The product of two matrices."""
    assert len(self) == 2, f"aten::mm: self must be a matrix, got {len(self)} dimensions"
    assert len(mat2) == 2, f"aten::mm: mat2 must be a matrix, got {len(mat2)} dimensions"
    assert self[1] == mat2[0], f"aten::mm: inner dimensions must match, got {self[1]} and {mat2[0]}"
    return [self[0], mat2[1]]


@dtype_function(
    "aten::mm", error=[Invocation(T(2, 3), T(3, 4, dtype=torch.float64), device="cpu")]
)
def mm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Both operands have one dtype, which the product keeps."""
    assert self[1] == mat2[1], f"aten::mm: dtypes must match, got {self[1]} and {mat2[1]}"
    return self[1]


@shape_function(
    "aten::bmm",
    ok=[Invocation(T(5, 2, 3), T(5, 3, 4))],
    error=[Invocation(T(5, 2, 3), T(6, 3, 4))],
)
def bmm(self: List[int], mat2: List[int]) -> List[int]:
    """One product of matrices per batch entry."""
    assert len(self) == 3 and len(mat2) == 3, f"aten::bmm: both must be batches of matrices, got ranks {len(self)} and {len(mat2)}"
    assert self[0] == mat2[0], f"aten::bmm: batch sizes must match, got {self[0]} and {mat2[0]}"
    assert self[2] == mat2[1], f"aten::bmm: inner dimensions must match, got {self[2]} and {mat2[1]}"
    return [self[0], self[1], mat2[2]]


@dtype_function("aten::bmm", ok=[Invocation(T(5, 2, 3, dtype=torch.float16), T(5, 3, 4,dtype=torch.float16))])
def bmm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Promotes."""
    return promote_two(self, mat2)
