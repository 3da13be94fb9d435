"""Decompositions where the results of the wheel's conversions differ from PyTorch's.

Each takes the arguments of its operator, and returns `NotImplemented` where the conversion is
correct, so that the operator is kept. What needs no checks of a trace is a decomposition function
of the library (`families/decompositions/exact/`). They were found by `build_tools/numerics`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.utils._python_dispatch import _disable_current_modes
from torch_refine.abstract_interp_lib.families.decompositions.basics.parts_of_dims import (
    select,
    select_scatter,
)
from torch_refine.abstract_interp_lib.rules.decomposing import first_places

aten = torch.ops.aten
Decomposition = Callable[..., Any]
# The end of a slice without one.
_LARGEST = (1 << 63) - 1


def exact_decompositions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator."""
    table: dict[OpOverload, Decomposition] = {
        aten._embedding_bag_forward_only.default: _embedding_bag_forward_only,
        aten.arange.default: _arange,
        aten.arange.start: _arange,
        aten.arange.start_step: _arange,
        aten.binary_cross_entropy.default: _binary_cross_entropy,
        aten.copy.default: _copy,
        aten.eq.Tensor: _eq,
        aten.max.dim: _extreme(aten.amax.default),
        aten.min.dim: _extreme(aten.amin.default),
        aten.max_pool2d_with_indices.default: _max_pool(2),
        aten.max_pool3d_with_indices.default: _max_pool(3),
        aten.pow.Tensor_Scalar: _pow,
        aten.repeat_interleave.Tensor: _repeat_interleave,
        aten.select.int: _select,
        aten.select_scatter.default: _select_scatter,
        aten.slice.Tensor: _slice,
        aten.slice_scatter.default: _slice_scatter,
        aten.addmv.default: _addmv,
    }
    for operator in (aten.clamp.default, aten.clamp_min.default, aten.clamp_max.default):
        table[operator] = _clamp(operator)
    return table


def _clamp(operator: OpOverload) -> Decomposition:
    """Bounds of integers as those that the dtype has, which the conversion requires."""
    names = [each.name for each in operator._schema.arguments[1:]]

    def decompose(self: torch.Tensor, *bounds: Any, **named: Any) -> Any:
        given = dict(zip(names, bounds, strict=False)) | named
        kinds = [torch.result_type(self, each) for each in given.values() if each is not None]
        kind = reduce(torch.promote_types, kinds)
        if kind.is_floating_point or kind.is_complex:
            return NotImplemented
        changed = {name: _bound(each, kind) for name, each in given.items()}
        return NotImplemented if repr(changed) == repr(given) else operator(self, **changed)

    return decompose


def _bound(number: Any, kind: torch.dtype) -> Any:
    """A bound of `clamp` in an integer dtype, as its kernel converts it; others as they are.

    PyTorch 2.15 takes the nearest integer that the dtype has; PyTorch 2.13 raises, but negative
    integers wrap around in unsigned dtypes.

    Raises:
        ValueError: the kernel raises.
    """
    if not isinstance(number, bool | int | float) or kind == torch.bool:
        return bool(number) if isinstance(number, int | float) else number
    info = torch.iinfo(kind)
    if isinstance(number, int) and _takes_nearest_bound():
        return min(max(int(number), info.min), info.max)
    low = -info.max if isinstance(number, int) and not info.min else info.min
    if not low <= number <= info.max:
        raise ValueError(f"{number} cannot be converted to {kind} without overflow")
    count = info.max - info.min + 1
    return (int(number) - info.min) % count + info.min


@cache
def _takes_nearest_bound() -> bool:
    # Constants: do not trace the comparison.
    with _disable_current_modes():
        return int(torch.zeros((), dtype=torch.uint8).clamp_min(-1)) == 0


