"""Activations and their gradients: `relu`, `gelu`, `softplus`, `glu`, `prelu`, `rrelu`, ..."""

from typing import Any, List, Optional, Sequence, Tuple, Union

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation,
    T,
    TensorCase,
    dtype_family,
    dtype_function,
    shape_family,
    shape_function,
)
from torch_refine.abstract_interp_lib.promotion_kinds import promotes
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_three, broadcast_two
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.dims import dtype_of_self, same_as_self, wrap_dim
from torch_refine.abstract_interp_lib.rules.matching import check_expands, check_same
from torch_refine.abstract_interp_lib.rules.promotion import (
    check_computed,
    check_number,
    dtype_of_filled,
    int_to_float,
    promote_dtypes,
    promote_two,
)
from torch_refine.abstract_interp_lib.rules.sizes import replace_size, wrap_existing

_SHAPES = [Invocation(T(2, 3)), Invocation(T()), Invocation(T(0, 3))]
_FLOATS = [
    Invocation(T(2, dtype=torch.float64)),
    Invocation(T(2, dtype=torch.float16)),
    Invocation(T(2, dtype=torch.bfloat16)),
]
_INTEGERS = [Invocation(T(2, dtype=torch.int64)), Invocation(T(2, dtype=torch.int32))]

# PyTorch supports floating-point inputs, and complex ones for `silu`.
_OF_FLOATS = (
    "aten::hardsigmoid",
    "aten::hardswish",
    "aten::log_sigmoid",
    "aten::mish",
    "aten::selu",
    "aten::silu",
    "aten::softshrink",
)
shape_family(same_as_self, *_OF_FLOATS, ok=_SHAPES)
dtype_family(dtype_of_self, *_OF_FLOATS, ok=_FLOATS)


# Kernels cast these scalars to the dtype that they compute in.
def celu_dtype(self: Tuple[int, int], alpha: Union[int, float, complex]) -> int:
    """The dtype of the input."""
    check_computed(alpha, self[1])
    return self[1]


def elu_dtype(
    self: Tuple[int, int],
    alpha: Union[int, float, complex],
    scale: Union[int, float, complex],
    input_scale: Union[int, float, complex],
) -> int:
    """The dtype of the input."""
    check_computed(alpha, self[1])
    check_computed(scale, self[1])
    check_computed(input_scale, self[1])
    return self[1]


def leaky_dtype(self: Tuple[int, int], negative_slope: Union[int, float, complex]) -> int:
    """The dtype of the input."""
    check_computed(negative_slope, self[1])
    return self[1]


def rectified_dtype(
    self: Tuple[int, int], lower: Union[int, float, complex], upper: Union[int, float, complex]
) -> int:
    """The dtype of the input."""
    check_computed(lower, self[1])
    check_computed(upper, self[1])
    return self[1]


def softplus_dtype(
    self: Tuple[int, int],
    beta: Union[int, float, complex],
    threshold: Union[int, float, complex],
) -> int:
    """The dtype of the input."""
    check_computed(beta, self[1])
    check_computed(threshold, self[1])
    return self[1]


def hardshrink_dtype(self: Tuple[int, int], lambd: Union[int, float, complex]) -> int:
    """The dtype of the input, to which the bound is cast."""
    check_number(lambd, self[1])
    return self[1]


_SCALED = {
    "aten::celu": (celu_dtype, [1e39]),
    "aten::elu": (elu_dtype, [1, 1, 1e39]),
    "aten::hardshrink": (hardshrink_dtype, [1e39]),
    "aten::leaky_relu": (leaky_dtype, [1e39]),
    "aten::rrelu": (rectified_dtype, [0.1, 1e39]),
    "aten::softplus": (softplus_dtype, [1e39]),
}
shape_family(same_as_self, *_SCALED, ok=_SHAPES)
for _operator, (_function, _too_large) in _SCALED.items():
    dtype_family(
        _function, _operator, ok=_FLOATS, error=[Invocation(T(2), *_too_large, device="cpu")]
    )


def gelu_rule(self: List[int], approximate: str) -> List[int]:
    """The shape of `self`; `approximate` is 'none' or 'tanh'."""
    assert approximate == "none" or approximate == "tanh", (
        f"approximate must be none or tanh, got {approximate}"
    )
    return self


shape_family(
    gelu_rule,
    "aten::gelu",
    ok=[*_SHAPES, Invocation(T(2, 3), approximate="tanh")],
    error=[Invocation(T(2, 3), approximate="sigmoid", device="cpu")],
)
dtype_family(dtype_of_self, "aten::gelu", ok=_FLOATS)

