"""Decompositions where the results of the wheel's conversions differ from PyTorch's.

Each takes the arguments of its operator, and returns `NotImplemented` where the conversion is
correct, so that the operator is kept. What needs no checks of a trace is a decomposition function
of the library (`families/decompositions/exact/`). They were found by `build_tools/numerics`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import _disable_current_modes
from torch_refine.passes.lowering.exported.index_decompositions import index_decompositions
from torch_refine.passes.lowering.exported.kernel_numbers import number_decompositions

aten = torch.ops.aten
Decomposition = Callable[..., Any]


def exact_decompositions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    table: dict[OpOverload, Decomposition] = {
        aten.arange.default: _arange,
        aten.arange.start: _arange,
        aten.arange.start_step: _arange,
        aten.adaptive_avg_pool1d.default: _adaptive_avg_pool,
        aten.adaptive_avg_pool2d.default: _adaptive_avg_pool,
        aten.adaptive_avg_pool3d.default: _adaptive_avg_pool,
        aten.binary_cross_entropy.default: _binary_cross_entropy,
        aten.constant_pad_nd.default: _constant_pad_nd,
        aten.convolution_backward.default: _convolution_backward,
        aten.eq.Tensor: _eq,
        aten.max_pool2d_with_indices.default: _max_pool(2),
        aten.max_pool3d_with_indices.default: _max_pool(3),
        aten.pixel_unshuffle.default: _pixel_unshuffle,
        aten.pow.Tensor_Scalar: _pow,
        aten.addmv.default: _addmv,
    }
    table |= index_decompositions()
    # Scalars are cast to the promoted dtype of the tensors.
    for operator, casting in number_decompositions().items():
        table[operator] = _first_of(casting, table.get(operator, _not_decomposed))
    return table


def _first_of(first: Decomposition, second: Decomposition) -> Decomposition:
    def decompose(*args: Any, **kwargs: Any) -> Any:
        found = first(*args, **kwargs)
        return second(*args, **kwargs) if found is NotImplemented else found

    return decompose


def _not_decomposed(*args: Any, **kwargs: Any) -> Any:
    return NotImplemented


def _assert_probabilities(values: torch.Tensor, message: str) -> None:
    """Assert that each element is in [0, 1] and not NaN; PyTorch's decompositions do not."""
    is_right = torch.logical_and(values >= 0, values <= 1)
    aten._assert_async.msg(torch.all(is_right), message)


def _binary_cross_entropy(
    self: torch.Tensor, target: torch.Tensor, *args: Any, **kwargs: Any
) -> Any:
    """Require equal sizes: otherwise PyTorch's kernel resizes its result, and returns a part of
    it."""
    check: Any = torch._check
    message = f"binary_cross_entropy of input {self.shape} and target {target.shape}"
    check(self.dim() == target.dim(), lambda: message)
    for size, other in zip(self.shape, target.shape, strict=True):
        check(size == other, lambda: message)
    return NotImplemented


def _arange(*numbers: Any, dtype: torch.dtype | None = None, **kwargs: Any) -> Any:
    """Reject float bounds of an integer range where the shape function, of PyTorch 2.13,
    differs."""
    is_integer = dtype is not None and not dtype.is_floating_point
    if is_integer and any(isinstance(n, float) for n in numbers) and _counts_integers_otherwise():
        raise ValueError(f"PyTorch {torch.__version__} counts integers between floats otherwise")
    return NotImplemented


@cache
def _counts_integers_otherwise() -> bool:
    """Whether the installed PyTorch counts integers between floats otherwise than PyTorch 2.13."""
    with _disable_current_modes():
        return torch.arange(3.1, dtype=torch.int64).numel() != 3


