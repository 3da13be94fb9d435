"""Quantized layers: joining, matrix products, normalization.

They run on the CPU only. Scales and zero points of results change no shape.
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
from torch_refine.abstract_interp_lib.families.joining import cat_rule
from torch_refine.abstract_interp_lib.families.matmul import matmul
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.normalization import check_features, check_normalized
from torch_refine.abstract_interp_lib.rules.pointwise import dtype_of_input
from torch_refine.abstract_interp_lib.rules.quantization import check_float32, check_same_dtype

_DTYPES = (torch.quint8, torch.qint8, torch.qint32)
_SIGNED = torch.qint8


def Q(*sizes: int, dtype: torch.dtype = torch.quint8) -> TensorCase:
    """A quantized tensor for a case."""
    return T(*sizes, dtype=dtype)


def dtype_of_qx(qx: Tuple[int, int]) -> int:
    """The dtype of the quantized tensor."""
    return qx[1]


# Joining.
def quantized_cat(qx: List[List[int]], dim: int) -> List[int]:
    """Tensors one after another along a dimension."""
    return cat_rule(qx, dim)


def quantized_cat_out(qx: List[List[int]], dim: int, out: List[int]) -> List[int]:
    """As `quantized_cat`, copied into a tensor, which may broadcast."""
    check_expands(cat_rule(qx, dim), out)
    return out


def quantized_cat_dtype(qx: List[Tuple[int, int]]) -> int:
    """The one dtype of the tensors."""
    assert len(qx) > 0, f"there must be tensors to join, got {len(qx)}"
    for tensor in qx:
        check_same_dtype(qx[0], tensor)
    return qx[0][1]


def quantized_cat_out_dtype(qx: List[Tuple[int, int]], out: Tuple[int, int]) -> int:
    """The one dtype of the tensors and the result."""
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


# Matrix products.
def quantized_matmul(qa: List[int], qb: List[int]) -> List[int]:
    """A product of vectors, matrices or, broadcasting, batches of matrices."""
    return matmul(qa, qb)


def quantized_matmul_dtype(qa: Tuple[int, int], qb: Tuple[int, int]) -> int:
    """The one dtype of both factors, which must be bytes."""
    check_same_dtype(qa, qb)
    assert qa[1] == torch.quint8 or qa[1] == torch.qint8, (
        f"factors must be of dtype quint8 or qint8, got dtype {qa[1]}"
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
    """The last dimension of the input is mapped by a matrix, which is rounded to float16."""
    assert len(X) >= 2, f"X must have two dimensions or more, got shape {X}"
    assert len(weight) == 2, f"weight must be a matrix, got shape {weight}"
    assert X[-1] == weight[1], f"X has {X[-1]} features, weight expects {weight[1]}"
    if bias is not None:
        assert len(bias) == 1, f"bias must be a vector, got shape {bias}"
        check_expands(bias, weight[:1])
    return X[:-1] + weight[:1]


def linear_unpacked_dtype(X: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Float32, like the input and the weight."""
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
    """The shape of the input; where that is empty, PyTorch looks at no other shape."""
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


def batch_norm_of_input(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    mean: List[int],
    var: List[int],
) -> List[int]:
    """The shape of the input, which has up to three spatial dimensions."""
    return quantized_batch_norm(input, weight, bias, mean, var, 2, 5)


def batch_norm(
    qx: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    mean: List[int],
    var: List[int],
) -> List[int]:
    """The shape of the input, which has up to three spatial dimensions."""
    return quantized_batch_norm(qx, weight, bias, mean, var, 2, 5)


def batch_norm1d(
    qx: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    mean: List[int],
    var: List[int],
) -> List[int]:
    """The shape of the input, which has up to one spatial dimension."""
    return quantized_batch_norm(qx, weight, bias, mean, var, 2, 3)


def batch_norm2d(
    qx: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    mean: List[int],
    var: List[int],
) -> List[int]:
    """The shape of the input, which has two spatial dimensions."""
    return quantized_batch_norm(qx, weight, bias, mean, var, 4, 4)


def batch_norm3d(
    qx: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    mean: List[int],
    var: List[int],
) -> List[int]:
    """The shape of the input, which has three spatial dimensions."""
    return quantized_batch_norm(qx, weight, bias, mean, var, 5, 5)


_NORM = (1e-5, 0.1, 0)


def batch_norm_ok(*shapes: tuple[int, ...]) -> list[Invocation]:
    """Cases for inputs of these shapes, which have 3 channels."""
    return [
        *[Invocation(Q(*shape), *[T(3)] * 4, *_NORM, device="cpu") for shape in shapes],
        *[Invocation(Q(*shapes[0], dtype=d), *[T(3)] * 4, *_NORM, device="cpu") for d in _DTYPES],
        Invocation(Q(0, 3), T(1), T(2), T(4), T(5), *_NORM, device="cpu"),
    ]


def batch_norm_error(right: tuple[int, ...], wrong: tuple[int, ...]) -> list[Invocation]:
    """What such a normalization rejects: an input of shape `wrong`, and wrong parameters."""
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
shape_family(batch_norm_of_input, "aten::quantized_batch_norm", ok=_ANY_OK, error=_ANY_ERROR)
shape_family(batch_norm, *_BATCH_NORM, ok=_ANY_OK, error=_ANY_ERROR)
shape_family(
    batch_norm1d,
    *_BATCH_NORM1D,
    ok=batch_norm_ok((2, 3), (2, 3, 4)),
    error=batch_norm_error((2, 3), (2, 3, 4, 5)),
)
shape_family(
    batch_norm2d,
    *_BATCH_NORM2D,
    ok=batch_norm_ok((2, 3, 4, 5)),
    error=batch_norm_error((2, 3, 4, 5), (2, 3, 4)),
)
shape_family(
    batch_norm3d,
    *_BATCH_NORM3D,
    ok=batch_norm_ok((2, 3, 4, 5, 6)),
    error=batch_norm_error((2, 3, 4, 5, 6), (2, 3, 4, 5)),
)
dtype_family(dtype_of_input, "aten::quantized_batch_norm")
dtype_family(dtype_of_qx, *_BATCH_NORM, *_BATCH_NORM1D, *_BATCH_NORM2D, *_BATCH_NORM3D)


def instance_norm(
    input: List[int], weight: Optional[List[int]], bias: Optional[List[int]]
) -> List[int]:
    """The shape of the input, which has a batch, channels and spatial dimensions.

    Where the input is empty, PyTorch looks at no other shape.
    """
    assert len(input) >= 3, f"the input must have three dimensions or more, got shape {input}"
    if 0 not in input:
        check_features(weight, input[1], "weight")
        check_features(bias, input[1], "bias")
    return input


def group_norm(
    input: List[int], num_groups: int, weight: Optional[List[int]], bias: Optional[List[int]]
) -> List[int]:
    """The shape of the input, whose channels make groups of one size."""
    out = instance_norm(input, weight, bias)
    assert num_groups > 0, f"there must be groups, got {num_groups}"
    assert input[1] % num_groups == 0, (
        f"{input[1]} channels cannot make {num_groups} groups of one size"
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