# These keep integer dtypes.
_OF_NUMBERS = ("aten::relu", "aten::relu6")
shape_family(same_as_self, *_OF_NUMBERS, "aten::hardtanh", ok=_SHAPES)
dtype_family(dtype_of_self, *_OF_NUMBERS, ok=[*_FLOATS, *_INTEGERS])


def hardtanh_dtype(
    self: Tuple[int, int],
    min_val: Union[int, float, complex],
    max_val: Union[int, float, complex],
) -> int:
    """The dtype of the input, to which the bounds are cast."""
    check_number(min_val, self[1])
    check_number(max_val, self[1])
    return self[1]


dtype_family(
    hardtanh_dtype,
    "aten::hardtanh",
    ok=[*_FLOATS, *_INTEGERS],
    error=[
        Invocation(T(2, dtype=torch.float16), -1e5, device="cpu"),
        Invocation(T(2, dtype=torch.float16), -1, 1e5, device="cpu"),
    ],
)


@shape_function(
    "aten::threshold",
    ok=[Invocation(T(2, 3), 0.5, 20), Invocation(T(), 1, 2), Invocation(T(0, 3), 1, 2)],
)
def threshold(
    self: List[int], threshold: Union[int, float, complex], value: Union[int, float, complex]
) -> List[int]:
    """Elements not above the threshold are replaced by `value`."""
    return self


@dtype_function(
    "aten::threshold",
    ok=[
        Invocation(T(2, dtype=torch.float16), 0.5, 20),
        Invocation(T(2, dtype=torch.bfloat16), 1, 2),
        Invocation(T(2, dtype=torch.int64), 1.5, 2.5),
        Invocation(T(2, dtype=torch.uint8), 1, 2),
    ],
    error=[
        Invocation(T(2, dtype=torch.uint8), 300, 2, device="cpu"),
        Invocation(T(2, dtype=torch.bool), 1, 2, device="cpu"),
        Invocation(T(2, dtype=torch.uint8), 1, -0.5, device="cpu"),
    ],
)
def threshold_dtype(
    self: Tuple[int, int],
    threshold: Union[int, float, complex],
    value: Union[int, float, complex],
) -> int:
    """The scalars are cast to the dtype of `self`, which is not bool."""
    assert self[1] != torch.bool, f"bools have no threshold, got dtype {self[1]}"
    check_computed(threshold, self[1])
    return dtype_of_filled(self, value)


