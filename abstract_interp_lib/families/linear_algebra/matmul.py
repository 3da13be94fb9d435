"""Matrix multiplication: `mm`, `bmm`, `addmm`, `matmul`, `linear` and its gradient, `cross`, ...

Operands must have the same dtype. CPU kernels do not check this for empty operands; these functions
do, as the meta kernels do, because the dtype of the result would otherwise depend on sizes.
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
from torch_refine.abstract_interp_lib.rules.dims import wrap_dims
from torch_refine.abstract_interp_lib.rules.linalg import (
    batched_product,
    lapack_dtype,
    matrix_product,
    matrix_vector_product,
)
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_input
from torch_refine.abstract_interp_lib.rules.reduction import reduce_dim
from torch_refine.abstract_interp_lib.rules.sizes import replace_size, wrap_existing


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
    """A matrix product."""
    return matrix_product(self, mat2)


# The meta kernel accepts mixed dtypes, unlike every device.
@dtype_function("aten::mm", error=[Invocation(T(2, 3), T(3, 4, dtype=torch.float64), device="cpu")])
def mm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert self[1] == mat2[1], f"aten::mm: dtypes must match, got {self[1]} and {mat2[1]}"
    return self[1]


@shape_function(
    "aten::_int_mm",
    ok=[Invocation(T(2, 3, dtype=torch.int8), T(3, 4, dtype=torch.int8))],
    error=[Invocation(T(2, 3, dtype=torch.int8), T(4, 3, dtype=torch.int8))],
)
def _int_mm(self: List[int], mat2: List[int]) -> List[int]:
    """A matrix product of 8-bit integers."""
    return matrix_product(self, mat2)


@dtype_function("aten::_int_mm", error=[Invocation(T(2, 3), T(3, 4))])
def _int_mm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Products of 8-bit integers accumulate in int32."""
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
    """A batched matrix product."""
    return batched_product(self, mat2)


@dtype_function("aten::bmm", error=[Invocation(T(5, 2, 3), T(5, 3, 4, dtype=torch.float64))])
def bmm_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert self[1] == mat2[1], f"aten::bmm: dtypes must match, got {self[1]} and {mat2[1]}"
    return self[1]


def addmm_rule(self: List[int], mat1: List[int], mat2: List[int]) -> List[int]:
    """`self`, expanded, plus a matrix product."""
    out = matrix_product(mat1, mat2)
    check_expands(self, out)
    return out