def _convolution_backward(
    grad_output: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias_sizes: Sequence[int] | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
    output_mask: Sequence[bool],
) -> Any:
    """Expand scalars to a list of all dimensions, and guard the sizes of the gradient.

    The fake kernel does not compare them, and the conversion would read out of bounds.
    """
    rank = input.dim() - 2
    lists = [list(each) for each in (stride, padding, dilation, output_padding)]
    if all(len(each) == rank for each in lists):
        check: Any = torch._check
        channels = weight.shape[1] * groups if transposed else weight.shape[0]
        wanted = [input.shape[0], channels]
        for dim, (step, around, between, more) in enumerate(zip(*lists, strict=True), 2):
            size, window = input.shape[dim], between * (weight.shape[dim] - 1) + 1
            wanted.append(
                (size - 1) * step - 2 * around + window + more
                if transposed
                else (size + 2 * around - window) // step + 1
            )
        for size, other in zip(grad_output.shape, wanted, strict=True):
            check(
                size == other, lambda: f"the gradient has sizes {grad_output.shape}, not {wanted}"
            )
        return NotImplemented
    stride, padding, dilation, output_padding = (
        each * rank if len(each) == 1 else each for each in lists
    )
    return aten.convolution_backward.default(
        grad_output,
        input,
        weight,
        bias_sizes,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        output_mask,
    )


def _pow(self: torch.Tensor, exponent: Any) -> Any:
    """A symbolic exponent becomes a tensor; the conversion requires a constant."""
    if not isinstance(exponent, torch.SymInt):
        return NotImplemented
    check: Any = torch._check
    if not self.dtype.is_floating_point and not self.dtype.is_complex:
        check(exponent >= 0, lambda: "integers to negative integer powers are not allowed")
    # PyTorch's stubs have no type for symbolic numbers.
    value: Any = exponent
    number = torch.full((), value, dtype=self.dtype, device=self.device)
    return aten.pow.Tensor_Tensor(self, number)


def _eq(self: torch.Tensor, other: Any) -> Any:
    """A value compared with itself is equal, unless it is NaN."""
    if self is not other or not self.is_floating_point():
        return NotImplemented
    return torch.logical_not(torch.isnan(self))


def _max_pool(rank: int) -> Decomposition:
    """Require every window to contain an element."""

    def check(
        self: torch.Tensor,
        kernel_size: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] = (0,),
        dilation: Sequence[int] = (1,),
        ceil_mode: bool = False,
    ) -> Any:
        around, between = (
            list(each) * rank if len(each) == 1 else each for each in (padding, dilation)
        )
        _check_windows(self.shape[-rank:], around, between)
        return NotImplemented

    return check


def _check_windows(sizes: Sequence[Any], padding: Sequence[int], dilation: Sequence[int]) -> None:
    """Require every window to contain an element; otherwise PyTorch's index is out of bounds."""
    check: Any = torch._check
    for size, around, between in zip(sizes, padding, dilation, strict=True):
        if around and between > 1:
            check(size >= between, lambda: "a window without elements has no maximum")


def _constant_pad_nd(self: torch.Tensor, pad: Sequence[Any], value: Any = 0) -> Any:
    """Require that negative paddings do not crop more than the size; no fake kernel checks this."""
    check: Any = torch._check
    for dim, (before, behind) in enumerate(zip(pad[::2], pad[1::2], strict=True)):
        if not (isinstance(before, int) and isinstance(behind, int)):
            continue
        rest = self.shape[self.dim() - 1 - dim] + min(before, 0) + min(behind, 0)
        if before < 0 or behind < 0:
            check(rest >= 0, lambda: f"a padding of {pad} crops more than {self.shape} has")
    return NotImplemented


def _pixel_unshuffle(self: torch.Tensor, downscale_factor: int) -> Any:
    """The identity for a factor of 1; PyTorch's trace infers other sizes than its kernel
    returns."""
    return self.clone() if 0 in self.shape else NotImplemented


def _addmv(self: torch.Tensor, mat: torch.Tensor, vec: torch.Tensor, **scales: Any) -> Any:
    """With an empty matrix, PyTorch's kernel returns `self` without expanding it."""
    check: Any = torch._check
    if self.shape != mat.shape[:1]:
        for size in mat.shape:
            check(size != 0, lambda: f"addmv of an empty matrix does not expand {self.shape}")
    return NotImplemented


def _adaptive_avg_pool(self: torch.Tensor, output_size: Sequence[int]) -> Any:
    """The mean, for a single result; PyTorch's decompositions restride it."""
    rank = len(output_size)
    lengths = self.shape[-rank:]
    is_known = all(isinstance(length, int) and length > 0 for length in lengths)
    if list(output_size) != [1] * rank or not is_known or not self.is_floating_point():
        return NotImplemented
    return self.mean([-1 - place for place in range(rank)], keepdim=True)
