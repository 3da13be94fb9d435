"""Matrix products: `mm`, `bmm`, `addmm`, `matmul`, `linear` and their relatives.

Factors must have one dtype. That a CPU kernel does not compare them where there is nothing to
multiply is no rule: the meta kernels do, or the result's dtype would depend on sizes.
"""

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
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.matmul import (
    batched_product,
    matrix_product,
    matrix_vector_product,
)


@shape_function(
    "aten::mm",
    ok=[
        Invocation(T(2, 3), T(3, 4)),
        Invocation(T(0, 3), T(3, 0)),
        Invocation(T(2, 3, dtype=torch.int64), T(3, 4, dtype=torch.int64)),
        Invocation(T(2, 3, dtype=torch.bfloat16), T(3, 4, dtype=torch.bfloat16)),
        Invocation(T(2, 3, dtype=torch.complex64), T(3, 4, dtype=torch.complex64)),
    ],
    error=[
        Invocation(T(2, 3), T(4, 5)),
        Invocation(T(3), T(3, 4)),
        Invocation(T(2, 3), T(3)),
    ],
)
def mm(self: List[int], mat2: List[int]) -> List[int]:
    """The product of two matrices."""
    return matrix_product(self, mat2)


# The meta kernel accepts mixed dtypes, which no device does.
@dtype_function("aten::mm", error=[Invocation(T(2, 3), T(3, 4, dtype=torch.float64), device="cpu")])
def mm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Both factors have one dtype, which the product keeps."""
    assert self[1] == mat2[1], f"aten::mm: dtypes must match, got {self[1]} and {mat2[1]}"
    return self[1]


@shape_function(
    "aten::_int_mm",
    ok=[Invocation(T(2, 3, dtype=torch.int8), T(3, 4, dtype=torch.int8))],
    error=[Invocation(T(2, 3, dtype=torch.int8), T(4, 3, dtype=torch.int8))],
)
def _int_mm(self: List[int], mat2: List[int]) -> List[int]:
    """The product of two matrices of bytes."""
    return matrix_product(self, mat2)


@dtype_function("aten::_int_mm", error=[Invocation(T(2, 3), T(3, 4))])
def _int_mm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Products of bytes are summed in int32."""
    assert self[1] == torch.int8 or self[1] == torch.uint8, (
        f"aten::_int_mm: self must be int8 or uint8, got dtype {self[1]}"
    )
    return torch.int32


@shape_function(
    "aten::bmm",
    ok=[
        Invocation(T(5, 2, 3), T(5, 3, 4)),
        Invocation(T(0, 2, 3), T(0, 3, 4)),
        Invocation(T(5, 2, 0), T(5, 0, 4)),
        Invocation(T(5, 2, 3, dtype=torch.float16), T(5, 3, 4, dtype=torch.float16)),
        Invocation(T(5, 2, 3, dtype=torch.int32), T(5, 3, 4, dtype=torch.int32)),
    ],
    error=[
        Invocation(T(5, 2, 3), T(6, 3, 4)),
        Invocation(T(5, 2, 3), T(5, 4, 4)),
        Invocation(T(2, 3), T(5, 3, 4)),
        Invocation(T(5, 2, 3), T(3, 4)),
    ],
)
def bmm(self: List[int], mat2: List[int]) -> List[int]:
    """One product of matrices per batch entry."""
    return batched_product(self, mat2)


