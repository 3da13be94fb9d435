"""Elementwise operators on quantized tensors: `quantized::add`, `quantized::celu`, ...

They run on the CPU only. Scale and zero point of results do not affect shapes.
"""

from typing import List, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    shape_family,
)
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_input, same_as_input
from torch_refine.abstract_interp_lib.rules.quantization import check_one_element, check_same_dtype
from torch_refine.abstract_interp_lib.rules.sizes import product
from torch_refine.abstract_interp_lib.rules.unknown import unknown_size, unknown_sizes

_DTYPES = (torch.quint8, torch.qint8, torch.qint32)
_SIGNED = torch.qint8


def Q(*sizes: int, dtype: torch.dtype = torch.quint8) -> TensorCase:
    """A quantized tensor for a case."""
    return T(*sizes, dtype=dtype)


# Sums and products of two tensors.
def broadcast_quantized(qa: List[int], qb: List[int]) -> List[int]:
    """The operands broadcast; `out` is resized."""
    return broadcast_two(qa, qb)


def one_quantized_dtype(qa: Tuple[int, int], qb: Tuple[int, int]) -> int:
    """The common dtype of the operands."""
    check_same_dtype(qa, qb)
    return qa[1]


def one_quantized_out_dtype(qa: Tuple[int, int], qb: Tuple[int, int], out: Tuple[int, int]) -> int:
    """The common dtype of the operands and `out`."""
    check_same_dtype(qa, qb)
    check_same_dtype(qa, out)
    return out[1]


_BINARY = ("quantized::add", "quantized::add_relu", "quantized::mul", "quantized::mul_relu")
_BINARY_OUT = (
    "quantized::add.out",
    "quantized::add_out",
    "quantized::add_relu.out",
    "quantized::add_relu_out",
    "quantized::mul.out",
    "quantized::mul_out",
    "quantized::mul_relu.out",
    "quantized::mul_relu_out",
)
shape_family(
    broadcast_quantized,
    *_BINARY,
    ok=[
        Invocation(Q(2, 3), Q(3), 0.1, 0, device="cpu"),
        Invocation(Q(2, 1), Q(1, 3), 0.1, 0, device="cpu"),
        Invocation(Q(), Q(2), 0.1, 0, device="cpu"),
        Invocation(Q(0, 3), Q(1, 3), 0.1, 0, device="cpu"),
        *[Invocation(*[Q(2, 3, dtype=dtype)] * 2, 0.1, 0, device="cpu") for dtype in _DTYPES],
    ],
    error=[Invocation(Q(2, 3), Q(2, 4), 0.1, 0, device="cpu")],
)
dtype_family(
    one_quantized_dtype,
    *_BINARY,
    error=[
        Invocation(Q(2, 3), Q(2, 3, dtype=_SIGNED), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3), T(2, 3), 0.1, 0, device="cpu"),
    ],
)
shape_family(
    broadcast_quantized,
    *_BINARY_OUT,
    ok=[
        Invocation(Q(2, 3), Q(3), Q(2, 3), device="cpu"),
        Invocation(Q(2, 3), Q(2, 1), Q(4, 5, 6), device="cpu"),
        Invocation(Q(), Q(), Q(3), device="cpu"),
        *[Invocation(*[Q(2, 3, dtype=dtype)] * 3, device="cpu") for dtype in _DTYPES],
    ],
    error=[Invocation(Q(2, 3), Q(2, 4), Q(2, 3), device="cpu")],
)
dtype_family(
    one_quantized_out_dtype,
    *_BINARY_OUT,
    error=[
        Invocation(Q(2, 3), Q(2, 3, dtype=_SIGNED), Q(2, 3), device="cpu"),
        Invocation(Q(2, 3), Q(2, 3), Q(2, 3, dtype=_SIGNED), device="cpu"),
    ],
)


# Sums and products of a tensor and a scalar.
def same_as_qa(qa: List[int]) -> List[int]:
    """The shape of `qa`."""
    return qa


def same_as_qa_with_tensor(qa: List[int], b: List[int]) -> List[int]:
    """The shape of `qa`; the scalar is a tensor of one element."""
    check_one_element(b, "b")
    return qa


def dtype_of_qa(qa: Tuple[int, int]) -> int:
    """The dtype of `qa`."""
    return qa[1]


