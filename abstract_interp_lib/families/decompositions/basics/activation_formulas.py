"""Activations as formulas of other operators; each is that of PyTorch's CPU kernel.

Elements of 16 bits are computed in float32, and rounded once.
"""

from typing import Union

import torch
from torch_refine.abstract_interp_lib.declaration import decomposition
from torch_refine.abstract_interp_lib.rules.decomposing import computation_dtype, in_dtype
from torch_refine.abstract_interp_lib.rules.promotion import is_complex, is_integral


def wide_float(self: torch.Tensor) -> torch.Tensor:
    """Floats in the dtype that kernels compute in."""
    assert not is_integral(self.dtype) and not is_complex(self.dtype), "the kernel takes floats"
    return in_dtype(self, computation_dtype(self.dtype))


@decomposition("aten::hardtanh")
def hardtanh(
    self: torch.Tensor,
    min_val: Union[int, float, complex] = -1,
    max_val: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """Between two bounds, of the dtype of the elements."""
    if is_integral(self.dtype):
        return torch.clamp(self, int(min_val), int(max_val))
    return torch.clamp(self, float(min_val), float(max_val))


@decomposition("aten::relu6")
def relu6(self: torch.Tensor) -> torch.Tensor:
    """Between 0 and 6."""
    return torch.clamp(self, 0, 6)


@decomposition("aten::leaky_relu")
def leaky_relu(
    self: torch.Tensor, negative_slope: Union[int, float, complex] = 0.01
) -> torch.Tensor:
    """Times a slope where not positive."""
    wide = wide_float(self)
    found = torch.where(torch.gt(wide, 0), wide, torch.mul(wide, negative_slope))
    return in_dtype(found, self.dtype)


@decomposition("aten::elu")
def elu(
    self: torch.Tensor,
    alpha: Union[int, float, complex] = 1,
    scale: Union[int, float, complex] = 1,
    input_scale: Union[int, float, complex] = 1,
) -> torch.Tensor:
    """An exponential less 1 where negative."""
    wide = wide_float(self)
    below = torch.mul(torch.expm1(torch.mul(wide, input_scale)), float(alpha) * float(scale))
    found = torch.where(torch.lt(wide, 0), below, torch.mul(wide, scale))
    return in_dtype(found, self.dtype)


@decomposition("aten::celu")
def celu(self: torch.Tensor, alpha: Union[int, float, complex] = 1.0) -> torch.Tensor:
    """`elu` whose slope is continuous."""
    return torch.ops.aten.elu(self, alpha, 1.0, 1.0 / float(alpha))


@decomposition("aten::selu")
def selu(self: torch.Tensor) -> torch.Tensor:
    """`elu` that keeps mean and variance."""
    return torch.ops.aten.elu(self, 1.6732632423543772, 1.0507009873554805, 1.0)


@decomposition("aten::silu")
def silu(self: torch.Tensor) -> torch.Tensor:
    """Times the logistic function."""
    wide = wide_float(self)
    return in_dtype(torch.mul(wide, torch.sigmoid(wide)), self.dtype)


@decomposition("aten::mish")
def mish(self: torch.Tensor) -> torch.Tensor:
    """Times the hyperbolic tangent of `softplus`."""
    wide = wide_float(self)
    found = torch.mul(wide, torch.tanh(torch.log1p(torch.exp(wide))))
    return in_dtype(found, self.dtype)


@decomposition("aten::softplus")
def softplus(
    self: torch.Tensor,
    beta: Union[int, float, complex] = 1,
    threshold: Union[int, float, complex] = 20,
) -> torch.Tensor:
    """The logarithm of 1 + exp; the operand above a threshold."""
    wide = wide_float(self)
    scaled = torch.mul(wide, beta)
    found = torch.div(torch.log1p(torch.exp(scaled)), beta)
    return in_dtype(torch.where(torch.gt(scaled, threshold), wide, found), self.dtype)


@decomposition("aten::log_sigmoid")
def log_sigmoid(self: torch.Tensor) -> torch.Tensor:
    """The logarithm of the logistic function."""
    wide = wide_float(self)
    rest = torch.log1p(torch.exp(torch.neg(torch.abs(wide))))
    return in_dtype(torch.sub(torch.clamp(wide, None, 0), rest), self.dtype)


def ramp(wide: torch.Tensor) -> torch.Tensor:
    """From 0 at -3 to 6 at 3."""
    return torch.clamp(torch.add(wide, 3), 0, 6)


@decomposition("aten::hardswish")
def hardswish(self: torch.Tensor) -> torch.Tensor:
    """Times a ramp."""
    wide = wide_float(self)
    return in_dtype(torch.div(torch.mul(wide, ramp(wide)), 6), self.dtype)


@decomposition("aten::hardsigmoid")
def hardsigmoid(self: torch.Tensor) -> torch.Tensor:
    """A ramp from 0 to 1."""
    return in_dtype(torch.div(ramp(wide_float(self)), 6), self.dtype)


@decomposition("aten::glu")
def glu(self: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """The first half times the logistic function of the second."""
    wide = wide_float(self)
    half = self.size(dim) // 2
    first = torch.ops.aten.slice(wide, dim, 0, half, 1)
    second = torch.ops.aten.slice(wide, dim, half, 2 * half, 1)
    return in_dtype(torch.mul(first, torch.sigmoid(second)), self.dtype)
