"""Extract elements from the source of a broadcast or transposed tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, RunState

_EXTRACT, _GENERIC = "tensor.extract", "linalg.generic"
_PARALLEL = "#linalg.iterator_type<parallel>"


@dataclass
class ExtractFromSources(Pass):
    """Extract elements from the source of a broadcast or transposed tensor.

    Upstream fuses the producers of a loop's operands, not those of tensors that a loop extracts
    elements from, so what a gather reads is written to memory first: for each of many rows the
    whole of a sequence that they share.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d1)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%arg0: tensor<5xf32>, %arg1: index, %arg2: index) -> f32 {
      %0 = tensor.empty() : tensor<3x5xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<5xf32>) outs(%0 : tensor<3x5xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<3x5xf32>
      %extracted = tensor.extract %1[%arg1, %arg2] : tensor<3x5xf32>
      return %extracted : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<5xf32>, %arg1: index, %arg2: index) -> f32 {
      %0 = tensor.empty() : tensor<3x5xf32>
      %extracted = tensor.extract %arg0[%arg2] : tensor<5xf32>
      return %extracted : f32
    }
    ```
    """

    name: ClassVar[str] = "extract-from-sources"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the extractions of a module, or of one function."""
        producers: dict[ir.Value, ir.Operation] = {}
        for each in list(walk(op)):
            if each.name != _EXTRACT:
                continue
            while (source := _source(each.operands[0])) is not None:
                producer = operation_of(each.operands[0].owner)
                producers[each.operands[0]] = producer
                tensor, dims = source
                indices = list(each.operands)[1:]
                with ir.InsertionPoint(each), each.location:
                    type = each.results[0].type
                    found = create_value(_EXTRACT, type, [tensor, *(indices[d] for d in dims)])
                each.results[0].replace_all_uses_with(found)
                each.erase()
                each = operation_of(found.owner)
                state.count(self.name, "extractions")
        for value, producer in producers.items():
            if not list(value.uses):
                producer.erase()


def _source(tensor: ir.Value) -> tuple[ir.Value, list[int]] | None:
    """The tensor whose elements another one has, and which of the indices are those of it."""
    if isinstance(tensor.owner, ir.Block) or tensor.owner.name != _GENERIC:
        return None
    op = operation_of(tensor.owner)
    if len(op.results) != 1 or any(str(each) != _PARALLEL for each in _of(op, "iterator_types")):
        return None
    block = op.regions[0].blocks[0]
    end, *others = operations(block)
    arguments = list(block.arguments)
    # Others may be assertions.
    if others or end.operands[0] not in arguments:
        return None
    place = arguments.index(end.operands[0])
    *_, written = maps = [ir.AffineMapAttr(each).value for each in _of(op, "indexing_maps")]
    if place == len(maps) - 1 or not written.is_permutation:
        return None
    indices = {_dim(each): index for index, each in enumerate(written.results)}
    dims = [indices.get(_dim(each)) for each in maps[place].results]
    if None in dims:
        return None
    return op.operands[place], [dim for dim in dims if dim is not None]


def _of(op: ir.Operation, name: str) -> list[ir.Attribute]:
    return list(op.attributes[name])


def _dim(expression: ir.AffineExpr) -> int | None:
    """The dimension that an expression is."""
    return int(expression.position) if isinstance(expression, ir.AffineDimExpr) else None
