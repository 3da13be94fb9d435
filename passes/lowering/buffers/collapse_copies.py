"""Collapse dimensions of copies that are contiguous on both sides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.passes.base import Pass, RunState


@dataclass
class CollapseCopies(Pass):
    """Collapse dimensions of copies that are contiguous on both sides.

    A copy becomes a loop for each dimension, and the innermost one may be short: LLVM vectorizes
    loops of images that are 56 elements wide badly, even if whole images are contiguous, as those
    that are concatenated along their channels.

    Before:

    ```mlir
    func.func @f(%arg0: memref<64x7x7xf32>, %arg1: memref<64x7x7xf32, strided<[98, 7, 1]>>) {
      memref.copy %arg0, %arg1 : memref<64x7x7xf32> to memref<64x7x7xf32, strided<[98, 7, 1]>>
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: memref<64x7x7xf32>, %arg1: memref<64x7x7xf32, strided<[98, 7, 1]>>) {
      %collapse_shape = memref.collapse_shape %arg0 [[0], [1, 2]] : memref<64x7x7xf32> into \
memref<64x49xf32>
      %collapse_shape_0 = memref.collapse_shape %arg1 [[0], [1, 2]] : memref<64x7x7xf32, \
strided<[98, 7, 1]>> into memref<64x49xf32, strided<[98, 1]>>
      memref.copy %collapse_shape, %collapse_shape_0 : memref<64x49xf32> to memref<64x49xf32, \
strided<[98, 1]>>
      return
    }
    ```
    """

    name: ClassVar[str] = "collapse-copies"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite copies in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == "memref.copy"]:
            if all(isinstance(operand.type, ir.MemRefType) for operand in each.operands):
                state.count(self.name, "dimensions removed", _collapse(each))


def _collapse(copy: ir.Operation) -> int:
    """Collapse the dimensions of a copy; returns how many are removed."""
    types = [ir.MemRefType(operand.type) for operand in copy.operands]
    rank = types[0].rank
    merged = [all(_is_contiguous(type, dim) for type in types) for dim in range(1, rank)]
    if not any(merged):
        return 0
    groups: list[list[int]] = [[0]]
    for dim in range(1, rank):
        if merged[dim - 1]:
            groups[-1].append(dim)
        else:
            groups.append([dim])
    with ir.InsertionPoint(copy), copy.location:
        for place, type in enumerate(types):
            copy.operands[place] = create_value(
                "memref.collapse_shape",
                _collapsed(type, groups),
                [copy.operands[place]],
                {"reassociation": ir.Attribute.parse(str(groups), copy.context)},
            )
    return sum(merged)


def _strides(type: ir.MemRefType) -> list[int] | None:
    """The strides of a memref of static sizes; None if they are dynamic or unknown."""
    if not type.has_static_shape:
        return None
    if isinstance(type.layout, ir.StridedLayoutAttr):
        return list(type.layout.strides)
    if not type.affine_map == ir.AffineMap.get_identity(type.rank, type.context):
        return None
    return [math.prod(type.shape[dim + 1 :]) for dim in range(type.rank)]


def _is_contiguous(type: ir.MemRefType, dim: int) -> bool:
    """Whether a dimension and the one in front of it are contiguous."""
    strides = _strides(type)
    return strides is not None and strides[dim - 1] == strides[dim] * type.shape[dim]


def _collapsed(type: ir.MemRefType, groups: list[list[int]]) -> ir.MemRefType:
    """The type of a memref whose dimensions are collapsed."""
    shape = [math.prod(type.shape[dim] for dim in group) for group in groups]
    layout = type.layout
    if isinstance(layout, ir.StridedLayoutAttr):
        strides = [layout.strides[group[-1]] for group in groups]
        layout = ir.StridedLayoutAttr.get(layout.offset, strides, type.context)
        return ir.MemRefType.get(shape, type.element_type, layout, type.memory_space)
    return ir.MemRefType.get(shape, type.element_type, None, type.memory_space)
