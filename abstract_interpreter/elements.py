"""Small integer tensors with known elements: shape arithmetic done in tensors.

Each rule takes the lattice values of the operands and returns the elements of the result in
row-major order, or None if unknown. An operator on elements is the operation of calculations on
ints; sizes and dtypes come from the library as for any operator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from torch_refine.abstract_interp_lib.scalar_types import INT64, NUMBERS
from torch_refine.abstract_interpreter.lattice import (
    LatticeValue,
    Scalar,
    Sequence,
    Tensor,
    number_of,
)
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Number
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.values import is_number

# Tensors with more elements than this are data, not shapes.
ELEMENT_LIMIT = 64

Elements = tuple[Number, ...]
Rule = Callable[[tuple[LatticeValue, ...], Tensor], Elements | None]
_ADD, _SUBTRACT, _MULTIPLY = (f"torch.aten.{each}.int" for each in ("add", "sub", "mul"))
_DIVIDE, _REMAINDER = "torch.aten.floordiv.int", "torch.aten.remainder.int"
_DIVISIONS = {_DIVIDE, _REMAINDER}
_NEGATE = "torch.aten.neg.int"
_INTEGERS = {INT64, NUMBERS["int32"]}
_LIMITS = {INT64: 2**63, NUMBERS["int32"]: 2**31}


def of_values(values: Callable[[int], int], tensor: Tensor) -> Elements | None:
    """The elements of a literal or constructed tensor, each converted by `values`."""
    count = _count(tensor)
    if tensor.dtype not in _INTEGERS or count is None or count > ELEMENT_LIMIT:
        return None
    return tuple(map(values, range(count)))


def _count(tensor: Tensor) -> int | None:
    """How many elements a tensor has."""
    if tensor.sizes is None or any(isinstance(size, Expression) for size in tensor.sizes):
        return None
    return math.prod(size for size in tensor.sizes if isinstance(size, int))


def compute(name: str, operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    """The elements of an operator's result, None if unknown."""
    rule = RULES.get(name)
    count = _count(result)
    if rule is None or result.dtype not in _INTEGERS or count is None or count > ELEMENT_LIMIT:
        return None
    found = rule(operands, result)
    if found is None or len(found) != count:
        return None
    limit = _LIMITS[result.dtype]
    if any(isinstance(value, int) and not -limit <= value < limit for value in found):
        return None
    return None if any(map(expressions.too_large, found)) else found


def _known(lattice_value: LatticeValue) -> int | None:
    number = number_of(lattice_value)
    return number if isinstance(number, int) else None


def _whole(lattice_value: LatticeValue, count: int) -> Elements | None:
    """An operand of an elementwise operator, broadcast to `count` elements."""
    if isinstance(lattice_value, Tensor):
        if lattice_value.elements is None or lattice_value.dtype not in _INTEGERS:
            return None
        return (
            lattice_value.elements * count
            if len(lattice_value.elements) == 1
            else lattice_value.elements
        )
    number = number_of(lattice_value)
    return None if number is None else (number,) * count