_SCALAR = (
    "quantized::add.Scalar",
    "quantized::add_relu.Scalar",
    "quantized::add_scalar",
    "quantized::add_scalar_relu",
    "quantized::mul.Scalar",
    "quantized::mul_relu.Scalar",
    "quantized::mul_scalar",
    "quantized::mul_scalar_relu",
)
_SCALAR_FIRST = (
    "quantized::add.Scalar2",
    "quantized::add_relu.Scalar2",
    "quantized::mul.Scalar2",
    "quantized::mul_relu.Scalar2",
)
_SCALAR_TENSOR = (
    "quantized::add_scalar.Tensor",
    "quantized::add_scalar_relu.Tensor",
    "quantized::mul_scalar.Tensor",
    "quantized::mul_scalar_relu.Tensor",
)
_NUMBERS: tuple[Union[int, float], ...] = (2, -2.5, 0)
shape_family(
    same_as_qa,
    *_SCALAR,
    ok=[
        Invocation(Q(2, 3, dtype=dtype), number, device="cpu")
        for dtype in _DTYPES
        for number in _NUMBERS
    ]
    + [Invocation(Q(), 2, device="cpu"), Invocation(Q(0, 3), 2, device="cpu")],
)
shape_family(
    same_as_qa,
    *_SCALAR_FIRST,
    ok=[
        Invocation(number, Q(2, 3, dtype=dtype), device="cpu")
        for dtype in _DTYPES
        for number in _NUMBERS
    ],
)
shape_family(
    same_as_qa_with_tensor,
    *_SCALAR_TENSOR,
    ok=[
        Invocation(Q(2, 3), T(), device="cpu"),
        Invocation(Q(2, 3, dtype=_SIGNED), T(1, 1, dtype=torch.int64), device="cpu"),
        Invocation(Q(0, 3, dtype=torch.qint32), Q(1), device="cpu"),
    ],
    error=[
        Invocation(Q(2, 3), T(2), device="cpu"),
        Invocation(Q(2, 3), T(0), device="cpu"),
    ],
)
dtype_family(dtype_of_qa, *_SCALAR, *_SCALAR_FIRST, *_SCALAR_TENSOR)


def resized_or_kept(qa: List[int], out: List[int]) -> List[int]:
    """The shape of `qa` or of `out`, depending on the scalar and on scales.

    If only the scale of the result changes, PyTorch copies `qa` into `out`, to which it may
    broadcast; else it resizes `out`.
    """
    sizes = unknown_sizes()
    if len(qa) == len(out):
        sizes = [kept_size(qa[index], out[index]) for index in range(len(qa))]
    return sizes


def kept_size(qa: int, out: int) -> int:
    """A size if two tensors agree on it, else an unknown one."""
    size = qa
    if size != out:
        size = unknown_size()
    return size


def resized_or_kept_with_tensor(qa: List[int], b: List[int], out: List[int]) -> List[int]:
    """As `resized_or_kept`; the scalar is a tensor of one element."""
    check_one_element(b, "b")
    return resized_or_kept(qa, out)


def scalar_out_dtype(qa: Tuple[int, int], out: Tuple[int, int]) -> int:
    """The common dtype of `qa` and `out`."""
    check_same_dtype(qa, out)
    return out[1]


_KEEPING = (
    "quantized::add.Scalar_out",
    "quantized::add_relu.Scalar_out",
    "quantized::add_scalar_out",
    "quantized::add_scalar_relu_out",
    "quantized::mul.Scalar_out",
    "quantized::mul_scalar_out",
)
_KEEPING_TENSOR = (
    "quantized::add_scalar_out.Tensor",
    "quantized::add_scalar_relu_out.Tensor",
    "quantized::mul_scalar_out.Tensor",
)
_RESIZING = ("quantized::mul_relu.Scalar_out", "quantized::mul_scalar_relu_out")
_RESIZING_TENSOR = ("quantized::mul_scalar_relu_out.Tensor",)
_SCALAR_OUT_OK = [
    *[
        Invocation(Q(2, 3, dtype=dtype), number, Q(2, 3, dtype=dtype), device="cpu")
        for dtype in _DTYPES
        for number in _NUMBERS
    ],
    Invocation(Q(), 2, Q(), device="cpu"),
    Invocation(Q(0, 3), 2, Q(0, 3), device="cpu"),
]
_KEEPING_OK = [
    *[Invocation(Q(1, 3), number, Q(2, 3), device="cpu") for number in _NUMBERS],
    *[Invocation(Q(2, 3), number, Q(5, 2, 3), device="cpu") for number in _NUMBERS],
]
_SCALAR_OUT_ERROR = [Invocation(Q(2, 3), 2, Q(2, 3, dtype=_SIGNED), device="cpu")]
_TENSOR_OUT_OK = [
    Invocation(Q(2, 3), T(), Q(5, 2, 3), device="cpu"),
    *[Invocation(Q(2, 3, dtype=d), T(1), Q(2, 3, dtype=d), device="cpu") for d in _DTYPES],
]
_TENSOR_OUT_ERROR = [Invocation(Q(2, 3), T(2), Q(2, 3), device="cpu")]
_TENSOR_OUT_DTYPE_ERROR = [Invocation(Q(2, 3), T(1), Q(2, 3, dtype=_SIGNED), device="cpu")]


