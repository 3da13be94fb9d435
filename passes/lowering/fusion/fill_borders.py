"""Fill the border of a padded tensor only, not its inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import Number, add, as_fold_result, subtract
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import filled
from torch_refine.passes.lowering.kernels.slices import INSERT, Slice

_EMPTY, _FILL = "tensor.empty", "linalg.fill"


@dataclass
class FillBorders(Pass):
    """Fill the border of a padded tensor only, not its inside.

    Padding fills a destination with a value and then inserts a tensor. The inserted region need not
    be filled: for each padded dimension, only the slices before and after it are.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<2x5xf32>, %arg1: f32) -> tensor<4x5xf32> {
      %0 = tensor.empty() : tensor<4x5xf32>
      %1 = linalg.fill ins(%arg1 : f32) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
      %inserted_slice = tensor.insert_slice %arg0 into %1[1, 0] [2, 5] [1, 1] : tensor<2x5xf32> \
into tensor<4x5xf32>
      return %inserted_slice : tensor<4x5xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<2x5xf32>, %arg1: f32) -> tensor<4x5xf32> {
      %0 = tensor.empty() : tensor<4x5xf32>
      %extracted_slice = tensor.extract_slice %0[0, 0] [1, 5] [1, 1] : tensor<4x5xf32> to \
tensor<1x5xf32>
      %1 = linalg.fill ins(%arg1 : f32) outs(%extracted_slice : tensor<1x5xf32>) -> tensor<1x5xf32>
      %inserted_slice = tensor.insert_slice %1 into %0[0, 0] [1, 5] [1, 1] : tensor<1x5xf32> into \
tensor<4x5xf32>
      %extracted_slice_0 = tensor.extract_slice %inserted_slice[3, 0] [1, 5] [1, 1] : \
tensor<4x5xf32> to tensor<1x5xf32>
      %2 = linalg.fill ins(%arg1 : f32) outs(%extracted_slice_0 : tensor<1x5xf32>) -> \
tensor<1x5xf32>
      %inserted_slice_1 = tensor.insert_slice %2 into %inserted_slice[3, 0] [1, 5] [1, 1] : \
tensor<1x5xf32> into tensor<4x5xf32>
      %inserted_slice_2 = tensor.insert_slice %arg0 into %inserted_slice_1[1, 0] [2, 5] [1, 1] : \
tensor<2x5xf32> into tensor<4x5xf32>
      return %inserted_slice_2 : tensor<4x5xf32>
    }
    ```
    """

    name: ClassVar[str] = "fill-borders"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for insert in [each for each in walk(op) if each.name == INSERT]:
            fill = defining_op(insert.operands[1])
            if fill is None or fill.name != _FILL or sum(1 for _ in fill.results[0].uses) != 1:
                continue
            memory = defining_op(fill.operands[1])
            slice = Slice.of(insert)
            is_dense = all(stride == 1 for stride in slice.strides)
            if memory is not None and memory.name == _EMPTY and is_dense:
                _fill_border(insert, fill, slice)
                state.count(self.name, "tensors")


def _fill_border(insert: ir.Operation, fill: ir.Operation, inside: Slice) -> None:
    """Fill the complement of a slice, dimension by dimension."""
    number = fill.operands[0]
    whole = _own_destination(fill)
    offsets: list[Number] = [0] * len(inside.offsets)
    sizes = _sizes(whole)
    with ir.InsertionPoint(insert), insert.location:
        for dim, (offset, size, total) in enumerate(
            zip(inside.offsets, inside.sizes, list(sizes), strict=True)
        ):
            end = add(offset, size)
            for start, count in ((0, offset), (end, _difference(total, offset, size, end))):
                if count == 0:
                    continue
                border = Slice(
                    [*offsets[:dim], start, *offsets[dim + 1 :]],
                    [*sizes[:dim], count, *sizes[dim + 1 :]],
                    inside.strides,
                )
                memory = border.extract(whole)
                whole = border.insert(filled(insert, number, memory), whole)
            # The borders of the next dimensions end where these begin.
            offsets[dim], sizes[dim] = offset, size
    insert.operands[1] = whole
    fill.erase()


def _own_destination(fill: ir.Operation) -> ir.Value:
    """The empty tensor that a fill writes to, or a new one if that has other users."""
    memory = fill.operands[1]
    producer = defining_op(memory)
    assert producer is not None, "the operand must have a defining op"
    if sum(1 for _ in memory.uses) == 1:
        return memory
    with ir.InsertionPoint(fill):
        return producer.clone().results[0]


def _sizes(whole: ir.Value) -> list[Number]:
    """The sizes of an empty tensor."""
    producer = defining_op(whole)
    assert producer is not None, "the tensor must have a defining op"
    given = iter(producer.operands)
    return [
        as_fold_result(next(given)) if size < 0 else size
        for size in ir.RankedTensorType(whole.type).shape
    ]


def _difference(total: Number, offset: Number, size: Number, end: Number) -> Number:
    """The size of the border after a slice, an int if it is static."""
    if isinstance(offset, int):
        if total == size:
            return -offset
        constant = _added(total, size)
        if constant is not None:
            return constant - offset
    return subtract(total, end)


def _added(total: Number, size: Number) -> int | None:
    """The constant that the padded size adds to a size; None if there is none."""
    producer = None if isinstance(total, int) else defining_op(total)
    if producer is None or producer.name != "arith.addi" or isinstance(size, int):
        return None
    numbers = [as_fold_result(each) for each in producer.operands]
    if size not in numbers:
        return None
    other = numbers[1 - numbers.index(size)]
    return other if isinstance(other, int) else None
