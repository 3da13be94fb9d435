"""Gradients of activations: what comes from above, times the derivative at the input or output.

Both broadcast and promote, but for the few kernels that fix the dtype. The meta kernels do not
look at the dtypes, and some promote otherwise than the CPU does.
"""

from typing import Any, List, Sequence, Tuple, Union

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
from torch_refine.abstract_interp_lib.rules.broadcast import broadcast_two
from torch_refine.abstract_interp_lib.rules.device import runs_on_cpu
from torch_refine.abstract_interp_lib.rules.matching import check_expands
from torch_refine.abstract_interp_lib.rules.promotion import promote_two


def gradient(grad_output: List[int], self: List[int]) -> List[int]:
    """Gradient and input broadcast."""
    return broadcast_two(grad_output, self)


def gradient_dtype(grad_output: Tuple[int, int], self: Tuple[int, int]) -> int:
    """Gradient and input promote."""
    return promote_two(grad_output, self)


def gradient_at_output(grad_output: List[int], output: List[int]) -> List[int]:
    """Gradient and output broadcast."""
    return broadcast_two(grad_output, output)


def gradient_at_output_dtype(grad_output: Tuple[int, int], output: Tuple[int, int]) -> int:
    """Gradient and output promote."""
    return promote_two(grad_output, output)


Pair = Tuple[TensorCase, TensorCase]

_SHAPES = [
    (T(2, 3), T(2, 3)),
    (T(2, 1), T(3)),
    (T(), T(2, 3)),
    (T(), T()),
    (T(0, 3), T(1, 3)),
]
_FLOATS = [
    (T(2, dtype=dtype), T(2, dtype=dtype))
    for dtype in (torch.float16, torch.bfloat16, torch.float64)
]
_MIXED = [
    (T(2, dtype=torch.float16), T(2)),
    (T(2), T(2, dtype=torch.float64)),
    (T(2, dtype=torch.float16), T(dtype=torch.float64)),
]
_PROMOTED = [*_FLOATS, *_MIXED, (T(2, dtype=torch.float16), T(2, dtype=torch.int64))]
_COMPLEX = [
    (T(2, dtype=torch.complex64), T(2, dtype=torch.complex64)),
    (T(2), T(2, dtype=torch.complex64)),
]
_INTEGERS = [
    (T(2, dtype=torch.int64), T(2, dtype=torch.int64)),
    (T(2, dtype=torch.uint8), T(2, dtype=torch.int32)),
    (T(2), T(2, dtype=torch.bool)),
]
_MISMATCHED = [(T(2), T(3)), (T(2, 3), T(2))]


def _cases(pairs: Sequence[Pair], *rest: Any, device: str = "cpu") -> List[Invocation]:
    """Pairs of gradient and input as cases of an operator that takes `rest` besides."""
    return [Invocation(*pair, *rest, device=device) for pair in pairs]


# Each with the arguments that follow the input.
_OF_FLOATS: dict[str, List[Any]] = {
    "aten::hardsigmoid_backward": [],
    "aten::hardswish_backward": [],
    "aten::hardtanh_backward": [-1, 1],
    "aten::leaky_relu_backward": [0.1, False],
    "aten::logit_backward": [],
    "aten::softplus_backward": [1, 20],
    "aten::softshrink_backward": [0.5],
}
for _operator, _rest in _OF_FLOATS.items():
    shape_family(
        gradient,
        _operator,
        ok=_cases(_SHAPES, *_rest),
        error=_cases(_MISMATCHED, *_rest),
    )
    dtype_family(gradient_dtype, _operator, ok=_cases(_PROMOTED, *_rest))

# The CPU's kernel for one dtype takes only operands of one shape.
shape_family(
    gradient,
    "aten::gelu_backward",
    ok=[
        *_cases(_SHAPES, device="meta"),
        Invocation(T(2, 3), T(2, 3), approximate="tanh", device="cpu"),
    ],
    error=_cases(_MISMATCHED),
)
dtype_family(gradient_dtype, "aten::gelu_backward", ok=_cases(_PROMOTED, device="meta"))
shape_family(gradient, "aten::silu_backward", ok=_cases(_SHAPES), error=_cases(_MISMATCHED))
dtype_family(gradient_dtype, "aten::silu_backward", ok=_cases([*_PROMOTED, *_COMPLEX]))
shape_family(
    gradient,
    "aten::threshold_backward",
    ok=_cases(_SHAPES, 0.5),
    error=_cases(_MISMATCHED, 0.5),
)
dtype_family(
    gradient_dtype,
    "aten::threshold_backward",
    ok=_cases([*_PROMOTED, *_INTEGERS], 0.5),
)

_AT_OUTPUT = ("aten::sigmoid_backward", "aten::tanh_backward")
shape_family(gradient_at_output, *_AT_OUTPUT, ok=_cases(_SHAPES), error=_cases(_MISMATCHED))
dtype_family(gradient_at_output_dtype, *_AT_OUTPUT, ok=_cases([*_PROMOTED, *_COMPLEX]))