@shape_function(
    "aten::glu",
    ok=[
        Invocation(T(2, 4)),
        Invocation(T(2, 4), 0),
        Invocation(T(6, 3, 5), -3),
        Invocation(T(0, 4)),
        Invocation(T(2, 0)),
    ],
    error=[Invocation(T(2, 3)), Invocation(T()), Invocation(T(2, 4), 2)],
)
def glu(self: List[int], dim: int = -1) -> List[int]:
    """`dim` is halved: one half gates the other."""
    assert len(self) > 0, f"aten::glu: self must have at least 1 dimension, got shape {self}"
    dim = wrap_dim(dim, len(self))
    assert self[dim] % 2 == 0, f"aten::glu: dimension {dim} must have an even size, got {self[dim]}"
    return replace_size(self, dim, self[dim] // 2)


@dtype_function(
    "aten::glu",
    ok=[Invocation(T(4, dtype=torch.float64)), Invocation(T(4, dtype=torch.bfloat16))],
)
def glu_dtype(self: Tuple[int, int], dim: int = -1) -> int:
    """The dtype of `self`."""
    return self[1]


@shape_function(
    "aten::prelu",
    ok=[
        Invocation(T(2, 3, 4), T(3)),
        Invocation(T(2, 3, 4), T(1)),
        Invocation(T(2, 3), T()),
        Invocation(T(5), T(1)),
        Invocation(T(), T()),
        Invocation(T(2, 0), T(0)),
    ],
    error=[
        Invocation(T(2, 3, 4), T(4)),
        Invocation(T(5), T(5)),
        Invocation(T(2, 3), T(1, 3)),
        Invocation(T(), T(2)),
    ],
)
def prelu(self: List[int], weight: List[int]) -> List[int]:
    """`weight` has one element, or one per channel."""
    assert len(weight) <= 1, (
        f"aten::prelu: weight must have at most 1 dimension, got shape {weight}"
    )
    channels = 1
    if len(self) > 1:
        channels = self[1]
    if len(weight) == 1:
        assert weight[0] == 1 or weight[0] == channels, (
            f"aten::prelu: weight must have 1 or {channels} elements, got {weight[0]}"
        )
    return self


@dtype_function(
    "aten::prelu",
    ok=[
        Invocation(T(2, 3, dtype=torch.float64), T(3, dtype=torch.float64)),
        Invocation(T(2, 3, dtype=torch.float16), T(1, dtype=torch.float16)),
        Invocation(T(2, 3, dtype=torch.bfloat16), T(dtype=torch.bfloat16)),
    ],
    error=[Invocation(T(2, 3), T(3, dtype=torch.float64))],
)
def prelu_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Weight and `self` have the same dtype."""
    assert self[1] == weight[1], f"aten::prelu: dtypes must match, got {self[1]} and {weight[1]}"
    return self[1]


# Gradients of activations: the incoming gradient times the derivative at the input or output.
#
# Both broadcast and promote, except for the few kernels that fix the dtype. The meta kernels do not
# check dtypes, and some promote differently from the CPU.


def gradient(grad_output: List[int], self: List[int]) -> List[int]:
    """Gradient and input broadcast."""
    return broadcast_two(grad_output, self)


@promotes("default")
def gradient_dtype(grad_output: Tuple[int, int], self: Tuple[int, int]) -> int:
    """Gradient and input promote."""
    return promote_two(grad_output, self)


def gradient_at_output(grad_output: List[int], output: List[int]) -> List[int]:
    """Gradient and output broadcast."""
    return broadcast_two(grad_output, output)


@promotes("default")
def gradient_at_output_dtype(grad_output: Tuple[int, int], output: Tuple[int, int]) -> int:
    """Gradient and output promote."""
    return promote_two(grad_output, output)


Pair = Tuple[TensorCase, TensorCase]

_GRADIENT_SHAPES = [
    (T(2, 3), T(2, 3)),
    (T(2, 1), T(3)),
    (T(), T(2, 3)),
    (T(), T()),
    (T(0, 3), T(1, 3)),
]
_GRADIENT_FLOATS = [
    (T(2, dtype=dtype), T(2, dtype=dtype))
    for dtype in (torch.float16, torch.bfloat16, torch.float64)
]
_MIXED = [
    (T(2, dtype=torch.float16), T(2)),
    (T(2), T(2, dtype=torch.float64)),
    (T(2, dtype=torch.float16), T(dtype=torch.float64)),
]
_PROMOTED = [*_GRADIENT_FLOATS, *_MIXED, (T(2, dtype=torch.float16), T(2, dtype=torch.int64))]
_COMPLEX = [
    (T(2, dtype=torch.complex64), T(2, dtype=torch.complex64)),
    (T(2), T(2, dtype=torch.complex64)),
]
_GRADIENT_INTEGERS = [
    (T(2, dtype=torch.int64), T(2, dtype=torch.int64)),
    (T(2, dtype=torch.uint8), T(2, dtype=torch.int32)),
    (T(2), T(2, dtype=torch.bool)),
]
_MISMATCHED = [(T(2), T(3)), (T(2, 3), T(2))]


def _cases(pairs: Sequence[Pair], *rest: Any, device: str = "cpu") -> List[Invocation]:
    """Pairs of gradient and input as cases of an operator with the further arguments `rest`."""
    return [Invocation(*pair, *rest, device=device) for pair in pairs]


# With the arguments that follow the input.
_GRADIENT_OF_FLOATS: dict[str, List[Any]] = {
    "aten::hardsigmoid_backward": [],
    "aten::hardswish_backward": [],
}
for _operator, _rest in _GRADIENT_OF_FLOATS.items():
    shape_family(
        gradient,
        _operator,
        ok=_cases(_GRADIENT_SHAPES, *_rest),
        error=_cases(_MISMATCHED, *_rest),
    )
    dtype_family(gradient_dtype, _operator, ok=_cases(_PROMOTED, *_rest))


@promotes("default", "grad_output", "self")
def hardtanh_gradient_dtype(
    grad_output: Tuple[int, int],
    self: Tuple[int, int],
    min_val: Union[int, float, complex],
    max_val: Union[int, float, complex],
) -> int:
    """Gradient and input promote."""
    promoted = gradient_dtype(grad_output, self)
    check_computed(min_val, promoted)
    check_computed(max_val, promoted)
    return promoted


@promotes("default", "grad_output", "self")
def leaky_gradient_dtype(
    grad_output: Tuple[int, int],
    self: Tuple[int, int],
    negative_slope: Union[int, float, complex],
) -> int:
    """Gradient and input promote."""
    promoted = gradient_dtype(grad_output, self)
    check_computed(negative_slope, promoted)
    return promoted


@promotes("default", "grad_output", "self")
def logit_gradient_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], eps: Optional[float]
) -> int:
    """Gradient and input promote, to the dtype that the bound is cast to."""
    promoted = gradient_dtype(grad_output, self)
    if eps is not None:
        check_number(eps, promoted)
    return promoted


@promotes("default", "grad_output", "self")
def softplus_gradient_dtype(
    grad_output: Tuple[int, int],
    self: Tuple[int, int],
    beta: Union[int, float, complex],
    threshold: Union[int, float, complex],
) -> int:
    """Gradient and input promote."""
    promoted = gradient_dtype(grad_output, self)
    check_computed(beta, promoted)
    check_computed(threshold, promoted)
    return promoted


@promotes("default", "grad_output", "self")
def softshrink_gradient_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], lambd: Union[int, float, complex]
) -> int:
    """Gradient and input promote, to the dtype that the bound is cast to."""
    promoted = gradient_dtype(grad_output, self)
    check_number(lambd, promoted)
    return promoted


# With arguments that follow the input, and such as kernels do not cast.
_GRADIENTS_WITH_NUMBERS = {
    "aten::hardtanh_backward": (hardtanh_gradient_dtype, [-1, 1], [-1, 1e39]),
    "aten::leaky_relu_backward": (leaky_gradient_dtype, [0.1, False], [1e39, False]),
    "aten::logit_backward": (logit_gradient_dtype, [], [1e39]),
    "aten::softplus_backward": (softplus_gradient_dtype, [1, 20], [1, 1e39]),
    "aten::softshrink_backward": (softshrink_gradient_dtype, [0.5], [1e39]),
}
for _operator, (_function, _rest, _too_large) in _GRADIENTS_WITH_NUMBERS.items():
    shape_family(
        gradient,
        _operator,
        ok=_cases(_GRADIENT_SHAPES, *_rest),
        error=_cases(_MISMATCHED, *_rest),
    )
    dtype_family(
        _function,
        _operator,
        ok=_cases(_PROMOTED, *_rest),
        error=_cases([(T(2), T(2))], *_too_large),
    )

# The CPU's kernel for equal dtypes accepts only operands of the same shape.
shape_family(
    gradient,
    "aten::gelu_backward",
    ok=[
        *_cases(_GRADIENT_SHAPES, device="meta"),
        Invocation(T(2, 3), T(2, 3), approximate="tanh", device="cpu"),
    ],
    error=_cases(_MISMATCHED),
)
dtype_family(gradient_dtype, "aten::gelu_backward", ok=_cases(_PROMOTED, device="meta"))
shape_family(
    gradient, "aten::silu_backward", ok=_cases(_GRADIENT_SHAPES), error=_cases(_MISMATCHED)
)
dtype_family(gradient_dtype, "aten::silu_backward", ok=_cases([*_PROMOTED, *_COMPLEX]))
shape_family(
    gradient,
    "aten::threshold_backward",
    ok=_cases(_GRADIENT_SHAPES, 0.5),
    error=_cases(_MISMATCHED, 0.5),
)


@promotes("default", "grad_output", "self")
def threshold_gradient_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], threshold: Union[int, float, complex]
) -> int:
    """Gradient and input promote, to the dtype that the threshold is cast to."""
    promoted = gradient_dtype(grad_output, self)
    check_computed(threshold, promoted)
    return promoted


dtype_family(
    threshold_gradient_dtype,
    "aten::threshold_backward",
    ok=_cases([*_PROMOTED, *_GRADIENT_INTEGERS], 0.5),
    error=[Invocation(*[T(2, dtype=torch.int8)] * 2, 300, device="cpu")],
)

_AT_OUTPUT = ("aten::sigmoid_backward", "aten::tanh_backward")
shape_family(
    gradient_at_output, *_AT_OUTPUT, ok=_cases(_GRADIENT_SHAPES), error=_cases(_MISMATCHED)
)
dtype_family(gradient_at_output_dtype, *_AT_OUTPUT, ok=_cases([*_PROMOTED, *_COMPLEX]))


def dtype_of_self_at(grad_output: Tuple[int, int], self: Tuple[int, int]) -> int:
    """The dtype of the input."""
    return self[1]


shape_family(
    gradient, "aten::mish_backward", ok=_cases(_GRADIENT_SHAPES), error=_cases(_MISMATCHED)
)
dtype_family(
    dtype_of_self_at,
    "aten::mish_backward",
    ok=_cases(
        [*_GRADIENT_FLOATS, (T(2), T(2, dtype=torch.float16)), (T(2), T(dtype=torch.float64))]
    ),
)


@shape_function(
    "aten::hardshrink_backward", ok=_cases(_GRADIENT_SHAPES, 0.5), error=_cases(_MISMATCHED, 0.5)
)
def hardshrink_backward(
    grad_out: List[int], self: List[int], lambd: Union[int, float, complex]
) -> List[int]:
    """Gradient and input broadcast."""
    return broadcast_two(grad_out, self)


@dtype_function(
    "aten::hardshrink_backward",
    ok=_cases(_PROMOTED, 0.5),
    error=_cases([(T(2, dtype=torch.float16), T(2, dtype=torch.float16))], 1e5),
)
def hardshrink_backward_dtype(
    grad_out: Tuple[int, int], self: Tuple[int, int], lambd: Union[int, float, complex]
) -> int:
    """Gradient and input promote, to the dtype that the bound is cast to."""
    promoted = promote_two(grad_out, self)
    check_number(lambd, promoted)
    return promoted


def elu_gradient(grad_output: List[int], self_or_result: List[int]) -> List[int]:
    """Gradient and input, or output, broadcast."""
    return broadcast_two(grad_output, self_or_result)


def elu_gradient_dtype(
    grad_output: Tuple[int, int],
    alpha: Union[int, float, complex],
    scale: Union[int, float, complex],
    input_scale: Union[int, float, complex],
    self_or_result: Tuple[int, int],
) -> int:
    """Gradient and input, or output, promote."""
    promoted = promote_two(grad_output, self_or_result)
    check_computed(alpha, promoted)
    check_computed(scale, promoted)
    check_computed(input_scale, promoted)
    return promoted


def _elu_cases(pairs: Sequence[Pair], scale: float = 1) -> List[Invocation]:
    return [Invocation(grad, 1, scale, 1, False, at, device="cpu") for grad, at in pairs]


shape_family(
    elu_gradient,
    "aten::elu_backward",
    ok=_elu_cases(_GRADIENT_SHAPES),
    error=_elu_cases(_MISMATCHED),
)
dtype_family(
    elu_gradient_dtype,
    "aten::elu_backward",
    ok=_elu_cases(_PROMOTED),
    error=_elu_cases([(T(2), T(2))], 1e39),
)


@shape_function(
    "aten::infinitely_differentiable_gelu_backward",
    ok=_cases([(T(2, 3), T(2, 3)), (T(1, 3), T(2, 3)), (T(), T()), (T(0, 3), T(0, 3))]),
    error=_cases([(T(2), T(3)), (T(2, 1), T(3)), (T(1, 3), T(3))]),
)
def infinitely_differentiable_gelu_backward(grad: List[int], self: List[int]) -> List[int]:
    """The gradient expands to the input."""
    check_expands(grad, self)
    return self


@dtype_function(
    "aten::infinitely_differentiable_gelu_backward",
    ok=_cases([*_GRADIENT_FLOATS, *_MIXED[:2], *_GRADIENT_INTEGERS]),
)
def infinitely_differentiable_gelu_backward_dtype(
    grad: Tuple[int, int], self: Tuple[int, int]
) -> int:
    """Gradient and input promote."""
    return promote_two(grad, self)


# The forward pass stores a buffer of the input's shape, or on CUDA an empty one.
@shape_function(
    "aten::log_sigmoid_forward",
    ok=[Invocation(T(2, 3), device="cpu"), Invocation(T(), device="cpu")],
)
def log_sigmoid_forward(self: List[int]) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and the buffer for the backward pass."""
    return self, self if runs_on_cpu() else [0]


@dtype_function(
    "aten::log_sigmoid_forward",
    ok=[
        Invocation(T(2, dtype=dtype), device="cpu")
        for dtype in (torch.float16, torch.bfloat16, torch.float64)
    ],
)
def log_sigmoid_forward_dtype(self: Tuple[int, int]) -> Tuple[int, int]:
    """The dtype of `self`."""
    return self[1], self[1]


@shape_function(
    "aten::log_sigmoid_backward",
    ok=[Invocation(grad, at, at, device="cpu") for grad, at in _GRADIENT_SHAPES],
    error=[Invocation(grad, at, at, device="cpu") for grad, at in _MISMATCHED],
)
def log_sigmoid_backward(grad_output: List[int], self: List[int], buffer: List[int]) -> List[int]:
    """Gradient and input broadcast; the buffer is the one of the forward pass."""
    return broadcast_two(grad_output, self)


@dtype_function(
    "aten::log_sigmoid_backward",
    ok=[Invocation(grad, at, at, device="cpu") for grad, at in _GRADIENT_FLOATS],
    error=[Invocation(grad, at, at, device="cpu") for grad, at in _MIXED],
)
def log_sigmoid_backward_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], buffer: Tuple[int, int]
) -> int:
    """Gradient and input have the same dtype."""
    assert grad_output[1] == self[1], (
        f"aten::log_sigmoid_backward: dtypes must match, got {grad_output[1]} and {self[1]}"
    )
    return self[1]


