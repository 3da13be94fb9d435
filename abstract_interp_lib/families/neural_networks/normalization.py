"""Layer norm, group norm, RMS norm, `weight_norm`, and their gradients."""

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
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.dims import wrap_dim
from torch_refine.abstract_interp_lib.rules.normalization import (
    channels_of,
    check_features,
    check_normalized,
    first_dtype,
    is_half,
    parameter_dtype,
    statistics_dtype,
    statistics_shape,
)
from torch_refine.abstract_interp_lib.rules.promotion import (
    int_to_float,
    is_integral,
    promote_two,
    real_dtype,
)
from torch_refine.abstract_interp_lib.rules.sizes import product


def input_dtype(input: Tuple[int, int]) -> int:
    """The dtype of `input`."""
    return input[1]


@shape_function(
    "aten::layer_norm",
    ok=[
        Invocation(T(2, 3, 4), [4]),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), T(3, 4)),
        Invocation(T(4), [4], weight=T(4)),
        Invocation(T(0, 4), [4], bias=T(4)),
        Invocation(T(2, 0), [0]),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4, dtype=torch.bfloat16)),
        Invocation(T(2, 4, dtype=torch.float16), [4], T(4), T(4)),
        Invocation(T(2, 4, dtype=torch.float64), [4]),
    ],
    error=[
        Invocation(T(2, 3, 4), []),
        Invocation(T(4), [2, 4]),
        Invocation(T(2, 3, 4), [3]),
        Invocation(T(2, 3, 4), [4], T(1)),
        Invocation(T(2, 3, 4), [4], T(1, 4)),
        Invocation(T(2, 3, 4), [3, 4], None, T(4)),
    ],
)
def layer_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]] = None,
    bias: Optional[List[int]] = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> List[int]:
    """The shape of the input, which must end in `normalized_shape`."""
    check_normalized(input, normalized_shape, weight, bias)
    return input


dtype_family(input_dtype, "aten::layer_norm", "aten::rms_norm", "aten::group_norm")


