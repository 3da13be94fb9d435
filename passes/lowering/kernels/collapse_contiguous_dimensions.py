"""Collapse dimensions that are contiguous in every operand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.layouts import layout_of
from torch_refine.passes.lowering.kernels.merging import MergedLoops, are_adjacent, uses_indices
from torch_refine.passes.lowering.kernels.outlining import ROWS, kernels


@dataclass
class CollapseContiguousDimensions(Pass):
    """Collapse dimensions that are contiguous in every operand.

    A kernel has a loop for each dimension, and the innermost one may be short. Adjacent parallel or
    reduction loops that are adjacent in all indexing maps, or absent from them, become one, unless
    an operand is a slice whose rows are not contiguous.

    Before:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0)>
    func.func private @kernel(%arg0: tensor<8x7x7xf32>, %arg1: tensor<8xf32>, %arg2: \
tensor<8x7x7xf32>) -> tensor<8x7x7xf32> attributes {torch_refine.kernel = "loops"} {
      %0 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%arg0, %arg1 : tensor<8x7x7xf32>, tensor<8xf32>) outs(%arg2 : \
tensor<8x7x7xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.addf %in, %in_0 : f32
        linalg.yield %1 : f32
      } -> tensor<8x7x7xf32>
      return %0 : tensor<8x7x7xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    #map1 = affine_map<(d0, d1) -> (d0)>
    func.func private @kernel(%arg0: tensor<8x7x7xf32>, %arg1: tensor<8xf32>, %arg2: \
tensor<8x7x7xf32>) -> tensor<8x7x7xf32> attributes {torch_refine.kernel = "loops"} {
      %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<8x7x7xf32> into \
tensor<8x49xf32>
      %collapsed_0 = tensor.collapse_shape %arg2 [[0], [1, 2]] : tensor<8x7x7xf32> into \
tensor<8x49xf32>
      %0 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", \
"parallel"]} ins(%collapsed, %arg1 : tensor<8x49xf32>, tensor<8xf32>) outs(%collapsed_0 : \
tensor<8x49xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %1 = arith.addf %in, %in_1 : f32
        linalg.yield %1 : f32
      } -> tensor<8x49xf32>
      %expanded = tensor.expand_shape %0 [[0], [1, 2]] output_shape [8, 7, 7] : tensor<8x49xf32> \
into tensor<8x7x7xf32>
      return %expanded : tensor<8x7x7xf32>
    }
    ```
    """

    name: ClassVar[str] = "collapse-contiguous-dimensions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the kernels of a module of kind `loops` or `rows`."""
        for kind, kernel in kernels(op):
            if kind in ("loops", "rows"):
                state.count(self.name, "loops", _collapse(kernel))


def _collapse(kernel: ir.Operation) -> int:
    """Collapse loops of a kernel's ops; returns how many are removed."""
    ops = [op for op in operations(kernel.regions[0].blocks[0]) if op.name == GENERIC]
    merged = {op: found for op in ops if (found := _collapsible(op))}
    if not merged:
        return 0
    if ROWS in kernel.attributes:
        rows = ir.IntegerAttr(kernel.attributes[ROWS]).value
        merged.setdefault(ops[-1], set()).difference_update(range(rows + 1))
    # A producer and its consumers must agree on the dimensions of a tensor.
    changed = True
    while changed:
        changed = False
        for op in ops:
            for operand, read in zip(op.operands, maps(op), strict=True):
                producer = defining_op(operand)
                if producer is not None and producer.name == GENERIC:
                    changed |= _unify_dimensions(op, read, producer, maps(producer)[-1], merged)
    # The hash of an op depends on its operands, which the next line changes.
    for op, loops in list(merged.items()):
        if loops:
            MergedLoops(op, _groups(len(iterators(op)), loops)).write()
    return sum(map(len, merged.values()))


def _unify_dimensions(
    op: ir.Operation,
    read: ir.AffineMap,
    producer: ir.Operation,
    written: ir.AffineMap,
    merged: dict[ir.Operation, set[int]],
) -> bool:
    """Keep dimensions of a tensor apart in one op if they are apart in the other; whether this
    changed anything."""
    pairs = []
    for each, indexing in ((op, read), (producer, written)):
        dims = dims_of(indexing)
        pairs.append(
            set()
            if dims is None
            else {
                place
                for place in range(1, len(dims))
                if dims[place] in merged.get(each, ()) and dims[place - 1] == dims[place] - 1
            }
        )
    for each, indexing, own, other in ((op, read, *pairs), (producer, written, *reversed(pairs))):
        for place in own - other:
            merged[each].discard((dims_of(indexing) or [])[place])
    return pairs[0] != pairs[1]


def _groups(count: int, merged: set[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for loop in range(count):
        if loop in merged:
            groups[-1].append(loop)
        else:
            groups.append([loop])
    return groups


def _collapsible(op: ir.Operation) -> set[int]:
    """The loops that could be collapsed into the enclosing loop."""
    kinds = iterators(op)
    read = [dims_of(map) for map in maps(op)]
    known = [dims for dims in read if dims is not None]
    if len(known) != len(read) or len(op.results) != 1 or uses_indices(op):
        return set()
    if not all(isinstance(operand.type, ir.RankedTensorType) for operand in op.operands):
        return set()
    return {
        loop
        for loop in range(1, len(kinds))
        if kinds[loop - 1] == kinds[loop]
        and are_adjacent([loop - 1, loop], known)
        and all(
            _is_contiguous(operand, dims, [loop - 1, loop])
            for operand, dims in zip(op.operands, known, strict=True)
        )
    }


def _is_contiguous(operand: ir.Value, dims: list[int], pair: list[int]) -> bool:
    """Whether rows of an operand are contiguous in memory, if it has rows."""
    layout = layout_of(operand)
    if layout is None or pair[0] not in dims:
        return True
    outer, inner = (layout.strides[dims.index(loop)] for loop in pair)
    size = ir.RankedTensorType(operand.type).shape[dims.index(pair[1])]
    return outer is not None and inner is not None and size >= 0 and outer == inner * size