def slopes(self: List[int], weight: List[int]) -> List[int]:
    """Input and weight broadcast."""
    return broadcast_two(self, weight)


def one_dtype(self: int, weight: int) -> None:
    """Raise unless input and weight have the same dtype."""
    assert self == weight, f"dtypes must match, got {self} and {weight}"


def slopes_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Input and weight have the same dtype."""
    one_dtype(self[1], weight[1])
    return self[1]


shape_family(slopes, "aten::_prelu_kernel", ok=_cases(_GRADIENT_SHAPES), error=_cases(_MISMATCHED))
dtype_family(slopes_dtype, "aten::_prelu_kernel", ok=_cases(_GRADIENT_FLOATS), error=_cases(_MIXED))


def slopes_gradient(
    grad_output: List[int], self: List[int], weight: List[int]
) -> Tuple[List[int], List[int]]:
    """Gradients of input and weight, both with the broadcast shape of all operands."""
    out = broadcast_two(grad_output, broadcast_two(self, weight))
    return out, out


def slopes_gradient_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int]:
    """All operands have the same dtype."""
    one_dtype(self[1], weight[1])
    one_dtype(grad_output[1], self[1])
    return self[1], self[1]


shape_family(
    slopes_gradient,
    "aten::_prelu_kernel_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(1, 3)),
        Invocation(T(), T(), T()),
        Invocation(T(3), T(2, 1), T()),
        *[Invocation(*[T(2, dtype=torch.float16)] * 3, device="cpu")],
        *[Invocation(*[T(2, dtype=torch.bfloat16)] * 3, device="cpu")],
    ],
    error=[Invocation(T(2), T(2), T(3)), Invocation(T(3), T(2), T(2))],
)
dtype_family(
    slopes_gradient_dtype,
    "aten::_prelu_kernel_backward",
    error=[
        Invocation(T(2), T(2), T(2, dtype=torch.float64), device="cpu"),
        Invocation(T(2, dtype=torch.float64), T(2), T(2), device="cpu"),
    ],
)


# Randomized and gated activations: `rrelu_with_noise`, and the derivatives of `glu`.

_RECTIFIER_FLOATS = (torch.float16, torch.bfloat16, torch.float64)
_SLOPES = (0.1, 0.3)


def noisy(self: List[int], noise: List[int], training: bool) -> List[int]:
    """The shape of `self`, which the noise also has."""
    if training:
        check_same(noise, self, "noise")
    return self


def noisy_and_noise(
    self: List[int], noise: List[int], training: bool
) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and of the noise."""
    return noisy(self, noise, training), noise


