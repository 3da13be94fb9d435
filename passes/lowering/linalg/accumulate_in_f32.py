"""Accumulate sums of f16 and bf16 in f32, and round once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import GENERIC, defining_op, num_inputs
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.fusion.images.building import built, empty, filled, sizes_of
from torch_refine.passes.lowering.fusion.images.order import type_of

_HALVES = ("f16", "bf16")
_COMBINING = ("arith.addf", "arith.mulf")
_EXTREMES = ("arith.maximumf", "arith.minimumf")


@dataclass
class AccumulateInF32(Pass):
    """Accumulate sums of f16 and bf16 in f32, and round once.

    PyTorch does the same (`at::opmath_type`): in 16 bits, a sum of thousands would stop growing.
    With `maxima`, so are maxima and minima, which are exact in both: few processors compare 16-bit
    floats.

    Before:

    ```mlir
    #in = affine_map<(d0) -> (d0)>
    #out = affine_map<(d0) -> ()>
    func.func @f(%arg0: tensor<9xbf16>) -> tensor<bf16> {
      %zero = arith.constant 0.0 : bf16
      %empty = tensor.empty() : tensor<bf16>
      %start = linalg.fill ins(%zero : bf16) outs(%empty : tensor<bf16>) -> tensor<bf16>
      %sum = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]} \
ins(%arg0 : tensor<9xbf16>) outs(%start : tensor<bf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %0 = arith.addf %in, %out : bf16
        linalg.yield %0 : bf16
      } -> tensor<bf16>
      return %sum : tensor<bf16>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    #map1 = affine_map<(d0) -> ()>
    #map2 = affine_map<() -> ()>
    func.func @f(%arg0: tensor<9xbf16>) -> tensor<bf16> {
      %cst = arith.constant 0.000000e+00 : bf16
      %0 = tensor.empty() : tensor<bf16>
      %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<bf16>) -> tensor<bf16>
      %2 = tensor.empty() : tensor<f32>
      %3 = arith.extf %cst : bf16 to f32
      %4 = linalg.fill ins(%3 : f32) outs(%2 : tensor<f32>) -> tensor<f32>
      %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} \
ins(%arg0 : tensor<9xbf16>) outs(%4 : tensor<f32>) {
      ^bb0(%in: bf16, %out: f32):
        %8 = arith.extf %in : bf16 to f32
        %9 = arith.addf %8, %out : f32
        linalg.yield %9 : f32
      } -> tensor<f32>
      %6 = tensor.empty() : tensor<bf16>
      %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%5 : \
tensor<f32>) outs(%6 : tensor<bf16>) {
      ^bb0(%in: f32, %out: bf16):
        %8 = arith.truncf %in : f32 to bf16
        linalg.yield %8 : bf16
      } -> tensor<bf16>
      return %7 : tensor<bf16>
    }
    ```
    """

    name: ClassVar[str] = "accumulate-in-f32"

    maxima: bool = option(False, "accumulate maxima and minima in f32, too")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Widen the accumulators in a module, or in one function."""
        single = ir.Type.parse("f32", op.context)
        for each in list(walk(op)):
            # Means of windows count their elements in a second result.
            for number in range(len(each.results) if each.name == GENERIC else 0):
                combining = _combining(each, number, _COMBINING + _EXTREMES * self.maxima)
                if combining is not None:
                    _widen(each, number, combining, single)
                    state.count(self.name, "reductions")


def _combining(op: ir.Operation, number: int, names: tuple[str, ...]) -> ir.Operation | None:
    """The op that combines an element of 16 bits of a result with those before it, or None."""
    if "reduction" not in str(op.attributes["iterator_types"]):
        return None
    if str(type_of(op.results[number]).element_type) not in _HALVES:
        return None
    body = op.regions[0].blocks[0]
    so_far = body.arguments[num_inputs(op) + number]
    last = defining_op(list(operations(body))[-1].operands[number])
    if last is None or last.name not in names or last.block != body:
        return None
    # The 16-bit accumulator must have no other use.
    uses = [use.owner for use in so_far.uses]
    return last if len(uses) == 1 and uses[0] == last else None


def _widen(op: ir.Operation, number: int, combining: ir.Operation, single: ir.Type) -> None:
    result = op.results[number]
    narrow = type_of(result)
    wide = ir.RankedTensorType.get(narrow.shape, single, loc=op.location)
    body = op.regions[0].blocks[0]
    place = num_inputs(op) + number
    so_far = body.arguments[place]
    op.operands[place] = _wide_start(op, op.operands[place], wide)
    so_far.set_type(single)
    for index, operand in enumerate(combining.operands):
        if operand != so_far:
            with ir.InsertionPoint(combining), combining.location:
                extended = create_op("arith.extf", [operand], results=[single])
            combining.operands[index] = extended.result
    combining.result.set_type(single)
    result.set_type(wide)
    following = _following(op)
    memory = empty(following, narrow, sizes_of(following, result))
    rounded = built(following, _cast("truncf", wide, narrow), [result, memory], narrow)
    kept = {defining_op(memory), defining_op(rounded)}
    for use in list(result.uses):
        owner = use.owner
        if owner not in kept and owner.name != "tensor.dim":
            owner.operands[use.operand_number] = rounded


def _wide_start(op: ir.Operation, start: ir.Value, wide: ir.RankedTensorType) -> ir.Value:
    """The initial value of a reduction, in f32."""
    memory = empty(op, wide, sizes_of(op, start))
    producer = defining_op(start)
    if producer is None or producer.name != "linalg.fill":
        return built(op, _cast("extf", type_of(start), wide), [start, memory], wide)
    with ir.InsertionPoint(op), op.location:
        number = create_value("arith.extf", wide.element_type, [producer.operands[0]])
    return filled(op, number, memory)


def _following(op: ir.Operation) -> ir.Operation:
    ops = list(operations(op.block))
    return ops[ops.index(op) + 1]


def _cast(name: str, given: ir.RankedTensorType, wanted: ir.RankedTensorType) -> str:
    """An elementwise cast, as text."""
    dims = ", ".join(f"d{place}" for place in range(given.rank))
    same = f"affine_map<({dims}) -> ({dims})>"
    loops = ", ".join(['"parallel"'] * given.rank)
    a, b = given.element_type, wanted.element_type
    return f"""linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{loops}]}}
        ins(%a0 : {given}) outs(%a1 : {wanted}) {{
    ^bb0(%in: {a}, %out: {b}):
        %c = arith.{name} %in : {a} to {b}
        linalg.yield %c : {b}
    }} -> {wanted}"""