def addmm_dtype_rule(self: Tuple[int, int], mat1: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """All operands have the same dtype, which the result keeps."""
    assert self[1] == mat1[1] and mat1[1] == mat2[1], (
        f"dtypes must match, got {self[1]}, {mat1[1]} and {mat2[1]}"
    )
    return mat1[1]


# The meta kernel lets `self` broadcast the result and accepts mixed dtypes, unlike every device.
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
    """`self`, expanded, plus a batched matrix product."""
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
    """All operands have the same dtype, which the result keeps."""
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
    """`self`, expanded, plus a batched matrix product summed over the batch."""
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
    """All operands have the same dtype, which the result keeps."""
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
    """A matrix-vector product."""
    return matrix_vector_product(self, vec)


@dtype_function("aten::mv", error=[Invocation(T(2, 3), T(3, dtype=torch.float64), device="cpu")])
def mv_dtype(self: Tuple[int, int], vec: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
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
    """`self`, expanded, plus a matrix-vector product."""
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
    """All operands have the same dtype, which the result keeps."""
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
    """A product of vectors, matrices or batches of matrices, which broadcast (`torch.matmul`)."""
    assert len(self) > 0 and len(other) > 0, (
        f"aten::matmul: both operands must have at least 1 dimension, got shapes {self} and {other}"
    )
    if len(other) == 1:
        inner, columns = other[0], other[1:]
    else:
        inner, columns = other[-2], other[-1:]
    assert self[-1] == inner, (
        f"aten::matmul: inner dimensions must match, got {self[-1]} and {inner}"
    )
    # A 1-D operand has no batch dimensions; on the left it has no rows either.
    return broadcast_two(self[:-2], other[:-2]) + self[-2:-1] + columns


@dtype_function(
    "aten::matmul",
    error=[
        Invocation(T(2, 3), T(3, 4, dtype=torch.float64), device="cpu"),
        Invocation(T(5, 2, 3), T(5, 3, 4, dtype=torch.float64)),
    ],
)
def matmul_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
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
    """The last dimension of `input` is contracted with `weight`, a matrix or a vector."""
    assert len(input) > 0, f"aten::linear: input must have at least 1 dimension, got shape {input}"
    assert len(weight) == 1 or len(weight) == 2, (
        f"aten::linear: weight must be 1-D or 2-D, got shape {weight}"
    )
    assert input[-1] == weight[-1], (
        f"aten::linear: weight expects {weight[-1]} input features, got {input[-1]}"
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
    """Input and weight have the same dtype, which the result keeps; the bias is added in place."""
    assert input[1] == weight[1], f"aten::linear: dtypes must match, got {input[1]} and {weight[1]}"
    return input[1]


# Products with an output dtype, chains of matrices, and products of vectors along a dimension.

_HALVES = (torch.float16, torch.bfloat16)

# Products with an output dtype. They have no CPU kernels; the meta kernels do not compare dtypes.


def product_dtype(mat2: Tuple[int, int], out_dtype: int) -> int:
    """`out_dtype`: the dtype of the operands, or float32 for half-precision operands."""
    half = mat2[1] == torch.float16 or mat2[1] == torch.bfloat16
    assert out_dtype == mat2[1] or (half and out_dtype == torch.float32), (
        f"out_dtype must be that of the operands, or float32 for half precision, got {out_dtype} "
        f"for {mat2[1]}"
    )
    return out_dtype


shape_family(
    mm,
    "aten::mm.dtype",
    ok=[
        Invocation(T(2, 3), T(3, 4), torch.float32),
        Invocation(T(0, 3), T(3, 0), torch.float32),
        *[Invocation(T(2, 3, dtype=d), T(3, 4, dtype=d), torch.float32) for d in _HALVES],
        *[Invocation(T(2, 3, dtype=d), T(3, 4, dtype=d), d) for d in _HALVES],
        Invocation(*[T(2, 2, dtype=torch.int64)] * 2, torch.int64),
    ],
    error=[
        Invocation(T(2, 3), T(4, 4), torch.float32),
        Invocation(T(3), T(3, 4), torch.float32),
    ],
)
dtype_family(
    product_dtype,
    "aten::mm.dtype",
    error=[
        Invocation(T(2, 3), T(3, 4), torch.float16),
        Invocation(*[T(2, 2, dtype=torch.float16)] * 2, torch.bfloat16),
    ],
)
shape_family(
    bmm,
    "aten::bmm.dtype",
    ok=[
        Invocation(T(5, 2, 3), T(5, 3, 4), torch.float32),
        Invocation(T(0, 2, 3), T(0, 3, 4), torch.float32),
        *[Invocation(T(5, 2, 3, dtype=d), T(5, 3, 4, dtype=d), torch.float32) for d in _HALVES],
    ],
    error=[
        Invocation(T(5, 2, 3), T(6, 3, 4), torch.float32),
        Invocation(T(5, 2, 3), T(5, 4, 4), torch.float32),
        Invocation(T(2, 3), T(3, 4), torch.float32),
    ],
)
dtype_family(
    product_dtype,
    "aten::bmm.dtype",
    error=[Invocation(T(5, 2, 3), T(5, 3, 4), torch.float16)],
)
shape_family(
    addmm_rule,
    "aten::addmm.dtype",
    ok=[
        Invocation(T(2, 4), T(2, 3), T(3, 4), torch.float32),
        Invocation(T(4), T(2, 3), T(3, 4), torch.float32, beta=2, alpha=0.5),
        Invocation(T(), T(2, 0), T(0, 4), torch.float32),
        *[Invocation(T(2, 4), T(2, 3, dtype=d), T(3, 4, dtype=d), torch.float32) for d in _HALVES],
    ],
    error=[
        Invocation(T(2, 4), T(2, 3), T(4, 4), torch.float32),
        Invocation(T(3, 4), T(2, 3), T(3, 4), torch.float32),
        Invocation(T(2, 4), T(3), T(3, 4), torch.float32),
    ],
)
dtype_family(
    product_dtype,
    "aten::addmm.dtype",
    error=[Invocation(T(2, 4), T(2, 3), T(3, 4), torch.float16)],
)

# Chains.


@shape_function(
    "aten::linalg_multi_dot",
    ok=[
        Invocation([T(2, 3), T(3, 4)]),
        Invocation([T(2, 3), T(3, 4), T(4, 5)]),
        Invocation([T(3), T(3, 4), T(4, 5)]),
        Invocation([T(2, 3), T(3, 4), T(4)]),
        Invocation([T(3), T(3, 4), T(4)]),
        Invocation([T(3), T(3)]),
        Invocation([T(2, 0), T(0, 4)]),
        Invocation([T(2, 2, dtype=torch.int64)] * 3),
        Invocation([T(2, 2, dtype=torch.bfloat16)] * 2),
    ],
    error=[
        Invocation([T(2, 3)]),
        Invocation([T(), T(2, 3)]),
        Invocation([T(3), T()]),
        Invocation([T(2, 3), T(3), T(3)]),
        Invocation([T(2, 3), T(4, 4)]),
        Invocation([T(2, 3), T(3, 4), T(3)]),
    ],
)
def linalg_multi_dot(tensors: List[List[int]]) -> List[int]:
    """The product of all matrices; the first and the last operand may be 1-D."""
    last = len(tensors) - 1
    assert last > 0, f"aten::linalg_multi_dot: expected at least 2 matrices, got {last + 1}"
    for index in range(len(tensors)):
        rank = len(tensors[index])
        assert rank == 2 or (rank == 1 and (index == 0 or index == last)), (
            f"aten::linalg_multi_dot: operand {index} must be a matrix, got shape {tensors[index]}"
        )
    for index in range(last):
        inner, other = tensors[index][-1], tensors[index + 1][0]
        assert inner == other, (
            f"aten::linalg_multi_dot: inner dimensions must match, got {inner} and {other}"
        )
    return tensors[0][:-1] + tensors[last][1:]


@dtype_function(
    "aten::linalg_multi_dot", error=[Invocation([T(2, 3), T(3, 4, dtype=torch.float64)])]
)
def linalg_multi_dot_dtype(tensors: List[Tuple[int, int]]) -> int:
    """All matrices have the same dtype, which the result keeps."""
    for tensor in tensors:
        assert tensor[1] == tensors[0][1], (
            f"aten::linalg_multi_dot: dtypes must match, got {tensors[0][1]} and {tensor[1]}"
        )
    return tensors[0][1]


@shape_function(
    "aten::chain_matmul",
    ok=[
        Invocation([T(2, 3)]),
        Invocation([T(2, 3), T(3, 4)]),
        Invocation([T(2, 3), T(3, 4), T(4, 5)]),
        Invocation([T(2, 0), T(0, 4)]),
        Invocation([T(2, 2, dtype=torch.int64)] * 3),
        Invocation([T(2, 2, dtype=torch.bfloat16)]),
    ],
    error=[
        Invocation([]),
        Invocation([T(3)]),
        Invocation([T(3), T(3, 4)]),
        Invocation([T(2, 3), T(4, 4)]),
    ],
)
def chain_matmul(matrices: List[List[int]]) -> List[int]:
    """The product of all matrices; a single matrix is returned unchanged."""
    assert len(matrices) > 0, f"aten::chain_matmul: expected at least 1 matrix, got {matrices}"
    for matrix in matrices:
        assert len(matrix) == 2, f"aten::chain_matmul: operands must be matrices, got {matrix}"
    return matrices[0] if len(matrices) == 1 else linalg_multi_dot(matrices)


@dtype_function("aten::chain_matmul", error=[Invocation([T(2, 3), T(3, 4, dtype=torch.float64)])])
def chain_matmul_dtype(matrices: List[Tuple[int, int]]) -> int:
    """All matrices have the same dtype, which the result keeps."""
    return linalg_multi_dot_dtype(matrices)


shape_family(
    matmul,
    "aten::linalg_matmul",
    ok=[
        Invocation(T(3), T(3)),
        Invocation(T(2, 3), T(3)),
        Invocation(T(3), T(7, 3, 4)),
        Invocation(T(7, 1, 2, 3), T(5, 3, 4)),
        Invocation(T(0, 2, 3), T(1, 3, 0)),
        Invocation(T(7, 2, 2, dtype=torch.bfloat16), T(2, 2, dtype=torch.bfloat16)),
        Invocation(T(7, 2, 2, dtype=torch.int64), T(7, 2, 2, dtype=torch.int64)),
    ],
    error=[Invocation(T(), T(3)), Invocation(T(2, 3), T(4, 3))],
)
dtype_family(
    matmul_dtype,
    "aten::linalg_matmul",
    error=[Invocation(T(2, 3), T(3, 4, dtype=torch.float64), device="cpu")],
)

# Products of vectors along a dimension.


def cross_along(self: List[int], other: List[int], dim: int) -> List[int]:
    """The operands broadcast; `dim` has size 3."""
    assert len(self) == len(other), (
        f"both operands must have the same rank, got shapes {self} and {other}"
    )
    along = wrap_existing(dim, len(self))
    assert self[along] == 3 and other[along] == 3, (
        f"both operands must have size 3 in dimension {dim}, got shapes {self} and {other}"
    )
    return broadcast_two(self, other)


def cross(self: List[int], other: List[int], dim: Optional[int]) -> List[int]:
    """The operands broadcast; `dim` defaults to the first dimension of size 3."""
    if dim is None:
        assert 3 in self, f"expected a dimension of size 3, got shape {self}"
        assert len(self) == len(other), (
            f"both operands must have the same rank, got shapes {self} and {other}"
        )
        out = broadcast_two(self, other)
    else:
        out = cross_along(self, other, dim)
    return out


def cross_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert self[1] == other[1], f"dtypes must match, got {self[1]} and {other[1]}"
    return self[1]


_CROSS_OK = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(5, 1, 3), T(1, 2, 3)),
    Invocation(T(0, 3), T(1, 3)),
    *[
        Invocation(*[T(2, 3, dtype=dtype)] * 2)
        for dtype in (torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.complex64)
    ],
]
# The meta kernel does not compare dtypes.
_CROSS_DTYPE_ERROR = [Invocation(T(2, 3), T(2, 3, dtype=torch.float64), device="cpu")]

shape_family(
    cross_along,
    "aten::linalg_cross",
    ok=[*_CROSS_OK, Invocation(T(3, 2), T(3, 1), dim=0), Invocation(T(3, 2), T(3, 1), dim=-2)],
    error=[
        Invocation(T(3), T(2, 3)),
        Invocation(T(), T()),
        Invocation(T(2, 3), T(2, 3), dim=0),
        Invocation(T(2, 3), T(2, 1)),
        Invocation(T(2, 3), T(2, 3), dim=2),
        Invocation(T(2, 3), T(4, 3)),
    ],
)
shape_family(
    cross,
    "aten::cross",
    ok=[
        *_CROSS_OK,
        Invocation(T(3, 2), T(3, 1)),
        Invocation(T(3, 3), T(1, 3), 1),
        Invocation(T(3, 2), T(3, 1), dim=-2),
        Invocation(T(2, 3), T(2, 3), None),
    ],
    error=[
        Invocation(T(3), T(2, 3)),
        Invocation(T(2, 2), T(2, 2)),
        Invocation(T(2, 3), T(2, 3), 0),
        Invocation(T(3), T(2, 3), -1),
    ],
)
dtype_family(cross_dtype, "aten::linalg_cross", "aten::cross", error=_CROSS_DTYPE_ERROR)


@shape_function(
    "aten::linalg_vecdot",
    ok=[
        Invocation(T(2, 3), T(2, 3)),
        Invocation(T(3), T(3)),
        Invocation(T(3), T(3), dim=5),
        Invocation(T(5, 1, 3), T(4, 3)),
        Invocation(T(2, 3), T(3), dim=0),
        Invocation(T(3), T()),
        Invocation(T(), T()),
        Invocation(T(2, 0), T(2, 0)),
        *[
            Invocation(*[T(2, 3, dtype=dtype)] * 2)
            for dtype in (torch.float16, torch.bfloat16, torch.complex64)
        ],
    ],
    error=[
        Invocation(T(2, 3), T(2, 2)),
        Invocation(T(3), T(1)),
        Invocation(T(2, 3), T(2, 3), dim=2),
    ],
)
def linalg_vecdot(x: List[int], y: List[int], dim: int = -1) -> List[int]:
    """The operands broadcast and `dim` is reduced; two 1-D operands must have the same size."""
    if len(x) == 1 and len(y) == 1:
        assert x[0] == y[0], f"aten::linalg_vecdot: sizes must match, got {x[0]} and {y[0]}"
        out = x[:0]
    else:
        out = reduce_dim(broadcast_two(x, y), dim, False)
    return out


@dtype_function(
    "aten::linalg_vecdot",
    error=[
        Invocation(T(2, 3), T(2, 3, dtype=torch.float64)),
        *[Invocation(*[T(2, 3, dtype=dtype)] * 2) for dtype in (torch.int64, torch.bool)],
    ],
)
def linalg_vecdot_dtype(x: Tuple[int, int], y: Tuple[int, int], dim: int = -1) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert x[1] == y[1], f"aten::linalg_vecdot: dtypes must match, got {x[1]} and {y[1]}"
    return lapack_dtype(x[1])


# Kernels that matrix functions are composed of.


@shape_function(
    "aten::_compute_linear_combination",
    # There is no meta kernel.
    ok=[
        Invocation(T(3, 4, 5), T(2, 3), device="cpu"),
        Invocation(T(3), T(2, 3), device="cpu"),
        Invocation(T(3, 4, dtype=torch.complex64), T(2, 3), device="cpu"),
        *[
            Invocation(*[T(3, 3, dtype=dtype)] * 2, device="cpu")
            for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int64)
        ],
    ],
    error=[Invocation(T(), T(2, 3), device="cpu")],
)
def _compute_linear_combination(input: List[int], coefficients: List[int]) -> List[int]:
    """One linear combination of the entries along dimension 0 per row of coefficients."""
    assert len(input) > 0, (
        f"aten::_compute_linear_combination: input must have at least 1 dimension, got shape {input}"
    )
    return replace_size(input, 0, coefficients[0])