def noisy_and_noise_dtype(
    self: Tuple[int, int],
    noise: Tuple[int, int],
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
) -> Tuple[int, int]:
    """The dtypes of `self` and of the noise."""
    return rectified_dtype(self, lower, upper), noise[1]


# The meta kernels accept noise of any shape.
_NOISY_OK = [
    Invocation(T(2, 3), T(2, 3)),
    Invocation(T(2, 3), T(2, 3), *_SLOPES, True),
    Invocation(T(), T(), 0, 1, False),
    Invocation(T(0, 3), T(0, 3), training=True),
    *[Invocation(T(2, dtype=dtype), T(2, dtype=dtype)) for dtype in _RECTIFIER_FLOATS],
    Invocation(T(2, dtype=torch.float16), T(2)),
]
_NOISY_ERROR = [
    Invocation(T(2, 3), T(3), *_SLOPES, True, device="cpu"),
    Invocation(T(2, 3), T(2, 4), *_SLOPES, True, device="cpu"),
]

shape_family(noisy, "aten::rrelu_with_noise", ok=_NOISY_OK, error=_NOISY_ERROR)
_LARGE_SLOPE = [Invocation(T(2), T(2), 0.1, 1e39, False, device="cpu")]
dtype_family(rectified_dtype, "aten::rrelu_with_noise", error=_LARGE_SLOPE)
shape_family(noisy_and_noise, "aten::rrelu_with_noise_functional", ok=_NOISY_OK, error=_NOISY_ERROR)
dtype_family(noisy_and_noise_dtype, "aten::rrelu_with_noise_functional", error=_LARGE_SLOPE)


