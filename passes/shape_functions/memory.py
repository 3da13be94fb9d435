"""The bytes of a function's live tensors, in program order, as expressions over its sizes.

A tensor is live from its defining op to the last op that uses it, inclusive; its storage is live
with its last view. Inputs and weights are live throughout, and counted apart. What is assumed:

- The results of an operator are contiguous tensors of their own, except those that PyTorch's schema
  annotates as views: they share the storage of their operand.
- `reshape`, `flatten` and `contiguous` copy unless their operand is known to be contiguous: it is
  not behind `transpose`, `slice` and other views that change strides.
- A conversion to another dtype copies.
- Memory that an operator only uses while it runs is not counted, nor is what an allocator adds.
- The sides of a `torch.prim.If` are counted one after the other. Loops and calls are not supported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from torch_refine.abstract_interpreter.conditions.path_condition import NOTHING
from torch_refine.abstract_interpreter.lattice import Anything, LatticeValue, Sequence, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    Number,
    add,
    floor_divide,
    multiply,
    negate,
    subtract,
)
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.element_types import bits_of_element, element_of_dtype
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.dialect.schemas import aliases
from torch_refine.passes.casts import CAST
from torch_refine.passes.symbolic_shapes.reading import BINDING

_IF = "torch.prim.If"
_WEIGHTS = ("torch.vtensor.literal", "torch.tensor.literal", "torch.global_slot.get")
# Ops that pass tensors on, in lists and tuples, too.
_PASSING = {
    CAST,
    "torch.derefine",
    "torch.prim.unchecked_cast",
    "torch.prim.ListConstruct",
    "torch.prim.ListUnpack",
    "torch.prim.TupleConstruct",
    "torch.prim.TupleUnpack",
    "torch.prim.TupleIndex",
    "torch.aten.__getitem__.t",
}
_COPYING_IF_STRIDED = {"aten::reshape", "aten::flatten.using_ints", "aten::contiguous"}
# Views of a contiguous tensor that are contiguous.
_CONTIGUOUS = {
    *_COPYING_IF_STRIDED,
    "aten::view",
    "aten::_unsafe_view",
    "aten::_reshape_alias",
    "aten::unflatten.int",
    "aten::unsqueeze",
    "aten::squeeze",
    "aten::squeeze.dim",
    "aten::squeeze.dims",
    "aten::detach",
    "aten::alias",
    "aten::lift_fresh",
}
# Candidates for the peak are compared with so many others.
_COMPARED = 24


class UnknownMemoryError(Exception):
    """The live bytes are no function of the sizes; `op` tells why, None for an argument."""

    def __init__(self, op: ir.Operation | None, message: str) -> None:
        super().__init__(message)
        self.op = op


@dataclass(frozen=True)
class Memory:
    """The bytes of inputs and weights, and of other tensors where these may be the most.

    `candidates` are the bytes of live tensors at ops; at all other ops, they are no more.
    """

    inputs: Number
    weights: int
    candidates: tuple[tuple[Number, ir.Operation], ...]


@dataclass(eq=False)
class _Storage:
    """The storage of one or more tensors, and the indices of the ops where it is live."""

    bytes: Number
    first: int
    last: int


@dataclass
class _Held:
    """The storages of a value, and whether it is known to be contiguous."""

    storages: tuple[_Storage, ...] = ()
    contiguous: bool = True


@dataclass
class _Liveness:
    """Visits the ops of a function in program order."""

    fact: Callable[[ir.Value], LatticeValue]
    sizes: Callable[[ir.Value, Tensor], tuple[Number, ...] | None]
    ops: list[ir.Operation] = field(default_factory=list)
    storages: list[_Storage] = field(default_factory=list)
    held: dict[ir.Value, _Held] = field(default_factory=dict)
    weights: dict[ir.Attribute, int] = field(default_factory=dict)

    def bytes(self, value: ir.Value, fact: LatticeValue, op: ir.Operation | None) -> Number:
        """The bytes of a tensor, or of a list of tensors; none of another value."""
        if isinstance(fact, Tensor):
            sizes = self.sizes(value, fact)
            element = None if fact.dtype is None else element_of_dtype(fact.dtype)
            if sizes is None or element is None:
                missing = "rank" if sizes is None else "dtype"
                raise UnknownMemoryError(op, f"the {missing} of a tensor is unknown")
            return tensor_bytes(sizes, element)
        if isinstance(fact, Sequence) and "tensor" in fact.kind:
            if fact.items is None:
                raise UnknownMemoryError(op, "the number of tensors in a list is unknown")
            total: Number = 0
            for item in fact.items:
                total = add(total, self.bytes(value, item, op))
            return total
        if isinstance(fact, Anything) and "tensor" in fact.kind:
            raise UnknownMemoryError(op, "nothing is known of a tensor")
        return 0

    def block(self, block: ir.Block) -> list[_Held]:
        """Visit a block; returns what its terminator's operands hold."""
        for op in operations(block):
            self.visit(op)
        last = block.operations[len(block.operations) - 1].operation
        return [self.held.get(value, _Held()) for value in last.operands]

    def visit(self, op: ir.Operation) -> None:
        """Visit one op."""
        if op.name == BINDING:
            # It needs no memory.
            return
        index = len(self.ops)
        self.ops.append(op)
        name = name_of(op)
        operands = [self.held.get(value, _Held()) for value in op.operands]
        for each in operands:
            for storage in each.storages:
                storage.last = max(storage.last, index)
        if name == _IF:
            sides = [self.block(region.blocks[0]) for region in op.regions]
            for place, result in enumerate(op.results):
                self.held[result] = _merged(side[place] for side in sides)
        elif len(op.regions) or name == "func.call":
            raise UnknownMemoryError(op, f"{name} is not supported")
        elif name in _WEIGHTS:
            key = op.attributes["slot" if name.endswith("get") else "value"]
            total = self.bytes(op.result, self.fact(op.result), op)
            if not isinstance(total, int):
                raise UnknownMemoryError(op, "the size of a weight is unknown")
            self.weights[key] = total
        elif name in _PASSING:
            for result in op.results:
                self.held[result] = _merged(operands)
        else:
            self._operator(op, operator_name(name), operands, index)

    def _operator(self, op: ir.Operation, operator: str, operands: list[_Held], index: int) -> None:
        """The results of an operator: views of operands, or tensors of their own."""
        try:
            shared = aliases(operator)
        except KeyError:
            shared = ()
        if operator == "aten::_unsafe_view":
            # Its schema has no annotation, as autograd must not see the view.
            shared = ((0,),)
        for place, result in enumerate(op.results):
            views = shared[place] if place < len(shared) else ()
            if views and self._is_view(op, operator, operands, views[0]):
                held = operands[views[0]]
                contiguous = held.contiguous and operator in _CONTIGUOUS
                self.held[result] = _Held(held.storages, contiguous)
                continue
            total = self.bytes(result, self.fact(result), op)
            if total != 0:
                storage = _Storage(total, index, index)
                self.storages.append(storage)
                self.held[result] = _Held((storage,))

    def _is_view(self, op: ir.Operation, operator: str, operands: list[_Held], place: int) -> bool:
        """Whether the result shares the storage of an operand, given that it may."""
        if operator in _COPYING_IF_STRIDED:
            return operands[place].contiguous
        result, operand = self.fact(op.results[0]), self.fact(op.operands[place])
        if isinstance(result, Tensor) and isinstance(operand, Tensor):
            return result.dtype is not None and result.dtype == operand.dtype
        return True