dtype_family(dtype_of_input, "aten::_compute_linear_combination")


def with_places(sizes: List[int], expand: List[int], rank: int) -> List[int]:
    """The sizes over `rank` dimensions; the dimensions in `expand` have size 0."""
    places = wrap_dims(expand, rank)
    out: List[int] = []
    used = 0
    for dim in range(rank):
        if dim in places:
            out.append(0)
        else:
            assert used < len(sizes), (
                f"expected {rank} dimensions with the expanded ones, got shape {sizes}"
            )
            out.append(sizes[used])
            used = used + 1
    return out


@shape_function(
    "aten::_trilinear",
    ok=[
        Invocation(T(2, 3), T(5, 3, 4), T(2, 4), [1, 3], [0], [1, 2], [2, 3]),
        Invocation(T(2, 3), T(5, 3, 4), T(2, 4), [1, 3], [0], [1, 2], [2, 3], 3),
        Invocation(T(2, 3), T(5, 3, 4), T(2, 4), [1, -1], [0], [1, 2], [-2, 3]),
        Invocation(T(2, 3), T(5, 3, 4), T(2, 4), [1, 3], [0], [1, 2], []),
        Invocation(T(2, 3), T(5, 3, 4), T(2, 4), [1, 3], [0], [1, 2], [0, 1, 2, 3]),
        Invocation(T(0, 3), T(5, 3, 4), T(0, 4), [1, 3], [0], [1, 2], [2, 3]),
        Invocation(T(2), T(2), T(2), [1], [1], [1], []),
        *[
            Invocation(*[T(2, 2, dtype=dtype)] * 3, [], [], [], [1])
            for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32)
        ],
    ],
    error=[
        Invocation(T(2), T(2), T(2), [], [], [], []),
        Invocation(T(2, 3), T(5, 3), T(2, 4), [1, 3], [0], [1, 2], [2, 3], device="cpu"),
    ],
)
def _trilinear(
    i1: List[int],
    i2: List[int],
    i3: List[int],
    expand1: List[int],
    expand2: List[int],
    expand3: List[int],
    sumdim: List[int],
    unroll_dim: int = 1,
) -> List[int]:
    """The operands, unsqueezed at their `expand` dimensions, broadcast; `sumdim` is reduced.

    A dimension that all operands lack has size 0.
    """
    rank = len(i1) + len(expand1)
    assert unroll_dim >= 0 and unroll_dim < rank, (
        f"aten::_trilinear: unroll_dim must be less than {rank}, got {unroll_dim}"
    )
    first = with_places(i1, expand1, rank)
    second = with_places(i2, expand2, rank)
    third = with_places(i3, expand3, rank)
    given2 = wrap_dims(expand2, rank)
    given3 = wrap_dims(expand3, rank)
    summed = wrap_dims(sumdim, rank)
    out: List[int] = []
    for dim in range(rank):
        if dim not in summed:
            size = first[dim]
            if dim not in given2:
                size = second[dim]
            if dim not in given3:
                size = third[dim]
            out.append(size)
    return out


