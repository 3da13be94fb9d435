"""Guards from the symbolic shapes of a function's arguments (`torch.bind_symbolic_shape`).

A program that was exported with dynamic shapes names sizes: which are equal, or related by
arithmetic, and their bounds. Its code relies on that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.guard_messages import GuardMessage
from torch_refine.dialect.guards import Guard
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.symbolic_shapes.reading import BINDING, permutation_of

# A constant, the name of a symbol, or an operation on two expressions.
Expression = Union[int, str, "tuple[str, Any, Any]"]

_BINARY = (
    (ir.AffineAddExpr, "+"),
    (ir.AffineMulExpr, "*"),
    (ir.AffineModExpr, "%"),
    (ir.AffineFloorDivExpr, "//"),
)
_INT_MAX = 2**63 - 1
_PROBES = (0, 1, 2)


class UncheckedSizeError(Exception):
    """A size whose expression cannot be checked; `op` states it."""

    def __init__(self, op: ir.Operation, message: str) -> None:
        super().__init__(message)
        self.op = op


@dataclass(frozen=True)
class _Size:
    """A size of an argument, with the expression that an op states for it.

    `dim` is the dimension as the caller sees it, `place` that of the argument.
    """

    op: ir.Operation
    argument: int
    name: str
    dim: int
    place: int
    expression: Expression

    @property
    def text(self) -> str:
        """The size in a condition."""
        return f"arg{self.argument}.size({self.place})"

    @property
    def shown(self) -> str:
        """The size in a message."""
        return f"{self.name}.size({self.dim})"

    def message(self, guard: str, *others: _Size) -> GuardMessage:
        """A message about this size, and others."""
        sizes = dict.fromkeys((each.shown, each.argument, each.dim) for each in (self, *others))
        return GuardMessage(guard, tuple(sizes))


@dataclass
class _Symbols:
    """The symbols with known values, as conditions and messages write them."""

    bounds: Mapping[str, tuple[int, int]]
    texts: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, _Size] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    """For symbols that are not a size: the size that determines them."""

    def assume(self, name: str, text: str, size: _Size, shown: str) -> Iterator[Guard]:
        """Define a symbol by an expression of a size; yields the guards of its bounds."""
        self.texts[name], self.shown[name], self.sizes[name] = text, shown, size
        yield from _within(text, shown, self.bounds[name], size)

    def where(self, names: Iterable[str]) -> str:
        """The end of a message that mentions symbols."""
        said = [self.origins[name] for name in sorted(names) if name in self.origins]
        return f", where {' and '.join(said)}" if said else ""


def _within(text: str, shown: str, bounds: tuple[int, int], *sizes: _Size) -> Iterator[Guard]:
    """That an expression is within bounds, if there are any."""
    stated = []
    if bounds[0] > 0:
        stated.append(f">= {bounds[0]}")
    if bounds[1] < _INT_MAX:
        stated.append(f"<= {bounds[1]}")
    for bound in stated:
        yield Guard(f"{text} {bound}", sizes[0].message(f"{shown} {bound}", *sizes[1:]))


def argument_name(argument: ir.BlockArgument, index: int) -> str:
    """The name of an argument in messages: that of its location, if it has one."""
    name = getattr(argument.location, "name_str", None)
    return str(name) if name else f"argument {index}"


def symbolic_guards(function: ir.Operation) -> list[Guard]:
    """The constraints of a function in the torch dialect on its arguments' sizes.

    Raises UncheckedSizeError.
    """
    bounds: dict[str, tuple[int, int]] = {}
    sizes = list(_sizes(function, bounds))
    symbols = _Symbols(bounds)
    found: list[Guard] = []
    # Sizes that are a single symbol come first; they determine the others.
    for size in sorted(sizes, key=lambda each: not isinstance(each.expression, str)):
        missing = sorted(_names(size.expression) - symbols.texts.keys())
        if not missing:
            found.append(_equality(size, symbols))
        elif size.expression == missing[0]:
            found += symbols.assume(missing[0], size.text, size, size.shown)
        else:
            found += _solve(size, missing, symbols)
    return found


def bindings_of_arguments(function: ir.Operation) -> Iterator[ir.Operation]:
    """The ops that bind sizes of arguments."""
    block = function.regions[0].blocks[0]
    arguments = list(block.arguments)
    for op in operations(block):
        if op.name == BINDING and _permuted(op.operands[0])[0] in arguments:
            yield op


def _equality(size: _Size, symbols: _Symbols) -> Guard:
    names = _names(size.expression)
    others = [symbols.sizes[name] for name in sorted(names)]
    wanted = f"{_written(size.expression, symbols.shown)}{symbols.where(names)}"
    message = size.message(f"{size.shown} == {wanted}", *others)
    return Guard(f"{size.text} == {_written(size.expression, symbols.texts)}", message)


def _solve(size: _Size, missing: Sequence[str], symbols: _Symbols) -> Iterator[Guard]:
    """Solve an expression for the one symbol that is missing."""
    name, expression = missing[0], size.expression
    step = _step(expression, name) if len(missing) == 1 else None
    if not step:
        listed = " and ".join(missing)
        raise UncheckedSizeError(size.op, f"no size determines {listed} of {size.shown}")
    known = _names(expression) - {name}
    others = [symbols.sizes[each] for each in sorted(known)]
    rest = _written(expression, {**symbols.texts, name: "0"})
    difference = f"({size.text} - ({rest}))"
    stated = f"{size.shown} == {_written(expression, {**symbols.shown, name: name})}"
    whole = f"{stated}, where {name} is an integer{symbols.where(known)}"
    yield Guard(f"{difference} % {step} == 0", size.message(whole, *others))
    symbols.origins[name] = stated
    bounds = symbols.assume(name, f"({difference} // {step})", size, name)
    if known:
        yield from bounds
    else:
        # The bounds of the size itself are tighter.
        list(bounds)
        values = [_value(expression, {name: each}) for each in symbols.bounds[name]]
        yield from _within(size.text, size.shown, (values[0], min(values[1], _INT_MAX)), size)


def _step(expression: Expression, name: str) -> int | None:
    """The coefficient of a symbol in an expression; None if it is not a positive constant."""
    others = {each: 1 for each in _names(expression)}
    start, next, last = (_value(expression, {**others, name: probe}) for probe in _PROBES)
    return next - start if next > start and last - next == next - start else None


def _sizes(function: ir.Operation, bounds: dict[str, tuple[int, int]]) -> Iterator[_Size]:
    """The dynamic sizes of arguments; collects the bounds of symbols."""
    arguments = list(function.regions[0].blocks[0].arguments)
    for op in bindings_of_arguments(function):
        named, order = _permuted(op.operands[0])
        names = []
        for value in list(op.operands)[1:]:
            producer = defining_op(value)
            if producer is None or producer.name != "torch.symbolic_int":
                raise UncheckedSizeError(op, "a symbol is not defined by torch.symbolic_int")
            names.append(ir.StringAttr(producer.attributes["symbol_name"]).value)
            least, most = (
                int(ir.IntegerAttr(producer.attributes[key]).value)
                for key in ("min_val", "max_val")
            )
            bounds[names[-1]] = (least, most)
        index = arguments.index(named)
        name = argument_name(arguments[index], index)
        map = ir.AffineMapAttr(op.attributes["shape_expressions"]).value
        for dim, result in enumerate(map.results):
            expression = _expression(result, names)
            if expression is None:
                raise UncheckedSizeError(op, f"{result} is not a supported expression")
            if not isinstance(expression, int):
                place = dim if order is None else order[dim]
                yield _Size(op, index, name, dim, place, expression)


def _permuted(value: ir.Value) -> tuple[ir.Value, list[int] | None]:
    """The argument behind a permutation, and the permutation."""
    producer = defining_op(value)
    order = permutation_of(producer)
    return (value, None) if producer is None or order is None else (producer.operands[0], order)


def _expression(expression: Any, names: Sequence[str]) -> Expression | None:
    """An affine expression as data; None for kinds that no export emits."""
    if isinstance(expression, ir.AffineConstantExpr):
        return int(expression.value)
    if isinstance(expression, ir.AffineSymbolExpr):
        return names[int(expression.position)]
    for kind, sign in _BINARY:
        if isinstance(expression, kind):
            one, other = (_expression(side, names) for side in (expression.lhs, expression.rhs))
            return None if one is None or other is None else (sign, one, other)
    return None


def _names(expression: Expression) -> set[str]:
    if isinstance(expression, tuple):
        return _names(expression[1]) | _names(expression[2])
    return {expression} if isinstance(expression, str) else set()


def _value(expression: Expression, known: Mapping[str, int]) -> int:
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return known[expression]
    one, other = _value(expression[1], known), _value(expression[2], known)
    if expression[0] == "+":
        return one + other
    if expression[0] == "*":
        return one * other
    if other <= 0:
        return 0
    return one % other if expression[0] == "%" else one // other


def _written(expression: Expression, names: Mapping[str, str]) -> str:
    if isinstance(expression, tuple):
        sign, *sides = expression
        texts = [
            f"({text})" if isinstance(side, tuple) and sign != "+" else text
            for side, text in ((side, _written(side, names)) for side in sides)
        ]
        return f"{texts[0]} {sign} {texts[1]}"
    return names[expression] if isinstance(expression, str) else str(expression)