def _embedding_bag_forward_only(
    weight: torch.Tensor,
    indices: torch.Tensor,
    offsets: torch.Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: torch.Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> Any:
    """The operator that the gradient needs more results of.

    PyTorch's import takes this one for another, which counts a negative padding from the end, and
    its fake kernel gives some results of sums other sizes than its kernel.
    """
    found = aten._embedding_bag.default(
        weight,
        indices,
        offsets,
        scale_grad_by_freq,
        mode,
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )
    if mode != 0:
        return found
    output, bags, *rest = found
    if weight.dtype == torch.bfloat16 and padding_idx < 0:
        bags = bags.new_zeros([0])
    if include_last_offset:
        rest = [torch.zeros_like(offsets, dtype=bags.dtype) for _ in range(2)]
    return (output, bags, *rest)


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


def _binary_cross_entropy(
    self: torch.Tensor, target: torch.Tensor, *args: Any, **kwargs: Any
) -> Any:
    """Require equal sizes: otherwise PyTorch's kernel returns a part of its result."""
    check: Any = torch._check
    message = f"binary_cross_entropy of input {self.shape} and target {target.shape}"
    check(self.dim() == target.dim(), lambda: message)
    for size, other in zip(self.shape, target.shape, strict=True):
        check(size == other, lambda: message)
    return NotImplemented


def _extreme(reduction: OpOverload) -> Decomposition:
    """Extremes and their first indices by two reductions, which are computed with vectors."""

    def decompose(self: torch.Tensor, dim: int, keepdim: bool = False) -> Any:
        is_other = self.dtype in (torch.uint8, torch.bool) or self.dtype.is_complex
        if self.dim() == 0 or is_other:
            return NotImplemented
        place = dim % self.dim()
        extremes = reduction(self, [place], True)
        places = first_places(self, extremes, place)
        if keepdim:
            return extremes, places
        return extremes.squeeze(place), places.squeeze(place)

    return decompose


def _repeat_interleave(repeats: torch.Tensor, *, output_size: Any = None) -> Any:
    """No results, which an assertion of the library's function would have no effect on."""
    if not isinstance(output_size, int) or output_size != 0 or 0 in repeats.shape:
        return NotImplemented
    is_right = torch.logical_not(torch.any(repeats))
    aten._assert_async.msg(is_right, "allocated size does not match required size")
    return repeats.new_zeros([0])


def _select(self: torch.Tensor, dim: int, index: Any) -> Any:
    """With a symbolic index; the conversion normalizes it twice."""
    return NotImplemented if isinstance(index, int) else select(self, dim, index)


def _select_scatter(self: torch.Tensor, src: torch.Tensor, dim: int, index: Any) -> Any:
    """By `slice_scatter`, which writes one part; PyTorch's decomposition computes all elements.

    It promotes to the dtype of `src`, too.
    """
    place = dim % self.dim()
    size = self.size(place)
    start = index
    if not statically_known_true(index >= 0):
        if not statically_known_true(index < 0):
            return select_scatter(self, src, dim, index)
        start = index + size
    check: Any = torch._check
    check(start >= 0, lambda: "the index of select_scatter is out of range")
    check(start < size, lambda: "the index of select_scatter is out of range")
    given = src.to(self.dtype).unsqueeze(place)
    return aten.slice_scatter.default(self, given, place, start, start + 1)


def _slice(
    self: torch.Tensor, dim: int = 0, start: Any = None, end: Any = None, step: Any = 1
) -> Any:
    """The whole of a dimension of any size is the tensor."""
    return aten.alias.default(self) if _is_whole(self, dim, start, end, step) else NotImplemented


def _slice_scatter(
    self: torch.Tensor,
    src: torch.Tensor,
    dim: int = 0,
    start: Any = None,
    end: Any = None,
    step: Any = 1,
) -> Any:
    """The whole of a dimension of any size is replaced by the other tensor."""
    is_new = _is_whole(self, dim, start, end, step) and src.dtype == self.dtype
    return src if is_new else NotImplemented


def _is_whole(self: torch.Tensor, dim: int, start: Any, end: Any, step: Any) -> bool:
    """Whether a slice is known to be a whole dimension; that of a scalar is an error."""
    if self.dim() == 0 or not -self.dim() <= dim < self.dim():
        return False
    has_end = end is not None and not (isinstance(end, int) and end >= _LARGEST)
    return (
        (step is None or statically_known_true(step == 1))
        and (start is None or statically_known_true(start == 0))
        and (not has_end or statically_known_true(end >= self.size(dim)))
    )


def _copy(self: torch.Tensor, src: torch.Tensor, non_blocking: bool = False) -> Any:
    """The other tensor; the conversion copies what is overwritten first."""
    cast = src.to(self.dtype)
    is_same = src.dim() == self.dim() and all(
        statically_known_true(one == other)
        for one, other in zip(src.shape, self.shape, strict=True)
    )
    return cast if is_same else aten.expand.default(cast, self.shape)


def _pow(self: torch.Tensor, exponent: Any) -> Any:
    """A symbolic exponent becomes a tensor, as the conversion requires a constant.

    Powers of bools to a bool are bools, which PyTorch's traces say are integers.
    """
    if isinstance(exponent, bool) and self.dtype == torch.bool:
        return aten.clone.default(self) if exponent else aten.ones_like.default(self)
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


def _addmv(self: torch.Tensor, mat: torch.Tensor, vec: torch.Tensor, **scales: Any) -> Any:
    """With an empty matrix, PyTorch's kernel returns `self` without expanding it."""
    check: Any = torch._check
    if self.shape != mat.shape[:1]:
        for size in mat.shape:
            check(size != 0, lambda: f"addmv of an empty matrix does not expand {self.shape}")
    return NotImplemented