@dtype_function("aten::_trilinear")
def _trilinear_dtype(
    i1: Tuple[int, int],
    i2: Tuple[int, int],
    i3: Tuple[int, int],
    expand1: List[int],
    expand2: List[int],
    expand3: List[int],
    sumdim: List[int],
    unroll_dim: int = 1,
) -> int:
    """The dtype of the first operand, into which products accumulate."""
    return i1[1]


@shape_function(
    "aten::linear_backward",
    ok=[
        Invocation(T(2, 3), T(2, 4), T(4, 3), [True, True, True]),
        Invocation(T(5, 2, 3), T(5, 2, 4), T(4, 3), [False, True, False]),
        Invocation(T(3), T(4), T(4, 3), [True, False, True]),
        Invocation(T(0, 3), T(0, 4), T(4, 3), [True, True, True]),
        *[
            Invocation(*[T(2, 2, dtype=dtype)] * 3, [True, True, True])
            for dtype in (torch.float16, torch.bfloat16, torch.float64)
        ],
    ],
    error=[Invocation(T(), T(), T(4, 3), [True, True, True])],
)
def linear_backward(
    self: List[int], grad_output: List[int], weight: List[int], output_mask: List[bool]
) -> Tuple[List[int], List[int], List[int]]:
    """The shapes of input, weight and bias."""
    assert len(self) > 0 and len(grad_output) > 0, (
        f"aten::linear_backward: input and gradient must have at least 1 dimension, got {self} and {grad_output}"
    )
    return self, grad_output[-1:] + self[-1:], grad_output[-1:]


@dtype_function("aten::linear_backward")
def linear_backward_dtype(
    self: Tuple[int, int],
    grad_output: Tuple[int, int],
    weight: Tuple[int, int],
    output_mask: List[bool],
) -> Tuple[int, int, int]:
    """The dtype of the gradient."""
    return grad_output[1], grad_output[1], grad_output[1]
