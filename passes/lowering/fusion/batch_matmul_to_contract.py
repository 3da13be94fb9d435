"""Keep several batch dimensions of a matmul apart, as `linalg.contract`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    defining_op,
    dims_of,
    in_order,
    maps,
    operation_of,
    reassociation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    constant,
    empty,
    filled,
    is_zero,
    sizes_of,
)
from torch_refine.passes.lowering.fusion.images.order import type_of

_PRODUCT, _COLLAPSE, _EXPAND = "linalg.batch_matmul", "tensor.collapse_shape", "tensor.expand_shape"
_DEFAULT = [[0, 1, 3], [0, 3, 2], [0, 1, 2]]


@dataclass
class BatchMatmulToContract(Pass):
    """Keep several batch dimensions of a matmul apart, as `linalg.contract`.

    Attention multiplies matrices per head and sequence of a batch, and adds a mask to the scores
    that is broadcast over heads. PyTorch's matmul collapses batch and heads into one dimension and
    expands the result again; ops on the result could not be fused with it, as the mask has no such
    dimension. A `linalg.contract` has both.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<2x3x4x8xf32>, %arg1: tensor<6x8x4xf32>) -> tensor<2x3x4x4xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x4x8xf32> into \
tensor<6x4x8xf32>
      %0 = tensor.empty() : tensor<6x4x4xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
      %2 = linalg.batch_matmul ins(%collapsed, %arg1 : tensor<6x4x8xf32>, tensor<6x8x4xf32>) \
outs(%1 : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
      %expanded = tensor.expand_shape %2 [[0, 1], [2], [3]] output_shape [2, 3, 4, 4] : \
tensor<6x4x4xf32> into tensor<2x3x4x4xf32>
      return %expanded : tensor<2x3x4x4xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
    #map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
    #map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
    func.func @f(%arg0: tensor<2x3x4x8xf32>, %arg1: tensor<6x8x4xf32>) -> tensor<2x3x4x4xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x4x8xf32> into \
tensor<6x4x8xf32>
      %0 = tensor.empty() : tensor<6x4x4xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
      %expanded = tensor.expand_shape %arg1 [[0, 1], [2], [3]] output_shape [2, 3, 8, 4] : \
tensor<6x8x4xf32> into tensor<2x3x8x4xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %2 = tensor.empty() : tensor<2x3x4x4xf32>
      %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
      %4 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %expanded : \
tensor<2x3x4x8xf32>, tensor<2x3x8x4xf32>) outs(%3 : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
      return %4 : tensor<2x3x4x4xf32>
    }
    ```
    """

    name: ClassVar[str] = "batch-matmul-to-contract"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _PRODUCT]:
            if [dims_of(map) for map in maps(each)] != _DEFAULT or not is_zero(each.operands[2]):
                continue
            expansions = _expansions(each.results[0])
            if expansions and _same_shape(expansions) and _splits_batch(expansions[0]):
                _contract(each, expansions)
                state.count(self.name, "matmuls")


def _expansions(value: ir.Value) -> list[ir.Operation]:
    """The `expand_shape` users of a value; empty if it has other users."""
    users = [operation_of(use.owner) for use in value.uses]
    return users if all(user.name == _EXPAND for user in users) else []


def _same_shape(expansions: list[ir.Operation]) -> bool:
    """Whether all have one result type, with the same dynamic sizes."""
    first, *others = expansions
    return all(
        each.results[0].type == first.results[0].type
        and reassociation_of(each) == reassociation_of(first)
        and list(each.operands)[1:] == list(first.operands)[1:]
        for each in others
    )


def _splits_batch(expansion: ir.Operation) -> bool:
    """Whether only the batch is split, into several dimensions that are not of size 1.

    `linalg-fold-unit-extent-dims` drops unit dimensions from the users, but not from a contraction.
    """
    batch, *matrix = reassociation_of(expansion)
    shape = type_of(expansion.results[0]).shape
    return sum(shape[dim] != 1 for dim in batch) > 1 and all(len(group) == 1 for group in matrix)


def _contract(op: ir.Operation, expansions: list[ir.Operation]) -> None:
    """Replace the first expansion by the contraction, and erase the ops that it replaces."""
    first = in_order(expansions)[0]
    result = type_of(first.results[0])
    sizes = list(first.operands)[1:]
    left, right = (_split(first, each) for each in list(op.operands)[:2])
    zero = constant(first, 0, result.element_type)
    memory = filled(first, zero, empty(first, result, sizes))
    batch = [f"b{dim}" for dim in range(result.rank - 2)]
    domain = f"({', '.join([*batch, 'm', 'n', 'k'])})"
    reads = ", ".join(
        f"affine_map<{domain} -> ({', '.join([*batch, *dims])})>" for dims in ("mk", "kn", "mn")
    )
    text = (
        f"linalg.contract indexing_maps = [{reads}] ins(%a0, %a1 : {left.type}, {right.type}) "
        f"outs(%a2 : {result}) -> {result}"
    )
    made = built(first, text, [left, right, memory], result)
    for each in expansions:
        each.results[0].replace_all_uses_with(made)
        each.erase()
    op.erase()


def _split(expansion: ir.Operation, value: ir.Value) -> ir.Value:
    """Expand the batch of an operand like that of the result."""
    whole, type = type_of(expansion.results[0]), type_of(value)
    count = whole.rank - 2
    groups = reassociation_of(expansion)
    producer = defining_op(value)
    if producer is not None and producer.name == _COLLAPSE and reassociation_of(producer) == groups:
        source = producer.operands[0]
        batch = list(type_of(source).shape)[:count]
        # With one dynamic size, it follows from the number of matrices.
        if batch == list(whole.shape)[:count] and sum(size < 0 for size in batch) <= 1:
            return source
    shape = [*whole.shape[:count], *type.shape[1:]]
    with expansion.context, ir.Location.unknown():
        split = ir.RankedTensorType.get(shape, type.element_type)
    number = sum(size < 0 for size in shape[:count])
    own = sizes_of(expansion, value)[int(type.is_dynamic_dim(0)) :]
    sizes = [*list(expansion.operands)[1 : 1 + number], *own]
    places = iter(range(1, 1 + len(sizes)))
    texts = [f"%a{next(places)}" if size < 0 else str(size) for size in shape]
    text = (
        f"tensor.expand_shape %a0 {groups} output_shape [{', '.join(texts)}] : "
        f"{value.type} into {split}"
    )
    return built(expansion, text, [value, *sizes], split)
