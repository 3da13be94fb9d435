"""Interval analysis of integers that become addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    maps,
    num_inputs,
    operation_of,
)
from torch_refine.passes.lowering.linalg.index_sizes import (
    Size,
    bits,
    domain,
    integer_of,
    is_cast,
    size_of_number,
)

_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
# The analysis gives up on deeper chains of ops.
_DEPTH = 64
_VIEWS = (
    "tensor.cast",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.extract_slice",
    "tensor.reshape",
    "torch_c.from_builtin_tensor",
    "torch_c.to_builtin_tensor",
    "torch.tensor_static_info_cast",
)


@dataclass(frozen=True)
class Range:
    """The lattice value of an integer: at least `low`, at most `high`, less than each size in
    `below`."""

    low: int = _LEAST
    high: int = _MOST
    below: frozenset[Size] = frozenset()

    def is_within(self, size: Size) -> bool:
        """Whether the integer is an index in bounds of a dimension of this size."""
        if self.low < 0:
            return False
        return (self.high < size.known and not size.unknown) or size in self.below

    def __or__(self, other: Range) -> Range:
        """The join of two lattice values."""
        below = {each for each in self.below if other._is_below(each)}
        below |= {each for each in other.below if self._is_below(each)}
        return Range(min(self.low, other.low), max(self.high, other.high), frozenset(below))

    def _is_below(self, size: Size) -> bool:
        return size in self.below or (not size.unknown and self.high < size.known)

    def __and__(self, other: Range) -> Range:
        """The meet of two lattice values."""
        return Range(max(self.low, other.low), min(self.high, other.high), self.below | other.below)


ANY = Range()


def _range(low: int, high: int) -> Range:
    """An interval; unbounded where 64 bits are exceeded."""
    return ANY if low < _LEAST or high > _MOST else Range(low, high)


def _fitting(range: Range, width: int) -> Range:
    """The range if its interval fits into `width` bits; otherwise arithmetic may wrap around."""
    most = (1 << (width - 1)) - 1
    return range if -most - 1 <= range.low and range.high <= most else ANY


def _writes_all(generic: ir.Operation, result: ir.Value) -> bool:
    """Whether every element of a result is overwritten."""
    place = num_inputs(generic) + list(generic.results).index(result)
    return dims_of(maps(generic)[place]) is not None


def index_of(size: Size) -> Range:
    """The range of the indices of a dimension."""
    if size.unknown:
        return Range(0, _MOST, frozenset([size]))
    return Range(0, max(size.known - 1, 0))


def without_casts(value: ir.Value) -> ir.Value:
    """Look through casts that do not change an integer."""
    source = defining_op(value)
    while source is not None and is_cast(source):
        value = source.operands[0]
        source = defining_op(value)
    return value


@dataclass
class Ranges:
    """The ranges of values; `facts` are those inferred from assertions, by values without casts."""

    facts: dict[ir.Value, Range] = field(default_factory=dict)
    _found: dict[ir.Value, Range] = field(default_factory=dict)

    def assume(self, condition: ir.Value) -> None:
        """Assume a condition from here on."""
        source = defining_op(condition)
        if source is None:
            return
        if source.name == "arith.andi":
            self.assume(source.operands[0])
            self.assume(source.operands[1])
        if source.name != "arith.cmpi":
            return
        value, bound = without_casts(source.operands[0]), source.operands[1]
        told = _implied_range(_predicate(source), bound)
        if told is not None:
            self.facts[value] = self.facts.get(value, ANY) & told
            self._found.clear()

    def restore(self, facts: dict[ir.Value, Range]) -> None:
        """Restore earlier assumptions."""
        self.facts = facts
        self._found.clear()

    def of(self, value: ir.Value, depth: int = 0) -> Range:
        """The range of an integer."""
        found = self._found.get(value)
        if found is None:
            found = ANY if depth > _DEPTH else self._compute(value, depth + 1)
            fact = self.facts.get(without_casts(value))
            found = found if fact is None else found & fact
            self._found[value] = found
        return found

    def of_elements(self, tensor: ir.Value, depth: int = 0) -> Range:
        """The range of the elements of a tensor of integers."""
        source = defining_op(tensor)
        if source is None or depth > _DEPTH:
            return ANY
        depth += 1
        if source.name in _VIEWS:
            return self.of_elements(source.operands[0], depth)
        if source.name == "arith.constant":
            return _of_constant(source.attributes["value"])
        if source.name == "linalg.fill":
            return self.of(source.operands[0], depth)
        if source.name in ("tensor.concat", "tensor.insert_slice"):
            tensors = list(source.operands)[: None if source.name == "tensor.concat" else 2]
            return _join(self.of_elements(each, depth) for each in tensors)
        if source.name == "tensor.from_elements":
            return _join(self.of(each, depth) for each in source.operands)
        if source.name == GENERIC and _writes_all(source, tensor):
            place = list(source.results).index(tensor)
            yielded = list(operations(source.regions[0].blocks[0]))[-1]
            return self.of(yielded.operands[place], depth)
        return ANY

    def _compute(self, value: ir.Value, depth: int) -> Range:
        source = defining_op(value)
        if source is None:
            return self._of_argument(ir.BlockArgument(value), depth)
        constant = integer_of(value)
        if constant is not None:
            return _range(constant, constant)
        if source.name in _INTERVALS:
            one, other = (self.of(each, depth) for each in source.operands)
            return _fitting(_INTERVALS[source.name](one, other), bits(value.type))
        if is_cast(source):
            return self.of(source.operands[0], depth)
        if source.name == "arith.extsi":
            return self.of(source.operands[0], depth)
        if source.name == "arith.extui":
            return self._extended(source.operands[0], depth)
        if source.name == "tensor.dim":
            return Range(low=0)
        if source.name == "linalg.index":
            return self._of_loop(source)
        if source.name == "tensor.extract":
            return self.of_elements(source.operands[0], depth)
        if source.name == "arith.select":
            return self._of_select(source, depth)
        if source.name in _BY_A_SIZE:
            one, other = (self.of(each, depth) for each in source.operands)
            return _BY_A_SIZE[source.name](one, other, size_of_number(source.operands[1]))
        return ANY

    def _extended(self, value: ir.Value, depth: int) -> Range:
        width = ir.IntegerType(value.type).width
        known = Range(0, (1 << width) - 1)
        inner = ANY if width == 1 else self.of(value, depth)
        return inner if inner.low >= 0 else known

    def _of_argument(self, argument: ir.BlockArgument, depth: int) -> Range:
        owner = operation_of(argument.owner.owner)
        if owner.name == GENERIC and argument.arg_number < num_inputs(owner):
            return self.of_elements(owner.operands[argument.arg_number], depth)
        if owner.name == "scf.for" and argument.arg_number == 0:
            start, end = self.of(owner.operands[0], depth), self.of(owner.operands[1], depth)
            below = frozenset([size_of_number(owner.operands[1])])
            return Range(start.low, max(end.high - 1, start.low), below)
        return ANY

    def _of_loop(self, op: ir.Operation) -> Range:
        generic = operation_of(op.parent)
        sizes = domain(generic) if generic.name == GENERIC else None
        if sizes is None:
            return Range(low=0)
        return index_of(sizes[ir.IntegerAttr(op.attributes["dim"]).value])

    def _of_select(self, op: ir.Operation, depth: int) -> Range:
        condition = defining_op(op.operands[0])
        one, other = (self.of(each, depth) for each in list(op.operands)[1:])
        if condition is None or condition.name != "arith.cmpi":
            return one | other
        holds = self.holds(op.operands[0], depth)
        if holds is not None:
            return one if holds else other
        # Each branch refines the ranges by the condition.
        value = without_casts(condition.operands[0])
        predicate = _predicate(condition)
        for place, each in enumerate(list(op.operands)[1:]):
            name = predicate if place == 0 else _NOT.get(predicate, "")
            told = _implied_range(name, condition.operands[1])
            if told is not None and without_casts(each) == value:
                one, other = (one & told, other) if place == 0 else (one, other & told)
        return one | other

    def holds(self, condition: ir.Value, depth: int = 0) -> bool | None:
        """Whether a condition is always true, or always false; None if unknown."""
        source = defining_op(condition)
        if source is None:
            return None
        if source.name in ("arith.andi", "arith.ori"):
            wanted = bool(source.name == "arith.ori")
            found = [self.holds(each, depth) for each in source.operands]
            if wanted in found:
                return wanted
            return None if None in found else not wanted
        if source.name != "arith.cmpi":
            return None
        one, other = (self.of(each, depth) for each in source.operands)
        predicate = _predicate(source)
        bound = size_of_number(source.operands[1])
        if predicate == "ult" and other.low >= 0:
            return True if one.is_within(bound) or 0 <= one.low <= one.high < other.low else None
        if predicate not in ("slt", "sge"):
            return None
        if one.high < other.low or bound in one.below:
            return predicate == "slt"
        if one.low >= other.high:
            return predicate == "sge"
        return None


_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_NOT = {"slt": "sge", "sge": "slt", "sle": "sgt", "sgt": "sle", "ult": "uge", "uge": "ult"}


def _predicate(op: ir.Operation) -> str:
    return _PREDICATES[ir.IntegerAttr(op.attributes["predicate"]).value]


def _implied_range(predicate: str, bound: ir.Value) -> Range | None:
    """The range that a comparison with a bound implies."""
    size = size_of_number(bound)
    constant = None if size.unknown else size.known
    if predicate == "slt":
        return Range(high=constant - 1) if constant is not None else Range(below=frozenset([size]))
    if predicate == "sle" and constant is not None:
        return Range(high=constant)
    if predicate in ("sge", "sgt") and constant is not None:
        return Range(low=constant + (predicate == "sgt"))
    if predicate == "ult" and _is_size(size):
        return index_of(size)
    return None


def _is_size(size: Size) -> bool:
    """Whether an integer is never negative."""
    return size.known >= 0 and all(isinstance(each, tuple) for each in size.unknown)


def _of_constant(attribute: ir.Attribute) -> Range:
    if isinstance(attribute, ir.DenseResourceElementsAttr):
        return ANY
    if not isinstance(attribute, ir.DenseIntElementsAttr) or not len(attribute):
        return ANY
    if attribute.is_splat:
        value = int(ir.IntegerAttr(attribute.get_splat_value()).value)
        return _range(value, value)
    values = [int(each) for each in attribute]
    return _range(min(values), max(values))


def _join(ranges: Iterable[Range]) -> Range:
    found: Range | None = None
    for each in ranges:
        found = each if found is None else found | each
    return ANY if found is None else found


def _product(one: Range, other: Range) -> Range:
    ends = [a * b for a in (one.low, one.high) for b in (other.low, other.high)]
    return _range(min(ends), max(ends))


def _least(one: Range, other: Range) -> Range:
    below = one.below | other.below
    return Range(min(one.low, other.low), min(one.high, other.high), below)


def _greatest(one: Range, other: Range) -> Range:
    joined = one | other
    return Range(max(one.low, other.low), max(one.high, other.high), joined.below)


def _sum(one: Range, other: Range) -> Range:
    return _range(one.low + other.low, one.high + other.high)


def _difference(one: Range, other: Range) -> Range:
    return _range(one.low - other.high, one.high - other.low)


_INTERVALS: dict[str, Callable[[Range, Range], Range]] = {
    "arith.addi": _sum,
    "arith.subi": _difference,
    "arith.muli": _product,
    "arith.minsi": _least,
    "arith.maxsi": _greatest,
}


def _quotient(one: Range, other: Range, divisor: Size) -> Range:
    if one.low < 0 or other.low < 0:
        return ANY
    least = max(other.low, 1)
    below = {quotient for each in one.below if (quotient := each.over(divisor)) is not None}
    return Range(0, one.high // least, frozenset(below))


def _remainder(one: Range, other: Range, divisor: Size) -> Range:
    if one.low < 0 or other.low < 0:
        return ANY
    rest = index_of(divisor)
    return Range(0, min(one.high, rest.high), rest.below | one.below)


_BY_A_SIZE: dict[str, Callable[[Range, Range, Size], Range]] = {
    "arith.divsi": _quotient,
    "arith.divui": _quotient,
    "arith.floordivsi": _quotient,
    "arith.remsi": _remainder,
    "arith.remui": _remainder,
}