def _elementwise(operation: str, scaled: bool = False, swapped: bool = False) -> Rule:
    """The rule that applies an operation on two ints elementwise to one-dimensional tensors.

    With `scaled`, an operand `alpha` must be 1; with `swapped`, the operands are exchanged.
    """

    def rule(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
        if result.sizes is None or len(result.sizes) > 1:
            return None
        if scaled and _known(operands[2]) != 1:
            return None
        count = _count(result) or 0
        sides = [_whole(operand, count) for operand in operands[:2]]
        left, right = reversed(sides) if swapped else sides
        if left is None or right is None or not len(left) == len(right) == count:
            return None
        return _all_known(_applied(operation, *pair) for pair in zip(left, right, strict=True))

    return rule


def _applied(operation: str, *operands: Number) -> Number | None:
    """The result of an operation on ints, None if unknown."""
    if operation in _DIVISIONS and (isinstance(operands[1], Expression) or not operands[1]):
        return None
    found = Evaluator(lambda symbol: None).apply(operation, list(operands), "int")
    return found if is_number(found) else None  # type: ignore[return-value]


def _all_known(numbers: Iterable[Number | None]) -> Elements | None:
    found = tuple(numbers)
    return None if None in found else found  # type: ignore[return-value]


def _same(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    """The elements of the first operand, unchanged."""
    first = operands[0]
    if not isinstance(first, Tensor) or first.dtype not in _INTEGERS:
        return None
    return first.elements


def _negative(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    found = _same(operands, result)
    return None if found is None else _all_known(_applied(_NEGATE, each) for each in found)


def _filled(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    """A scalar as a tensor, or a tensor filled with it."""
    number = number_of(operands[-1 if len(operands) == 1 else 1])
    return None if number is None else (number,) * (_count(result) or 0)


def _from_number(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    number = number_of(operands[0])
    return None if number is None else (number,)


def _from_list(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    """A list of ints as a tensor."""
    first = operands[0]
    if not isinstance(first, Sequence) or first.items is None:
        return None
    return _all_known(map(number_of, first.items))


def _concatenated(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    """Concatenated one-dimensional tensors, or stacked scalars."""
    tensors = operands[0]
    if not isinstance(tensors, Sequence) or tensors.items is None:
        return None
    if result.sizes is None or len(result.sizes) != 1:
        return None
    found: list[Number] = []
    for item in tensors.items:
        if not isinstance(item, Tensor) or item.elements is None or item.dtype not in _INTEGERS:
            return None
        found += item.elements
    return tuple(found)


def _line(lattice_value: LatticeValue) -> Elements | None:
    """The elements of a one-dimensional tensor."""
    if (
        isinstance(lattice_value, Tensor)
        and lattice_value.sizes is not None
        and len(lattice_value.sizes) == 1
    ):
        return lattice_value.elements
    return None


def _selected(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    elements, index = _line(operands[0]), _known(operands[2])
    if elements is None or index is None or not -len(elements) <= index < len(elements):
        return None
    return (elements[index],)


def _sliced(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
    elements = _line(operands[0])
    bounds: list[Any] = []
    for operand in operands[2:5]:
        absent = isinstance(operand, Scalar) and operand.value is None
        bounds.append(None if absent else _known(operand))
        if bounds[-1] is None and not absent:
            return None
    if elements is None or bounds[2] is None or bounds[2] < 1:
        return None
    return elements[slice(*bounds)]


def _reduced(operation: str, start: int) -> Rule:
    """The rule that reduces a one-dimensional tensor with an operation on two ints."""

    def rule(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
        total: Number | None = start
        elements = _line(operands[0])
        if elements is None or (len(operands) > 1 and not isinstance(operands[1], Scalar)):
            return None
        for element in elements:
            total = None if total is None else _applied(operation, total, element)
        return None if total is None else (total,)

    return rule


def _counted(bounds: int) -> Rule:
    """`arange` over ints with `bounds` arguments: the end, then the start, then the step."""

    def rule(operands: tuple[LatticeValue, ...], result: Tensor) -> Elements | None:
        known = [_known(each) for each in operands[:bounds]]
        if None in known:
            return None
        start = 0 if bounds == 1 else known[0] or 0
        step = known[2] if bounds == 3 else 1
        return tuple(start + (step or 0) * index for index in range(_count(result) or 0))

    return rule


RULES: dict[str, Rule] = {
    "torch.prim.NumToTensor.Scalar": _from_number,
    "torch.aten.scalar_tensor": _from_number,
    "torch.aten.tensor.int": _from_number,
    "torch.aten.tensor": _from_list,
    "torch.aten._shape_as_tensor": lambda operands, result: (
        operands[0].sizes if isinstance(operands[0], Tensor) else None
    ),
    "torch.aten.add.Tensor": _elementwise(_ADD, scaled=True),
    "torch.aten.add.Scalar": _elementwise(_ADD, scaled=True),
    "torch.aten.sub.Tensor": _elementwise(_SUBTRACT, scaled=True),
    "torch.aten.sub.Scalar": _elementwise(_SUBTRACT, scaled=True),
    "torch.aten.rsub.Scalar": _elementwise(_SUBTRACT, scaled=True, swapped=True),
    "torch.aten.mul.Tensor": _elementwise(_MULTIPLY),
    "torch.aten.mul.Scalar": _elementwise(_MULTIPLY),
    "torch.aten.floor_divide": _elementwise(_DIVIDE),
    "torch.aten.floor_divide.Scalar": _elementwise(_DIVIDE),
    "torch.aten.remainder.Scalar": _elementwise(_REMAINDER),
    "torch.aten.remainder.Tensor": _elementwise(_REMAINDER),
    "torch.aten.neg": _negative,
    "torch.aten.clone": _same,
    "torch.aten.contiguous": _same,
    "torch.aten.detach": _same,
    "torch.aten.alias": _same,
    "torch.aten.lift_fresh_copy": _same,
    "torch.aten.to.dtype": _same,
    "torch.aten._to_copy": _same,
    "torch.aten.view": _same,
    "torch.aten.reshape": _same,
    "torch.aten.flatten.using_ints": _same,
    "torch.aten.squeeze": _same,
    "torch.aten.squeeze.dim": _same,
    "torch.aten.unsqueeze": _same,
    "torch.aten.cat": _concatenated,
    "torch.aten.stack": _concatenated,
    "torch.aten.select.int": _selected,
    "torch.aten.slice.Tensor": _sliced,
    "torch.aten.full": _filled,
    "torch.aten.prod": _reduced(_MULTIPLY, 1),
    "torch.aten.sum": _reduced(_ADD, 0),
    "torch.aten.arange": _counted(1),
    "torch.aten.arange.start": _counted(2),
    "torch.aten.arange.start_step": _counted(3),
}
