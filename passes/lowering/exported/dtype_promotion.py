"""Decompositions that cast the operands of pointwise operators to their computation dtype.

The wheel's conversions promote operands, too, but extend and compare unsigned integers as signed,
and abort at scalars with 8-bit tensors. Here each operand is cast first, and 8-bit integers are
computed in 32 bits, whose lowest bits are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import torch
from torch._ops import OpOverload
from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND, elementwise_dtypes
from torch.utils._python_dispatch import _disable_current_modes
from torch_refine.passes.lowering.exported.kernel_numbers import as_bound, as_kernel, wrapped

aten = torch.ops.aten
Decomposition = Callable[..., Any]

_BYTES = (torch.uint8, torch.int8)
# Scalars that take part in PyTorch's promotion; others are cast to the dtype of the result.
_PROMOTING = ("self", "other", "exponent", "min", "max", "x", "y")
_CONDITIONS = {"condition", "mask"}
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_ORDERINGS = ("maximum", "minimum", "clamp", "clamp_min", "clamp_max")
# Operators whose lowest result bits depend on the lowest operand bits only.
_RINGS = ("add", "mul", "bitwise_and", "bitwise_or", "bitwise_xor")
_OTHERS = (
    "addcmul",
    "bitwise_left_shift",
    "bitwise_right_shift",
    "fmod",
    "fmax",
    "fmin",
    "pow",
    "remainder",
    "rsub",
    "sub",
    "threshold_backward",
    "where",
)
# Operators that compute integers in the default dtype.
_OF_FLOATS = (
    "acos",
    "acosh",
    "addcdiv",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "copysign",
    "cos",
    "cosh",
    "digamma",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "hypot",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logaddexp2",
    "logit",
    "nextafter",
    "reciprocal",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinc",
    "sinh",
    "special_entr",
    "special_xlog1py",
    "sqrt",
    "tan",
    "tanh",
    "xlogy",
)


def promoting_decompositions() -> dict[OpOverload, Decomposition]:
    """The decompositions by operator; each returns `NotImplemented` where no cast is needed."""
    table: dict[OpOverload, Decomposition] = {}
    for names, promoted in (
        (_COMPARISONS, _compared),
        (_ORDERINGS, _ordered),
        (_RINGS, _computed),
        (_OTHERS, _computed),
        (_OF_FLOATS, _of_floats),
        (("div",), _divided),
    ):
        for name in names:
            packet = getattr(aten, name)
            for overload in (getattr(packet, each) for each in packet.overloads()):
                if _takes_tensors(overload):
                    table[overload] = promoted(overload)
    table[aten.where.self] = _where(table[aten.where.self])
    table |= {each: _joined(each) for each in (aten.cat.default, aten.stack.default)}
    return table | _scalar_overloads_as_tensors()


def _scalar_overloads_as_tensors() -> dict[OpOverload, Decomposition]:
    """Operators with a scalar that have a conversion for tensors only."""
    table: dict[OpOverload, Decomposition] = {}
    for name in ("and", "or", "xor"):
        packet = getattr(aten, f"bitwise_{name}")
        table |= {
            each: _with_tensors(packet.Tensor) for each in (packet.Scalar, packet.Scalar_Tensor)
        }
    for name in ("left", "right"):
        packet = getattr(aten, f"bitwise_{name}_shift")
        overloads = (packet.Tensor_Scalar, packet.Scalar_Tensor)
        table |= {each: _with_tensors(packet.Tensor) for each in overloads}
    table[aten.copysign.Scalar] = _with_tensors(aten.copysign.Tensor)
    return table


def _with_tensors(operator: OpOverload) -> Decomposition:
    """The overload for tensors, with the scalar as a tensor of the computation dtype."""

    def decompose(self: Any, other: Any) -> Any:
        kind = torch.result_type(self, other)
        if kind.is_complex:
            return NotImplemented
        tensors = [
            each.to(kind) if isinstance(each, torch.Tensor) else _full(as_kind(each, kind), kind)
            for each in (self, other)
        ]
        return operator(*tensors)

    return decompose


def _full(number: Any, kind: torch.dtype) -> torch.Tensor:
    return torch.full((), number, dtype=kind)


def _takes_tensors(operator: OpOverload) -> bool:
    """Whether it has tensors to cast, and is neither composite nor in-place nor an out variant."""
    arguments = operator._schema.arguments
    tensors = [each.name for each in arguments if str(each.type) == "Tensor"]
    if not set(tensors) - _CONDITIONS:
        return False
    name: str = operator.name()  # type: ignore[no-untyped-call]
    is_composite = torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd")
    is_out = any(each.is_out for each in arguments)
    return not is_out and not is_composite


def _where(promoted: Decomposition) -> Decomposition:
    """For equal branches, the conversion returns them without the broadcast to the condition."""

    def decompose(condition: torch.Tensor, self: torch.Tensor, other: torch.Tensor) -> Any:
        found = promoted(condition, self, other)
        is_wider = self.dim() < condition.dim() and self.shape == other.shape
        if found is not NotImplemented or not is_wider:
            return found
        return aten.where.self(condition, self.expand(condition.shape), other)

    return decompose


def _joined(operator: OpOverload) -> Decomposition:
    """Tensors in a list, which the conversion promotes one by one."""

    def decompose(tensors: Sequence[torch.Tensor], dim: int = 0) -> Any:
        kinds = {each.dtype for each in tensors}
        if len(kinds) == 1 or any(kind.is_complex for kind in kinds):
            return NotImplemented
        kind = reduce(torch.promote_types, kinds)
        return operator([each.to(kind) for each in tensors], dim)

    return decompose


def _compared(operator: OpOverload) -> Decomposition:
    wide = {torch.bool: torch.int32, **_wide()}
    return _promoted(operator, wide, is_cast=False, fitted=_rounded)


def _ordered(operator: OpOverload) -> Decomposition:
    # Bounds that are tensors, or exported as scalars, are cast like any operand.
    is_number = any("number" in str(each.type) for each in operator._schema.arguments)
    fitted = as_bound if is_number else as_kernel
    return _promoted(operator, {torch.bool: torch.int32, **_wide()}, fitted=fitted)


def _computed(operator: OpOverload) -> Decomposition:
    name = operator._schema.name.partition("::")[2]
    fitted = as_kernel if name == "pow" else None
    wide = _promoted(operator, _wide(), fitted=fitted)
    if name != "where" and name not in _RINGS:
        return wide
    narrow = _promoted(operator, {}, fitted=fitted)

    def decompose(*args: Any, **kwargs: Any) -> Any:
        # An export has scalars where the schema has tensors, too.
        has_number = any(isinstance(each, bool | int | float) for each in args[:2])
        return (wide if has_number else narrow)(*args, **kwargs)

    return decompose


def _of_floats(operator: OpOverload) -> Decomposition:
    return _promoted(operator, {}, is_float=True)


def _divided(operator: OpOverload) -> Decomposition:
    quotient, rounded = _of_floats(operator), _promoted(operator, {})

    def decompose(*args: Any, **kwargs: Any) -> Any:
        is_rounded = kwargs.get("rounding_mode") is not None
        return (rounded if is_rounded else quotient)(*args, **kwargs)

    return decompose


def _wide() -> dict[torch.dtype, torch.dtype]:
    return dict.fromkeys(_BYTES, torch.int32)


def _promoted(
    operator: OpOverload,
    wide: dict[torch.dtype, torch.dtype],
    *,
    is_cast: bool = True,
    is_float: bool = False,
    fitted: Callable[[Any, torch.dtype], Any] | None = None,
) -> Decomposition:
    """The operator with operands of one dtype, or of a wider one in which it is computed.

    The result is cast back, if `is_cast`.
    """
    arguments = operator._schema.arguments
    names = [each.name for each in arguments]
    fit = fitted or as_kind
    kinds = ELEMENTWISE_TYPE_PROMOTION_KIND
    kind_of = kinds.INT_TO_FLOAT if is_float else kinds.DEFAULT

    def decompose(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        tensors = {
            name: value
            for name, value in given.items()
            if isinstance(value, torch.Tensor) and name not in _CONDITIONS
        }
        if any(each.is_complex() for each in tensors.values()):
            return NotImplemented
        numbers = {
            name: value
            for name, value in given.items()
            if name in _PROMOTING and not isinstance(value, torch.Tensor) and value is not None
        }
        if any(isinstance(each, complex) for each in numbers.values()):
            return NotImplemented
        _, kind = elementwise_dtypes(
            *tensors.values(), *numbers.values(), type_promotion_kind=kind_of
        )
        computed = wide.get(kind, kind)
        changed = {
            name: _cast(value, kind, computed)
            for name, value in tensors.items()
            if value.dtype != computed or computed != kind
        }
        changed |= {
            name: number
            for name, value in numbers.items()
            if repr(number := fit(value, kind)) != repr(value)
        }
        if not changed:
            return NotImplemented
        args = tuple(changed.get(name, value) for name, value in zip(names, args, strict=False))
        result = operator(*args, **{n: changed.get(n, value) for n, value in kwargs.items()})
        return result.to(kind) if is_cast and computed != kind else result

    return decompose


def _cast(value: torch.Tensor, kind: torch.dtype, computed: torch.dtype) -> torch.Tensor:
    return value.to(kind).to(computed)


def _rounded(number: Any, kind: torch.dtype) -> Any:
    """A scalar that is compared with elements of a dtype, rounded to this dtype."""
    if isinstance(number, bool | int | float) and kind.is_floating_point:
        # The scalar is constant: do not trace the rounding.
        with _disable_current_modes():
            return torch.tensor(float(number), dtype=torch.float64).to(kind).item()
    return as_kind(number, kind)


def as_kind(number: Any, kind: torch.dtype) -> Any:
    """A scalar converted to a dtype; symbolic ones are returned as they are."""
    if not isinstance(number, bool | int | float):
        return number
    if kind == torch.bool:
        return bool(number)
    if kind.is_floating_point:
        # The dialect has no bools where it wants numbers.
        return float(number) if isinstance(number, bool) else number
    return wrapped(int(number), kind)