@shape_function(
    "aten::native_layer_norm",
    ok=[
        Invocation(T(2, 3, 4), [4], None, None, 1e-5),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), T(3, 4), 1e-5),
        Invocation(T(4), [4], T(4), None, 1e-5),
        Invocation(T(0, 4), [4], None, T(4), 1e-5),
        Invocation(T(2, 4, dtype=torch.float64), [4], None, None, 1e-5),
        Invocation(T(2, 4, dtype=torch.float16), [4], T(4), T(4), 1e-5),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4), None, 1e-5),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], None, None, 1e-5),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], None, None, 1e-5, device="cpu"),
    ],
    error=[Invocation(T(2, 3, 4), [3], None, None, 1e-5)],
)
def native_layer_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    eps: float,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and mean and rstd over `normalized_shape`."""
    check_normalized(input, normalized_shape, weight, bias)
    rank = len(normalized_shape)
    return input, statistics_shape(input, rank), statistics_shape(input, rank)


@dtype_function("aten::native_layer_norm")
def native_layer_norm_dtype(
    input: Tuple[int, int],
    normalized_shape: List[int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    eps: float,
) -> Tuple[int, int, int]:
    """The dtype of the input, and of its statistics."""
    parameters: List[Optional[Tuple[int, int]]] = [weight, bias]
    statistics = statistics_dtype(input[1], parameters)
    return input[1], statistics, statistics


@shape_function(
    "aten::rms_norm",
    ok=[
        Invocation(T(2, 3, 4), [4]),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), 1e-6),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4)),
        Invocation(T(2, 4, dtype=torch.complex64), [4], eps=None),
    ],
    error=[Invocation(T(2, 3, 4), [3]), Invocation(T(2, 3, 4), [4], T(1))],
)
def rms_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]] = None,
    eps: Optional[float] = None,
) -> List[int]:
    """The shape of the input, which must end in `normalized_shape`."""
    check_normalized(input, normalized_shape, weight, None)
    return input


# Unlike `rms_norm`, which calls it, it only uses the length of `normalized_shape`.
@shape_function(
    "aten::_fused_rms_norm",
    ok=[
        Invocation(T(2, 3, 4), [4], None, None),
        Invocation(T(2, 3, 4), [3, 4], T(3, 4), 1e-6),
        Invocation(T(2, 3, 4), [], T(4), None),
        Invocation(T(), [3], T(3), None),
        Invocation(T(2, 4, dtype=torch.bfloat16), [4], T(4), None),
        Invocation(T(2, 4, dtype=torch.float64), [4], T(4), None),
    ],
    error=[Invocation(T(4), [2, 4], None, None)],
)
def _fused_rms_norm(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    eps: Optional[float],
) -> Tuple[List[int], List[int]]:
    """The shape of the input, and rstd over `normalized_shape`, or over all dimensions if empty."""
    rank = len(normalized_shape)
    assert rank <= max(len(input), 1), (
        f"aten::_fused_rms_norm: normalized_shape {normalized_shape} has a higher rank than input {input}"
    )
    if rank == 0 or len(input) == 0:
        rank = len(input)
    out = input
    if weight is not None:
        out = broadcast_two(input, weight)
    return out, statistics_shape(input, rank)


@dtype_function("aten::_fused_rms_norm")
def _fused_rms_norm_dtype(
    input: Tuple[int, int],
    normalized_shape: List[int],
    weight: Optional[Tuple[int, int]],
    eps: Optional[float],
) -> Tuple[int, int]:
    """The dtype of the input; rstd of half-precision inputs is float32."""
    return input[1], torch.float32 if is_half(input[1]) else input[1]


def check_groups(
    channels: int, groups: int, weight: Optional[List[int]], bias: Optional[List[int]]
) -> None:
    """Raise unless groups divide the channels and parameters have one element per channel."""
    assert groups > 0, f"groups must be positive, got {groups}"
    assert channels % groups == 0, f"groups must divide the channels, got {groups} and {channels}"
    if weight is not None:
        assert len(weight) == 1, f"weight must be 1-D, got shape {weight}"
        check_features(weight, channels, "weight")
    if bias is not None:
        assert len(bias) == 1, f"bias must be 1-D, got shape {bias}"
        check_features(bias, channels, "bias")


@shape_function(
    "aten::group_norm",
    ok=[
        Invocation(T(2, 4, 5, 6), 2),
        Invocation(T(2, 4), 4, T(4), T(4)),
        Invocation(T(0, 4, 5), 1, bias=T(4)),
        Invocation(T(2, 4, 5, dtype=torch.float16), 2, T(4, dtype=torch.float16)),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), 2, T(4), T(4)),
        Invocation(T(2, 4, 5, dtype=torch.float64), 2),
    ],
    error=[
        Invocation(T(4), 2),
        Invocation(T(2, 4, 5), 0),
        Invocation(T(2, 4, 5), 3),
        Invocation(T(2, 4, 5), 2, T(3)),
        Invocation(T(2, 4, 5), 2, T(4, 1)),
        Invocation(T(2, 4, 5), 2, None, T(2, 2)),
    ],
)
def group_norm(
    input: List[int],
    num_groups: int,
    weight: Optional[List[int]] = None,
    bias: Optional[List[int]] = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> List[int]:
    """The shape of the input, whose channels the groups must divide."""
    check_groups(channels_of(input), num_groups, weight, bias)
    return input


# The meta kernel returns half-precision statistics for half-precision inputs with float32
# parameters.
@shape_function(
    "aten::native_group_norm",
    ok=[
        Invocation(T(2, 4, 5), T(4), T(4), 2, 4, 5, 2, 1e-5),
        Invocation(T(0, 4, 5), None, None, 0, 4, 5, 4, 1e-5),
        Invocation(T(2, 4, 5, dtype=torch.float16), None, None, 2, 4, 5, 2, 1e-5),
        Invocation(T(2, 4, 5, dtype=torch.bfloat16), T(4), None, 2, 4, 5, 2, 1e-5, device="cpu"),
        Invocation(T(2, 4, 5, dtype=torch.float64), None, None, 2, 4, 5, 2, 1e-5),
    ],
    error=[
        Invocation(T(2, 4, 5), None, None, 2, 4, 5, 0, 1e-5),
        Invocation(T(2, 4, 5), None, None, 2, 4, 5, 3, 1e-5),
        Invocation(T(2, 4, 5), T(3), None, 2, 4, 5, 2, 1e-5),
    ],
)
def native_group_norm(
    input: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and mean and rstd per group."""
    check_groups(C, group, weight, bias)
    return input, [N, group], [N, group]