@shape_function(
    "aten::rrelu_with_noise_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), T(2, 3), *_SLOPES, True, False),
        Invocation(T(2, 3), T(2, 3), T(2, 3), *_SLOPES, False, False),
        Invocation(T(2, 1), T(7), T(4, 1, 5), *_SLOPES, True, False),
        Invocation(T(2, 1), T(3), T(4), *_SLOPES, False, True),
        Invocation(T(2, 1), T(3), T(4), 1, 1, True, False),
        Invocation(T(), T(), T(), 0, 1, True, False),
    ],
    error=[
        Invocation(T(2), T(2), T(3), *_SLOPES, True, False),
        Invocation(T(2), T(3), T(2), *_SLOPES, False, False),
    ],
)
def rrelu_with_noise_backward(
    grad_output: List[int],
    self: List[int],
    noise: List[int],
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
    training: bool,
    self_is_result: bool,
) -> List[int]:
    """The gradient and, in training, the noise broadcast; else the gradient and the input."""
    return broadcast_two(grad_output, noise if training else self)


# The meta kernel promotes to at least float32.
@dtype_function(
    "aten::rrelu_with_noise_backward",
    ok=[
        *[
            Invocation(*[T(2, dtype=dtype)] * 3, *_SLOPES, training, False, device="cpu")
            for dtype in _RECTIFIER_FLOATS
            for training in (False, True)
        ],
        Invocation(T(2), T(2, dtype=torch.float64), T(2), *_SLOPES, True, False, device="cpu"),
        Invocation(T(2), T(2, dtype=torch.float64), T(2), *_SLOPES, False, False, device="cpu"),
        Invocation(T(), T(2), T(2, dtype=torch.float16), *_SLOPES, True, False, device="cpu"),
    ],
    error=[Invocation(T(2), T(2), T(2), 0.1, 1e39, False, False, device="cpu")],
)
def rrelu_with_noise_backward_dtype(
    grad_output: Tuple[int, int],
    self: Tuple[int, int],
    noise: Tuple[int, int],
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
    training: bool,
    self_is_result: bool,
) -> int:
    """The gradient and, in training, the noise promote; else the gradient and the input."""
    promoted = promote_two(grad_output, noise if training else self)
    if not training:
        check_computed(lower, promoted)
        check_computed(upper, promoted)
    return promoted