@dtype_function("aten::bmm", error=[Invocation(T(5, 2, 3), T(5, 3, 4, dtype=torch.float64))])
def bmm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Both factors have one dtype, which the product keeps."""
    assert self[1] == mat2[1], f"aten::bmm: dtypes must match, got {self[1]} and {mat2[1]}"
    return self[1]


def addmm_rule(self: List[int], mat1: List[int], mat2: List[int]) -> List[int]:
    """`self`, expanded, plus the product of two matrices."""
    out = matrix_product(mat1, mat2)
    check_expands(self, out)
    return out


def addmm_dtype_rule(self: Tuple[int, int], mat1: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """All operands have one dtype, which the sum keeps."""
    assert self[1] == mat1[1] and mat1[1] == mat2[1], (
        f"dtypes must match, got {self[1]}, {mat1[1]} and {mat2[1]}"
    )
    return mat1[1]


# The meta kernel lets `self` broadcast the result up and mixes dtypes, which no device does.
shape_family(
    addmm_rule,
    "aten::addmm",
    "aten::_addmm_activation",
    ok=[
        Invocation(T(2, 4), T(2, 3), T(3, 4)),
        Invocation(T(4), T(2, 3), T(3, 4), beta=2, alpha=0.5),
        Invocation(T(), T(2, 3), T(3, 4)),
        Invocation(T(2, 1), T(2, 0), T(0, 4)),
        Invocation(*[T(2, 2, dtype=torch.bfloat16)] * 3),
        Invocation(*[T(2, 2, dtype=torch.float64)] * 3),
    ],
    error=[
        Invocation(T(2, 4), T(2, 3), T(4, 4)),
        Invocation(T(3, 4), T(2, 3), T(3, 4)),
        Invocation(T(1, 2, 4), T(2, 3), T(3, 4), device="cpu"),
        Invocation(T(2, 4), T(3), T(3, 4)),
        Invocation(T(2, 4), T(2, 3), T(3)),
    ],
)
dtype_family(
    addmm_dtype_rule,
    "aten::addmm",
    "aten::_addmm_activation",
    error=[Invocation(T(2, 4, dtype=torch.float64), T(2, 3), T(3, 4), device="cpu")],
)


@shape_function(
    "aten::baddbmm",
    ok=[
        Invocation(T(5, 2, 4), T(5, 2, 3), T(5, 3, 4)),
        Invocation(T(4), T(5, 2, 3), T(5, 3, 4), beta=2, alpha=0.5),
        Invocation(T(), T(0, 2, 3), T(0, 3, 4)),
        Invocation(*[T(2, 2, 2, dtype=torch.bfloat16)] * 3),
        Invocation(*[T(2, 2, 2, dtype=torch.int64)] * 3),
    ],
    error=[
        Invocation(T(5, 2, 4), T(5, 2, 3), T(5, 4, 4)),
        Invocation(T(3, 4), T(5, 2, 3), T(5, 3, 4)),
        Invocation(T(1, 5, 2, 4), T(5, 2, 3), T(5, 3, 4)),
    ],
)
def baddbmm(
    self: List[int],
    batch1: List[int],
    batch2: List[int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> List[int]:
    """`self`, expanded, plus one product of matrices per batch entry."""
    out = batched_product(batch1, batch2)
    check_expands(self, out)
    return out


@dtype_function(
    "aten::baddbmm",
    error=[
        Invocation(T(5, 2, 4, dtype=torch.float64), T(5, 2, 3), T(5, 3, 4)),
        Invocation(T(5, 2, 4), T(5, 2, 3), T(5, 3, 4, dtype=torch.float64)),
    ],
)
def baddbmm_dtype(
    self: Tuple[int, int],
    batch1: Tuple[int, int],
    batch2: Tuple[int, int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> int:
    """All operands have one dtype, which the sum keeps."""
    return addmm_dtype_rule(self, batch1, batch2)


@shape_function(
    "aten::addbmm",
    ok=[
        Invocation(T(2, 4), T(5, 2, 3), T(5, 3, 4)),
        Invocation(T(4), T(0, 2, 3), T(0, 3, 4), beta=2, alpha=0.5),
        Invocation(*[T(2, 2, dtype=torch.bfloat16), *[T(2, 2, 2, dtype=torch.bfloat16)] * 2]),
        Invocation(*[T(2, 2, dtype=torch.int64), *[T(2, 2, 2, dtype=torch.int64)] * 2]),
    ],
    error=[
        Invocation(T(2, 4), T(5, 2, 3), T(5, 4, 4)),
        Invocation(T(5, 2, 4), T(5, 2, 3), T(5, 3, 4)),
    ],
)
def addbmm(
    self: List[int],
    batch1: List[int],
    batch2: List[int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> List[int]:
    """`self`, expanded, plus the sum over the batch of products of matrices."""
    out = batched_product(batch1, batch2)[1:]
    check_expands(self, out)
    return out


@dtype_function(
    "aten::addbmm",
    error=[Invocation(T(2, 4, dtype=torch.float64), T(5, 2, 3), T(5, 3, 4), device="cpu")],
)
def addbmm_dtype(
    self: Tuple[int, int],
    batch1: Tuple[int, int],
    batch2: Tuple[int, int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> int:
    """All operands have one dtype, which the sum keeps."""
    return addmm_dtype_rule(self, batch1, batch2)


@shape_function(
    "aten::mv",
    ok=[
        Invocation(T(2, 3), T(3)),
        Invocation(T(0, 3), T(3)),
        Invocation(T(2, 3, dtype=torch.float16), T(3, dtype=torch.float16)),
        Invocation(T(2, 3, dtype=torch.int64), T(3, dtype=torch.int64)),
    ],
    error=[
        Invocation(T(2, 3), T(4)),
        Invocation(T(3), T(3)),
        Invocation(T(2, 3), T(3, 1)),
    ],
)
def mv(self: List[int], vec: List[int]) -> List[int]:
    """The product of a matrix and a vector."""
    return matrix_vector_product(self, vec)


@dtype_function("aten::mv", error=[Invocation(T(2, 3), T(3, dtype=torch.float64), device="cpu")])
def mv_dtype(self: Tuple[int, int], vec: Tuple[int, int]) -> int:
    """Both factors have one dtype, which the product keeps."""
    assert self[1] == vec[1], f"aten::mv: dtypes must match, got {self[1]} and {vec[1]}"
    return self[1]


@shape_function(
    "aten::addmv",
    ok=[
        Invocation(T(2), T(2, 3), T(3)),
        Invocation(T(1), T(2, 3), T(3), beta=2, alpha=0.5),
        Invocation(T(), T(2, 0), T(0)),
        Invocation(T(1, dtype=torch.int64), T(1, 2, dtype=torch.int64), T(2, dtype=torch.int64)),
    ],
    error=[
        Invocation(T(2), T(2, 3), T(2)),
        Invocation(T(3), T(2, 3), T(3)),
        Invocation(T(1, 2), T(2, 3), T(3), device="cpu"),
    ],
)
def addmv(
    self: List[int],
    mat: List[int],
    vec: List[int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> List[int]:
    """`self`, expanded, plus the product of a matrix and a vector."""
    out = matrix_vector_product(mat, vec)
    check_expands(self, out)
    return out


@dtype_function("aten::addmv", error=[Invocation(T(2), T(2, 3), T(3, dtype=torch.float64))])
def addmv_dtype(
    self: Tuple[int, int],
    mat: Tuple[int, int],
    vec: Tuple[int, int],
    beta: Union[int, float, complex] = 1,
    alpha: Union[int, float, complex] = 1,
) -> int:
    """All operands have one dtype, which the sum keeps."""
    assert self[1] == mat[1] and mat[1] == vec[1], (
        f"aten::addmv: dtypes must match, got {self[1]}, {mat[1]} and {vec[1]}"
    )
    return self[1]


@shape_function(
    "aten::matmul",
    ok=[
        Invocation(T(3), T(3)),
        Invocation(T(2, 3), T(3)),
        Invocation(T(3), T(3, 4)),
        Invocation(T(2, 3), T(3, 4)),
        Invocation(T(7, 2, 3), T(3)),
        Invocation(T(3), T(7, 3, 4)),
        Invocation(T(7, 2, 3), T(3, 4)),
        Invocation(T(2, 3), T(7, 3, 4)),
        Invocation(T(7, 1, 2, 3), T(5, 3, 4)),
        Invocation(T(0, 2, 3), T(1, 3, 0)),
        Invocation(T(7, 2, 2, dtype=torch.bfloat16), T(2, 2, dtype=torch.bfloat16)),
        Invocation(T(7, 2, 2, dtype=torch.int64), T(7, 2, 2, dtype=torch.int64)),
    ],
    error=[
        Invocation(T(), T(3)),
        Invocation(T(3), T()),
        Invocation(T(2, 3), T(4, 3)),
        Invocation(T(7, 2, 3), T(5, 3, 4)),
    ],
)
def matmul(self: List[int], other: List[int]) -> List[int]:
    """A product of vectors, matrices or, broadcasting, batches of matrices (`torch.matmul`)."""
    assert len(self) > 0 and len(other) > 0, (
        f"aten::matmul: a zero-dim tensor has no product, got shapes {self} and {other}"
    )
    if len(other) == 1:
        inner, columns = other[0], other[1:]
    else:
        inner, columns = other[-2], other[-1:]
    assert self[-1] == inner, (
        f"aten::matmul: inner dimensions must match, got {self[-1]} and {inner}"
    )
    # A vector has no batch; on the left it has no rows either.
    return broadcast_two(self[:-2], other[:-2]) + self[-2:-1] + columns


@dtype_function(
    "aten::matmul",
    error=[
        Invocation(T(2, 3), T(3, 4, dtype=torch.float64), device="cpu"),
        Invocation(T(5, 2, 3), T(5, 3, 4, dtype=torch.float64)),
    ],
)
def matmul_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both factors have one dtype, which the product keeps."""
    assert self[1] == other[1], f"aten::matmul: dtypes must match, got {self[1]} and {other[1]}"
    return self[1]


