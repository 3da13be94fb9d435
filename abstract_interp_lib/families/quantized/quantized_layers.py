"""Quantized layers: concatenation, matmul, normalization, pooling.

They run on the CPU only. Scale and zero point of results do not affect shapes.
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
from torch_refine.abstract_interp_lib.families.linear_algebra.matmul import matmul
from torch_refine.abstract_interp_lib.families.shapes_and_indexing.joining import cat_rule
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.normalization import check_features, check_normalized
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_input
from torch_refine.abstract_interp_lib.rules.pooling import pooled
from torch_refine.abstract_interp_lib.rules.quantization import check_float32, check_same_dtype

_DTYPES = (torch.quint8, torch.qint8, torch.qint32)
_SIGNED = torch.qint8


def Q(*sizes: int, dtype: torch.dtype = torch.quint8) -> TensorCase:
    """A quantized tensor for a case."""
    return T(*sizes, dtype=dtype)


def dtype_of_qx(qx: Tuple[int, int]) -> int:
    """The dtype of `qx`."""
    return qx[1]


# Concatenation.
def quantized_cat(qx: List[List[int]], dim: int) -> List[int]:
    """Concatenation along a dimension."""
    return cat_rule(qx, dim)


def quantized_cat_out(qx: List[List[int]], dim: int, out: List[int]) -> List[int]:
    """As `quantized_cat`, copied to `out`, to which it broadcasts."""
    check_expands(cat_rule(qx, dim), out)
    return out


def quantized_cat_dtype(qx: List[Tuple[int, int]]) -> int:
    """The common dtype of the tensors."""
    assert len(qx) > 0, f"the tensor list must not be empty, got {len(qx)}"
    for tensor in qx:
        check_same_dtype(qx[0], tensor)
    return qx[0][1]


def quantized_cat_out_dtype(qx: List[Tuple[int, int]], out: Tuple[int, int]) -> int:
    """The common dtype of the tensors and `out`."""
    dtype = quantized_cat_dtype(qx)
    assert dtype == out[1], f"dtypes must match, got {dtype} and {out[1]}"
    return dtype


_CAT = ("quantized::cat", "quantized::cat_relu")
_CAT_OUT = ("quantized::cat_out", "quantized::cat_relu_out")
shape_family(
    quantized_cat,
    *_CAT,
    ok=[
        Invocation([Q(2, 3), Q(4, 3)], 0, 0.1, 0, device="cpu"),
        Invocation([Q(2, 3), Q(2, 1)], -1, None, None, device="cpu"),
        Invocation([Q(2, 3), Q(0)], 1, 0.1, 0, device="cpu"),
        Invocation([Q(0, 3), Q(2, 3)], 0, 0.1, 0, device="cpu"),
        *[Invocation([Q(2, dtype=d), Q(3, dtype=d)], 0, 0.1, 0, device="cpu") for d in _DTYPES],
    ],
    error=[
        Invocation([Q(2, 3), Q(2, 1)], 2, 0.1, 0, device="cpu"),
        Invocation([Q(2, 3), Q(2, 4)], 0, 0.1, 0, device="cpu"),
        Invocation([Q(2, 3), Q(3)], 0, 0.1, 0, device="cpu"),
        Invocation([Q(), Q()], 0, 0.1, 0, device="cpu"),
        Invocation([], 0, 0.1, 0, device="cpu"),
    ],
)
dtype_family(
    quantized_cat_dtype,
    *_CAT,
    error=[
        Invocation([Q(2), Q(3, dtype=_SIGNED)], 0, 0.1, 0, device="cpu"),
        Invocation([], 0, 0.1, 0, device="cpu"),
    ],
)
shape_family(
    quantized_cat_out,
    *_CAT_OUT,
    ok=[
        Invocation([Q(2, 3), Q(2, 3)], 0, Q(4, 3), device="cpu"),
        Invocation([Q(2, 3), Q(2, 3)], -1, Q(5, 2, 6), device="cpu"),
        *[
            Invocation([Q(2, dtype=d), Q(3, dtype=d)], 0, Q(5, dtype=d), device="cpu")
            for d in _DTYPES
        ],
    ],
    error=[
        Invocation([Q(2, 3), Q(2, 3)], 0, Q(2, 3), device="cpu"),
        Invocation([Q(2, 3), Q(2, 3)], 2, Q(4, 3), device="cpu"),
        Invocation([], 0, Q(4, 3), device="cpu"),
    ],
)
dtype_family(
    quantized_cat_out_dtype,
    *_CAT_OUT,
    error=[
        Invocation([Q(2), Q(3)], 0, Q(5, dtype=_SIGNED), device="cpu"),
        Invocation([Q(2), Q(3, dtype=_SIGNED)], 0, Q(5), device="cpu"),
    ],
)


# Matmul.
def quantized_matmul(qa: List[int], qb: List[int]) -> List[int]:
    """A product of vectors, matrices or batches of matrices, which broadcast."""
    return matmul(qa, qb)


def quantized_matmul_dtype(qa: Tuple[int, int], qb: Tuple[int, int]) -> int:
    """The common dtype of both operands, which must be quint8 or qint8."""
    check_same_dtype(qa, qb)
    assert qa[1] == torch.quint8 or qa[1] == torch.qint8, (
        f"operands must be of dtype quint8 or qint8, got dtype {qa[1]}"
    )
    return qa[1]


shape_family(
    quantized_matmul,
    "quantized::matmul",
    ok=[
        Invocation(Q(2, 3), Q(3, 4), 0.1, 0, device="cpu"),
        Invocation(Q(3), Q(3), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3), Q(3), 0.1, 0, device="cpu"),
        Invocation(Q(2, 1, 3, 4), Q(5, 4, 2), 0.1, 0, device="cpu"),
        Invocation(Q(0, 3), Q(3, 4), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, dtype=_SIGNED), Q(3, 4, dtype=_SIGNED), 0.1, 0, device="cpu"),
    ],
    error=[
        Invocation(Q(2, 3), Q(4, 3), 0.1, 0, device="cpu"),
        Invocation(Q(), Q(3), 0.1, 0, device="cpu"),
        Invocation(Q(2, 3, 4), Q(3, 4, 5), 0.1, 0, device="cpu"),
    ],
)
dtype_family(
    quantized_matmul_dtype,
    "quantized::matmul",
    error=[
        Invocation(Q(2, 3), Q(3, 4, dtype=_SIGNED), 0.1, 0, device="cpu"),
        Invocation(*[Q(3, 3, dtype=torch.qint32)] * 2, 0.1, 0, device="cpu"),
    ],
)


def linear_unpacked(X: List[int], weight: List[int], bias: Optional[List[int]]) -> List[int]:
    """The last dimension of the input is contracted with a matrix, which is rounded to float16."""
    assert len(X) >= 2, f"X must have at least 2 dimensions, got shape {X}"
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert X[-1] == weight[1], f"weight expects {weight[1]} input features, got {X[-1]}"
    if bias is not None:
        assert len(bias) == 1, f"bias must be 1-D, got shape {bias}"
        check_expands(bias, weight[:1])
    return X[:-1] + weight[:1]


def linear_unpacked_dtype(X: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """float32, like the input and the weight."""
    check_float32(X[1], "X")
    check_float32(weight[1], "weight")
    return torch.float32


shape_family(
    linear_unpacked,
    "quantized::linear_dynamic_fp16_unpacked_weight",
    ok=[
        Invocation(T(2, 3), T(4, 3), T(4), device="cpu"),
        Invocation(T(5, 2, 3), T(4, 3), T(1), device="cpu"),
        Invocation(T(0, 3), T(4, 3), None, device="cpu"),
        Invocation(T(2, 0), T(4, 0), None, device="cpu"),
    ],
    error=[
        Invocation(T(3), T(4, 3), None, device="cpu"),
        Invocation(T(2, 3), T(3), None, device="cpu"),
        Invocation(T(2, 2), T(4, 3), None, device="cpu"),
        Invocation(T(2, 3), T(4, 3), T(5), device="cpu"),
        Invocation(T(2, 3), T(4, 3), T(4, 1), device="cpu"),
    ],
)
dtype_family(
    linear_unpacked_dtype,
    "quantized::linear_dynamic_fp16_unpacked_weight",
    error=[
        Invocation(T(2, 3, dtype=torch.float16), T(4, 3), None, device="cpu"),
        Invocation(T(2, 3), T(4, 3, dtype=torch.float64), None, device="cpu"),
    ],
)


# Normalization.
def quantized_batch_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    mean: List[int],
    var: List[int],
    lowest_rank: int,
    highest_rank: int,
) -> List[int]:
    """The shape of the input; PyTorch checks no other shape if it is empty."""
    assert weight is not None and bias is not None, "weight and bias must be given, got None"
    if 0 not in input:
        assert lowest_rank <= len(input) and len(input) <= highest_rank, (
            f"the input must have {lowest_rank} to {highest_rank} dimensions, got shape {input}"
        )
        check_features(weight, input[1], "weight")
        check_features(bias, input[1], "bias")
        check_features(mean, input[1], "mean")
        check_features(var, input[1], "var")
    return input


def batch_norm(
    qx: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    mean: List[int],
    var: List[int],
    lowest_rank: int,
    highest_rank: int,
) -> List[int]:
    """The same for operators whose input is named `qx`."""
    return quantized_batch_norm(qx, weight, bias, mean, var, lowest_rank, highest_rank)


_NORM = (1e-5, 0.1, 0)


def batch_norm_ok(*shapes: tuple[int, ...]) -> list[Invocation]:
    """Cases for inputs of these shapes, which have 3 channels."""
    return [
        *[Invocation(Q(*shape), *[T(3)] * 4, *_NORM, device="cpu") for shape in shapes],
        *[Invocation(Q(*shapes[0], dtype=d), *[T(3)] * 4, *_NORM, device="cpu") for d in _DTYPES],
        Invocation(Q(0, 3), T(1), T(2), T(4), T(5), *_NORM, device="cpu"),
    ]


def batch_norm_error(right: tuple[int, ...], wrong: tuple[int, ...]) -> list[Invocation]:
    """Cases that are rejected: an input of shape `wrong`, and wrong parameters."""
    return [
        Invocation(Q(*wrong), *[T(3)] * 4, *_NORM, device="cpu"),
        Invocation(Q(*right), None, T(3), T(3), T(3), *_NORM, device="cpu"),
        Invocation(Q(*right), T(3), None, T(3), T(3), *_NORM, device="cpu"),
        Invocation(Q(*right), T(2), T(3), T(3), T(3), *_NORM, device="cpu"),
        Invocation(Q(*right), T(3), T(2), T(3), T(3), *_NORM, device="cpu"),
        Invocation(Q(*right), T(3), T(3), T(2), T(3), *_NORM, device="cpu"),
        Invocation(Q(*right), T(3), T(3), T(3), T(2), *_NORM, device="cpu"),
    ]


_ANY_OK = batch_norm_ok((2, 3), (2, 3, 4), (2, 3, 4, 5), (2, 3, 4, 5, 6), (0, 3, 4))
_ANY_ERROR = batch_norm_error((2, 3), (3,))
_BATCH_NORM1D = ("quantized::batch_norm1d", "quantized::batch_norm1d_relu")
_BATCH_NORM2D = ("quantized::batch_norm2d", "quantized::batch_norm2d_relu")
_BATCH_NORM3D = ("quantized::batch_norm3d", "quantized::batch_norm3d_relu")
_BATCH_NORM = ("quantized::batch_norm", "quantized::batch_norm_relu")
shape_family(
    quantized_batch_norm,
    "aten::quantized_batch_norm",
    ok=_ANY_OK,
    error=_ANY_ERROR,
    lowest_rank=2,
    highest_rank=5,
)
shape_family(batch_norm, *_BATCH_NORM, ok=_ANY_OK, error=_ANY_ERROR, lowest_rank=2, highest_rank=5)
shape_family(
    batch_norm,
    *_BATCH_NORM1D,
    ok=batch_norm_ok((2, 3), (2, 3, 4)),
    error=batch_norm_error((2, 3), (2, 3, 4, 5)),
    lowest_rank=2,
    highest_rank=3,
)
shape_family(
    batch_norm,
    *_BATCH_NORM2D,
    ok=batch_norm_ok((2, 3, 4, 5)),
    error=batch_norm_error((2, 3, 4, 5), (2, 3, 4)),
    lowest_rank=4,
    highest_rank=4,
)
shape_family(
    batch_norm,
    *_BATCH_NORM3D,
    ok=batch_norm_ok((2, 3, 4, 5, 6)),
    error=batch_norm_error((2, 3, 4, 5, 6), (2, 3, 4, 5)),
    lowest_rank=5,
    highest_rank=5,
)
dtype_family(dtype_of_input, "aten::quantized_batch_norm")
dtype_family(dtype_of_qx, *_BATCH_NORM, *_BATCH_NORM1D, *_BATCH_NORM2D, *_BATCH_NORM3D)


def instance_norm(
    input: List[int], weight: Optional[List[int]], bias: Optional[List[int]]
) -> List[int]:
    """The shape of the input, which has a batch, channels and spatial dimensions.

    PyTorch checks no other shape if the input is empty.
    """
    assert len(input) >= 3, f"the input must have at least 3 dimensions, got shape {input}"
    if 0 not in input:
        check_features(weight, input[1], "weight")
        check_features(bias, input[1], "bias")
    return input


def group_norm(
    input: List[int], num_groups: int, weight: Optional[List[int]], bias: Optional[List[int]]
) -> List[int]:
    """The shape of the input, whose channels the groups must divide."""
    out = instance_norm(input, weight, bias)
    assert num_groups > 0, f"num_groups must be positive, got {num_groups}"
    assert input[1] % num_groups == 0, (
        f"num_groups must divide the channels, got {num_groups} and {input[1]}"
    )
    return out


def layer_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
) -> List[int]:
    """The shape of the input, which ends in `normalized_shape`."""
    check_normalized(input, normalized_shape, weight, bias)
    return input


shape_family(
    instance_norm,
    "quantized::instance_norm",
    ok=[
        Invocation(Q(2, 4, 3), T(4), T(4), *_NORM, device="cpu"),
        Invocation(Q(0, 4, 3, 2), None, T(4), *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3, dtype=_SIGNED), None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3, dtype=torch.qint32), None, None, *_NORM, device="cpu"),
    ],
    error=[
        Invocation(Q(2, 4), None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3), T(3), T(4), *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3), T(4), T(3), *_NORM, device="cpu"),
    ],
)
shape_family(
    group_norm,
    "quantized::group_norm",
    ok=[
        Invocation(Q(2, 4, 3), 2, T(4), T(4), *_NORM, device="cpu"),
        Invocation(Q(0, 4, 3, 2), 4, None, T(4), *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3, dtype=_SIGNED), 1, None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3, dtype=torch.qint32), 1, None, None, *_NORM, device="cpu"),
    ],
    error=[
        Invocation(Q(2, 4), 2, None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3), 0, None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3), 3, None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3), 2, T(3), T(4), *_NORM, device="cpu"),
    ],
)
shape_family(
    layer_norm,
    "quantized::layer_norm",
    ok=[
        Invocation(Q(2, 4, 3), [4, 3], T(4, 3), T(4, 3), *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3), [2, 4, 3], None, None, *_NORM, device="cpu"),
        Invocation(Q(0, 3), [3], None, T(3), *_NORM, device="cpu"),
        Invocation(Q(2, 3, dtype=_SIGNED), [3], None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 3, dtype=torch.qint32), [3], None, None, *_NORM, device="cpu"),
    ],
    error=[
        Invocation(Q(2, 4, 3), [4], None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 4, 3), [], None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 3), [1, 2, 3], None, None, *_NORM, device="cpu"),
        Invocation(Q(2, 3), [3], T(2), None, *_NORM, device="cpu"),
        Invocation(Q(2, 3), [3], None, T(2), *_NORM, device="cpu"),
    ],
)
dtype_family(
    dtype_of_input, "quantized::instance_norm", "quantized::group_norm", "quantized::layer_norm"
)


# Max pooling of quantized tensors.


def max_pool3d_of_self(
    self: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
) -> List[int]:
    """Pool the last three dimensions; the batch dimension is required."""
    assert len(self) == 5, f"the input must have 5 dimensions, got shape {self}"
    return pooled(self, 3, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool(
    qx: List[int],
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    ceil_mode: bool,
    rank: int,
) -> List[int]:
    """Pool the last `rank` dimensions."""
    return pooled(qx, rank, kernel_size, stride, padding, dilation, ceil_mode)


def pool_ok(rank: int, *channels: int) -> list[Invocation]:
    """Cases for a pool of `rank` spatial dimensions of size 9, with or without a batch."""
    sizes = (*channels, *[9] * rank)

    def window(
        kernel: int, stride: int | None, padding: int, dilation: int
    ) -> tuple[list[int], ...]:
        strides = [] if stride is None else [stride] * rank
        return [kernel] * rank, strides, [padding] * rank, [dilation] * rank

    return [
        Invocation(Q(*sizes), *window(2, 2, 0, 1), False, device="cpu"),
        Invocation(Q(*sizes), *window(3, 2, 1, 1), True, device="cpu"),
        Invocation(Q(*sizes), *window(3, None, 1, 2), False, device="cpu"),
        Invocation(Q(*sizes), *window(4, 3, 2, 1), True, device="cpu"),
        Invocation(Q(*sizes), *window(2, 4, 1, 3), True, device="cpu"),
        Invocation(Q(0, 3, *sizes[-rank:]), *window(2, 2, 0, 1), False, device="cpu"),
        Invocation(Q(*sizes, dtype=torch.qint8), *window(2, 2, 0, 1), False, device="cpu"),
        Invocation(Q(*sizes, dtype=torch.qint32), *window(2, 2, 0, 1), False, device="cpu"),
    ]


def pool_error(rank: int) -> list[Invocation]:
    """Cases that such a pool rejects."""
    sizes, one = (2, 3, *[9] * rank), [1] * rank
    return [
        Invocation(Q(*sizes[2:]), one, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(1, *sizes), one, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), [10] * rank, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), [0] * rank, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), one, [0] * rank, [0] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), one, one, one, one, False, device="cpu"),
        Invocation(Q(*sizes), one, one, [-1] * rank, one, False, device="cpu"),
        Invocation(Q(*sizes), one, one, [0] * rank, [0] * rank, False, device="cpu"),
        Invocation(Q(*sizes), one * 4, one, [0] * rank, one, False, device="cpu"),
        Invocation(Q(2, 0, *sizes[2:]), one, one, [0] * rank, one, False, device="cpu"),
    ]


shape_family(
    pooled,
    "aten::quantized_max_pool1d",
    ok=[*pool_ok(1, 2, 3), *pool_ok(1, 3), Invocation(Q(2, 3, 9), [2], device="cpu")],
    error=pool_error(1),
    rank=1,
)
shape_family(
    pooled,
    "aten::quantized_max_pool2d",
    ok=[*pool_ok(2, 2, 3), *pool_ok(2, 3), Invocation(Q(2, 3, 9, 8), [2, 3], device="cpu")],
    error=pool_error(2),
    rank=2,
)
shape_family(
    max_pool3d_of_self,
    "aten::quantized_max_pool3d",
    ok=[*pool_ok(3, 2, 3), Invocation(Q(2, 3, 9, 8, 7), [2, 3, 4], device="cpu")],
    error=[
        *pool_error(3),
        Invocation(Q(3, 9, 9, 9), [2] * 3, [2] * 3, [0] * 3, [1] * 3, False, device="cpu"),
    ],
)
dtype_family(
    dtype_of_self,
    "aten::quantized_max_pool1d",
    "aten::quantized_max_pool2d",
    "aten::quantized_max_pool3d",
)
shape_family(
    max_pool,
    "quantized::max_pool1d",
    ok=pool_ok(1, 2, 3) + pool_ok(1, 3),
    error=pool_error(1),
    rank=1,
)
# The meta kernel also accepts floating-point tensors.
shape_family(
    max_pool,
    "quantized::max_pool2d",
    ok=[
        *pool_ok(2, 2, 3),
        *pool_ok(2, 3),
        Invocation(T(2, 3, 9, 9), [2, 2], [2, 2], [0, 0], [1, 1], False),
    ],
    error=pool_error(2),
    rank=2,
)
dtype_family(dtype_of_qx, "quantized::max_pool1d", "quantized::max_pool2d")