def _merged(held: Iterable[_Held]) -> _Held:
    """What several values hold together."""
    every = list(held)
    storages = dict.fromkeys(storage for one in every for storage in one.storages)
    return _Held(tuple(storages), all(one.contiguous for one in every))


def tensor_bytes(sizes: Iterable[Number], element: str) -> Number:
    """The bytes of a contiguous tensor; elements of less than a byte are packed."""
    total: Number = bits_of_element(element)
    for size in sizes:
        total = multiply(total, size)
    if bits_of_element(element) % 8:
        total = add(total, 7)
    return floor_divide(total, 8)


def memory_of(
    function: ir.Operation,
    fact: Callable[[ir.Value], LatticeValue],
    sizes: Callable[[ir.Value, Tensor], tuple[Number, ...] | None],
) -> Memory:
    """The live bytes of a function; raises UnknownMemoryError."""
    if len(function.regions[0].blocks) != 1:
        raise UnknownMemoryError(function, "control flow between blocks is not supported")
    block = function.regions[0].blocks[0]
    liveness = _Liveness(fact, sizes)
    inputs: Number = 0
    for argument in block.arguments:
        inputs = add(inputs, liveness.bytes(argument, fact(argument), None))
    liveness.block(block)
    return Memory(inputs, sum(liveness.weights.values()), _candidates(liveness))


def _candidates(liveness: _Liveness) -> tuple[tuple[Number, ir.Operation], ...]:
    """The live bytes at ops, without those that others exceed for all sizes."""
    born: dict[int, list[Number]] = {}
    dead: dict[int, list[Number]] = {}
    for storage in liveness.storages:
        born.setdefault(storage.first, []).append(storage.bytes)
        dead.setdefault(storage.last, []).append(storage.bytes)
    live: Number = 0
    found: dict[Number, ir.Operation] = {}
    for index, op in enumerate(liveness.ops):
        for each in born.get(index, ()):
            live = add(live, each)
        if index in born:
            found.setdefault(live, op)
        for each in dead.get(index, ()):
            live = add(live, negate(each))
    kept: list[tuple[Number, ir.Operation]] = []
    for number, op in found.items():
        if any(_exceeds(other, number) for other, _ in kept[-_COMPARED:]):
            continue
        recent = [each for each in kept[-_COMPARED:] if not _exceeds(number, each[0])]
        kept = [*kept[:-_COMPARED], *recent, (number, op)]
    return tuple(kept)


def _exceeds(number: Number, other: Number) -> bool:
    """Whether a number is at least as large as another one for all sizes."""
    return NOTHING.range_of(subtract(number, other)).low >= 0