@shape_function(
    "aten::linear",
    ok=[
        Invocation(T(2, 3), T(4, 3)),
        Invocation(T(2, 3), T(4, 3), T(4)),
        Invocation(T(2, 3), T(4, 3), None),
        Invocation(T(5, 2, 3), T(4, 3), bias=T(4)),
        Invocation(T(5, 2, 3), T(4, 3), T(5, 2, 4)),
        Invocation(T(3), T(4, 3), T(4)),
        Invocation(T(3), T(3)),
        Invocation(T(5, 2, 3), T(3)),
        Invocation(T(0, 3), T(4, 3), T()),
        Invocation(*[T(2, 2, dtype=torch.bfloat16)] * 2, T(2, dtype=torch.bfloat16)),
        Invocation(*[T(2, 2, dtype=torch.int64)] * 2, T(2, dtype=torch.int64)),
    ],
    error=[
        Invocation(T(), T(4, 3)),
        Invocation(T(3), T()),
        Invocation(T(3), T(5, 4, 3)),
        Invocation(T(2, 3), T(4, 2)),
        Invocation(T(2, 3), T(4, 3), T(3)),
        Invocation(T(3), T(4, 3), T(2, 4), device="cpu"),
    ],
)
def linear(input: List[int], weight: List[int], bias: Optional[List[int]] = None) -> List[int]:
    """The last dimension of `input` is mapped by the matrix, or the vector, `weight`."""
    assert len(input) > 0, f"aten::linear: input must have a dimension, got shape {input}"
    assert len(weight) == 1 or len(weight) == 2, (
        f"aten::linear: weight must be a vector or a matrix, got shape {weight}"
    )
    assert input[-1] == weight[-1], (
        f"aten::linear: input has {input[-1]} features, weight expects {weight[-1]}"
    )
    out = input[:-1] + weight[:-1]
    if bias is not None:
        check_expands(bias, out)
    return out


@dtype_function(
    "aten::linear",
    ok=[Invocation(T(3), T(3), T(dtype=torch.float64), device="cpu")],
    error=[Invocation(T(2, 3), T(4, 3, dtype=torch.float64), device="cpu")],
)
def linear_dtype(
    input: Tuple[int, int], weight: Tuple[int, int], bias: Optional[Tuple[int, int]] = None
) -> int:
    """Input and weight have one dtype, which the result keeps; the bias is added in place."""
    assert input[1] == weight[1], f"aten::linear: dtypes must match, got {input[1]} and {weight[1]}"
    return input[1]
