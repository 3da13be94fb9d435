"""Decompositions for operators whose kernels cast a scalar, or a source, to a dtype.

The casts are those of C++: an integer kernel truncates before it compares, and raises for an
unrepresentable value. The wheel's conversions compare and promote instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import _disable_current_modes

aten = torch.ops.aten
Decomposition = Callable[..., Any]

# The scalar arguments that are cast to the dtype of the first tensor.
_CAST_NUMBERS = {
    aten.fill.Scalar: ("value",),
    aten.index_fill.int_Scalar: ("value",),
    aten.masked_fill.Scalar: ("value",),
    aten.scatter.value: ("value",),
    aten.threshold.default: ("threshold", "value"),
    aten.threshold_backward.default: ("threshold",),
}
# The tensor arguments that are.
_CAST_TENSORS = {
    aten.as_strided_scatter.default: "src",
    aten.diagonal_scatter.default: "src",
    aten.fill.Tensor: "value",
    aten.index_fill.int_Tensor: "value",
    aten.masked_fill.Tensor: "value",
    aten.select_scatter.default: "src",
    aten.slice_scatter.default: "src",
}
# Those whose scalars the dtype that all operands promote to must represent.
_ORDERINGS = (aten.clamp.default, aten.clamp_min.default, aten.clamp_max.default)


def number_decompositions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator; each returns `NotImplemented` where no cast is needed."""
    table = {each: _with_cast_numbers(each, names) for each, names in _CAST_NUMBERS.items()}
    table |= {each: _with_cast_tensor(each, name) for each, name in _CAST_TENSORS.items()}
    table[aten.hardtanh.default] = _hardtanh
    table[aten.full.default] = _full
    for each in (aten.full_like.default, aten.new_full.default):
        table[each] = _with_cast_fill(each)
    for each in _ORDERINGS:
        table[each] = _with_promoted_numbers(each, as_bound)
    table[aten.pow.Tensor_Scalar] = _pow
    return table


def _pow(self: torch.Tensor, exponent: Any) -> Any:
    """Powers of bools to a bool are bools, which PyTorch's traces say are integers."""
    if isinstance(exponent, bool) and self.dtype == torch.bool:
        return aten.clone.default(self) if exponent else aten.ones_like.default(self)
    return _with_promoted_numbers(aten.pow.Tensor_Scalar, as_kernel)(self, exponent)


def as_kernel(number: Any, kind: torch.dtype) -> Any:
    """Convert a scalar to a dtype like `c10::Scalar` (c10/util/TypeCast.h).

    Symbolic numbers are returned as they are.

    Raises:
        ValueError: the value is not representable in the dtype.
    """
    if not isinstance(number, bool | int | float):
        return number
    if kind == torch.bool:
        return bool(number)
    if kind.is_floating_point or kind.is_complex:
        return float(number) if isinstance(number, bool) else number
    info = torch.iinfo(kind)
    # Negative integers wrap around in unsigned types.
    low = -info.max if isinstance(number, int) and not info.min else info.min
    if not low <= number <= info.max:
        raise ValueError(f"{number} cannot be converted to {kind} without overflow")
    return wrapped(int(number), kind)


def as_bound(number: Any, kind: torch.dtype) -> Any:
    """Convert a bound of `clamp` to a dtype like its kernel.

    PyTorch 2.15 takes the nearest representable integer; PyTorch 2.13 converts a bound like any
    other scalar.

    Raises:
        ValueError: it is converted, and not representable in the dtype.
    """
    is_integer = not (kind.is_floating_point or kind.is_complex or kind == torch.bool)
    if isinstance(number, int) and is_integer and _takes_nearest_bound():
        info = torch.iinfo(kind)
        return min(max(int(number), info.min), info.max)
    return as_kernel(number, kind)


@cache
def _takes_nearest_bound() -> bool:
    # Constants: do not trace the comparison.
    with _disable_current_modes():
        return int(torch.zeros((), dtype=torch.uint8).clamp_min(-1)) == 0


def wrapped(number: int, kind: torch.dtype) -> int:
    """The integer of a dtype with the same lowest bits."""
    info = torch.iinfo(kind)
    return (number - info.min) % (info.max - info.min + 1) + info.min


def _with_cast_numbers(operator: OpOverload, cast: tuple[str, ...]) -> Decomposition:
    names = [each.name for each in operator._schema.arguments]

    def decompose(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        kind = given[names[0]].dtype
        numbers = {name: given[name] for name in cast if given.get(name) is not None}
        changed = {name: as_kernel(each, kind) for name, each in numbers.items()}
        if repr(changed) == repr(numbers):
            return NotImplemented
        return _called_with(operator, names, args, kwargs, changed)

    return decompose


def _with_promoted_numbers(
    operator: OpOverload, fit: Callable[[Any, torch.dtype], Any]
) -> Decomposition:
    names = [each.name for each in operator._schema.arguments]

    def decompose(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        numbers = {name: given[name] for name in names[1:] if given.get(name) is not None}
        if any(isinstance(each, complex) for each in numbers.values()):
            return NotImplemented
        kind = reduce(
            torch.promote_types,
            [torch.result_type(given[names[0]], each) for each in numbers.values()],
        )
        changed = {name: fit(each, kind) for name, each in numbers.items()}
        if kind.is_floating_point or kind.is_complex or repr(changed) == repr(numbers):
            return NotImplemented
        return _called_with(operator, names, args, kwargs, changed)

    return decompose


def _with_cast_tensor(operator: OpOverload, cast: str) -> Decomposition:
    names = [each.name for each in operator._schema.arguments]

    def decompose(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        kind = given["self"].dtype
        if given[cast].dtype == kind:
            return NotImplemented
        return _called_with(operator, names, args, kwargs, {cast: given[cast].to(kind)})

    return decompose


def _called_with(
    operator: OpOverload,
    names: list[str],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    changed: dict[str, Any],
) -> Any:
    """An operator with some of its arguments replaced."""
    positional = [changed.get(name, each) for name, each in zip(names, args, strict=False)]
    return operator(*positional, **{name: changed.get(name, kwargs[name]) for name in kwargs})


def _hardtanh(self: torch.Tensor, min_val: Any = -1, max_val: Any = 1) -> Any:
    """For integers: clamp between truncated bounds."""
    if self.dtype.is_floating_point:
        return NotImplemented
    return aten.clamp.default(self, int(min_val), int(max_val))


def _full(size: Any, fill_value: Any, *, dtype: torch.dtype | None = None, **kwargs: Any) -> Any:
    if dtype is None or isinstance(fill_value, complex):
        return NotImplemented
    value = as_kernel(fill_value, dtype)
    if repr(value) == repr(fill_value):
        return NotImplemented
    return aten.full.default(size, value, dtype=dtype, **kwargs)


def _with_cast_fill(operator: OpOverload) -> Decomposition:
    """The value is the last positional argument; the dtype is that of the first tensor."""

    def decompose(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        kind = kwargs.get("dtype") or self.dtype
        if not args or isinstance(args[-1], complex):
            return NotImplemented
        value = as_kernel(args[-1], kind)
        if repr(value) == repr(args[-1]):
            return NotImplemented
        return operator(self, *args[:-1], value, **kwargs)

    return decompose