shape_family(resized_or_kept, *_KEEPING, ok=_SCALAR_OUT_OK + _KEEPING_OK)
shape_family(
    resized_or_kept_with_tensor, *_KEEPING_TENSOR, ok=_TENSOR_OUT_OK, error=_TENSOR_OUT_ERROR
)
shape_family(
    same_as_qa,
    *_RESIZING,
    ok=[
        *_SCALAR_OUT_OK,
        *[Invocation(Q(2, 3), number, Q(4, 5), device="cpu") for number in _NUMBERS],
        *[Invocation(Q(2, 3), number, Q(5, 2, 3), device="cpu") for number in _NUMBERS],
    ],
)
shape_family(same_as_qa_with_tensor, *_RESIZING_TENSOR, ok=_TENSOR_OUT_OK, error=_TENSOR_OUT_ERROR)
dtype_family(scalar_out_dtype, *_KEEPING, *_RESIZING, error=_SCALAR_OUT_ERROR)
dtype_family(scalar_out_dtype, *_KEEPING_TENSOR, *_RESIZING_TENSOR, error=_TENSOR_OUT_DTYPE_ERROR)


# Unary functions.
def same_as_qx(qx: List[int]) -> List[int]:
    """The shape of `qx`."""
    return qx


def dtype_of_qx(qx: Tuple[int, int]) -> int:
    """The dtype of `qx`."""
    return qx[1]


def one_tensor(*rest: float) -> list[Invocation]:
    """Cases for a function with the further arguments `rest`."""
    return [
        Invocation(Q(*sizes, dtype=dtype), *rest, device="cpu")
        for dtype in _DTYPES
        for sizes in ((2, 3), (), (0, 3))
    ]


_OF_SELF = ("quantized::celu", "quantized::dropout", "quantized::elu")
shape_family(same_as_self, *_OF_SELF, ok=one_tensor(0.1, 0))
dtype_family(dtype_of_self, *_OF_SELF)
shape_family(same_as_input, "quantized::hardswish", ok=one_tensor(0.1, 0))
dtype_family(dtype_of_input, "quantized::hardswish")
shape_family(same_as_qx, "quantized::sigmoid", ok=one_tensor(0.1, 0))
shape_family(same_as_qx, "quantized::clamp", ok=one_tensor(0.1) + one_tensor(0.1, 0.5))
shape_family(same_as_qx, "quantized::threshold", ok=one_tensor(0.1, 0.5))
shape_family(same_as_qx, "quantized::relu6", ok=one_tensor() + one_tensor(True))
shape_family(
    same_as_qx,
    "quantized::leaky_relu",
    ok=one_tensor(0.1, False, 0.1, 0) + one_tensor(0.1, True, 0.1, 0),
)


def softmax(qx: List[int], dim: int) -> List[int]:
    """The shape of `qx`."""
    wrap_dim(dim, len(qx))
    return qx


shape_family(
    softmax,
    "quantized::softmax",
    ok=one_tensor(0, 0.1, 0) + one_tensor(-1, 1 / 256, 0),
    error=[
        Invocation(Q(2, 3), 2, 0.1, 0, device="cpu"),
        Invocation(Q(2, 3), -3, 0.1, 0, device="cpu"),
    ],
)
dtype_family(
    dtype_of_qx,
    "quantized::sigmoid",
    "quantized::clamp",
    "quantized::threshold",
    "quantized::relu6",
    "quantized::leaky_relu",
    "quantized::softmax",
)


def prelu(qx: List[int], weight: List[int]) -> List[int]:
    """`qx` and weight broadcast; a weight of another rank has one element per channel."""
    rank = len(qx)
    assert rank > 0, f"qx must have at least 1 dimension, got shape {qx}"
    aligned = weight
    if len(weight) != rank:
        aligned = [product(weight)]
        if rank > 1:
            aligned = [1] + aligned + [1] * (rank - 2)
    return broadcast_two(qx, aligned)


def prelu_dtype(qx: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """The common dtype of `qx` and the weight."""
    check_same_dtype(qx, weight)
    return qx[1]


shape_family(
    prelu,
    "quantized::prelu",
    ok=[
        Invocation(Q(2, 3, 4), Q(3), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, 4), Q(), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, 4), Q(3, 1), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, 4), Q(2, 3, 4), 0.1, 0, device="cpu"),
        Invocation(Q(2, 1, 4), Q(3), 0.1, 0, device="cpu"),
        Invocation(Q(2), Q(2), 0.1, 0, device="cpu"),
        Invocation(Q(2), Q(1, 1), 0.1, 0, device="cpu"),
        Invocation(Q(1), Q(3), 0.1, 0, device="cpu"),
        Invocation(Q(0, 3, dtype=_SIGNED), Q(3, dtype=_SIGNED), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, dtype=torch.qint32), Q(1, dtype=torch.qint32), 0.1, 0, device="cpu"),
    ],
    error=[
        Invocation(Q(), Q(1), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, 4), Q(2), 0.1, 0, device="cpu"),
        Invocation(Q(3, 4), Q(2, 3, 4), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, 4), Q(1, 4), 0.1, 0, device="cpu"),
    ],
)
dtype_family(
    prelu_dtype,
    "quantized::prelu",
    error=[Invocation(Q(2, 3), Q(3, dtype=_SIGNED), 0.1, 0, device="cpu")],
)
