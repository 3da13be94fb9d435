"""Let products of matrices take numbers as they were before they were widened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.contractions.pairs import PAIR, multiplies_pairs
from torch_refine.passes.lowering.images.building import built
from torch_refine.passes.lowering.images.order import type_of
from torch_refine.passes.lowering.kernels.indexing import is_contraction, maker_of, maps, only_op
from torch_refine.passes.lowering.targets.record import TargetError, target_of

_RESHAPES = ("tensor.collapse_shape", "tensor.expand_shape")


@dataclass
class NarrowProducts(Pass):
    """Let products of matrices take numbers as they were before they were widened.

    On a processor that multiplies pairs of bfloat16 for each sum of float32, a `linalg.matmul` or
    `linalg.batch_matmul` of numbers that were bfloat16 takes these, so that `pack-products` can
    pack pairs. For other processors nothing changes: there it is faster to widen each number once.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>) -> \
tensor<4x8xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x8xf32>) \
outs(%arg2 : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>) -> \
tensor<4x8xf32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x8xf32>) \
outs(%arg2 : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
    """

    name: ClassVar[str] = "narrow-products"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Narrow in the functions of a module."""
        for each in [each for each in walk(op) if is_contraction(each)]:
            sources = [_before_widening(operand) for operand in list(each.operands)[:PAIR]]
            if any(each is None for each in sources) or not _is_worth_it(each, state):
                continue
            left, right = (_narrow(each, operand) for operand in list(each.operands)[:PAIR])
            type = type_of(each.results[0])
            text = (
                f"{each.name} indexing_maps = {each.attributes['indexing_maps']} "
                f"ins(%a0, %a1 : {left.type}, {right.type}) outs(%a2 : {type}) -> {type}"
            )
            result = built(each, text, [left, right, each.operands[PAIR]], type)
            each.results[0].replace_all_uses_with(result)
            each.erase()
            state.count(self.name, "products")


def _is_worth_it(op: ir.Operation, state: RunState) -> bool:
    """Whether the processor multiplies pairs of what a product of f32 was widened from."""
    loops = {each.position for each in maps(op)[PAIR].results}
    left = maps(op)[0]
    depth = next(
        size
        for size, each in zip(type_of(op.operands[0]).shape, left.results, strict=True)
        if each.position not in loops
    )
    try:
        return multiplies_pairs(
            "bf16", str(type_of(op.results[0]).element_type), depth, target_of(op)
        )
    except TargetError as error:
        state.diagnostics.error(op.location, str(error))
        raise PassFailure(NarrowProducts.name) from error


def _before_widening(value: ir.Value) -> ir.Value | None:
    """The bfloat16 that a value was widened from; None if it was not. Reshapes are seen through."""
    op = maker_of(value)
    if op is not None and op.name in _RESHAPES:
        op = maker_of(op.operands[0])
    inner = None if op is None else only_op(op)
    if op is None or inner is None or inner.name != "arith.extf":
        return None
    return op.operands[0] if str(type_of(op.operands[0]).element_type) == "bf16" else None


def _narrow(before: ir.Operation, value: ir.Value) -> ir.Value:
    """A value that was widened as it was before, in the same shape."""
    source = _before_widening(value)
    assert source is not None, "it was widened"
    op = maker_of(value)
    if op is None or op.name not in _RESHAPES:
        return source
    element = type_of(source).element_type
    with op.context, ir.Location.unknown():
        type = ir.RankedTensorType.get(type_of(value).shape, element)
    with ir.InsertionPoint(before), before.location:
        copy = op.clone()
    copy.operands[0] = source
    copy.results[0].set_type(type)
    return copy.results[0]
