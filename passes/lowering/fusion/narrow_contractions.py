"""Fold widening casts into the operands of contractions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    is_contraction,
    iterators,
    maps,
    only_op,
    operation_of,
)
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.fusion.images.building import built
from torch_refine.passes.lowering.fusion.images.order import type_of
from torch_refine.passes.lowering.kernels.contractions.dot_products import dot_product_for
from torch_refine.passes.lowering.kernels.targets.record import TargetError, target_of

_RESHAPES = ("tensor.collapse_shape", "tensor.expand_shape")
_NARROW = ("bf16", "f16")
# Between scores and their maximum are a scale, masks and reshapes.
_NEARBY = 8


@dataclass
class NarrowContractions(Pass):
    """Fold widening casts into the operands of contractions.

    On a processor with dot products of bfloat16 pairs that accumulate in f32, a `linalg.matmul` or
    `linalg.batch_matmul` of values extended from bfloat16 takes the bfloat16 values, so that
    `pack-contractions` can pack pairs. For other processors nothing changes: there it is faster to
    extend each element once. Nor are scores of attention narrowed, of which the maximum of each row
    is computed: attention is one kernel of f32, which keeps scores in caches. The tensor cores of a
    GPU multiply both types of 16-bit floats.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 6 : i64, \
features = ["avx512bf16"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 49152 : i64, \
l2_bytes = 2097152 : i64, l3_bytes = 0 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, \
name = "sapphirerapids", vector_bits = 512 : i64, vector_registers = 32 : i64}} {
      func.func @f(%arg0: tensor<8x8xbf16>, %arg1: tensor<8x8xbf16>, %arg2: tensor<8x8xf32>) -> \
tensor<8x8xf32> {
        %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg1 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %2 = linalg.matmul ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%arg2 : \
tensor<8x8xf32>) -> tensor<8x8xf32>
        return %2 : tensor<8x8xf32>
      }
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 6 : i64, \
features = ["avx512bf16"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 49152 : i64, \
l2_bytes = 2097152 : i64, l3_bytes = 0 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, \
name = "sapphirerapids", vector_bits = 512 : i64, vector_registers = 32 : i64}} {
      func.func @f(%arg0: tensor<8x8xbf16>, %arg1: tensor<8x8xbf16>, %arg2: tensor<8x8xf32>) -> \
tensor<8x8xf32> {
        %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%arg1 : tensor<8x8xbf16>) outs(%arg2 : tensor<8x8xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %3 = arith.extf %in : bf16 to f32
          linalg.yield %3 : f32
        } -> tensor<8x8xf32>
        %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%arg2 : \
tensor<8x8xf32>) -> tensor<8x8xf32>
        return %2 : tensor<8x8xf32>
      }
    }
    ```
    """

    name: ClassVar[str] = "narrow-contractions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    tensor_cores: bool = option(False, "whether it is for the tensor cores of a GPU")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Narrow in the functions of a module."""
        for each in [each for each in walk(op) if is_contraction(each)]:
            sources = [_before_widening(operand) for operand in list(each.operands)[:2]]
            types = {str(type_of(source).element_type) for source in sources if source is not None}
            if any(source is None for source in sources) or len(types) != 1:
                continue
            is_faster = types == {"bf16"} and not _gives_scores(each) and _is_worth_it(each, state)
            if not self.tensor_cores and not is_faster:
                continue
            left, right = (_narrow(each, operand) for operand in list(each.operands)[:2])
            type = type_of(each.results[0])
            text = (
                f"{each.name} indexing_maps = {each.attributes['indexing_maps']} "
                f"ins(%a0, %a1 : {left.type}, {right.type}) outs(%a2 : {type}) -> {type}"
            )
            result = built(each, text, [left, right, each.operands[2]], type)
            each.results[0].replace_all_uses_with(result)
            each.erase()
            state.count(self.name, "products")


def _gives_scores(op: ir.Operation) -> bool:
    """Whether the results are scores of attention, of which the maximum of each row is computed."""
    pending = list(op.results)
    for _ in range(_NEARBY):
        if not pending:
            return False
        for use in pending.pop(0).uses:
            user = operation_of(use.owner)
            if user.name in _RESHAPES:
                pending.extend(user.results)
            elif user.name == GENERIC:
                kinds = set(iterators(user))
                if kinds == {"parallel"}:
                    pending.extend(user.results)
                elif any(each.name == "arith.maximumf" for each in walk(user)):
                    return True
    return False


def _is_worth_it(op: ir.Operation, state: RunState) -> bool:
    """Whether the target has dot products for the narrow operands of an f32 matmul."""
    loops = {each.position for each in maps(op)[2].results}
    left = maps(op)[0]
    depth = next(
        size
        for size, each in zip(type_of(op.operands[0]).shape, left.results, strict=True)
        if each.position not in loops
    )
    try:
        wide = str(type_of(op.results[0]).element_type)
        return depth > 1 and dot_product_for("bf16", wide, target_of(op)) is not None
    except TargetError as error:
        state.diagnostics.error(op.location, str(error))
        raise PassFailure(NarrowContractions.name) from error


def _before_widening(value: ir.Value) -> ir.Value | None:
    """The 16-bit source of an extended value, possibly reshaped, or None."""
    op = defining_op(value)
    if op is not None and op.name in _RESHAPES:
        op = defining_op(op.operands[0])
    inner = None if op is None else only_op(op)
    if op is None or inner is None or inner.name != "arith.extf":
        return None
    return op.operands[0] if str(type_of(op.operands[0]).element_type) in _NARROW else None


def _narrow(before: ir.Operation, value: ir.Value) -> ir.Value:
    """An extended value before its extension, in the same shape."""
    source = _before_widening(value)
    assert source is not None, "the value must be extended from a narrower type"
    op = defining_op(value)
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