def dtype_of_self_at(grad_output: Tuple[int, int], self: Tuple[int, int]) -> int:
    """The dtype of the input."""
    return self[1]


shape_family(gradient, "aten::mish_backward", ok=_cases(_SHAPES), error=_cases(_MISMATCHED))
dtype_family(
    dtype_of_self_at,
    "aten::mish_backward",
    ok=_cases([*_FLOATS, (T(2), T(2, dtype=torch.float16)), (T(2), T(dtype=torch.float64))]),
)


@shape_function(
    "aten::hardshrink_backward", ok=_cases(_SHAPES, 0.5), error=_cases(_MISMATCHED, 0.5)
)
def hardshrink_backward(
    grad_out: List[int], self: List[int], lambd: Union[int, float, complex]
) -> List[int]:
    """Gradient and input broadcast."""
    return broadcast_two(grad_out, self)


@dtype_function("aten::hardshrink_backward", ok=_cases(_PROMOTED, 0.5))
def hardshrink_backward_dtype(
    grad_out: Tuple[int, int], self: Tuple[int, int], lambd: Union[int, float, complex]
) -> int:
    """Gradient and input promote."""
    return promote_two(grad_out, self)


def elu_gradient(grad_output: List[int], self_or_result: List[int]) -> List[int]:
    """Gradient and input, or output, broadcast."""
    return broadcast_two(grad_output, self_or_result)


def elu_gradient_dtype(grad_output: Tuple[int, int], self_or_result: Tuple[int, int]) -> int:
    """Gradient and input, or output, promote."""
    return promote_two(grad_output, self_or_result)


def _elu_cases(pairs: Sequence[Pair]) -> List[Invocation]:
    return [Invocation(grad, 1, 1, 1, False, at, device="cpu") for grad, at in pairs]


shape_family(
    elu_gradient, "aten::elu_backward", ok=_elu_cases(_SHAPES), error=_elu_cases(_MISMATCHED)
)
dtype_family(elu_gradient_dtype, "aten::elu_backward", ok=_elu_cases(_PROMOTED))


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
    "aten::infinitely_differentiable_gelu_backward", ok=_cases([*_FLOATS, *_MIXED[:2], *_INTEGERS])
)
def infinitely_differentiable_gelu_backward_dtype(
    grad: Tuple[int, int], self: Tuple[int, int]
) -> int:
    """Gradient and input promote."""
    return promote_two(grad, self)


# What the forward pass keeps in the buffer has the shape of the input, or, on CUDA, no elements.
@shape_function(
    "aten::log_sigmoid_forward",
    ok=[Invocation(T(2, 3), device="cpu"), Invocation(T(), device="cpu")],
)
def log_sigmoid_forward(self: List[int]) -> Tuple[List[int], List[int]]:
    """The shape of `self`, and what a backward pass needs."""
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
    ok=[Invocation(grad, at, at, device="cpu") for grad, at in _SHAPES],
    error=[Invocation(grad, at, at, device="cpu") for grad, at in _MISMATCHED],
)
def log_sigmoid_backward(grad_output: List[int], self: List[int], buffer: List[int]) -> List[int]:
    """Gradient and input broadcast; the buffer is that of the forward pass."""
    return broadcast_two(grad_output, self)


@dtype_function(
    "aten::log_sigmoid_backward",
    ok=[Invocation(grad, at, at, device="cpu") for grad, at in _FLOATS],
    error=[Invocation(grad, at, at, device="cpu") for grad, at in _MIXED],
)
def log_sigmoid_backward_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], buffer: Tuple[int, int]
) -> int:
    """Gradient and input have one dtype."""
    assert grad_output[1] == self[1], (
        f"aten::log_sigmoid_backward: dtypes must match, got {grad_output[1]} and {self[1]}"
    )
    return self[1]


def slopes(self: List[int], weight: List[int]) -> List[int]:
    """Input and slopes broadcast."""
    return broadcast_two(self, weight)


def one_dtype(self: int, weight: int) -> None:
    """Raise unless input and slopes have one dtype."""
    assert self == weight, f"dtypes must match, got {self} and {weight}"


def slopes_dtype(self: Tuple[int, int], weight: Tuple[int, int]) -> int:
    """Input and slopes have one dtype."""
    one_dtype(self[1], weight[1])
    return self[1]


shape_family(slopes, "aten::_prelu_kernel", ok=_cases(_SHAPES), error=_cases(_MISMATCHED))
dtype_family(slopes_dtype, "aten::_prelu_kernel", ok=_cases(_FLOATS), error=_cases(_MIXED))


def slopes_gradient(
    grad_output: List[int], self: List[int], weight: List[int]
) -> Tuple[List[int], List[int]]:
    """Gradients of input and slopes, both of the shape to which all operands broadcast."""
    out = broadcast_two(grad_output, broadcast_two(self, weight))
    return out, out


def slopes_gradient_dtype(
    grad_output: Tuple[int, int], self: Tuple[int, int], weight: Tuple[int, int]
) -> Tuple[int, int]:
    """All operands have one dtype."""
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
