"""Decompositions where the results of the wheel's conversions differ from PyTorch's.

Each takes the arguments of its operator, and returns `NotImplemented` where the conversion is
correct, so that the operator is kept. `passes/lowering/torch/refusals.py` rejects the remaining
cases in programs that are not imported this way. They were found by `build_tools/numerics`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch._decomp import global_decomposition_table
from torch._ops import OpOverload
from torch.fx.experimental.symbolic_shapes import guard_or_false, statically_known_true
from torch.utils._python_dispatch import _disable_current_modes
from torch_refine.passes.lowering.exported.byte_arithmetic import divide_bytes, is_of_bytes
from torch_refine.passes.lowering.exported.index_decompositions import index_decompositions
from torch_refine.passes.lowering.exported.kernel_numbers import number_decompositions
from torch_refine.passes.lowering.exported.normalisation import normalisations
from torch_refine.passes.lowering.exported.running_extremes import running_extremes
from torch_refine.passes.lowering.exported.transposed_convolution import convolution

aten = torch.ops.aten
Decomposition = Callable[..., Any]

# Operators along a dimension, without a conversion for rank 0.
_ALONG_A_DIMENSION = (
    aten.all.dim,
    aten.amax.default,
    aten.amin.default,
    aten.any.dim,
    aten.argmax.default,
    aten.argmin.default,
    aten.cumprod.default,
    aten.cumsum.default,
    aten.flip.default,
    aten.gather.default,
    aten.index_select.default,
    aten.kthvalue.default,
    aten.max.dim,
    aten.min.dim,
    aten.prod.dim_int,
    aten.scatter.src,
    aten.scatter.value,
    aten.scatter_add.default,
    aten.scatter_reduce.two,
    aten.sort.default,
    aten.sort.stable,
    aten.topk.default,
)
# Comparisons of unsigned integers, which the conversions compare as signed.
_ORDERINGS = (
    aten.kthvalue.default,
    aten.sort.default,
    aten.sort.stable,
    aten.topk.default,
)
_SCATTERS = (
    aten.gather.default,
    aten.scatter.src,
    aten.scatter.value,
    aten.scatter_add.default,
    aten.scatter_reduce.two,
)
# Histograms with more bins take longer as comparisons of each element with each bin.
_MOST_BINS = 256
# Contractions of 8-bit integers, for which the conversion emits invalid ops, or none.
_PRODUCTS = (aten.mm.default, aten.bmm.default)


# Operators that extend unsigned integers as signed, or abort at them.
_WIDENED = (
    aten.max.default,
    aten.min.default,
    aten.prod.default,
    aten.prod.dim_int,
    aten.sum.default,
    aten.sum.dim_IntList,
)
# The results for unsigned integers are not bools, but 0 or 1.
_ANYS = (aten.any.default, aten.any.dim, aten.any.dims)
# An empty list of dimensions means none to these, and all to the operators they decompose into.
_LOGICAL_REDUCTIONS = (aten.all.dims, aten.any.dims)
# PyTorch's decompositions are correct, but are not used by default (`inlining.py`).
_COMPOSITES = (aten.mish_backward.default, aten.silu_backward.default)
_EXTREMES = (aten.max.default, aten.min.default)


def exact_decompositions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    table: dict[OpOverload, Decomposition] = {
        aten.abs.default: _abs,
        aten.adaptive_max_pool2d.default: _adaptive_max_pool2d,
        aten.arange.default: _arange,
        aten.arange.start: _arange_start,
        aten.arange.start_step: _arange_start,
        aten.avg_pool2d.default: _avg_pool(aten.avg_pool2d.default, 2),
        aten._is_all_true.default: lambda self: aten.all.default(self),
        aten._is_any_true.default: lambda self: aten.any.default(self),
        aten.histc.default: _histc,
        aten.topk.default: _topk,
        aten.adaptive_avg_pool1d.default: _adaptive_avg_pool,
        aten.adaptive_avg_pool2d.default: _adaptive_avg_pool,
        aten.adaptive_avg_pool3d.default: _adaptive_avg_pool,
        aten.avg_pool3d.default: _avg_pool(aten.avg_pool3d.default, 3),
        aten.binary_cross_entropy.default: _binary_cross_entropy,
        aten.constant_pad_nd.default: _constant_pad_nd,
        aten.convolution.default: convolution,
        aten.convolution_backward.default: _convolution_backward,
        aten.div.Scalar_mode: _div_mode,
        aten.div.Tensor_mode: _div_mode,
        aten.eq.Tensor: _eq,
        aten.eye.default: _eye,
        aten.eye.m: _eye,
        aten.floor_divide.default: _floor_divide,
        aten.floor_divide.Scalar: _floor_divide,
        aten.fmod.Scalar: _fmod,
        aten.fmod.Tensor: _fmod,
        aten.isfinite.default: _isfinite,
        aten.ldexp.Tensor: _ldexp,
        aten.max_pool2d_with_indices.default: _max_pool(aten.max_pool2d_with_indices.default, 2),
        aten.max_pool3d_with_indices.default: _max_pool(aten.max_pool3d_with_indices.default, 3),
        aten.nanquantile.default: _quantile,
        aten.native_layer_norm_backward.default: _native_layer_norm_backward,
        aten.nonzero.default: _nonzero,
        aten.pixel_unshuffle.default: _pixel_unshuffle,
        aten.pow.Tensor_Scalar: _pow,
        aten.quantile.default: _quantile,
        aten.remainder.Scalar: _remainder_number,
        aten.repeat.default: _repeat,
        aten.rsub.Scalar: _rsub,
        aten.soft_margin_loss_backward.default: _soft_margin_loss_backward,
        aten._native_batch_norm_legit_no_training.default: _batch_norm_for_inference,
        aten._weight_norm_interface.default: _weight_norm,
        aten._trilinear.default: _trilinear,
        aten.addmv.default: _addmv,
        aten.trunc.default: _trunc,
        aten.unfold_backward.default: _unfold_backward,
        aten.unique_consecutive.default: _unique_consecutive,
        aten.var.correction: _var,
        aten.var_mean.correction: _var_mean,
        aten.where.self: _where,
    }
    table |= {operator: _in_int64(operator) for operator in _WIDENED}
    table |= {
        operator: _first_of(_with_one_dimension(operator), table.get(operator, _not_decomposed))
        for operator in _ALONG_A_DIMENSION
    }
    table |= {operator: _any_of_bytes(operator, table.get(operator)) for operator in _ANYS}
    table |= {
        each: _of_given_dims(table.get(each, _not_decomposed)) for each in _LOGICAL_REDUCTIONS
    }
    table |= {operator: _in_int32(operator) for operator in _PRODUCTS}
    table |= {each: global_decomposition_table["post_autograd"][each] for each in _COMPOSITES}
    table |= index_decompositions() | normalisations() | running_extremes()
    # Scalars are cast to the promoted dtype of the tensors.
    for operator, casting in number_decompositions().items():
        table[operator] = _first_of(casting, table.get(operator, _not_decomposed))
    return table


def _first_of(first: Decomposition, second: Decomposition) -> Decomposition:
    def decompose(*args: Any, **kwargs: Any) -> Any:
        found = first(*args, **kwargs)
        return second(*args, **kwargs) if found is NotImplemented else found

    return decompose


def _with_one_dimension(operator: OpOverload) -> Decomposition:
    """For tensors of rank 0: apply the operator to a row of one element."""
    otherwise = _not_decomposed
    is_gather = operator == aten.gather.default
    if operator in _SCATTERS:
        otherwise = _with_nonnegative_dim(operator)
    elif operator in _ORDERINGS:
        otherwise = _with_wide_comparison(operator)

    def decompose(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        has_lone_index = is_gather and args[1].dim() == 0
        if self.dim() != 0 and not has_lone_index:
            return otherwise(self, *args, **kwargs)
        given = [_as_row(each) for each in args]
        results = operator(_as_row(self), *given, **{k: _as_row(v) for k, v in kwargs.items()})
        if isinstance(results, torch.Tensor):
            # A gathered result has the rank of its indices.
            return results.reshape(args[1].shape if is_gather else ())
        return tuple(each.reshape(()) for each in results)

    return decompose


def _not_decomposed(*args: Any, **kwargs: Any) -> Any:
    return NotImplemented


def _with_nonnegative_dim(operator: OpOverload) -> Decomposition:
    """Normalize negative dimensions, at which the conversion aborts."""

    def decompose(self: torch.Tensor, dim: int, *args: Any, **kwargs: Any) -> Any:
        if dim >= 0:
            return NotImplemented
        return operator(self, dim + self.dim(), *args, **kwargs)

    return decompose


def _with_wide_comparison(operator: OpOverload) -> Decomposition:
    """For unsigned integers: compare in a wider type."""

    def decompose(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if self.dtype != torch.uint8:
            return NotImplemented
        values, places = operator(self.to(torch.int32), *args, **kwargs)
        return values.to(torch.uint8), places

    return decompose


def _as_row(value: Any) -> Any:
    return value.reshape(1) if isinstance(value, torch.Tensor) and value.dim() == 0 else value


def _in_int32(operator: OpOverload) -> Decomposition:
    """For 8-bit integers: compute in 32 bits, with the same wrap-around.

    The wheel treats signed ones as quantized, and crashes if they are not.
    """

    def decompose(self: torch.Tensor, other: torch.Tensor) -> Any:
        if self.dtype not in (torch.uint8, torch.int8):
            return NotImplemented
        return operator(self.to(torch.int32), other.to(torch.int32)).to(self.dtype)

    return decompose


def _in_int64(operator: OpOverload) -> Decomposition:
    """For unsigned integers: compute in int64."""

    def decompose(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        kind = kwargs.pop("dtype", None)
        if kind == torch.bool and operator in _BOOLS:
            return _BOOLS[operator](self, *args)
        if torch.uint8 not in (self.dtype, kind):
            return NotImplemented
        result = operator(self.to(torch.int64), *args, **kwargs)
        if operator in _EXTREMES:
            kind = self.dtype
        return result if kind is None else result.to(kind)

    return decompose


def _any_of_bytes(operator: OpOverload, otherwise: Decomposition | None) -> Decomposition:
    otherwise = otherwise or _not_decomposed

    def decompose(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if self.dtype != torch.uint8:
            return otherwise(self, *args, **kwargs)
        return operator(self.ne(0), *args, **kwargs).to(torch.uint8)

    return decompose


def _of_given_dims(otherwise: Decomposition) -> Decomposition:
    def decompose(
        self: torch.Tensor, dim: Sequence[int] | None = None, keepdim: bool = False
    ) -> Any:
        if dim is None or len(dim) > 0:
            return otherwise(self, dim, keepdim)
        dtype = torch.uint8 if self.dtype == torch.uint8 else torch.bool
        return self.ne(0).to(dtype)

    return decompose


def _ldexp(self: torch.Tensor, other: torch.Tensor) -> Any:
    """Cast to the dtype of the kernel's steps; the trace infers another one for some."""
    return aten.mul.Tensor(self, aten.pow.Scalar(2.0, other))


