"""Collapse dimensions of copies that are contiguous on both sides, and copy rows as vectors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    create_op,
    create_value,
    finish,
    for_loop,
    index_value,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.targets.record import target_of

# Shorter rows are few instructions, whatever LLVM does.
_LEAST_ELEMENTS = 4
# The vectors that are copied in an iteration, all of which are loaded first.
_VECTORS = 4


@dataclass
class CollapseCopies(Pass):
    """Collapse dimensions of copies that are contiguous on both sides, and copy rows as vectors.

    A copy becomes a loop for each dimension, and the innermost one may be short, even if whole
    images are contiguous, as those that are concatenated along their channels. LLVM would unroll
    the loop over a row of a padded image before it vectorizes loops, and does not vectorize loops
    over bfloat16 for processors without instructions for them.

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
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c1 = arith.constant 1 : index
      scf.for %arg2 = %c0 to %c64 step %c1 {
        %c0_1 = arith.constant 0 : index
        %c32 = arith.constant 32 : index
        %c32_2 = arith.constant 32 : index
        scf.for %arg3 = %c0_1 to %c32 step %c32_2 {
          %1 = vector.load %collapse_shape[%arg2, %arg3] : memref<64x49xf32>, vector<32xf32>
          vector.store %1, %collapse_shape_0[%arg2, %arg3] : memref<64x49xf32, strided<[98, \
1]>>, vector<32xf32>
        }
        %c32_3 = arith.constant 32 : index
        %0 = vector.load %collapse_shape[%arg2, %c32_3] : memref<64x49xf32>, vector<17xf32>
        vector.store %0, %collapse_shape_0[%arg2, %c32_3] : memref<64x49xf32, strided<[98, \
1]>>, vector<17xf32>
      }
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
                state.count(self.name, "copies of rows", _copy_rows(each))


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


def _copy_rows(copy: ir.Operation) -> bool:
    """Copy contiguous rows as vectors; whether there are any."""
    types = [ir.MemRefType(operand.type) for operand in copy.operands]
    strides = [_strides(type) for type in types]
    rows = types[0].shape[-1] if types[0].rank else 0
    element = types[0].element_type
    if rows < _LEAST_ELEMENTS or any(each is None or each[-1] != 1 for each in strides):
        return False
    if not isinstance(element, (ir.IntegerType, ir.FloatType)) or element.width < 8:
        return False
    at_once = target_of(copy).lanes(element.width) * _VECTORS
    rest = rows % at_once
    with copy.location:
        bodies: list[ir.Block] = []
        for size in types[0].shape[:-1]:
            bodies.append(_loop(copy, bodies, size, 1))
        outer = [body.arguments[0] for body in bodies]
        if rows >= at_once:
            inner = _loop(copy, bodies, rows - rest, at_once)
            with ir.InsertionPoint(inner):
                _copy_vector(copy, [*outer, inner.arguments[0]], at_once)
            finish(inner)
        if rest:
            with ir.InsertionPoint(bodies[-1]) if bodies else ir.InsertionPoint(copy):
                _copy_vector(copy, [*outer, index_value(rows - rest)], rest)
        for body in reversed(bodies):
            finish(body)
    copy.erase()
    return True


def _loop(copy: ir.Operation, outer: list[ir.Block], size: int, step: int) -> ir.Block:
    """The body of a new loop inside of the others."""
    with ir.InsertionPoint(outer[-1]) if outer else ir.InsertionPoint(copy):
        return for_loop(0, size, step)[1]


def _copy_vector(copy: ir.Operation, indices: list[ir.Value], size: int) -> None:
    element = ir.MemRefType(copy.operands[0].type).element_type
    row = create_value(
        "vector.load", ir.VectorType.get([size], element), [copy.operands[0], *indices]
    )
    create_op("vector.store", [row, copy.operands[1], *indices])


def _strides(type: ir.MemRefType) -> list[int] | None:
    """The strides of a memref of static sizes; None if they are dynamic or unknown."""
    if not type.has_static_shape:
        return None
    if isinstance(type.layout, ir.StridedLayoutAttr):
        return list(type.layout.strides)
    if type.affine_map != ir.AffineMap.get_identity(type.rank, type.context):
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
