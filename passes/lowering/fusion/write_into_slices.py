"""Compute results in place in the slices they are inserted into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    defining_op,
    is_structured,
    num_inputs,
    operation_of,
    reassociation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.layouts import layout_of
from torch_refine.passes.lowering.kernels.slices import INSERT, Slice

_COLLAPSE, _EMPTY, _FILL = "tensor.collapse_shape", "tensor.empty", "linalg.fill"
# Destinations without other users.
_WHOLES = (_EMPTY, _FILL, INSERT)


@dataclass
class WriteIntoSlices(Pass):
    """Compute results in place in the slices they are inserted into.

    Padding and concatenation insert results into slices of a larger tensor. A result without other
    users is written to the slice directly. Its op moves to the insertion, after the assertions that
    the slice is in bounds.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<3x4xf32>, %arg1: tensor<3x8xf32>) -> tensor<3x12xf32> {
      %0 = tensor.empty() : tensor<3x4xf32>
      %mapped = linalg.map { math.exp } ins(%arg0 : tensor<3x4xf32>) outs(%0 : tensor<3x4xf32>)
      %1 = tensor.empty() : tensor<3x12xf32>
      %inserted_slice = tensor.insert_slice %arg1 into %1[0, 0] [3, 8] [1, 1] : tensor<3x8xf32> \
into tensor<3x12xf32>
      %inserted_slice_0 = tensor.insert_slice %mapped into %inserted_slice[0, 8] [3, 4] [1, 1] : \
tensor<3x4xf32> into tensor<3x12xf32>
      return %inserted_slice_0 : tensor<3x12xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<3x4xf32>, %arg1: tensor<3x8xf32>) -> tensor<3x12xf32> {
      %0 = tensor.empty() : tensor<3x12xf32>
      %inserted_slice = tensor.insert_slice %arg1 into %0[0, 0] [3, 8] [1, 1] : tensor<3x8xf32> \
into tensor<3x12xf32>
      %extracted_slice = tensor.extract_slice %inserted_slice[0, 8] [3, 4] [1, 1] : \
tensor<3x12xf32> to tensor<3x4xf32>
      %mapped = linalg.map { math.exp } ins(%arg0 : tensor<3x4xf32>) outs(%extracted_slice : \
tensor<3x4xf32>)
      %inserted_slice_0 = tensor.insert_slice %mapped into %inserted_slice[0, 8] [3, 4] [1, 1] : \
tensor<3x4xf32> into tensor<3x12xf32>
      return %inserted_slice_0 : tensor<3x12xf32>
    }
    ```
    """

    name: ClassVar[str] = "write-into-slices"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        inserts = [each for each in walk(op) if each.name == INSERT]
        for each in inserts:
            _keep_unit_dims(each)
        # An insertion into a slice of a slice is rewritten once the outer slice is known.
        places: set[ir.Value] = set()
        for each in reversed(inserts):
            place = _destination_slice(each, places)
            if place is not None:
                places.add(place)
                state.count(self.name, "results")


def _keep_unit_dims(insert: ir.Operation) -> None:
    """Insert a tensor without rank reduction, by expanding unit dimensions first."""
    collapse = defining_op(insert.operands[0])
    if collapse is None or collapse.name != _COLLAPSE:
        return
    whole = collapse.operands[0]
    shape = list(ir.RankedTensorType(whole.type).shape)
    are_units = all(
        sum(shape[dim] != 1 for dim in group) <= 1 for group in reassociation_of(collapse)
    )
    if not are_units or shape != Slice.of(insert).shape:
        return
    insert.operands[0] = whole
    if not list(collapse.results[0].uses):
        collapse.erase()


def _destination_slice(insert: ir.Operation, places: set[ir.Value]) -> ir.Value | None:
    """The slice that replaces the destination of an inserted tensor, if this is its only use.

    `places` are such slices, which preceding ops may slice again.
    """
    source, whole = insert.operands[0], insert.operands[1]
    is_new = whole in places or _is_new(whole)
    if not is_new or not _is_used_once(whole) or not _is_used_once(source):
        return None
    # The ops that write to the source's destination, the last one first.
    chain = _writers(source, insert.block)
    if not chain:
        return None
    memory = defining_op(_memory_of(chain[-1]))
    if memory is None or memory.name != _EMPTY:
        return None
    slice = Slice.of(insert)
    with ir.InsertionPoint(insert), insert.location:
        type = ir.RankedTensorType(source.type)
        place = slice.extract(whole, type)
    layout = layout_of(place)
    producer = operation_of(place.owner)
    if layout is None or not layout.has_unit_stride:
        producer.erase()
        return None
    for op in reversed(chain):
        op.move_before(insert)
    chain[-1].operands[_destination_number(chain[-1])] = place
    if not list(memory.results[0].uses):
        memory.erase()
    return place


def _is_new(whole: ir.Value) -> bool:
    """Whether a tensor is allocated here, and is not a slice of another one."""
    producer = defining_op(whole)
    return producer is not None and producer.name in _WHOLES


def _is_used_once(value: ir.Value) -> bool:
    return sum(1 for _ in value.uses) == 1


def _writers(value: ir.Value, block: ir.Block) -> list[ir.Operation]:
    """The ops of a block that write to a tensor successively, the last one first."""
    found = []
    producer = defining_op(value)
    while (
        producer is not None
        and producer.block == block
        and (producer.name == INSERT or is_structured(producer))
        and len(producer.results) == 1
        and _is_used_once(producer.results[0])
    ):
        found.append(producer)
        producer = defining_op(_memory_of(producer))
    return found


def _destination_number(op: ir.Operation) -> int:
    """The operand number of an op's destination."""
    return 1 if op.name == INSERT else num_inputs(op)


def _memory_of(op: ir.Operation) -> ir.Value:
    return op.operands[_destination_number(op)]
