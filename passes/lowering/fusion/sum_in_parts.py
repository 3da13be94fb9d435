"""Add long sums of rows in parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
    num_inputs,
    operation_of,
    set_maps,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    collapsed,
    constant,
    empty,
    filled,
)
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.merging import uses_indices

# Each accumulator adds at most about this many terms, as those of contractions do.
_MOST_TERMS = 256
# The terms of a part, one that divides the number of rows if possible.
_PARTS = sorted(range(16, 97), key=lambda terms: abs(terms - 64))
# Shorter rows are added several at a time.
_LEAST_COLUMNS = 512


@dataclass
class SumInParts(Pass):
    """Add long sums of rows in parts.

    A sum whose innermost loop is parallel has one accumulator per column, whose rounding error
    grows with the number of rows: that of 4,096 rows was 13 times that of PyTorch's kernels, which
    add in parts, too. Sums along rows are not affected: a vector has several accumulators. Short
    rows are added several at a time, as a single vector would wait for each addition.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    #map1 = affine_map<(d0, d1) -> (d1)>
    func.func @f(%arg0: tensor<4096x768xf32>, %arg1: tensor<768xf32>) -> tensor<768xf32> {
      %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", \
"parallel"]} ins(%arg0 : tensor<4096x768xf32>) outs(%arg1 : tensor<768xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %in, %out : f32
        linalg.yield %1 : f32
      } -> tensor<768xf32>
      return %0 : tensor<768xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map2 = affine_map<(d0, d1) -> (d0, d1)>
    #map3 = affine_map<(d0, d1) -> (d1)>
    func.func @f(%arg0: tensor<4096x768xf32>, %arg1: tensor<768xf32>) -> tensor<768xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [64, 64, 768] : \
