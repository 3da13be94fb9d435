"""Hold operands that are expensive to compute apart from generics that broadcast them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    dims_of,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import symbol_name

# An element of the operand is computed at least so often if it is fused.
_LEAST_USES = 4
# What an unknown size counts as.
_UNKNOWN_SIZE = 8
# In operations of one cycle; reading a result takes about as long.
_LEAST_COST = 10
_COSTS = {
    "arith.divf": 4,
    "arith.divsi": 20,
    "arith.divui": 20,
    "arith.fptosi": 4,
    "arith.remf": 20,
    "arith.remsi": 20,
    "arith.remui": 20,
    "tensor.extract": 3,
}
_FUNCTION_COST = 10
_CHEAP_FUNCTIONS = ("math.absf", "math.ceil", "math.copysign", "math.floor", "math.trunc")
_FREE = ("arith.constant", "arith.index_cast", "linalg.index", "linalg.yield")
_NAME = "held_"


@dataclass
class HoldBroadcastOperands(Pass):
    """Hold operands that are expensive to compute apart from generics that broadcast them.

    Fused, an operand would be computed again for each element of the dimensions that it lacks:
    for each channel the places at which an image is read, or for each row the remainders by which
    columns are rotated. It is passed through a private function that returns it, which `inline`
    inlines. Operands that do not depend on the innermost loop are left, since LLVM hoists them.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d1)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    #map2 = affine_map<(d0) -> (d0)>
    func.func @main(%arg0: tensor<9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<8x9xf32>) \
-> tensor<8x9xf32> {
      %0 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<9xf32>) outs(%arg1 : tensor<9xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = math.exp %in : f32
        linalg.yield %2 : f32
      } -> tensor<9xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel"]} ins(%0 : tensor<9xf32>) outs(%arg2 : tensor<8x9xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x9xf32>
      return %1 : tensor<8x9xf32>
    }
    ```

    After:

    ```mlir
    // ...
    func.func @main(%arg0: tensor<9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<8x9xf32>) \
-> tensor<8x9xf32> {
      // ...
        %3 = math.exp %in : f32
      // ...
      %1 = call @held_0(%0) : (tensor<9xf32>) -> tensor<9xf32>
      %2 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", \
"parallel"]} ins(%1 : tensor<9xf32>) outs(%arg2 : tensor<8x9xf32>) {
      // ...
    }
    func.func private @held_0(%arg0: tensor<9xf32>) -> tensor<9xf32> {
      return %arg0 : tensor<9xf32>
    }
    ```
    """

    name: ClassVar[str] = "hold-broadcast-operands"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Hold the operands of a module's generics."""
        body = op.regions[0].blocks[0]
        functions: dict[str, str] = {}
        used = {symbol_name(each) for each in operations(body)}
        for each in [each for each in walk(op) if each.name == GENERIC]:
            for place in range(num_inputs(each)):
                if not _is_recomputed(each, place):
                    continue
                value = each.operands[place]
                type = value.type
                if str(type) not in functions:
                    number = len(functions)
                    while f"{_NAME}{number}" in used:
                        number += 1
                    functions[str(type)] = f"{_NAME}{number}"
                    used.add(functions[str(type)])
                    _add_function(body, functions[str(type)], type)
                callee = ir.FlatSymbolRefAttr.get(functions[str(type)], op.context)
                with ir.InsertionPoint(each), each.location:
                    held = create_op("func.call", [value], {"callee": callee}, results=[type])
                each.operands[place] = held.result
                state.count(self.name, "operands")


def _add_function(body: ir.Block, name: str, type: ir.Type) -> None:
    """A private function that returns its argument."""
    context = type.context
    with context, ir.Location.unknown(context), ir.InsertionPoint(body):
        function = create_op(
            "func.func",
            [],
            {
                "sym_name": ir.StringAttr.get(name),
                "sym_visibility": ir.StringAttr.get("private"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get([type], [type])),
            },
            regions=1,
        )
        entry = ir.Block.create_at_start(function.regions[0], [type], [ir.Location.unknown()])
        with ir.InsertionPoint(entry):
            create_op("func.return", [entry.arguments[0]])


def _is_recomputed(op: ir.Operation, place: int) -> bool:
    """Whether fusion would compute an operand many times, which is expensive."""
    producer = defining_op(op.operands[place])
    if producer is None or not _is_fusible(producer):
        return False
    loops = len(iterators(op))
    found = dims_of(maps(op)[place])
    if found is None or loops - 1 not in found:
        return False
    sizes = _sizes(op)
    missing = [sizes.get(loop, _UNKNOWN_SIZE) for loop in range(loops) if loop not in found]
    return math.prod(missing) >= _LEAST_USES and _cost(producer) >= _LEAST_COST


def _is_fusible(op: ir.Operation) -> bool:
    """Whether an op is an elementwise generic with one use, which fusion moves into its user."""
    if op.name != GENERIC or len(op.results) != 1 or set(iterators(op)) - {"parallel"}:
        return False
    return len(list(op.results[0].uses)) == 1


def _sizes(op: ir.Operation) -> dict[int, int]:
    """The static sizes of loops."""
    found: dict[int, int] = {}
    for value, map in zip(op.operands, maps(op), strict=True):
        shape = ir.ShapedType(value.type).shape if isinstance(value.type, ir.ShapedType) else []
        for size, loop in zip(shape, dims_of(map) or [], strict=False):
            if size >= 0:
                found[loop] = size
    return found


def _cost(op: ir.Operation) -> int:
    """The cost of an element, with that of the producers which are fused into its generic."""
    total = 0
    pending = [op]
    while pending and total < _LEAST_COST:
        generic = pending.pop()
        total += sum(_cost_of(each) for each in operations(generic.regions[0].blocks[0]))
        for place in range(num_inputs(generic)):
            producer = defining_op(generic.operands[place])
            if producer is not None and _is_fusible(producer):
                pending.append(producer)
    return total


def _cost_of(op: ir.Operation) -> int:
    if op.name in _FREE:
        return 0
    if op.name.startswith("math.") and op.name not in _CHEAP_FUNCTIONS:
        return _FUNCTION_COST
    return _COSTS.get(op.name, 1)
