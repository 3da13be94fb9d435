"""Compute the tensors that a loop carries, and those that a program mutates, in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    is_structured,
    iterators,
    maps,
    num_inputs,
    operation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import UPDATES, WRITTEN
from torch_refine.passes.lowering.kernels.slices import EXTRACT
from torch_refine.passes.lowering.linalg.index_sizes import EqualSizes, size_of

_EMPTY = "tensor.empty"
# The operands of a loop in front of those that it carries.
_BOUNDS = 3


@dataclass
class CarryInPlace(Pass):
    """Compute the tensors that a loop carries, and those that a program mutates, in place.

    The next value of a carried tensor is written to the previous one, if that is read before only,
    or by the writing op itself at the same element; else it is copied there at the end of the
    iteration. Otherwise each iteration would allocate a buffer. Fusion dropped such destinations,
    as no op reads them. So is the new value of an argument that a function mutates
    (`torch_refine.updates`), but for the copy; `update-in-place` makes that safe.

    Before:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<4xf32>, %arg1: index) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (tensor<4xf32>) {
        %1 = tensor.empty() : tensor<4xf32>
        %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg3 : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = math.exp %in : f32
          linalg.yield %3 : f32
        } -> tensor<4xf32>
        scf.yield %2 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<4xf32>, %arg1: index) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (tensor<4xf32>) {
        %1 = tensor.empty() : tensor<4xf32>
        %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg3 : tensor<4xf32>) outs(%arg3 : tensor<4xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = math.exp %in : f32
          linalg.yield %3 : f32
        } -> tensor<4xf32>
        scf.yield %2 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
    """

    name: ClassVar[str] = "carry-in-place"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for loop in [each for each in walk(op) if each.name == "scf.for"]:
            equal = _asserted_before(loop)
            for place in range(len(loop.results)):
                state.count(self.name, "tensors", _carry(loop, place, equal))
        functions = [op] if op.name == "func.func" else operations(op.regions[0].blocks[0])
        for function in functions:
            if UPDATES in function.attributes:
                state.count(self.name, "arguments", _mutate(function))


def _mutate(function: ir.Operation) -> int:
    """Make arguments of a function the destinations of their new values; returns how many."""
    block = function.regions[0].blocks[0]
    returned = list(operations(block))[-1]
    pairs = list(ir.DenseI64ArrayAttr(function.attributes[UPDATES]))
    written = []
    for result, place in zip(pairs[::2], pairs[1::2], strict=True):
        value, argument = returned.operands[result], block.arguments[place]
        found = _destination(value, argument, [argument], EqualSizes())
        if found is not None and _is_last_read(argument, value, *found):
            writer, number = found
            writer.operands[number] = argument
            written.append(place)
    if written:
        function.attributes[WRITTEN] = ir.DenseI64ArrayAttr.get(written, function.context)
    return len(written)


def _asserted_before(loop: ir.Operation) -> EqualSizes:
    """The equalities of sizes that are asserted before a loop, in its block."""
    equal = EqualSizes()
    for op in operations(loop.block):
        if op == loop:
            break
        if op.name == "cf.assert":
            equal.assume(op.operands[0])
    return equal


def _carry(loop: ir.Operation, place: int, equal: EqualSizes) -> bool:
    """Make a carried tensor the destination of its next value, if possible; returns whether."""
    body = loop.regions[0].blocks[0]
    initial, carried = loop.operands[_BOUNDS + place], body.arguments[1 + place]
    end = list(operations(body))[-1]
    value = end.operands[place]
    found = _destination(value, carried, [carried, initial], equal)
    if found is None or carried in list(end.operands):
        return False
    writer, number = found
    if _is_last_read(carried, value, writer, number):
        writer.operands[number] = carried
    else:
        _copy(loop, place, value)
    _make_contiguous(loop, place)
    return True


def _destination(
    value: ir.Value, memory: ir.Value, like: list[ir.Value], equal: EqualSizes
) -> tuple[ir.Operation, int] | None:
    """The op that creates a value in new memory, and its operand, for which `memory` would do.

    `like` are tensors of the same sizes as that. None if there is no such op in its block.
    """
    found = _first_writer(value)
    if found is None:
        return None
    writer, number = found
    given = writer.operands[number]
    empty = defining_op(given)
    if (
        empty is None
        or empty.name != _EMPTY
        or given.type != memory.type
        or writer.block != memory.owner
    ):
        return None
    for dim in range(ir.RankedTensorType(given.type).rank):
        size = size_of(given, dim)
        if not any(equal.are_equal(size, size_of(each, dim)) for each in like):
            return None
    return found


def _is_last_read(memory: ir.Value, value: ir.Value, writer: ir.Operation, number: int) -> bool:
    """Whether a tensor is not read after an op writes a new value to it."""
    readers = {operation_of(use.owner) for use in memory.uses} - {writer}
    return all(_is_read_before(use, writer, number) for use in memory.uses) and not _are_fused(
        readers, value
    )


def _are_fused(readers: set[ir.Operation], value: ir.Value) -> bool:
    """Whether an op that reads a carried tensor may be part of the kernel that computes its next
    value, such as a contraction with its epilogue: it would read what the kernel has written."""
    pending, seen = [value], set()
    while pending:
        producer = defining_op(pending.pop())
        if producer is None or not is_structured(producer) or producer in seen:
            continue
        if producer in readers:
            return True
        seen.add(producer)
        pending.extend(producer.operands)
    return False


def _copy(loop: ir.Operation, place: int, value: ir.Value) -> None:
    """Copy the next value of a carried tensor to the previous one, as soon as that is read."""
    body = loop.regions[0].blocks[0]
    carried = body.arguments[1 + place]
    last = operation_of(value.owner)
    for use in carried.uses:
        user = operation_of(use.owner)
        while user.block != body:
            user = operation_of(user.parent)
        if last.is_before_in_block(user) and user.name != "tensor.dim":
            last = user
    following = list(operations(body))
    after = following[following.index(last) + 1]
    with ir.InsertionPoint(after), loop.location:
        copied = _copied(value, carried)
    copy = operation_of(copied.owner)
    for use in list(value.uses):
        user = operation_of(use.owner)
        if user.block == body and copy.is_before_in_block(user):
            user.operands[use.operand_number] = copied


def _copied(value: ir.Value, memory: ir.Value) -> ir.Value:
    """A copy of a tensor in the memory of another."""
    segments = ir.DenseI32ArrayAttr.get([1, 1])
    copy = create_op(
        "linalg.copy",
        [value, memory],
        {"operandSegmentSizes": segments},
        results=[memory.type],
        regions=1,
    )
    element = ir.RankedTensorType(memory.type).element_type
    block = ir.Block.create_at_start(copy.regions[0], [element] * 2, [ir.Location.current] * 2)
    with ir.InsertionPoint(block):
        create_op("linalg.yield", [block.arguments[0]])
    return copy.result


def _make_contiguous(loop: ir.Operation, place: int) -> None:
    """Copy an initial value that is a slice, which each iteration would copy for its kernels."""
    initial = loop.operands[_BOUNDS + place]
    producer = defining_op(initial)
    if producer is not None and producer.name == EXTRACT:
        with ir.InsertionPoint(loop), loop.location:
            segments = ir.DenseI32ArrayAttr.get([0, 1, 0])
            loop.operands[_BOUNDS + place] = create_value(
                "bufferization.alloc_tensor",
                initial.type,
                [initial],
                {"operandSegmentSizes": segments},
            )


def _first_writer(value: ir.Value) -> tuple[ir.Operation, int] | None:
    """The first of the ops that write to the memory of a value, and the operand number of that."""
    found = None
    producer = defining_op(value)
    while producer is not None and is_structured(producer):
        number = num_inputs(producer) + list(producer.results).index(value)
        found = producer, number
        value = producer.operands[number]
        producer = defining_op(value)
    return found


def _is_read_before(use: ir.OpOperand, writer: ir.Operation, number: int) -> bool:
    """Whether a carried tensor is read before an op writes its next value to it."""
    user = operation_of(use.owner)
    if user.name == "tensor.dim":
        return True
    if user == writer:
        return _reads_what_it_writes(writer, use.operand_number, number)
    while user.block != writer.block:
        user = operation_of(user.parent)
    # A view of the tensor could be read later.
    if not is_structured(user) or not all(
        isinstance(each.type, ir.RankedTensorType) for each in user.results
    ):
        return False
    return bool(user != writer and user.is_before_in_block(writer))


def _reads_what_it_writes(op: ir.Operation, operand: int, number: int) -> bool:
    """Whether an elementwise op reads the elements of an operand that it writes to another."""
    if op.name != GENERIC or set(iterators(op)) != {"parallel"} or operand >= num_inputs(op):
        return False
    loops = list(range(len(iterators(op))))
    return all(dims_of(maps(op)[each]) == loops for each in (operand, number))
