"""Symbolic sizes of tensors, as products, with equality."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import as_fold_result
from torch_refine.dialect.structured_ops import (
    defining_op,
    is_structured,
    iterators,
    maps,
    num_inputs,
    operation_of,
)
from torch_refine.passes.lowering.kernels.slices import EXTRACT, INSERT, Slice

_SAME = (
    "tensor.cast",
    "torch_c.from_builtin_tensor",
    "torch_c.to_builtin_tensor",
    "torch.tensor_static_info_cast",
)
_CASTS = ("arith.index_cast", "torch_c.from_i64", "torch_c.to_i64")
_INDEX_BITS = 64
_EQUAL = 0
# The operands of a loop in front of those that it carries.
_BOUNDS = 3


@dataclass(frozen=True)
class Size:
    """A product of an integer and of symbols for dynamic sizes, in canonical order."""

    known: int
    unknown: tuple[Any, ...] = ()

    def __mul__(self, other: Size) -> Size:
        return Size(self.known * other.known, tuple(sorted(self.unknown + other.unknown, key=hash)))

    def over(self, divisor: Size) -> Size | None:
        """The quotient, None if it cannot be proven to be whole."""
        if divisor.known <= 0 or self.known % divisor.known:
            return None
        rest = list(self.unknown)
        for each in divisor.unknown:
            if each not in rest:
                return None
            rest.remove(each)
        return Size(self.known // divisor.known, tuple(rest))


def size_of(tensor: ir.Value, dim: int) -> Size:
    """The size of a dimension of a builtin tensor."""
    type = tensor.type
    if isinstance(type, ir.RankedTensorType) and not type.is_dynamic_dim(dim):
        return Size(type.get_dim_size(dim))
    source = defining_op(tensor)
    if source is None:
        initial = _initial(tensor, dim)
        return Size(1, ((tensor, dim),)) if initial is None else size_of(initial, dim)
    if source.name in _SAME:
        return size_of(source.operands[0], dim)
    if source.name == "scf.for":
        place = list(source.results).index(tensor)
        return size_of(source.regions[0].blocks[0].arguments[1 + place], dim)
    if source.name == "tensor.empty":
        return size_of_number(source.operands[_place(type, dim)])
    if source.name == "tensor.expand_shape":
        return size_of_number(source.operands[1 + _place(type, dim)])
    if source.name == "tensor.collapse_shape":
        groups = ir.ArrayAttr(source.attributes["reassociation"])
        total = Size(1)
        for each in ir.ArrayAttr(list(groups)[dim]):
            total = total * size_of(source.operands[0], ir.IntegerAttr(each).value)
        return total
    if source.name == EXTRACT:
        slice = Slice.of(source)
        size = slice.sizes[slice.kept(list(type.shape))[dim]]
        return Size(size) if isinstance(size, int) else size_of_number(size)
    if source.name == "tensor.insert_slice":
        return size_of(source.operands[1], dim)
    if is_structured(source) or source.name.startswith("tm_tensor."):
        place = list(source.results).index(tensor)
        return size_of(source.operands[num_inputs(source) + place], dim)
    return Size(1, ((tensor, dim),))


def _initial(tensor: ir.Value, dim: int) -> ir.Value | None:
    """The initial value of a tensor that a loop carries, if each iteration yields the same size.

    That is, if the yielded tensor is the carried one with other elements, or is allocated with its
    size, or with one that is defined outside of the loop and is the initial one.
    """
    argument = ir.BlockArgument(tensor)
    loop = operation_of(argument.owner.owner)
    if loop.name != "scf.for":
        return None
    body, place = argument.owner, argument.arg_number - 1
    initial = loop.operands[_BOUNDS + place]
    value = list(operations(body))[-1].operands[place]
    source = defining_op(value)
    while source is not None and (is_structured(source) or source.name == INSERT):
        first = 1 if source.name == INSERT else num_inputs(source)
        value = source.operands[first + list(source.results).index(value)]
        source = defining_op(value)
    if value == tensor:
        return initial
    if source is None or source.name != "tensor.empty":
        return None
    size = source.operands[_place(value.type, dim)]
    inside = defining_op(size)
    if inside is None or inside.block != body:
        is_same = size.owner != body and size_of_number(size) == size_of(initial, dim)
    else:
        is_same = inside.name == "tensor.dim" and inside.operands[0] == tensor
        is_same = is_same and as_fold_result(inside.operands[1]) == dim
    return initial if is_same else None


def is_cast(op: ir.Operation) -> bool:
    """Whether an op preserves its integer operand; i64 and `index` have the same width."""
    return op.name in _CASTS and bits(op.results[0].type) == _INDEX_BITS


def bits(type: ir.Type) -> int:
    """The width of an integer type."""
    return ir.IntegerType(type).width if isinstance(type, ir.IntegerType) else _INDEX_BITS


def _place(type: ir.Type, dim: int) -> int:
    """The position of a dimension among the dynamic sizes."""
    shaped = ir.RankedTensorType(type)
    return sum(shaped.is_dynamic_dim(each) for each in range(dim))


def size_of_number(value: ir.Value) -> Size:
    """The symbolic value of an SSA value used as a size."""
    number = integer_of(value)
    if number is not None:
        return Size(number)
    source = defining_op(value)
    if source is None:
        return Size(1, (value,))
    if is_cast(source):
        return size_of_number(source.operands[0])
    if source.name == "tensor.dim":
        dim = as_fold_result(source.operands[1])
        if isinstance(dim, int):
            return size_of(source.operands[0], dim)
    if source.name == "arith.muli":
        return size_of_number(source.operands[0]) * size_of_number(source.operands[1])
    return Size(1, (value,))


def integer_of(value: ir.Value) -> int | None:
    """An integer constant, None for other values."""
    source = defining_op(value)
    if source is None or source.name != "arith.constant":
        return None
    attribute = source.attributes["value"]
    if not isinstance(attribute, ir.IntegerAttr):
        return None
    return int(attribute.value)


def domain(op: ir.Operation) -> list[Size] | None:
    """The trip counts of a `linalg.generic`, None where they are not sizes of operands."""
    found: list[Size | None] = [None] * len(iterators(op))
    for operand, indexing in zip(op.operands, maps(op), strict=True):
        for dim, result in enumerate(indexing.results):
            if not isinstance(result, ir.AffineDimExpr):
                continue
            size = size_of(operand, dim)
            before = found[result.position]
            if before is None or (before.unknown and not size.unknown):
                found[result.position] = size
    return None if None in found else [each for each in found if each is not None]


def elements(sizes: list[Size]) -> int | None:
    """The number of elements, None if dynamic."""
    return None if any(each.unknown for each in sizes) else prod(each.known for each in sizes)


@dataclass
class EqualSizes:
    """Equalities of sizes implied by the assertions that a function has passed."""

    _above: dict[Size, Size] = field(default_factory=dict)

    def are_equal(self, one: Size, other: Size) -> bool:
        """Whether two sizes are proven equal."""
        return self.canonical(one) == self.canonical(other)

    def assume(self, condition: ir.Value) -> None:
        """Assume the equalities that an asserted condition, or its conjuncts, imply."""
        waiting = [condition]
        while waiting:
            producer = defining_op(waiting.pop())
            if producer is None:
                continue
            if producer.name == "arith.andi":
                waiting += producer.operands
            elif producer.name == "arith.cmpi" and _predicate(producer) == _EQUAL:
                one, other = (self.canonical(size_of_number(each)) for each in producer.operands)
                if one == other:
                    continue
                # Constants come first.
                first, second = (other, one) if other.unknown == () else (one, other)
                self._above[second] = first

    def canonical(self, size: Size) -> Size:
        """The representative of all sizes that are proven equal."""
        found = self._first(size)
        product = Size(found.known)
        for each in found.unknown:
            product = product * self._first(Size(1, (each,)))
        return self._first(product)

    def _first(self, size: Size) -> Size:
        while size in self._above:
            size = self._above[size]
        return size


def is_outermost(op: ir.Operation) -> bool:
    """Whether an op is executed in each call."""
    parent = op.operation.parent
    return parent is not None and parent.name == "func.func"


def _predicate(op: ir.Operation) -> int:
    return int(ir.IntegerAttr(op.attributes["predicate"]).value)
