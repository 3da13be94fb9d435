"""Turn concatenations along rows into generic ops, which are fused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import (
    defining_op,
    iterators,
    num_inputs,
    operation_of,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import built, collapsed, empty, sizes_of

_CONCAT = "tensor.concat"
# More operands are copied one after the other: each element is chosen among all.
_MOST = 4
_MOST_OPERANDS, _MOST_INSTRUCTIONS = 64, 8
_GENERIC = "linalg.generic"
_VIEWS = (
    "tensor.extract_slice",
    "tensor.expand_shape",
    "tensor.collapse_shape",
    "linalg.transpose",
)
_SHORT = (
    "arith.addf",
    "arith.extf",
    "arith.mulf",
    "arith.negf",
    "arith.select",
    "arith.subf",
    "arith.truncf",
)


@dataclass
class FuseConcats(Pass):
    """Turn concatenations along rows into generic ops, which are fused.

    Parts of complex numbers, and the pairs that a rotary embedding turns, are stacked along a new
    last dimension; another rotary embedding swaps halves of rows. Upstream copies each operand of a
    concatenation into a slice. This op chooses the operand by the place in a dimension of as many
    steps, which LLVM unrolls if it is the innermost one; producers and the consumer are fused with
    it, and what the operands share is computed once.

    It is for columns, whose elements would not be next to each other in the slices, and for parts
    of rows that only one elementwise op reads, if computing all of them takes a few instructions.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<9x1xf32>, %arg1: tensor<9x1xf32>) -> tensor<9x2xf32> {
      %0 = tensor.concat dim(1) %arg0, %arg1 : (tensor<9x1xf32>, tensor<9x1xf32>) -> tensor<9x2xf32>
      return %0 : tensor<9x2xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    module {
      func.func @f(%arg0: tensor<9x1xf32>, %arg1: tensor<9x1xf32>) -> tensor<9x2xf32> {
        %0 = tensor.empty() : tensor<9x2x1xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["parallel", \
"parallel", "parallel"]} ins(%arg0, %arg1 : tensor<9x1xf32>, tensor<9x1xf32>) outs(%0 : \
tensor<9x2x1xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %2 = linalg.index 1 : index
          %c0 = arith.constant 0 : index
          %3 = arith.cmpi eq, %2, %c0 : index
          %4 = arith.select %3, %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<9x2x1xf32>
        %collapsed = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<9x2x1xf32> into tensor<9x2xf32>
        return %collapsed : tensor<9x2xf32>
      }
    }
    ```
    """

    name: ClassVar[str] = "fuse-concats"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _CONCAT and _is_rewritten(each)]:
            with ir.InsertionPoint(each), each.location:
                each.results[0].replace_all_uses_with(_interleaved(each))
            each.erase()
            state.count(self.name, "concatenations")


def _is_rewritten(op: ir.Operation) -> bool:
    """Whether the operands are columns, or parts of rows that are fused with what reads them."""
    whole = ir.RankedTensorType(op.results[0].type)
    width = whole.shape[-1] // len(op.operands)
    sizes = [*whole.shape[:-1], width]
    return (
        ir.IntegerAttr(op.attributes["dim"]).value == whole.rank - 1
        and whole.rank > 1
        and 2 <= len(op.operands) <= _MOST
        and width > 0
        and all(ir.RankedTensorType(each.type).shape == sizes for each in op.operands)
        and (width == 1 or _is_fused(op))
    )


def _is_fused(op: ir.Operation) -> bool:
    """Whether one elementwise op reads the result, and the operands cost next to nothing."""
    users = [operation_of(use.owner) for use in op.results[0].uses]
    return (
        len(users) == 1
        and _is_elementwise(users[0])
        and all(_is_cheap(each) for each in op.operands)
    )


def _is_cheap(value: ir.Value) -> bool:
    """Whether a value is an argument, a view, or few instructions for each element of these."""
    pending = [value]
    for each in pending:
        producer = defining_op(each)
        if producer is None or producer.name == "tensor.empty":
            continue
        if producer.name in _VIEWS:
            pending.append(producer.operands[0])
        elif _is_elementwise(producer) and _is_short(producer) and len(pending) < _MOST_OPERANDS:
            pending += list(producer.operands)[: num_inputs(producer)]
        else:
            return False
    return True


def _is_elementwise(op: ir.Operation) -> bool:
    """Whether an op computes each element of its result from elements of its operands."""
    return op.name == _GENERIC and len(op.results) == 1 and set(iterators(op)) == {"parallel"}


def _is_short(op: ir.Operation) -> bool:
    body = list(operations(op.regions[0].blocks[0]))
    return len(body) <= _MOST_INSTRUCTIONS and all(
        each.name == "linalg.yield" or each.name in _SHORT for each in body
    )


def _interleaved(op: ir.Operation) -> ir.Value:
    whole = ir.RankedTensorType(op.results[0].type)
    rank, element, count = whole.rank, whole.element_type, len(op.operands)
    shape = [*whole.shape[:-1], count, whole.shape[-1] // count]
    type = ir.RankedTensorType.get(shape, element)
    memory = empty(op, type, sizes_of(op, op.operands[0]))
    loops = [f"d{dim}" for dim in range(rank + 1)]
    of_operand = ", ".join([*loops[:-2], loops[-1]])
    maps = [
        f"affine_map<({', '.join(loops)}) -> ({each})>" for each in (of_operand, ", ".join(loops))
    ]
    arguments = ", ".join(f"%x{index}: {element}" for index in range(count))
    chosen = ""
    other = f"%x{count - 1}"
    for index in reversed(range(count - 1)):
        chosen += f"""
            %c{index} = arith.constant {index} : index
            %is{index} = arith.cmpi eq, %place, %c{index} : index
            %v{index} = arith.select %is{index}, %x{index}, {other} : {element}"""
        other = f"%v{index}"
    text = f"""linalg.generic {{
            indexing_maps = [{", ".join([maps[0]] * count)}, {maps[1]}],
            iterator_types = [{", ".join(['"parallel"'] * (rank + 1))}]}}
          ins({", ".join(f"%a{index}" for index in range(count))}
              : {", ".join(str(each.type) for each in op.operands)})
          outs(%a{count} : {type}) {{
          ^bb0({arguments}, %out: {element}):
            %place = linalg.index {rank - 1} : index{chosen}
            linalg.yield {other} : {element}
          }} -> {type}"""
    made = built(op, text, [*op.operands, memory], type)
    return collapsed(op, made, [*([dim] for dim in range(rank - 1)), [rank - 1, rank]])
