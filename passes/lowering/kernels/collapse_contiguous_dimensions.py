"""Collapse dimensions that are contiguous in every operand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import collapsed, expanded
from torch_refine.passes.lowering.kernels.layouts import is_contiguous
from torch_refine.passes.lowering.kernels.merging import MergedLoops, are_adjacent, uses_indices
from torch_refine.passes.lowering.kernels.outlining import ROWS, kernels

_TRANSPOSE = "linalg.transpose"


@dataclass
class CollapseContiguousDimensions(Pass):
    """Collapse dimensions that are contiguous in every operand.

    A kernel has a loop for each dimension, and the innermost one may be short. Adjacent parallel or
    reduction loops that are adjacent in all indexing maps, or absent from them, become one, unless
    an operand is a slice whose rows are not contiguous. So do the dimensions that a transpose keeps
    adjacent.

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
        """Rewrite the kernels of a module of kind `loops`, `rows` or `transposes`."""
        for kind, kernel in kernels(op):
            if kind in ("loops", "rows"):
                state.count(self.name, "loops", _collapse(kernel))
            elif kind == "transposes":
                state.count(self.name, "loops", _collapse_transpose(kernel))


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
            not {loop - 1, loop} <= set(dims)
            or is_contiguous(operand, dims.index(loop - 1), dims.index(loop))
            for operand, dims in zip(op.operands, known, strict=True)
        )
    }


def _collapse_transpose(kernel: ir.Operation) -> int:
    """Collapse dimensions that a kernel's transpose keeps adjacent; returns how many it loses."""
    found = [op for op in operations(kernel.regions[0].blocks[0]) if op.name == _TRANSPOSE]
    if len(found) != 1:
        return 0
    (op,) = found
    source, memory = op.operands
    order = list(ir.DenseI64ArrayAttr(op.attributes["permutation"]))
    groups: list[list[int]] = []
    for place, dim in enumerate(order):
        previous = order[place - 1] if place else None
        if (
            previous == dim - 1
            and is_contiguous(source, dim - 1, dim)
            and is_contiguous(memory, place - 1, place)
        ):
            groups[-1].append(place)
        else:
            groups.append([place])
    if len(groups) == len(order):
        return 0
    read = sorted([order[place] for place in group] for group in groups)
    merged = collapsed(op, source, read), collapsed(op, memory, groups)
    new_order = [read.index([order[place] for place in group]) for group in groups]
    with ir.InsertionPoint(op), op.location:
        made = create_op(
            _TRANSPOSE,
            merged,
            {"permutation": ir.DenseI64ArrayAttr.get(new_order)},
            results=[merged[1].type],
            regions=1,
        )
    op.regions[0].blocks[0].append_to(made.regions[0])
    op.results[0].replace_all_uses_with(expanded(op, made.result, groups, memory))
    op.erase()
    return len(order) - len(groups)
