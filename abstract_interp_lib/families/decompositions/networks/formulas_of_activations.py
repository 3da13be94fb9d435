"""Activations, and gradients of smooth ones, computed by other operators.

Each formula is that of PyTorch's CPU kernel.
"""

import math
from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import Invocation, T, decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import (
    computation_dtype,
    in_dtype,
    promoted_dtype,
)
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral

_BYTES = T(2, 2, dtype=torch.uint8, values=[0, 1, 254, 255])
_NUMBERS = T(2, 3, dtype=torch.int64)


@decomposition("aten::threshold")
def threshold(
    self: torch.Tensor,
    threshold: Union[int, float, complex],
    value: Union[int, float, complex],
) -> torch.Tensor:
    """A value in place of elements up to a threshold; a NaN is no such element."""
    if is_integral(self.dtype):
        value = int(value)
    given = torch.full([], value, dtype=self.dtype)
    return torch.where(is_up_to(self, threshold), given, self)


def is_up_to(self: torch.Tensor, bound: Union[int, float, complex]) -> torch.Tensor:
    """Whether elements are at most a number, in the computation dtype; of integers, an integer."""
    if is_integral(self.dtype):
        return torch.le(self, torch.full([], bound, dtype=self.dtype))
    dtype = computation_dtype(self.dtype)
    return torch.le(in_dtype(self, dtype), torch.full([], bound, dtype=dtype))


@decomposition(
    "aten::threshold_backward",
    ok=[
        Invocation(T(2, 3), T(2, 3), 0.5),
        Invocation(T(2), T(2, values=[math.nan, 0.5]), 0.5),
        Invocation(T(2, 2, dtype=torch.int32), _BYTES, -2.5),
        Invocation(_NUMBERS, _NUMBERS, 0.5),
        Invocation(_BYTES, _BYTES, -1),
    ],
)
def threshold_gradient(
    grad_output: torch.Tensor, self: torch.Tensor, threshold: Union[int, float, complex]
) -> torch.Tensor:
    """The gradient of elements above the threshold, and of NaN."""
    dtype = promoted_dtype(grad_output, self)
    zero = torch.zeros([], dtype=dtype)
    return torch.where(
        is_up_to(in_dtype(self, dtype), threshold), zero, in_dtype(grad_output, dtype)
    )


@decomposition("aten::softshrink")
def softshrink(self: torch.Tensor, lambd: Union[int, float, complex] = 0.5) -> torch.Tensor:
    """Elements moved towards 0, which those in the interval around it become; a NaN remains."""
    wide = in_dtype(self, computation_dtype(self.dtype))
    inner = torch.where(
        torch.lt(wide, torch.neg(torch.full_like(wide, lambd))),
        torch.add(wide, lambd),
        torch.mul(wide, 0.0),
    )
    return in_dtype(torch.where(torch.gt(wide, lambd), torch.sub(wide, lambd), inner), self.dtype)


def tanh_of_cubic(self: torch.Tensor) -> torch.Tensor:
    """The hyperbolic tangent that approximates the normal distribution's function."""
    cubic = torch.mul(torch.mul(torch.mul(self, self), self), 0.044715)
    return torch.tanh(torch.mul(torch.add(self, cubic), 0.7978845608028654))


@decomposition("aten::gelu")
def gelu(self: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    """Half of the input times one plus a hyperbolic tangent."""
    assert approximate == "tanh", "concerns only the approximation"
    wide = in_dtype(self, computation_dtype(self.dtype))
    found = torch.mul(torch.mul(wide, 0.5), torch.add(tanh_of_cubic(wide), 1.0))
    return in_dtype(found, self.dtype)


@decomposition("aten::gelu_backward")
def gelu_backward(
    grad_output: torch.Tensor, self: torch.Tensor, approximate: str = "none"
) -> torch.Tensor:
    """The derivative of both factors."""
    assert approximate == "tanh", "concerns only the approximation"
    wide = in_dtype(self, computation_dtype(self.dtype))
    inner = tanh_of_cubic(wide)
    of_left = torch.mul(torch.add(inner, 1.0), 0.5)
    of_tanh = torch.sub(1.0, torch.mul(inner, inner))
    of_cubic = torch.mul(
        torch.add(torch.mul(torch.mul(wide, wide), 0.134145), 1.0), 0.7978845608028654
    )
    of_right = torch.mul(torch.mul(torch.mul(wide, 0.5), of_tanh), of_cubic)
    gradient = in_dtype(grad_output, wide.dtype)
    return in_dtype(torch.mul(gradient, torch.add(of_left, of_right)), self.dtype)


@decomposition("aten::leaky_relu_backward")
def leaky_relu_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    negative_slope: Union[int, float, complex],
    self_is_result: bool,
) -> torch.Tensor:
    """The gradient, times the slope where the input is not positive."""
    assert not is_integral(self.dtype), "the kernel takes floats"
    assert grad_output.dtype == self.dtype, "the kernel takes operands of one dtype"
    return torch.where(torch.gt(self, 0), grad_output, torch.mul(grad_output, negative_slope))


@decomposition("aten::rrelu_with_noise_backward")
def rrelu_with_noise_backward(
    grad_output: torch.Tensor,
    self: torch.Tensor,
    noise: torch.Tensor,
    lower: Union[int, float, complex],
    upper: Union[int, float, complex],
    training: bool,
    self_is_result: bool,
) -> torch.Tensor:
    """The gradient times the noise; without training, as of `leaky_relu` of the mean slope."""
    first, last = float(lower), float(upper)
    if training:
        assert last - first > 1e-6, "the noise of an empty interval is not read"
        return torch.mul(grad_output, noise)
    return torch.ops.aten.leaky_relu_backward(
        grad_output, self, (first + last) / 2.0, self_is_result
    )


@decomposition("aten::tanh_backward")
def tanh_backward(grad_output: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
    """The gradient, times one minus the square of the result."""
    assert grad_output.dtype == output.dtype, "the kernel takes operands of one dtype"
    assert not is_integral(output.dtype) and not is_complex(output.dtype), "the kernel takes floats"
    wide = computation_dtype(output.dtype)
    result = in_dtype(output, wide)
    slope = torch.sub(torch.ones_like(result), torch.mul(result, result))
    return in_dtype(torch.mul(in_dtype(grad_output, wide), slope), output.dtype)
