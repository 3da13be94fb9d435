"""Let results be computed in the slices that they are put into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import (
    groups_of,
    is_structured,
    maker_of,
    number_of_inputs,
    operation_of,
)
from torch_refine.passes.lowering.kernels.layouts import layout_of
from torch_refine.passes.lowering.kernels.slices import INSERT, Slice

_COLLAPSE, _EMPTY, _FILL = "tensor.collapse_shape", "tensor.empty", "linalg.fill"
# What a tensor may be that a result is written to a slice of: nothing else sees it yet.
_WHOLES = (_EMPTY, _FILL, INSERT)


@dataclass
class WriteIntoSlices(Pass):
    """Let results be computed in the slices that they are put into.

    Padding and concatenation put results into slices of a larger tensor. A result that is used for
    nothing else is written there at once. It is computed where it was put into the slice, behind
    the checks that the slice is inside of the tensor.

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
        # What is put into a slice of a slice is written there after the slice is known.
        places: set[ir.Value] = set()
        for each in reversed(inserts):
            place = _written_place(each, places)
            if place is not None:
                places.add(place)
                state.count(self.name, "results")


def _keep_unit_dims(insert: ir.Operation) -> None:
    """Put a tensor into a slice of its shape without dropping dimensions of size 1 before."""
    collapse = maker_of(insert.operands[0])
    if collapse is None or collapse.name != _COLLAPSE:
        return
    whole = collapse.operands[0]
    shape = list(ir.RankedTensorType(whole.type).shape)
    are_units = all(sum(shape[dim] != 1 for dim in group) <= 1 for group in groups_of(collapse))
    if not are_units or shape != Slice.of(insert).shape:
        return
    insert.operands[0] = whole
    if not list(collapse.results[0].uses):
        collapse.erase()


def _written_place(insert: ir.Operation, places: set[ir.Value]) -> ir.Value | None:
    """The slice that something is written to and not put into, if it is used for that alone.

    `places` are such slices, which the ops before may take slices of again.
    """
    source, whole = insert.operands[0], insert.operands[1]
    is_new = whole in places or _is_new(whole)
    if not is_new or not _is_used_once(whole) or not _is_used_once(source):
        return None
    # The ops that write to the source's memory, the last one first.
    chain = _writers(source, insert.block)
    if not chain:
        return None
    memory = maker_of(_memory_of(chain[-1]))
    if memory is None or memory.name != _EMPTY:
        return None
    slice = Slice.of(insert)
    with ir.InsertionPoint(insert), insert.location:
        type = ir.RankedTensorType(source.type)
        place = slice.extract(whole, type)
    layout = layout_of(place)
    maker = operation_of(place.owner)
    if layout is None or not layout.has_rows:
        maker.erase()
        return None
    for op in reversed(chain):
        op.move_before(insert)
    chain[-1].operands[_place_of_memory(chain[-1])] = place
    if not list(memory.results[0].uses):
        memory.erase()
    return place


def _is_new(whole: ir.Value) -> bool:
    """Whether a tensor is made here, and no slice of another one."""
    maker = maker_of(whole)
    return maker is not None and maker.name in _WHOLES


def _is_used_once(value: ir.Value) -> bool:
    return sum(1 for _ in value.uses) == 1


def _writers(value: ir.Value, block: ir.Block) -> list[ir.Operation]:
    """The ops of a block that write a tensor one after the other, the last one first."""
    found = []
    maker = maker_of(value)
    while (
        maker is not None
        and maker.block == block
        and (maker.name == INSERT or is_structured(maker))
        and len(maker.results) == 1
        and _is_used_once(maker.results[0])
    ):
        found.append(maker)
        maker = maker_of(_memory_of(maker))
    return found


def _place_of_memory(op: ir.Operation) -> int:
    """The operand that an op writes to."""
    return 1 if op.name == INSERT else number_of_inputs(op)


def _memory_of(op: ir.Operation) -> ir.Value:
    return op.operands[_place_of_memory(op)]