# The meta kernels promote, unlike every device.
@shape_function(
    "aten::glu_backward",
    ok=[
        Invocation(T(2, 3), T(2, 6), -1),
        Invocation(T(2, 3), T(4, 3), 0),
        Invocation(T(3), T(2, 6), 1),
        Invocation(T(0, 3), T(0, 6), 1),
        *[Invocation(T(3, dtype=dtype), T(6, dtype=dtype), 0) for dtype in _RECTIFIER_FLOATS],
    ],
    error=[
        Invocation(T(2, 2), T(2, 5), -1),
        Invocation(T(2, 2), T(2, 6), -1),
        Invocation(T(2, 2, 3), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(2, 6), 2),
        Invocation(T(), T(), 0),
    ],
)
def glu_backward(grad_output: List[int], self: List[int], dim: int) -> List[int]:
    """The shape of `self`; the gradient expands to the shape of `glu(self)`."""
    check_expands(grad_output, glu(self, dim))
    return self


@dtype_function(
    "aten::glu_backward",
    error=[Invocation(T(3, dtype=torch.float64), T(6), 0, device="cpu")],
)
def glu_backward_dtype(grad_output: Tuple[int, int], self: Tuple[int, int], dim: int) -> int:
    """Gradient and input have the same dtype."""
    assert grad_output[1] == self[1], (
        f"aten::glu_backward: dtypes must match, got {grad_output[1]} and {self[1]}"
    )
    return self[1]


def half_of(x: List[int], at: int, size: int) -> List[int]:
    """The shape of `x`, of which dimension `at` holds one of two halves of `size`."""
    assert at < len(x) and 2 * size <= x[at], (
        f"dimension {at} of shape {x} must have two halves of size {size}"
    )
    return replace_size(x, at, size)


