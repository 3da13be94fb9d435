"""What a program that was compiled for any sizes demands of them.

A program that was exported with dynamic shapes names sizes (`torch.bind_symbolic_shape`): which of
them are equal, or the same up to arithmetic, and within which bounds they are. Its code relies on
that, so a call with other sizes is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Union

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.lowering.kernels.indexing import maker_of

# A number, the name of a size, or an operation on two of these, as JSON has them.
Expression = Union[int, str, "list[Any]"]

_BINARY = (
    (ir.AffineAddExpr, "+"),
    (ir.AffineMulExpr, "*"),
    (ir.AffineModExpr, "%"),
    (ir.AffineFloorDivExpr, "//"),
)
_PROBES = (0, 1, 2)


class SizeError(ValueError):
    """Sizes that a program was not compiled for; the message says which, and what they must be."""


@dataclass(frozen=True)
class SizeConditions:
    """The sizes of arguments, by their numbers, in terms of names; and the bounds of the names."""

    sizes: dict[int, list[Expression]]
    bounds: dict[str, tuple[int, int]]

    @staticmethod
    def from_data(data: dict[str, Any]) -> SizeConditions:
        """What `asdict` made the data of, which JSON may have carried."""
        return SizeConditions(
            {int(index): list(sizes) for index, sizes in data["sizes"].items()},
            {name: (least, most) for name, (least, most) in data["bounds"].items()},
        )

    def check(self, given: dict[int, Sequence[int]], first: int) -> None:
        """See whether arguments have sizes that go together.

        `given` are the sizes of tensors by the numbers of arguments; messages count from `first`.

        Raises SizeError: they do not.
        """
        known: dict[str, int] = {}
        for index, dim, expression in self._in_order:
            if index not in given:
                continue
            size = given[index][dim]
            if isinstance(expression, str) and known.get(expression) == size:
                continue
            missing = _names(expression) - known.keys()
            if not missing:
                wanted = _value(expression, known)
                if wanted != size:
                    said = f"must be {wanted}, as other inputs are, got {size}"
                    raise SizeError(f"size {dim} of input {index - first} {said}")
            elif len(missing) == 1:
                (name,) = missing
                value = _solved(expression, name, known, size)
                wrong = self._wrong(expression, name, value)
                if wrong:
                    said = f"must be {wrong}, got {size}"
                    raise SizeError(f"size {dim} of input {index - first} {said}")
                known[name] = size if value is None else value

    @cached_property
    def _in_order(self) -> list[tuple[int, int, Expression]]:
        """Sizes that are not known; names that stand alone come first, and tell the others."""
        found = [
            (index, dim, expression)
            for index, sizes in self.sizes.items()
            for dim, expression in enumerate(sizes)
            if not isinstance(expression, int)
        ]
        return sorted(found, key=lambda each: isinstance(each[2], list))

    def _wrong(self, expression: Expression, name: str, value: int | None) -> str:
        """What a size must be instead, if a name cannot have a value; nothing if it can."""
        if value is None:
            return _shown(expression)
        least, most = self.bounds.get(name, (0, value))
        if least <= value <= most:
            return ""
        bound = f"at least {least}" if value < least else f"at most {most}"
        return bound if expression == name else f"{_shown(expression)}, where {name} is {bound}"


def size_conditions(function: ir.Operation) -> SizeConditions | None:
    """What a function in the torch dialect says of its arguments' sizes; None if nothing."""
    sizes: dict[int, list[Expression]] = {}
    bounds: dict[str, tuple[int, int]] = {}
    arguments = list(function.regions[0].blocks[0].arguments)
    for op in operations(function.regions[0].blocks[0]):
        if op.name != "torch.bind_symbolic_shape":
            continue
        named = op.operands[0]
        # An argument that comes in another order is permuted first; callers have the order of both.
        maker = maker_of(named)
        if maker is not None and maker.name == "torch.aten.permute":
            named = maker.operands[0]
        if named not in arguments:
            continue
        names = []
        for value in list(op.operands)[1:]:
            maker = value.owner.operation
            name = ir.StringAttr(maker.attributes["symbol_name"]).value
            least, most = (
                int(ir.IntegerAttr(maker.attributes[key]).value) for key in ("min_val", "max_val")
            )
            bounds[name] = (least, most)
            names.append(name)
        map = ir.AffineMapAttr(op.attributes["shape_expressions"]).value
        found = [_expression(result, names) for result in map.results]
        if all(each is not None for each in found):
            sizes[arguments.index(named)] = [each for each in found if each is not None]
    return SizeConditions(sizes, bounds) if sizes else None


def _expression(expression: Any, names: Sequence[str]) -> Expression | None:
    """An affine expression as data; None for a kind that no export makes."""
    if isinstance(expression, ir.AffineConstantExpr):
        return int(expression.value)
    if isinstance(expression, ir.AffineSymbolExpr):
        return names[int(expression.position)]
    for kind, sign in _BINARY:
        if isinstance(expression, kind):
            sides = [_expression(side, names) for side in (expression.lhs, expression.rhs)]
            return None if None in sides else [sign, *sides]
    return None


def _names(expression: Expression) -> set[str]:
    if isinstance(expression, list):
        return _names(expression[1]) | _names(expression[2])
    return {expression} if isinstance(expression, str) else set()


def _value(expression: Expression, known: dict[str, int]) -> int:
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return known[expression]
    one, other = _value(expression[1], known), _value(expression[2], known)
    if expression[0] == "+":
        return one + other
    if expression[0] == "*":
        return one * other
    # The export divides by constants only.
    return one % other if expression[0] == "%" else one // other


def _solved(expression: Expression, name: str, known: dict[str, int], size: int) -> int | None:
    """What a name must be for an expression to be a size; None if nothing makes it so."""
    start, next, last = (_value(expression, {**known, name: probe}) for probe in _PROBES)
    step = next - start
    if step == 0 or last - next != step or (size - start) % step:
        return None
    return (size - start) // step


def _shown(expression: Expression) -> str:
    if isinstance(expression, list):
        sides = [_shown(side) for side in expression[1:]]
        return f"{sides[0]} {expression[0]} {sides[1]}"
    return str(expression)
