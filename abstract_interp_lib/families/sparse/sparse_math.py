"""Matmul, softmax and sums of sparse tensors.

Operands must have the same dtype, as in dense matmul.
"""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, dtype_family, shape_family
from torch_refine.abstract_interp_lib.families.linear_algebra.matmul import (
    addmm_dtype_rule,
    addmm_rule,
)
from torch_refine.abstract_interp_lib.rules.dims import same_as_self, wrap_dims
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same
from torch_refine.abstract_interp_lib.rules.linalg import matrix_product
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.promotion import bool_to_int
from torch_refine.abstract_interp_lib.rules.reduction import (
    reduce_all,
    reduce_dims,
    remove_dims,
    sum_dtype,
)
from torch_refine.abstract_interp_lib.rules.sizes import wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_dtype, unknown_sizes

_DTYPES = (torch.float64, torch.bfloat16, torch.int64, torch.complex64)


def sparse_product(sparse: List[int], dense: List[int]) -> List[int]:
    """A matrix product."""
    return matrix_product(sparse, dense)


def sparse_product_dtype(sparse: Tuple[int, int], dense: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    assert sparse[1] == dense[1], f"dtypes must match, got {sparse[1]} and {dense[1]}"
    return sparse[1]


# Both operators also accept dense tensors. The meta kernels let `self` broadcast the result and
# accept mixed dtypes, unlike every device.
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


# Matmul and softmax of sparse tensors.

_COO = torch.sparse_coo
_CSR = torch.sparse_csr
_MATRIX = T(2, 3, layout=_COO)
_ROWS = T(2, 3, layout=_CSR)


# Softmax along a dimension. No kernel supports 16-bit floats.
def softmax_sizes(self: List[int], dim: int) -> List[int]:
    """The shape of `self`, which must have dimension `dim`."""
    wrap_existing(dim, len(self))
    return self


def softmax_dtype(self: Tuple[int, int], half_to_float: bool) -> int:
    """The dtype of `self`, or float32."""
    return torch.float32 if half_to_float else self[1]


_SOFTMAXES = ("aten::_sparse_softmax", "aten::_sparse_log_softmax")
_SOFTMAXES_INT = ("aten::_sparse_softmax.int", "aten::_sparse_log_softmax.int")
_SOFTMAX_GRADIENTS = (
    "aten::_sparse_softmax_backward_data",
    "aten::_sparse_log_softmax_backward_data",
)
shape_family(
    softmax_sizes,
    *_SOFTMAXES,
    ok=[
        Invocation(_MATRIX, 1, False, device="cpu"),
        Invocation(T(2, 3, 4, layout=_COO), -3, False, device="cpu"),
        Invocation(T(3, dtype=torch.float64, layout=_COO), 0, False, device="cpu"),
    ],
    error=[
        Invocation(_MATRIX, 2, False, device="cpu"),
        Invocation(T(layout=_COO), 0, False, device="cpu"),
    ],
)
dtype_family(softmax_dtype, *_SOFTMAXES)
shape_family(
    softmax_sizes,
    *_SOFTMAXES_INT,
    ok=[
        Invocation(_MATRIX, 1, device="cpu"),
        Invocation(T(2, 3, dtype=torch.float64, layout=_COO), -1, device="cpu"),
        *[
            Invocation(T(2, 3, dtype=dtype, layout=_COO), 0, torch.float64, device="cpu")
            for dtype in (torch.float16, torch.bfloat16, torch.int64, torch.bool)
        ],
    ],
    error=[
        Invocation(_MATRIX, -3, device="cpu"),
        Invocation(T(layout=_COO), 0, device="cpu"),
    ],
)
dtype_family(dtype_or_same, *_SOFTMAXES_INT)


def softmax_gradient(grad_output: List[int], output: List[int], dim: int) -> List[int]:
    """Gradient and output have the same shape, which the result keeps."""
    check_same(grad_output, output, "grad_output")
    wrap_existing(dim, len(grad_output))
    return grad_output


def dtype_of_grad_output(grad_output: Tuple[int, int]) -> int:
    """The dtype of the incoming gradient."""
    return grad_output[1]


shape_family(
    softmax_gradient,
    *_SOFTMAX_GRADIENTS,
    ok=[
        Invocation(_MATRIX, _MATRIX, 1, _MATRIX, device="cpu"),
        Invocation(_MATRIX, _MATRIX, -1, _MATRIX, device="cpu"),
        Invocation(*[T(2, dtype=torch.float64, layout=_COO)] * 2, 0, _MATRIX, device="cpu"),
    ],
    error=[
        Invocation(T(2, 4, layout=_COO), _MATRIX, 1, _MATRIX, device="cpu"),
        Invocation(_MATRIX, _MATRIX, 2, _MATRIX, device="cpu"),
    ],
)
dtype_family(dtype_of_grad_output, *_SOFTMAX_GRADIENTS)


def product_with_dense(self: List[int], mat2: List[int]) -> List[int]:
    """A matrix product."""
    return matrix_product(self, mat2)


def product_with_dense_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    return sparse_product_dtype(self, mat2)


def product_with_sparse(self: List[int], other: List[int]) -> List[int]:
    """A matrix product."""
    return matrix_product(self, other)


def product_with_sparse_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both operands have the same dtype, which the result keeps."""
    return sparse_product_dtype(self, other)


_MATH_DTYPES = (torch.float64, torch.complex64)
_DTYPES_TOO = (*_MATH_DTYPES, torch.int64)
shape_family(
    product_with_dense,
    "aten::smm",
    ok=[
        Invocation(_MATRIX, T(3, 4), device="cpu"),
        *[
            Invocation(T(2, 3, dtype=dtype, layout=_COO), T(3, 4, dtype=dtype), device="cpu")
            for dtype in _DTYPES_TOO
        ],
    ],
    error=[Invocation(_MATRIX, T(4, 4), device="cpu")],
)
dtype_family(
    product_with_dense_dtype,
    "aten::smm",
    error=[Invocation(_MATRIX, T(3, 4, dtype=torch.float64), device="cpu")],
)
shape_family(
    product_with_sparse,
    "aten::_sparse_sparse_matmul",
    ok=[
        Invocation(
            T(2, 3, dtype=dtype, layout=_COO), T(3, 4, dtype=dtype, layout=_COO), device="cpu"
        )
        for dtype in (torch.float32, *_MATH_DTYPES)
    ],
    error=[
        Invocation(_MATRIX, T(4, 4, layout=_COO), device="cpu"),
        Invocation(T(2, layout=_COO), T(2, 4, layout=_COO), device="cpu"),
    ],
)
dtype_family(
    product_with_sparse_dtype,
    "aten::_sparse_sparse_matmul",
    error=[Invocation(_MATRIX, T(3, 4, dtype=torch.float64, layout=_COO), device="cpu")],
)


def sum_with_product(self: List[int], mat1: List[int], mat2: List[int]) -> List[int]:
    """A matrix product plus a matrix of its shape."""
    out = matrix_product(mat1, mat2)
    check_same(self, out, "self")
    return out


shape_family(
    sum_with_product,
    "aten::sspaddmm",
    ok=[
        Invocation(
            T(2, 4, dtype=dtype, layout=_COO),
            T(2, 3, dtype=dtype, layout=_COO),
            T(3, 4, dtype=dtype),
            device="cpu",
        )
        for dtype in (torch.float32, *_DTYPES_TOO)
    ],
    error=[
        Invocation(T(1, 4, layout=_COO), _MATRIX, T(3, 4), device="cpu"),
        Invocation(T(2, 4, layout=_COO), _MATRIX, T(4, 4), device="cpu"),
    ],
)
dtype_family(
    addmm_dtype_rule,
    "aten::sspaddmm",
    error=[Invocation(T(2, 4, layout=_COO), _MATRIX, T(3, 4, dtype=torch.float64), device="cpu")],
)

# Matmul with a mean or extremum in place of the sum.
_REDUCED_DTYPES = (torch.float64, torch.float16, torch.bfloat16)
_REDUCED_OK = [
    *[Invocation(_ROWS, T(3, 4), reduce, device="cpu") for reduce in ("sum", "mean", "amax")],
    *[
        Invocation(T(2, 3, dtype=dtype, layout=_CSR), T(3, 4, dtype=dtype), "amin", device="cpu")
        for dtype in _REDUCED_DTYPES
    ],
]
_REDUCED_ERROR = [
    Invocation(_ROWS, T(4, 4), "sum", device="cpu"),
    Invocation(_ROWS, T(3), "sum", device="cpu"),
]
_MIXED = [Invocation(_ROWS, T(3, 4, dtype=torch.float64), "sum", device="cpu")]
shape_family(sparse_product, "aten::_sparse_mm.reduce", ok=_REDUCED_OK, error=_REDUCED_ERROR)
dtype_family(sparse_product_dtype, "aten::_sparse_mm.reduce", error=_MIXED)


def reduced_product(self: List[int], other: List[int]) -> Tuple[List[int], List[int]]:
    """The product, and the indices of extrema if they are needed for a gradient."""
    return matrix_product(self, other), unknown_sizes()


def reduced_product_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> Tuple[int, int]:
    """The common dtype of the operands; indices are int64."""
    return sparse_product_dtype(self, other), torch.int64


shape_family(reduced_product, "aten::_sparse_mm_reduce_impl", ok=_REDUCED_OK, error=_REDUCED_ERROR)
dtype_family(reduced_product_dtype, "aten::_sparse_mm_reduce_impl", error=_MIXED)


def reduced_gradients(
    self: List[int], grad_out: List[int], weight: List[int]
) -> Tuple[List[int], List[int]]:
    """The gradients of both operands."""
    check_same(grad_out, matrix_product(self, weight), "grad_out")
    return self, weight


def reduced_gradients_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> Tuple[int, int]:
    """The dtypes of both operands."""
    return self[1], weight[1]


_PLACES = T(2, 4, dtype=torch.int64)
shape_family(
    reduced_gradients,
    "aten::_sparse_mm_reduce_impl_backward",
    ok=[
        *[
            Invocation(_ROWS, T(2, 4), T(3, 4), "sum", _PLACES, mask, device="cpu")
            for mask in ([True, True], [True, False], [False, True])
        ],
        *[
            Invocation(
                *(T(2, 3, dtype=dtype, layout=_CSR), T(2, 4, dtype=dtype), T(3, 4, dtype=dtype)),
                *("amax", _PLACES, [True, True]),
                device="cpu",
            )
            for dtype in _REDUCED_DTYPES
        ],
    ],
    error=[
        Invocation(_ROWS, T(2, 5), T(3, 4), "sum", _PLACES, [True, True], device="cpu"),
    ],
)
dtype_family(reduced_gradients_dtype, "aten::_sparse_mm_reduce_impl_backward")


def sampled_product(self: List[int], mat1: List[int], mat2: List[int]) -> List[int]:
    """The matrix product, batched or not, sampled at the nonzeros of `self`."""
    assert len(mat1) >= 2 and len(mat2) >= 2, (
        f"mat1 and mat2 must be matrices, got shapes {mat1} and {mat2}"
    )
    assert mat1[-1] == mat2[-2], f"inner dimensions must match, got {mat1[-1]} and {mat2[-2]}"
    check_same(mat2[:-2], mat1[:-2], "the batch of mat2")
    check_same(self, mat1[:-1] + mat2[-1:], "self")
    return self


shape_family(
    sampled_product,
    "aten::sparse_sampled_addmm",
    ok=[
        Invocation(T(5, 2, 4, layout=_CSR), T(5, 2, 3), T(5, 3, 4), device="cpu"),
        Invocation(T(2, 4, layout=_CSR), T(2, 0), T(0, 4), device="cpu"),
        *[
            Invocation(
                *(T(2, 4, dtype=dtype, layout=_CSR), T(2, 3, dtype=dtype), T(3, 4, dtype=dtype)),
                device="cpu",
            )
            for dtype in (torch.float32, *_MATH_DTYPES)
        ],
    ],
    error=[
        Invocation(T(2, 4, layout=_CSR), T(2, 3), T(4, 4), device="cpu"),
        Invocation(T(2, 4, layout=_CSR), T(2, 3), T(3, 5), device="cpu"),
        Invocation(T(2, 4, layout=_CSR), T(3), T(3, 4), device="cpu"),
        Invocation(T(5, 2, 4, layout=_CSR), T(5, 2, 3), T(1, 3, 4), device="cpu"),
    ],
)
dtype_family(
    addmm_dtype_rule,
    "aten::sparse_sampled_addmm",
    error=[Invocation(T(2, 4, layout=_CSR), T(2, 3), T(3, 4, dtype=torch.float64), device="cpu")],
)


# Sums and products over dimensions of sparse tensors.

_SUM_DTYPES = (
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int32,
    torch.bool,
    torch.complex64,
)
_OF_DTYPES = [T(2, 3, dtype=dtype, layout=_COO) for dtype in _SUM_DTYPES]


def given_dtype(dtype: int) -> int:
    """The argument `dtype`."""
    return dtype


def sum_of_all_dtype(self: Tuple[int, int]) -> int:
    """Integers and bool are summed as int64."""
    return bool_to_int(self[1])


shape_family(
    reduce_all,
    "aten::_sparse_sum",
    ok=[Invocation(tensor, device="cpu") for tensor in (*_OF_DTYPES, T(layout=_COO))],
)
dtype_family(sum_of_all_dtype, "aten::_sparse_sum")
shape_family(
    reduce_all,
    "aten::_sparse_sum.dtype",
    ok=[
        Invocation(tensor, dtype=dtype, device="cpu")
        for tensor in _OF_DTYPES
        for dtype in (torch.float64, torch.int32)
    ],
)
dtype_family(given_dtype, "aten::_sparse_sum.dtype")


def sparse_sum(self: List[int], dim: List[int]) -> List[int]:
    """The given dimensions are reduced; none for an empty list."""
    return remove_dims(self, wrap_dims(dim, len(self)), False)


def dtype_of_sum(rank: int, dtype: int, dim: List[int]) -> int:
    """The dtype of a sum over dimensions.

    If all sparse dimensions are reduced, the result is dense and integers are summed as int64;
    otherwise it is sparse and keeps the dtype. The type does not tell the number of sparse
    dimensions.
    """
    dims = wrap_dims(dim, rank)
    if bool_to_int(dtype) == dtype:
        return dtype
    elif len(dims) == rank:
        return torch.int64
    else:
        return unknown_dtype()


def sparse_sum_dtype(self: Tuple[int, int], dim: List[int]) -> int:
    """The dtype of `self`, or int64."""
    return dtype_of_sum(self[0], self[1], dim)


def sparse_sum_in_dtype(self: Tuple[int, int], dim: List[int], dtype: int) -> int:
    """The requested dtype, or int64."""
    return dtype_of_sum(self[0], dtype, dim)


_DIMS = ([0], [1], [-1], [0, 1], [])
_DIMS_ERROR = ([2], [0, 0], [-3])
shape_family(
    sparse_sum,
    "aten::_sparse_sum.dim",
    ok=[Invocation(tensor, dim, device="cpu") for tensor in _OF_DTYPES for dim in _DIMS],
    error=[Invocation(_MATRIX, dim, device="cpu") for dim in _DIMS_ERROR],
)
dtype_family(sparse_sum_dtype, "aten::_sparse_sum.dim")
shape_family(
    sparse_sum,
    "aten::_sparse_sum.dim_dtype",
    ok=[
        Invocation(tensor, dim, dtype=dtype, device="cpu")
        for tensor in _OF_DTYPES
        for dim in _DIMS
        for dtype in (torch.float64, torch.int32)
    ],
    error=[Invocation(_MATRIX, dim, dtype=torch.float64, device="cpu") for dim in _DIMS_ERROR],
)
dtype_family(sparse_sum_in_dtype, "aten::_sparse_sum.dim_dtype")


def dtype_of_grad(grad: Tuple[int, int]) -> int:
    """The dtype of the incoming gradient."""
    return grad[1]


shape_family(
    same_as_self,
    "aten::_sparse_sum_backward",
    ok=[
        Invocation(T(3, layout=_COO), _MATRIX, [0], device="cpu"),
        Invocation(T(2, layout=_COO), _MATRIX, [-1], device="cpu"),
        Invocation(T(), _MATRIX, [0, 1], device="cpu"),
        Invocation(T(3, dtype=torch.float64, layout=_COO), _MATRIX, [0], device="cpu"),
        Invocation(T(dtype=torch.float64), _MATRIX, [0, 1], device="cpu"),
    ],
)
dtype_family(dtype_of_grad, "aten::_sparse_sum_backward")


def reduce_rows(self: List[int], dim: List[int], keepdim: bool) -> List[int]:
    """The given dimensions have size 1."""
    assert len(self) == 2, f"self must be a matrix, got shape {self}"
    assert keepdim, f"keepdim must be True, got {keepdim}"
    return reduce_dims(self, dim, keepdim)


_OF_ROWS = ("aten::_sparse_csr_sum.dim_dtype", "aten::_sparse_csr_prod.dim_dtype")
shape_family(
    reduce_rows,
    *_OF_ROWS,
    ok=[Invocation(_ROWS, dim, True, device="cpu") for dim in _DIMS],
    error=[
        *[Invocation(_ROWS, dim, True, device="cpu") for dim in _DIMS_ERROR],
        Invocation(_ROWS, [0], False, device="cpu"),
        Invocation(T(2, 3, 4, layout=_CSR), [0], True, device="cpu"),
    ],
)
dtype_family(
    sum_dtype,
    *_OF_ROWS,
    ok=[
        *[
            Invocation(T(2, 3, dtype=dtype, layout=_CSR), [0], True, device="cpu")
            for dtype in _SUM_DTYPES
            if dtype != torch.bool
        ],
        Invocation(
            T(2, 3, dtype=torch.bool, layout=_CSR), [0], True, dtype=torch.float64, device="cpu"
        ),
    ],
)
