"""Fill the border of what is padded, and not its inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.building import Number, add, number_of, subtract
from torch_refine.passes.lowering.images.building import filled
from torch_refine.passes.lowering.kernels.indexing import maker_of
from torch_refine.passes.lowering.kernels.slices import INSERT, Slice

_EMPTY, _FILL = "tensor.empty", "linalg.fill"


@dataclass
class FillBorders(Pass):
    """Fill the border of what is padded, and not its inside.

    Padding fills memory with a number and then writes a tensor inside. What the tensor covers need
    not be filled: for each padded dimension, what is before the tensor and what is after it is.

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
            fill = maker_of(insert.operands[1])
            if fill is None or fill.name != _FILL or sum(1 for _ in fill.results[0].uses) != 1:
                continue
            memory = maker_of(fill.operands[1])
            slice = Slice.of(insert)
            is_dense = all(stride == 1 for stride in slice.strides)
            if memory is not None and memory.name == _EMPTY and is_dense:
                _fill_border(insert, fill, slice)
                state.count(self.name, "tensors")


def _fill_border(insert: ir.Operation, fill: ir.Operation, inside: Slice) -> None:
    """Fill what a slice leaves of a tensor, dimension by dimension."""
    number = fill.operands[0]
    whole = _own_memory(fill)
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


def _own_memory(fill: ir.Operation) -> ir.Value:
    """The empty tensor that a fill writes to, another one if something else does, too."""
    memory = fill.operands[1]
    maker = maker_of(memory)
    assert maker is not None, "it is made by an op"
    if sum(1 for _ in memory.uses) == 1:
        return memory
    with ir.InsertionPoint(fill):
        return maker.clone().results[0]


def _sizes(whole: ir.Value) -> list[Number]:
    """The sizes of an empty tensor."""
    maker = maker_of(whole)
    assert maker is not None, "it is made by an op"
    given = iter(maker.operands)
    return [
        number_of(next(given)) if size < 0 else size
        for size in ir.RankedTensorType(whole.type).shape
    ]


def _difference(total: Number, offset: Number, size: Number, end: Number) -> Number:
    """How many numbers are behind a slice, an int where that is known."""
    if isinstance(offset, int):
        if total == size:
            return -offset
        constant = _added(total, size)
        if constant is not None:
            return constant - offset
    return subtract(total, end)


def _added(total: Number, size: Number) -> int | None:
    """The constant that was added to a size for the whole; None if it is something else."""
    maker = None if isinstance(total, int) else maker_of(total)
    if maker is None or maker.name != "arith.addi" or isinstance(size, int):
        return None
    numbers = [number_of(each) for each in maker.operands]
    if size not in numbers:
        return None
    other = numbers[1 - numbers.index(size)]
    return other if isinstance(other, int) else None