tensor<4096x768xf32> into tensor<64x64x768xf32>
      %0 = tensor.empty() : tensor<64x768xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x768xf32>) -> tensor<64x768xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"reduction", "parallel"]} ins(%expanded : tensor<64x64x768xf32>) outs(%1 : tensor<64x768xf32>) {
      ^bb0(%in: f32, %out: f32):
        %4 = arith.addf %in, %out : f32
        linalg.yield %4 : f32
      } -> tensor<64x768xf32>
      %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction", \
"parallel"]} ins(%2 : tensor<64x768xf32>) outs(%arg1 : tensor<768xf32>) {
      ^bb0(%in: f32, %out: f32):
        %4 = arith.addf %in, %out : f32
        linalg.yield %4 : f32
      } -> tensor<768xf32>
      return %3 : tensor<768xf32>
    }
    ```
    """

    name: ClassVar[str] = "sum-in-parts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the sums in a module, or in one function."""
        pending = [each for each in walk(op) if each.name == GENERIC]
        while pending:
            sum = Sum.of(pending.pop())
            if sum is not None:
                pending += sum.split()
                state.count(self.name, "sums")


@dataclass
class Sum:
    """A sum of rows: a generic with one reduction loop, which is not innermost."""

    op: ir.Operation
    dims: list[list[int]]
    """The loop of each dimension of each operand."""
    loop: int
    """The reduction loop."""
    rows: int
    """Its trip count."""

    @staticmethod
    def of(op: ir.Operation) -> Sum | None:
        """The sum that an op computes, if it is long."""
        kinds = iterators(op)
        if kinds.count("reduction") != 1 or kinds[-1] != "parallel" or len(op.results) != 1:
            return None
        found = [dims_of(map) for map in maps(op)]
        dims = [each for each in found if each is not None]
        if len(dims) != len(found) or uses_indices(op) or not _adds(op):
            return None
        loop = kinds.index("reduction")
        if not all(loop in each for each in dims[: num_inputs(op)]):
            return None
        if not all(type_of(each).has_static_shape for each in op.operands):
            return None
        rows = type_of(op.operands[0]).shape[dims[0].index(loop)]
        return Sum(op, dims, loop, int(rows)) if rows > _MOST_TERMS else None

    def split(self) -> list[ir.Operation]:
        """Add parts of the rows, then their sums; returns the new sums, which may be long."""
        op = self.op
        at_once = self._rows_at_once()
        terms = next((n for n in _PARTS if self.rows % (n * at_once) == 0), _PARTS[0])
        parts = self.rows // (terms * at_once)
        rest = self.rows % (terms * at_once)
        made = []
        total = op.operands[len(op.operands) - 1]
        if rest:
            inputs = [self._rows(place, self.rows - rest, rest) for place in self._inputs()]
            last = op.clone(ir.InsertionPoint(op))
            _set_operands(last, [*inputs, total])
            made.append(last)
            total = last.results[0]
        total = _added(op, self._sums(parts, terms, at_once), total)
        op.results[0].replace_all_uses_with(total)
        op.erase()
        made.append(operation_of(total.owner))
        return made

    def _inputs(self) -> range:
        return range(num_inputs(self.op))

    def _rows_at_once(self) -> int:
        """How many rows are added at a time."""
        columns = math.prod(type_of(self.op.results[0]).shape)
        wanted = _LEAST_COLUMNS // max(columns, 1) if self.loop == 0 else 1
        return next((n for n in (32, 16, 8, 4, 2) if n <= wanted and self.rows >= n * _PARTS[0]), 1)

    def _rows(self, place: int, first: int, count: int) -> ir.Value:
        """Some rows of an input."""
        value = self.op.operands[place]
        type = type_of(value)
        dim = self.dims[place].index(self.loop)
        if count == type.shape[dim]:
            return value
        sizes, offsets = list(type.shape), [0] * type.rank
        sizes[dim], offsets[dim] = count, first
        with self.op.location:
            wanted = ir.RankedTensorType.get(sizes, type.element_type)
        text = f"tensor.extract_slice %a0 {offsets} {sizes} {[1] * type.rank} : {type} to {wanted}"
        return built(self.op, text, [value], wanted)

    def _sums(self, parts: int, terms: int, at_once: int) -> ir.Value:
        """The sums of parts of the rows: one part of the result's shape after the other."""
        op, loop = self.op, self.loop
        # The loops: parts, those in front of the rows, terms, rows at once, all others.
        several = [loop + 2] if at_once > 1 else []
        moved = [dim + 1 if dim <= loop else dim + 1 + len(several) for dim in range(self._loops())]
        split = [parts, terms, at_once][: 2 + len(several)]
        result = type_of(op.results[0])
        with op.location:
            shape = [parts, *split[2:], *result.shape]
            type = ir.RankedTensorType.get(shape, result.element_type)
        zero = constant(op, 0.0, result.element_type)
        inputs, read = [], []
        for place in self._inputs():
            rows = self._rows(place, 0, parts * terms * at_once)
            inputs.append(_expanded(op, rows, self.dims[place].index(loop), split))
            loops = [
                [0, loop + 1, *several] if dim == loop else [moved[dim]] for dim in self.dims[place]
            ]
            read.append([each for group in loops for each in group])
        written = [0, *several, *(moved[dim] for dim in self.dims[-1])]
        kinds = iterators(op)
        kinds = ["parallel", *kinds[: loop + 1], *["parallel"] * len(several), *kinds[loop + 1 :]]
        operands = [*inputs, filled(op, zero, empty(op, type))]
        made = op.clone(ir.InsertionPoint(op))
        _set_operands(made, operands)
        exprs = [
            [ir.AffineExpr.get_dim(dim, op.context) for dim in dims] for dims in [*read, written]
        ]
        set_maps(made, [ir.AffineMap.get(len(kinds), 0, dims, op.context) for dims in exprs])
        listed = ", ".join(f"#linalg.iterator_type<{kind}>" for kind in kinds)
        made.attributes["iterator_types"] = ir.Attribute.parse(f"[{listed}]", op.context)
        made.results[0].set_type(type)
        if not several:
            return made.results[0]
        groups = [[0, 1], *([place] for place in range(2, type.rank))]
        return collapsed(op, made.results[0], groups)

    def _loops(self) -> int:
        return len(iterators(self.op))


def _adds(op: ir.Operation) -> bool:
    """Whether a generic adds floats to its result, which has no other use in its body."""
    block = op.regions[0].blocks[0]
    so_far = block.arguments[len(block.arguments) - 1]
    last = defining_op(list(operations(block))[-1].operands[0])
    uses = [operation_of(use.owner) for use in so_far.uses]
    return last is not None and last.name == "arith.addf" and uses == [last]


def _set_operands(op: ir.Operation, operands: Sequence[ir.Value]) -> None:
    for place, operand in enumerate(operands):
        op.operands[place] = operand


def _expanded(op: ir.Operation, value: ir.Value, dim: int, sizes: Sequence[int]) -> ir.Value:
    """An input with one dimension expanded to several."""
    type = type_of(value)
    shape = [*type.shape[:dim], *sizes, *type.shape[dim + 1 :]]
    more = len(sizes) - 1
    groups = [
        list(range(dim, dim + more + 1)) if each == dim else [each + more * (each > dim)]
        for each in range(type.rank)
    ]
    with op.location:
        wanted = ir.RankedTensorType.get(shape, type.element_type)
    text = f"tensor.expand_shape %a0 {groups} output_shape {shape} : {type} into {wanted}"
    return built(op, text, [value], wanted)


def _added(op: ir.Operation, parts: ir.Value, start: ir.Value) -> ir.Value:
    """The sum of all rows of a tensor, added to another tensor."""
    type = type_of(start)
    loops = [f"d{place}" for place in range(type.rank + 1)]
    read, written = (
        f"affine_map<({', '.join(loops)}) -> ({', '.join(dims)})>" for dims in (loops, loops[1:])
    )
    kinds = ", ".join(['"reduction"', *['"parallel"'] * type.rank])
    element = type.element_type
    text = f"""linalg.generic {{indexing_maps = [{read}, {written}], iterator_types = [{kinds}]}}
        ins(%a0 : {parts.type}) outs(%a1 : {type}) {{
      ^bb0(%in: {element}, %out: {element}):
        %sum = arith.addf %in, %out : {element}
        linalg.yield %sum : {element}
      }} -> {type}"""
    return built(op, text, [parts, start], type)
