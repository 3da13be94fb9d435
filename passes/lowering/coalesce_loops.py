"""Make one loop of loops that go through memory as one would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    dims_of,
    iterators,
    maker_of,
    maps,
)
from torch_refine.passes.lowering.kernels.layouts import layout_of
from torch_refine.passes.lowering.kernels.merging import MergedLoops, are_kept, sees_places
from torch_refine.passes.lowering.kernels.outlining import ROWS, kernels


@dataclass
class CoalesceLoops(Pass):
    """Make one loop of loops that go through memory as one would.

    A kernel has a loop for each dimension, and the last of them may be short. Loops over results,
    and loops that reduce, that follow each other in all operands, or are missing together, become
    one, unless an operand is a slice in which rows do not follow each other.

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

    name: ClassVar[str] = "coalesce-loops"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the kernels of a module that are plain loops, or row by row."""
        for kind, kernel in kernels(op):
            if kind in ("loops", "rows"):
                state.count(self.name, "loops", _coalesce(kernel))


def _coalesce(kernel: ir.Operation) -> int:
    """Merge loops of a kernel's ops; how many fewer there are."""
    ops = [op for op in operations(kernel.regions[0].blocks[0]) if op.name == GENERIC]
    merged = {op: found for op in ops if (found := _mergeable(op))}
    if not merged:
        return 0
    if ROWS in kernel.attributes:
        rows = ir.IntegerAttr(kernel.attributes[ROWS]).value
        merged.setdefault(ops[-1], set()).difference_update(range(rows + 1))
    # What one op gives to another has the same dimensions for both.
    changed = True
    while changed:
        changed = False
        for op in ops:
            for operand, read in zip(op.operands, maps(op), strict=True):
                maker = maker_of(operand)
                if maker is not None and maker.name == GENERIC:
                    changed |= _agree(op, read, maker, maps(maker)[-1], merged)
    # An op's hash is that of what it takes, which the next line changes.
    for op, loops in list(merged.items()):
        if loops:
            MergedLoops(op, _groups(len(iterators(op)), loops)).write()
    return sum(map(len, merged.values()))


def _agree(
    op: ir.Operation,
    read: ir.AffineMap,
    maker: ir.Operation,
    written: ir.AffineMap,
    merged: dict[ir.Operation, set[int]],
) -> bool:
    """Merge no dimensions of a tensor in one op that are apart in the other; if that was news."""
    pairs = []
    for each, indexing in ((op, read), (maker, written)):
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
    for each, indexing, own, other in ((op, read, *pairs), (maker, written, *reversed(pairs))):
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


def _mergeable(op: ir.Operation) -> set[int]:
    """The loops that could become one with the loop around them."""
    kinds = iterators(op)
    read = [dims_of(map) for map in maps(op)]
    known = [dims for dims in read if dims is not None]
    if len(known) != len(read) or len(op.results) != 1 or sees_places(op):
        return set()
    if not all(isinstance(operand.type, ir.RankedTensorType) for operand in op.operands):
        return set()
    return {
        loop
        for loop in range(1, len(kinds))
        if kinds[loop - 1] == kinds[loop]
        and are_kept([loop - 1, loop], known)
        and all(
            _follow(operand, dims, [loop - 1, loop])
            for operand, dims in zip(op.operands, known, strict=True)
        )
    }


def _follow(operand: ir.Value, dims: list[int], pair: list[int]) -> bool:
    """Whether numbers follow each other in memory from one row to the next, if there are rows."""
    layout = layout_of(operand)
    if layout is None or pair[0] not in dims:
        return True
    outer, inner = (layout.strides[dims.index(loop)] for loop in pair)
    size = ir.RankedTensorType(operand.type).shape[dims.index(pair[1])]
    return outer is not None and inner is not None and size >= 0 and outer == inner * size