# There is no meta kernel.
@shape_function(
    "aten::glu_jvp",
    ok=[
        Invocation(T(2, 3), T(2, 6), T(2, 6), -1, device="cpu"),
        Invocation(T(1, 3), T(2, 6), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(4, 3), T(4, 3), 0, device="cpu"),
        Invocation(T(3, dtype=torch.float64), *[T(6, dtype=torch.float64)] * 2, 0, device="cpu"),
    ],
    error=[
        Invocation(T(2, 4), T(2, 6), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(4, 6), T(4, 6), -1, device="cpu"),
        Invocation(T(2, 3), T(2, 6), T(2, 6), 2, device="cpu"),
        Invocation(T(), T(), T(), 0, device="cpu"),
    ],
)
def glu_jvp(glu: List[int], x: List[int], dx: List[int], dim: int) -> List[int]:
    """The result of `glu` and the halves of its input broadcast."""
    at = wrap_existing(dim, len(x))
    size = glu[wrap_existing(at, len(glu))]
    return broadcast_three(glu, half_of(x, at, size), half_of(dx, at, size))


@dtype_function(
    "aten::glu_jvp",
    error=[
        Invocation(T(3), T(6, dtype=torch.float64), T(6), 0, device="cpu"),
        Invocation(T(3), T(6), T(6, dtype=torch.float64), 0, device="cpu"),
    ],
)
def glu_jvp_dtype(glu: Tuple[int, int], x: Tuple[int, int], dx: Tuple[int, int], dim: int) -> int:
    """All operands have the same dtype."""
    assert glu[1] == x[1] and x[1] == dx[1], (
        f"aten::glu_jvp: dtypes must match, got {glu[1]}, {x[1]} and {dx[1]}"
    )
    return glu[1]


@shape_function(
    "aten::glu_backward_jvp",
    ok=[
        Invocation(T(2, 6), T(2, 3), T(2, 6), T(2, 3), T(2, 6), -1, device="cpu"),
        Invocation(T(4, 3), T(2, 3), T(4, 3), T(2, 3), T(4, 3), 0, device="cpu"),
        Invocation(T(0, 4), T(0, 2), T(0, 4), T(0, 2), T(0, 4), 1, device="cpu"),
        Invocation(T(2, 6), T(2, 3), T(2, 6), T(4, 2, 3), T(2, 6), 1, device="cpu"),
    ],
    error=[
        Invocation(T(2, 6), T(2, 4), T(2, 6), T(2, 4), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 6), T(2, 3), T(4, 6), T(2, 3), T(2, 6), -1, device="cpu"),
        Invocation(T(2, 6), T(2, 3), T(2, 6), T(2, 3), T(2, 6), 2, device="cpu"),
    ],
)
def glu_backward_jvp(
    grad_x: List[int],
    grad_glu: List[int],
    x: List[int],
    dgrad_glu: List[int],
    dx: List[int],
    dim: int,
) -> List[int]:
    """All halves broadcast to the halves of the result."""
    at = wrap_dim(dim, len(x))
    size = grad_glu[wrap_existing(at, len(grad_glu))]
    halves = broadcast_three(half_of(grad_x, at, size), half_of(x, at, size), half_of(dx, at, size))
    out = broadcast_three(halves, grad_glu, dgrad_glu)
    return replace_size(out, at, 2 * out[at])


@dtype_function(
    "aten::glu_backward_jvp",
    ok=[
        *[
            Invocation(
                *[T(4, dtype=dtype), T(2, dtype=dtype), T(4, dtype=dtype)],
                *[T(2, dtype=dtype), T(4, dtype=dtype), 0],
                device="cpu",
            )
            for dtype in (*_RECTIFIER_FLOATS, torch.int64)
        ],
        Invocation(
            *[T(4, dtype=torch.float16), T(2), T(4, dtype=torch.float16)],
            *[T(2, dtype=torch.float16), T(4, dtype=torch.float16), 0],
            device="cpu",
        ),
        Invocation(
            *[T(4, dtype=torch.float16), T(2), T(4, dtype=torch.int64)],
            *[T(2, dtype=torch.float16), T(4, dtype=torch.float16), 0],
            device="cpu",
        ),
    ],
)
def glu_backward_jvp_dtype(
    grad_x: Tuple[int, int],
    grad_glu: Tuple[int, int],
    x: Tuple[int, int],
    dgrad_glu: Tuple[int, int],
    dx: Tuple[int, int],
    dim: int,
) -> int:
    """All promote except `grad_glu`, of which only the shape is used; integers become float32."""
    ranks: List[Optional[int]] = [1, 1, 1, 1]
    return promote_dtypes(ranks, [grad_x[1], int_to_float(x[1]), dgrad_glu[1], dx[1]])
