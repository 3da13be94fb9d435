"""Products and softmax of sparse tensors."""

from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.families.matmul import addmm_dtype_rule
from torch_refine.abstract_interp_lib.families.sparse_products import (
    sparse_product,
    sparse_product_dtype,
)
from torch_refine.abstract_interp_lib.rules.factories import dtype_or_same
from torch_refine.abstract_interp_lib.rules.matching import check_same
from torch_refine.abstract_interp_lib.rules.matmul import matrix_product
from torch_refine.abstract_interp_lib.rules.sizes import wrap_existing
from torch_refine.abstract_interp_lib.rules.unknown import unknown_sizes

_COO = torch.sparse_coo
_CSR = torch.sparse_csr
_MATRIX = T(2, 3, layout=_COO)
_ROWS = T(2, 3, layout=_CSR)


# Along a dimension. No kernel knows 16-bit floats.
def softmax_sizes(self: List[int], dim: int) -> List[int]:
    """The shape of `self`, which has the dimension `dim`."""
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
    """The incoming gradient and the output have one shape, which the result has, too."""
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
    """The product of two matrices."""
    return matrix_product(self, mat2)


def product_with_dense_dtype(self: Tuple[int, int], mat2: Tuple[int, int]) -> int:
    """Both factors have one dtype, which the product keeps."""
    return sparse_product_dtype(self, mat2)


def product_with_sparse(self: List[int], other: List[int]) -> List[int]:
    """The product of two matrices."""
    return matrix_product(self, other)


def product_with_sparse_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> int:
    """Both factors have one dtype, which the product keeps."""
    return sparse_product_dtype(self, other)


_DTYPES = (torch.float64, torch.complex64)
_DTYPES_TOO = (*_DTYPES, torch.int64)
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
        for dtype in (torch.float32, *_DTYPES)
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
    """The product of two matrices, to which one of its shape is added."""
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

# Products that take the mean or an extremum instead of the sum.
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
    """The product; the places of extrema are there only where a gradient will need them."""
    return matrix_product(self, other), unknown_sizes()


def reduced_product_dtype(self: Tuple[int, int], other: Tuple[int, int]) -> Tuple[int, int]:
    """The one dtype of the factors; places are int64."""
    return sparse_product_dtype(self, other), torch.int64


shape_family(reduced_product, "aten::_sparse_mm_reduce_impl", ok=_REDUCED_OK, error=_REDUCED_ERROR)
dtype_family(reduced_product_dtype, "aten::_sparse_mm_reduce_impl", error=_MIXED)


def reduced_gradients(
    self: List[int], grad_out: List[int], weight: List[int]
) -> Tuple[List[int], List[int]]:
    """The gradients of both factors."""
    check_same(grad_out, matrix_product(self, weight), "grad_out")
    return self, weight


def reduced_gradients_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> Tuple[int, int]:
    """The dtypes of both factors."""
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
    """The product of two matrices, or batches, at the places where `self` has entries."""
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
            for dtype in (torch.float32, *_DTYPES)
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