@dtype_function("aten::native_group_norm")
def native_group_norm_dtype(
    input: Tuple[int, int],
    weight: Optional[Tuple[int, int]],
    bias: Optional[Tuple[int, int]],
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Tuple[int, int, int]:
    """The dtype of the input, and of the parameters."""
    parameters: List[Optional[Tuple[int, int]]] = [weight, bias]
    statistics = parameter_dtype(input[1], parameters)
    return input[1], statistics, statistics


# Gradients of layer norm, group norm and RMS norm with respect to input, weight and bias.
#
# A gradient not requested by the output mask is undefined, so any shape and dtype is correct.

_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_ALL = [True, True, True]
_INPUT_ONLY = [True, False, False]


def layer_norm_backward(
    input: List[int],
    normalized_shape: List[int],
    weight: Optional[List[int]],
    bias: Optional[List[int]],
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and twice that of the parameters."""
    check_normalized(input, normalized_shape, weight, bias)
    return input, normalized_shape, normalized_shape


def layer_norm_backward_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]], bias: Optional[Tuple[int, int]]
) -> Tuple[int, int, int]:
    """The dtypes of the input, the weight and the bias."""
    of_weight: List[Optional[Tuple[int, int]]] = [weight, bias]
    of_bias: List[Optional[Tuple[int, int]]] = [bias, weight]
    return input[1], first_dtype(input[1], of_weight), first_dtype(input[1], of_bias)


def _layer_norm(
    dtype: torch.dtype, parameters: torch.dtype, *rows: int, device: str = "meta"
) -> Invocation:
    """A call with `rows` vectors; statistics have the dtype of the parameters."""
    grad, weight = T(*rows, 3, dtype=dtype), T(3, dtype=parameters)
    statistics = T(*rows, 1, dtype=parameters)
    return Invocation(grad, grad, [3], statistics, statistics, weight, weight, _ALL, device=device)


# For empty inputs the meta kernel returns half-precision parameter gradients.
_ROWS = (T(2, 3), T(2, 3), [3], T(2, 1), T(2, 1))
shape_family(
    layer_norm_backward,
    "aten::native_layer_norm_backward",
    ok=[
        _layer_norm(torch.float32, torch.float32, 2),
        _layer_norm(torch.float32, torch.float32, 0),
        _layer_norm(torch.float32, torch.float32, 4, 2, device="cpu"),
        *[_layer_norm(dtype, dtype, 2, device="cpu") for dtype in _FLOATS],
        _layer_norm(torch.bfloat16, torch.float32, 2),
        _layer_norm(torch.bfloat16, torch.float32, 2, device="cpu"),
        _layer_norm(torch.bfloat16, torch.float32, 0, device="cpu"),
        Invocation(*_ROWS, None, None, _INPUT_ONLY, device="cpu"),
        Invocation(*_ROWS, None, T(3), [True, False, True], device="cpu"),
        Invocation(*_ROWS, T(3), None, [False, True, False], device="cpu"),
    ],
    error=[
        Invocation(T(2, 3), T(2, 3), [4], T(2, 1), T(2, 1), T(4), T(4), _ALL, device="cpu"),
        Invocation(*_ROWS, T(4), T(3), _ALL, device="cpu"),
    ],
)
dtype_family(layer_norm_backward_dtype, "aten::native_layer_norm_backward")


def rms_norm_backward(input: List[int], normalized_shape: List[int]) -> Tuple[List[int], List[int]]:
    """The shape of the input, and of its normalized dimensions."""
    return input, input[max(len(input) - len(normalized_shape), 0) :]


def rms_norm_backward_dtype(input: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the input."""
    return input[1], input[1]


# It runs on CUDA only.
shape_family(
    rms_norm_backward,
    "aten::_fused_rms_norm_backward",
    ok=[
        Invocation(T(2, 4, 3), T(2, 4, 3), [3], T(2, 4, 1), T(3), [True, True]),
        Invocation(T(2, 4, 3), T(2, 4, 3), [4, 3], T(2, 1, 1), T(4, 3), [True, True]),
        Invocation(T(2, 3), T(2, 3), [2, 3], T(1, 1), T(2, 3), [True, True]),
        Invocation(T(0, 3), T(0, 3), [3], T(0, 1), T(3), [True, True]),
        Invocation(T(2, 3), T(2, 3), [3], T(2, 1), None, [True, False]),
        *[
            Invocation(*[T(2, 3, dtype=dtype)] * 2, [3], T(2, 1), T(3, dtype=dtype), [True, True])
            for dtype in _FLOATS
        ],
    ],
)
dtype_family(rms_norm_backward_dtype, "aten::_fused_rms_norm_backward")


def group_norm_backward(
    input: List[int], weight: Optional[List[int]], C: int
) -> Tuple[List[int], List[int], List[int]]:
    """The shape of the input, and twice that of the weight, which has one element per channel."""
    parameters = [C]
    if weight is not None:
        assert product(weight) == C, f"weight must have {C} elements, got shape {weight}"
        parameters = weight
    return input, parameters, parameters


def group_norm_backward_dtype(
    input: Tuple[int, int], weight: Optional[Tuple[int, int]]
) -> Tuple[int, int, int]:
    """The dtype of the input, and twice that of the weight."""
    parameters = first_dtype(input[1], [weight])
    return input[1], parameters, parameters


def _group_norm(
    dtype: torch.dtype, parameters: torch.dtype, batch: int = 2, device: str = "meta"
) -> Invocation:
    """A call with two groups of two channels; statistics have the dtype of the weight."""
    grad, statistics = T(batch, 4, 5, dtype=dtype), T(batch, 2, dtype=parameters)
    weight = T(4, dtype=parameters)
    return Invocation(
        grad, grad, statistics, statistics, weight, batch, 4, 5, 2, _ALL, device=device
    )


# The meta kernel promotes input and parameters.
_GROUPS = (T(2, 4, 5), T(2, 4, 5), T(2, 2), T(2, 2))
shape_family(
    group_norm_backward,
    "aten::native_group_norm_backward",
    ok=[
        _group_norm(torch.float32, torch.float32),
        _group_norm(torch.float32, torch.float32, batch=0, device="cpu"),
        *[_group_norm(dtype, dtype) for dtype in _FLOATS],
        _group_norm(torch.bfloat16, torch.float32, device="cpu"),
        Invocation(*_GROUPS, None, 2, 4, 5, 2, _INPUT_ONLY, device="cpu"),
        Invocation(*_GROUPS, T(2, 2), 2, 4, 5, 2, _ALL, device="cpu"),
    ],
    error=[Invocation(*_GROUPS, T(3), 2, 4, 5, 2, _ALL)],
)
dtype_family(group_norm_backward_dtype, "aten::native_group_norm_backward")


# Weight normalization: a direction `v` and a magnitude `g`, as in `torch.nn.utils.weight_norm`.
#
# There is one magnitude per index of one dimension; the kernels support the first and the last.


def norm_except_dim(v: List[int], dim: int) -> List[int]:
    """One norm per index of a dimension; for -1, which is not wrapped here, one in total."""
    if dim == -1:
        out = v[:0]
    else:
        assert len(v) > 0, f"a 0-dim tensor has no dimension {dim}"
        kept = wrap_dim(dim, len(v))
        out = [v[index] if index == kept else 1 for index in range(len(v))]
    return out


def norm_except_dim_dtype(v: Tuple[int, int]) -> int:
    """The real dtype of `v`."""
    assert not is_integral(v[1]), f"the input must be floating-point or complex, got dtype {v[1]}"
    return real_dtype(v[1])


shape_family(
    norm_except_dim,
    "aten::norm_except_dim",
    ok=[
        Invocation(T(2, 3, 4)),
        Invocation(T(2, 3, 4), 2, 1),
        Invocation(T(2, 3, 4), 1, 2),
        Invocation(T(2, 3, 4), 2, -2),
        Invocation(T(2, 3, 4), 2, -1),
        Invocation(T(), 2, -1),
        Invocation(T(0, 3), 2, 1),
        *[Invocation(T(2, 3, dtype=dtype)) for dtype in (*_FLOATS, torch.complex64)],
    ],
    error=[Invocation(T(2, 3), 2, 2), Invocation(T())],
)
dtype_family(
    norm_except_dim_dtype,
    "aten::norm_except_dim",
    error=[Invocation(T(2, 3, dtype=torch.int64))],
)


def weight_norm(v: List[int], g: List[int], dim: int) -> List[int]:
    """The shape of `v`; a `g` that is not 1-D along `dim` broadcasts."""
    fused = dim == 0 or dim == len(v) - 1
    return v if fused else broadcast_three(v, g, norm_except_dim(v, dim))


def weight_norm_dtype(v: Tuple[int, int], g: Tuple[int, int], dim: int) -> int:
    """`v` and `g`, divided by the norm, promote; the kernels require equal dtypes."""
    rank = 0 if dim == -1 else v[0]
    length = int_to_float(promote_two(g, (rank, real_dtype(v[1]))))
    return promote_two(v, (max(rank, g[0]), length))


# The meta kernel accepts mixed dtypes along the first and the last dimension.
shape_family(
    weight_norm,
    "aten::_weight_norm",
    ok=[
        Invocation(T(4, 3), T(4, 1)),
        Invocation(T(4, 3), T(1, 3), 1),
        Invocation(T(4, 3, 2), T(1, 3, 1), 1),
        Invocation(T(4, 3, 2), T(1, 3, 1), -2),
        Invocation(T(4, 3), T(), -1),
        Invocation(T(4, 3), T(1, 3), dim=-1),
        Invocation(T(4), T(4)),
        Invocation(T(4, 3, 2), T(5, 1, 1, 1), 1),
        *[Invocation(T(4, 3, dtype=dtype), T(4, 1, dtype=dtype)) for dtype in _FLOATS],
        *[Invocation(T(4, 3, 2, dtype=dtype), T(1, 3, 1, dtype=dtype), 1) for dtype in _FLOATS],
        Invocation(T(4, 3, 2), T(1, 3, 1, dtype=torch.float64), 1),
        Invocation(T(4, 3, 2), T(1, 3, 1, dtype=torch.int64), 1),
        Invocation(T(4, 3, dtype=torch.float64), T(1, 1), -1),
        Invocation(T(4, 3, 2, dtype=torch.complex64), T(1, 3, 1), 1),
        Invocation(*[T(4, 3, 2, dtype=torch.complex64)] * 2, 1),
    ],
    error=[Invocation(T(4, 3, 2), T(1, 4, 1), 1), Invocation(T(4, 3, 2), T(1, 3, 1), 3)],
)
dtype_family(weight_norm_dtype, "aten::_weight_norm")


def check_outermost(v: List[int], dim: int) -> None:
    """Raise unless a non-negative dimension is the first or the last one."""
    assert dim == 0 or dim == len(v) - 1, (
        f"dim must be the first or the last dimension of shape {v}, got {dim}"
    )


def weight_norm_in_kernel(v: List[int], g: List[int], dim: int) -> Tuple[List[int], List[int]]:
    """The weight, and the norms."""
    check_outermost(v, dim)
    return v, g


def weight_norm_in_kernel_dtype(v: Tuple[int, int], g: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of the operands; norms of half-precision inputs are float32."""
    return v[1], torch.float32 if is_half(g[1]) else g[1]


# The meta kernel returns norms in float16, and accepts any dimension.
shape_family(
    weight_norm_in_kernel,
    "aten::_weight_norm_interface",
    ok=[
        Invocation(T(4, 3), T(4, 1)),
        Invocation(T(4, 3), T(1, 3), 1),
        Invocation(T(4, 3, 2), T(1, 1, 2), dim=2),
        Invocation(T(4, 3, 2), T(4, 1, 1), 0),
        *[
            Invocation(T(4, 3, dtype=dtype), T(4, 1, dtype=dtype), 0, device="cpu")
            for dtype in _FLOATS
        ],
    ],
    error=[Invocation(T(4, 3, 2), T(1, 3, 1), 1, device="cpu")],
)
dtype_family(weight_norm_in_kernel_dtype, "aten::_weight_norm_interface")


def weight_norm_gradient(saved_v: List[int], saved_g: List[int]) -> Tuple[List[int], List[int]]:
    """The shapes of `v` and `g`."""
    return saved_v, saved_g


def weight_norm_gradient_dtype(
    saved_v: Tuple[int, int], saved_g: Tuple[int, int]
) -> Tuple[int, int]:
    """The dtypes of `v` and `g`."""
    return saved_v[1], saved_g[1]


shape_family(
    weight_norm_gradient,
    "aten::_weight_norm_interface_backward",
    ok=[
        Invocation(T(4, 3), T(4, 3), T(4, 1), T(4, 1), 0),
        Invocation(T(4, 3), T(4, 3), T(1, 3), T(1, 3), 1),
        *[
            Invocation(*[T(4, 3, dtype=dtype)] * 2, T(4, 1, dtype=dtype), T(4, 1), 0)
            for dtype in (torch.float16, torch.bfloat16)
        ],
        Invocation(*[T(4, 3, dtype=torch.float64)] * 2, *[T(4, 1, dtype=torch.float64)] * 2, 0),
    ],
)
dtype_family(weight_norm_gradient_dtype, "aten::_weight_norm_interface_backward")


def weight_norm_differentiable_gradient(
    grad_w: List[int],
    saved_v: List[int],
    saved_g: List[int],
    saved_norms: List[int],
    dim: int,
) -> Tuple[List[int], List[int]]:
    """The broadcast shapes of gradient, `v` and `g`, with norms and their sums."""
    check_outermost(saved_v, dim)
    sums = norm_except_dim(saved_v, 0 if dim == 0 else len(saved_v) - 1)
    scale = broadcast_two(saved_g, saved_norms)
    shift = broadcast_three(saved_v, sums, saved_norms)
    return broadcast_three(scale, grad_w, shift), broadcast_two(sums, saved_norms)


def weight_norm_differentiable_gradient_dtype(
    grad_w: Tuple[int, int],
    saved_v: Tuple[int, int],
    saved_g: Tuple[int, int],
    saved_norms: Tuple[int, int],
) -> Tuple[int, int]:
    """The dtypes of `v` and `g`, promoted with the dtypes of the gradient.

    Norms are cast to the dtype of `g` first.
    """
    rank = max(saved_v[0], grad_w[0])
    sums = promote_two(grad_w, saved_v)
    norms = (saved_norms[0], saved_g[1])
    length = promote_two((saved_v[0], sums), norms)
    shift = promote_two(saved_v, (max(saved_v[0], norms[0]), length))
    inner = promote_two(grad_w, (saved_v[0], shift))
    scale = (max(saved_g[0], norms[0]), saved_g[1])
    return promote_two(scale, (rank, inner)), length


shape_family(
    weight_norm_differentiable_gradient,
    "aten::_weight_norm_differentiable_backward",
    ok=[
        Invocation(T(4, 3), T(4, 3), T(4, 1), T(4, 1), 0),
        Invocation(T(4, 3, 2), T(4, 3, 2), T(1, 1, 2), T(1, 1, 2), 2),
        Invocation(T(4), T(4), T(4), T(4), 0),
        *[
            Invocation(*[T(4, 3, dtype=dtype)] * 2, T(4, 1, dtype=dtype), T(4, 1), 0)
            for dtype in (torch.float16, torch.bfloat16)
        ],
        Invocation(*[T(4, 3, dtype=torch.float64)] * 2, *[T(4, 1, dtype=torch.float64)] * 2, 0),
        Invocation(T(4, 3, dtype=torch.float64), T(4, 3), T(4, 1), T(4, 1), 0),
    ],
    error=[Invocation(*[T(4, 3, 2)] * 2, *[T(1, 3, 1)] * 2, 1)],
)
dtype_family(
    weight_norm_differentiable_gradient_dtype, "aten::_weight_norm_differentiable_backward"
)