def _any(self: torch.Tensor, dim: Sequence[int] | None = None, keepdim: bool = False) -> Any:
    """A sum whose terms are converted to bools first."""
    terms = self if self.dtype == torch.bool else self.ne(0)
    return aten.any.dims(terms, list(dim or range(self.dim())), keepdim)


def _all(self: torch.Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """A product whose factors are converted to bools first."""
    factors = self if self.dtype == torch.bool else self.ne(0)
    if dim is None:
        return aten.all.default(factors)
    return aten.all.dim(factors, dim, keepdim)


_BOOLS: dict[OpOverload, Decomposition] = {
    aten.sum.default: _any,
    aten.sum.dim_IntList: _any,
    aten.prod.default: _all,
    aten.prod.dim_int: _all,
}


def _abs(self: torch.Tensor) -> Any:
    return self.clone() if self.dtype == torch.uint8 else NotImplemented


def _adaptive_max_pool2d(self: torch.Tensor, output_size: Sequence[int]) -> Any:
    """Windows of different sizes: as 3-D pooling; the wheel assumes equal sizes."""
    sizes = [*self.shape[-2:], *output_size]
    if all(isinstance(each, int) for each in sizes) and 0 not in output_size:
        height, width, rows, columns = sizes
        if self.dim() == 4 and height % rows == 0 and width % columns == 0:
            return NotImplemented
    image = self.unsqueeze(-1)
    pooled = aten.adaptive_max_pool3d.default(image, [*output_size, 1])
    return tuple(each.squeeze(-1) for each in pooled)


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
    _assert_probabilities(self, "all elements of input should be between 0 and 1")
    _assert_probabilities(target, "all elements of target should be between 0 and 1")
    return NotImplemented


def _quantile(self: torch.Tensor, q: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    _assert_probabilities(q, "quantile() q values must be in the range [0, 1]")
    return NotImplemented


def _arange(end: float, **kwargs: Any) -> Any:
    return _arange_start(0, end, **kwargs)


@cache
def _counts_integers_otherwise() -> bool:
    """Whether the installed PyTorch counts integers between floats otherwise than PyTorch 2.13."""
    with _disable_current_modes():
        return torch.arange(3.1, dtype=torch.int64).numel() != 3


def _refuse_floats(numbers: Sequence[Any], kind: torch.dtype | None) -> None:
    """Reject float bounds of an integer range where the shape function, of PyTorch 2.13,
    differs."""
    is_integer = kind is not None and not kind.is_floating_point
    if is_integer and any(isinstance(n, float) for n in numbers) and _counts_integers_otherwise():
        raise ValueError(f"PyTorch {torch.__version__} counts integers between floats otherwise")


def _arange_start(start: float, end: float, step: float = 1, **kwargs: Any) -> Any:
    """Integer and unsigned ranges with float bounds, with the length of the float range."""
    kind = kwargs.get("dtype")
    numbers = (start, end, step)
    _refuse_floats(numbers, kind)
    if kind is None or kind.is_floating_point or any(isinstance(x, torch.SymInt) for x in numbers):
        return NotImplemented
    if kind != torch.uint8 and all(isinstance(each, int) for each in numbers):
        return NotImplemented
    if kind == torch.int64:
        # The kernel counts in this dtype, and in f64 for others.
        start, end, step = int(start), int(end), int(step)
    count = math.ceil((end - start) / step)
    counted = torch.arange(count, dtype=torch.int64, device=kwargs.get("device"))
    return (counted * int(step) + int(start)).to(kind)


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
    """A symbolic exponent becomes a tensor; the conversion requires a constant.

    Powers of a half are roots, as in PyTorch's kernel: of -inf they are NaN.
    """
    if not isinstance(exponent, torch.SymInt):
        roots = {0.5: aten.sqrt, -0.5: aten.rsqrt}
        if self.dtype.is_floating_point and exponent in roots:
            return roots[exponent](self)
        return NotImplemented
    check: Any = torch._check
    if not self.dtype.is_floating_point and not self.dtype.is_complex:
        check(exponent >= 0, lambda: "integers to negative integer powers are not allowed")
    # PyTorch's stubs have no type for symbolic numbers.
    value: Any = exponent
    number = torch.full((), value, dtype=self.dtype, device=self.device)
    return aten.pow.Tensor_Tensor(self, number)


def _div_mode(self: torch.Tensor, other: Any, *, rounding_mode: str | None) -> Any:
    """For floats, floor division as in PyTorch's `div_floor_floating`."""
    if rounding_mode is not None and is_of_bytes(self, other):
        return divide_bytes(self, other, rounding_mode)
    if rounding_mode != "floor":
        return NotImplemented
    kind = torch.result_type(self, other)
    if not kind.is_floating_point:
        return NotImplemented
    if not isinstance(other, torch.Tensor):
        other = torch.full((), other, dtype=kind)
    return _floor_of_quotient(self.to(kind), other.to(kind))


def _floor_divide(self: torch.Tensor, other: Any) -> Any:
    return _div_mode(self, other, rounding_mode="floor")


def _floor_of_quotient(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    low = a.dtype in (torch.float16, torch.bfloat16)
    wide_a, wide_b = (a.float(), b.float()) if low else (a, b)
    rest = _truncated_remainder(wide_a, wide_b)
    quotient = (wide_a - rest) / wide_b
    quotient = torch.where((rest != 0) & ((wide_b < 0) != (rest < 0)), quotient - 1, quotient)
    floor = torch.floor(quotient)
    floor = torch.where(quotient - floor > 0.5, floor + 1, floor)
    floor = torch.where(quotient != 0, floor, torch.zeros_like(floor))
    result = torch.where(wide_b == 0, wide_a / wide_b, floor)
    return result.to(a.dtype)


def _fmod(self: torch.Tensor, other: Any) -> Any:
    """The remainder of the division, with the sign of the dividend."""
    kind = torch.result_type(self, other)
    if kind == torch.bool:
        return NotImplemented
    divisor = other if isinstance(other, torch.Tensor) else torch.full((), other, dtype=kind)
    if kind.is_floating_point:
        return _truncated_remainder(self.to(kind), divisor.to(kind))
    rest = torch.remainder(self.to(kind), divisor.to(kind))
    other_sign = torch.ne(rest, 0) & ((self < 0) ^ (divisor < 0))
    return torch.where(other_sign, rest - divisor, rest).to(kind)


def _truncated_remainder(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    rest = torch.remainder(torch.abs(a), torch.abs(b))
    return torch.where(a < 0, -rest, rest)


def _remainder_number(self: torch.Tensor, other: Any) -> Any:
    """With a tensor divisor: for a scalar the wheel folds constants with the sign of C."""
    if not isinstance(other, (int, float)):
        return NotImplemented
    kind = torch.result_type(self, other)
    divisor = torch.full((), other, dtype=kind, device=self.device)
    return aten.remainder.Tensor(self.to(kind), divisor)


def _rsub(self: torch.Tensor, other: Any, alpha: Any = 1) -> Any:
    """In two steps: the wheel reads a factor as an unsigned int."""
    if alpha == 1:
        return NotImplemented
    return aten.rsub.Scalar(aten.mul.Scalar(self, alpha), other)


def _trunc(self: torch.Tensor) -> Any:
    """The wheel folds the comparison in its own decomposition wrongly for constants."""
    if not self.is_floating_point():
        return NotImplemented
    return torch.where(self < 0, torch.ceil(self), torch.floor(self))


def _eq(self: torch.Tensor, other: Any) -> Any:
    """A value compared with itself is equal, unless it is NaN."""
    if self is not other or not self.is_floating_point():
        return NotImplemented
    return torch.logical_not(torch.isnan(self))


def _eye(n: int, m: int | None = None, **kwargs: Any) -> Any:
    device, kind = kwargs.get("device"), kwargs.get("dtype") or torch.get_default_dtype()
    rows = torch.arange(n, device=device)
    columns = torch.arange(n if m is None else m, device=device)
    return (rows.unsqueeze(1) == columns).to(kind)


def _isfinite(self: torch.Tensor) -> Any:
    if not self.is_floating_point():
        return NotImplemented
    return torch.lt(torch.abs(self), float("inf"))


def _max_pool(operator: OpOverload, rank: int) -> Decomposition:
    """Without a batch: a batch of one; omitted arguments and scalars are expanded."""

    def decompose(
        self: torch.Tensor,
        kernel_size: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] | None = None,
        dilation: Sequence[int] | None = None,
        ceil_mode: bool = False,
    ) -> Any:
        if self.dtype == torch.uint8:
            # The conversion compares them as signed.
            given = [each for each in (padding, dilation) if each is not None]
            pooled = operator(
                self.to(torch.int32), kernel_size, stride, *given, ceil_mode=ceil_mode
            )
            return pooled[0].to(torch.uint8), pooled[1]
        has_batch = self.dim() == rank + 2
        if all(each == 1 for each in dilation or ()):
            clipped = _clipped(self, rank, kernel_size, stride, padding)
            if clipped is not None:
                around = (padding or [0] * rank, dilation or [1] * rank)
                return operator(self, *clipped, *around, ceil_mode)
        every = (kernel_size, stride, padding, dilation)
        # The importer adds omitted paddings and dilations.
        if has_batch and all(each is None or len(each) == rank for each in every):
            _check_windows(self.shape[-rank:], padding or [0] * rank, dilation or [1] * rank)
            return NotImplemented
        lists = (kernel_size, stride or kernel_size, padding or [0], dilation or [1])
        full = [list(each) * rank if len(each) == 1 else list(each) for each in lists]
        _check_windows(self.shape[-rank:], full[2], full[3])
        batch = self if has_batch else self.unsqueeze(0)
        pooled = operator(batch, *full, ceil_mode)
        return pooled if has_batch else tuple(each.squeeze(0) for each in pooled)

    return decompose


def _check_windows(sizes: Sequence[Any], padding: Sequence[int], dilation: Sequence[int]) -> None:
    """Require every window to contain an element; otherwise PyTorch's index is out of bounds."""
    check: Any = torch._check
    for size, around, between in zip(sizes, padding, dilation, strict=True):
        if around and between > 1:
            check(size >= between, lambda: "a window without elements has no maximum")


def _clipped(
    self: torch.Tensor,
    rank: int,
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int] | None,
) -> tuple[list[int], list[int]] | None:
    """Smaller windows and strides with the same result; None if there are none.

    With `ceil_mode`, a window may be larger than the padded input, and is then the only one. The
    conversion would pad the input to its size, and by the stride.
    """
    sizes = self.shape[-rank:]
    around = list(padding or [0])
    around = around * rank if len(around) == 1 else around
    strides = list(stride or kernel_size)
    if not len(kernel_size) == len(strides) == rank:
        return None
    if not all(isinstance(size, int) for size in sizes):
        return None
    most = [size + 2 * each for size, each in zip(sizes, around, strict=True)]
    clipped = [min(size, limit) for size, limit in zip(kernel_size, most, strict=True)]
    if clipped == list(kernel_size):
        return None
    is_whole = [size == limit for size, limit in zip(clipped, most, strict=True)]
    return clipped, [1 if one else step for one, step in zip(is_whole, strides, strict=True)]


def _avg_pool(operator: OpOverload, rank: int) -> Decomposition:
    """Without a batch: a batch of one; omitted arguments and scalars are expanded."""

    def decompose(
        self: torch.Tensor,
        kernel_size: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] | None = None,
        *others: Any,
        **keywords: Any,
    ) -> Any:
        has_batch = self.dim() == rank + 2
        clipped = _clipped(self, rank, kernel_size, stride, padding)
        if clipped is not None:
            return operator(self, *clipped, padding or [0] * rank, *others, **keywords)
        # The importer adds an omitted padding.
        is_written = len(kernel_size) == len(stride) == rank
        if has_batch and is_written and (padding is None or len(padding) == rank):
            return NotImplemented
        lists = [list(each) for each in (kernel_size, stride or kernel_size, padding or [0])]
        written = [each * rank if len(each) == 1 else each for each in lists]
        batch = self if has_batch else self.unsqueeze(0)
        pooled = operator(batch, *written, *others, **keywords)
        return pooled if has_batch else pooled.squeeze(0)

    return decompose


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


def _nonzero(self: torch.Tensor) -> Any:
    """For a tensor of rank 0: one row without indices, or none."""
    if self.dim() != 0:
        return NotImplemented
    return aten.slice.Tensor(aten.nonzero.default(self.reshape(1)), 1, 0, 0)


def _addmv(self: torch.Tensor, mat: torch.Tensor, vec: torch.Tensor, **scales: Any) -> Any:
    """With an empty matrix, PyTorch's kernel returns `self` without expanding it."""
    check: Any = torch._check
    if self.shape != mat.shape[:1]:
        for size in mat.shape:
            check(size != 0, lambda: f"addmv of an empty matrix does not expand {self.shape}")
    return NotImplemented


def _trilinear(
    a: torch.Tensor,
    b: torch.Tensor,
    c: torch.Tensor,
    expand_a: Sequence[int],
    expand_b: Sequence[int],
    expand_c: Sequence[int],
    summed: Sequence[int],
    unrolled: int = 1,
) -> Any:
    """Sum the products of the first two operands before multiplying by the third.

    PyTorch's kernel does so; with infinities the order matters. For 16-bit floats, neither products
    nor sums are rounded in between.
    """
    wide = torch.float32 if a.dtype in (torch.float16, torch.bfloat16) else a.dtype
    rank = a.dim() + len(expand_a)
    summed = [dim % rank for dim in summed]
    expanded = [[dim % rank for dim in dims] for dims in (expand_a, expand_b, expand_c)]
    first, second, third = (
        _expanded(tensor.to(wide), dims) for tensor, dims in zip((a, b, c), expanded, strict=True)
    )
    shape = []
    for dim, sizes in enumerate(zip(first.shape, second.shape, third.shape, strict=True)):
        # The size of the last operand that has the dimension; None if none has it.
        had = [size for size, dims in zip(sizes, expanded, strict=True) if dim not in dims]
        if dim not in summed:
            shape.append(had[-1] if had else 0)
    if 0 in shape:
        # Nothing is computed, and so nothing broadcast.
        return a.new_zeros(shape)
    before = [dim for dim in summed if dim in expanded[2]]
    behind = [dim for dim in summed if dim not in expanded[2]]
    sums = first * second
    if before:
        sums = sums.sum(before, keepdim=True)
    products = sums * third
    if behind:
        products = products.sum(behind, keepdim=True)
    for dim in sorted(summed, reverse=True):
        products = products.squeeze(dim)
    return products.to(a.dtype)


def _expanded(tensor: torch.Tensor, dims: Sequence[int]) -> torch.Tensor:
    for dim in sorted(dims):
        tensor = tensor.unsqueeze(dim)
    return tensor


def _unique_consecutive(
    self: torch.Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Dimensions for which PyTorch's fake kernel infers other shapes than the operator returns."""
    if dim is None or self.dim() == 0:
        return NotImplemented
    if self.dim() == 1:
        # A negative dimension is treated as slices, and all results are returned.
        is_slices = dim == -1
        return aten.unique_consecutive.default(
            self, return_inverse or is_slices, return_counts or is_slices
        )
    if dim >= 0:
        return NotImplemented
    return aten.unique_consecutive.default(self, return_inverse, return_counts, dim + self.dim())


def _unfold_backward(
    grad: torch.Tensor, input_size: Sequence[Any], dimension: int, size: Any, step: Any
) -> Any:
    """For an input of rank 0, which has one window of one element, or none."""
    if len(input_size) != 0:
        return NotImplemented
    check: Any = torch._check
    message = f"unfold_backward: {grad.shape} is not the gradient of windows of {size}, rank 0"
    check(grad.dim() <= 1 and size <= 1, lambda: message)
    check(grad.numel() == size, lambda: message)
    return grad.sum()


def _repeat(self: torch.Tensor, repeats: Sequence[Any]) -> Any:
    """With a repeat of 0: the conversion infers that the other sizes are 0, too."""
    if not any(guard_or_false(each == 0) for each in (*repeats, *self.shape)):
        return NotImplemented
    sizes = [1] * (len(repeats) - self.dim()) + list(self.shape)
    return self.new_zeros([size * times for size, times in zip(sizes, repeats, strict=True)])


def _histc(self: torch.Tensor, bins: int = 100, min: Any = 0, max: Any = 0) -> Any:
    """Compare with each bin, if there are few, or add to the bins; the last one includes its upper
    bound."""
    is_known = all(isinstance(each, (int, float)) for each in (min, max))
    if not is_known or not min < max or bins <= 0:
        return NotImplemented
    if self.dtype not in (torch.float32, torch.float64):
        return NotImplemented
    low, high = float(min), float(max)
    elements = self.reshape([-1])
    is_inside = (elements >= low) & (elements <= high)
    # NaN and elements outside have no defined integer.
    inside = torch.where(is_inside, elements, low)
    places = ((inside - low) * bins / (high - low)).to(torch.int64).clamp(max=bins - 1)
    if bins > _MOST_BINS:
        none = torch.zeros([bins], dtype=torch.int64, device=self.device)
        return none.scatter_add(0, places, is_inside.to(torch.int64)).to(self.dtype)
    counted = torch.arange(bins, device=self.device)
    hits = (places.unsqueeze(1) == counted) & is_inside.unsqueeze(1)
    return hits.sum(0).to(self.dtype)


def _topk(
    self: torch.Tensor, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True
) -> Any:
    """Results that need not be sorted are; the conversion only knows sorted ones."""
    return NotImplemented if sorted else aten.topk.default(self, k, dim, largest, True)


def _adaptive_avg_pool(self: torch.Tensor, output_size: Sequence[int]) -> Any:
    """The mean, for a single result; PyTorch's decompositions restride it."""
    rank = len(output_size)
    lengths = self.shape[-rank:]
    is_known = all(isinstance(length, int) and length > 0 for length in lengths)
    if list(output_size) != [1] * rank or not is_known or not self.is_floating_point():
        return NotImplemented
    return self.mean([-1 - place for place in range(rank)], keepdim=True)


def _native_layer_norm_backward(
    grad_out: torch.Tensor,
    input: torch.Tensor,
    normalized_shape: Sequence[Any],
    mean: torch.Tensor,
    rstd: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    output_mask: Sequence[bool],
) -> Any:
    """Require sizes of the input; PyTorch's decomposition accepts any that broadcast.

    The kernel counts the statistics of all rows, whatever dimensions they have.
    """
    axis = input.dim() - len(normalized_shape)
    outer, inner = list(input.shape[:axis]), list(input.shape[axis:])
    wanted = [*outer, *[1] * len(inner)]
    _check_sizes(normalized_shape, inner)
    _check_sizes(grad_out.shape, input.shape)
    for each in (weight, bias):
        if each is not None:
            _check_sizes(each.shape, inner)
    statistics = []
    for each in (mean, rstd):
        if each.dim() == input.dim():
            _check_sizes(each.shape, wanted)
            statistics.append(each)
        else:
            _check_sizes([each.numel()], [math.prod(outer)])
            statistics.append(each.reshape(wanted))
    return global_decomposition_table["post_autograd"][aten.native_layer_norm_backward.default](
        grad_out, input, normalized_shape, *statistics, weight, bias, output_mask
    )


def _check_sizes(sizes: Sequence[Any], wanted: Sequence[Any]) -> None:
    check: Any = torch._check
    check(len(sizes) == len(wanted), lambda: f"{sizes} are not {wanted}")
    for size, other in zip(sizes, wanted, strict=True):
        check(size == other, lambda: f"{sizes} are not {wanted}")


def _var(
    self: torch.Tensor,
    dim: Sequence[int] | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
) -> Any:
    found = _var_mean(self, dim, correction=correction, keepdim=keepdim)
    return found if found is NotImplemented else found[0]


def _var_mean(
    self: torch.Tensor,
    dim: Sequence[int] | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
) -> Any:
    """Both as means in f32, or f64; the wheel's conversion always computes in f64.

    Without degrees of freedom the sum of squares is divided by 0, not by a negative number.
    """
    dims = list(dim) if dim else list(range(self.dim()))
    count = 1
    for each in dims:
        count *= self.shape[each] if self.dim() else 1
    taken = 1 if correction is None else correction
    if self.is_complex() or not (isinstance(count, int) or statically_known_true(count <= taken)):
        return NotImplemented
    # Without elements it is NaN, whatever the correction.
    degrees = max(count - taken, 0) if isinstance(count, int) and count else 0
    wide = self.float() if self.dtype in (torch.float16, torch.bfloat16) else self
    mean = torch.mean(wide, dims, keepdim=True)
    rest = wide - mean
    variance = torch.sum(rest * rest, dims, keepdim=keepdim) / float(degrees)
    if not keepdim:
        mean = torch.squeeze(mean, dims)
    return variance.to(self.dtype), mean.to(self.dtype)


def _soft_margin_loss_backward(
    grad_output: torch.Tensor, self: torch.Tensor, target: torch.Tensor, reduction: int
) -> Any:
    """With the dtype of `self`, to which PyTorch's decomposition does not convert."""
    if {grad_output.dtype, target.dtype} == {self.dtype}:
        return NotImplemented
    decomposition = _decomposition_of(aten.soft_margin_loss_backward.default)
    return decomposition(grad_output, self, target, reduction).to(self.dtype)


def _batch_norm_for_inference(
    input: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    running_mean: torch.Tensor,
    *others: Any,
) -> Any:
    """With statistics in the dtype of the running ones, where PyTorch's decomposition differs."""
    decomposition = _decomposition_of(aten._native_batch_norm_legit_no_training.default)
    values, *statistics = decomposition(input, weight, bias, running_mean, *others)
    return values, *(each.to(running_mean.dtype) for each in statistics)


def _weight_norm(v: torch.Tensor, g: torch.Tensor, dim: int = 0) -> Any:
    """For 16-bit floats in f32, in which the kernel returns the norms."""
    if v.dtype not in (torch.float16, torch.bfloat16) or g.dtype != v.dtype:
        return NotImplemented
    decomposition = _decomposition_of(aten._weight_norm_interface.default)
    values, norms = decomposition(v.to(torch.float32), g.to(torch.float32), dim)
    return values.to(v.dtype), norms


def _decomposition_of(operator: OpOverload) -> Decomposition:
    found: Decomposition = global_decomposition_table["post_autograd"][operator]
    return found


def _where(condition: torch.Tensor, self: torch.Tensor, other: torch.Tensor) -> Any:
    """For equal branches, the conversion returns them without the broadcast to the condition."""
    if self.dim() < condition.dim() and self.shape == other.shape:
        return aten.where.self(condition, self.expand(condition.shape), other)
    return NotImplemented
