"""Concatenate columns in one loop that interleaves their elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import built, collapsed, empty, sizes_of

_CONCAT = "tensor.concat"
# More columns are copied one after the other: each element is chosen among all.
_MOST = 4


@dataclass
class InterleaveConcats(Pass):
    """Concatenate columns in one loop that interleaves their elements.

    Parts of complex numbers, and the pairs that a rotary embedding turns, are stacked along a new
    last dimension. Upstream copies each operand of a concatenation into a slice, whose elements are
    not next to each other. This generic op computes all of them in an innermost loop of as many
    steps, which LLVM unrolls; the operands are fused into it, and what they share is computed once.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<9x1xf32>, %arg1: tensor<9x1xf32>) -> tensor<9x2xf32> {
      %0 = tensor.concat dim(1) %arg0, %arg1 : (tensor<9x1xf32>, tensor<9x1xf32>) -> tensor<9x2xf32>
      return %0 : tensor<9x2xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    module {
      func.func @f(%arg0: tensor<9x1xf32>, %arg1: tensor<9x1xf32>) -> tensor<9x2xf32> {
        %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<9x1xf32> into tensor<9xf32>
        %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1]] : tensor<9x1xf32> into tensor<9xf32>
        %0 = tensor.empty() : tensor<9x2xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["parallel", \
"parallel"]} ins(%collapsed, %collapsed_0 : tensor<9xf32>, tensor<9xf32>) outs(%0 : \
tensor<9x2xf32>) {
        ^bb0(%in: f32, %in_1: f32, %out: f32):
          %2 = linalg.index 1 : index
          %c0 = arith.constant 0 : index
          %3 = arith.cmpi eq, %2, %c0 : index
          %4 = arith.select %3, %in, %in_1 : f32
          linalg.yield %4 : f32
        } -> tensor<9x2xf32>
        return %1 : tensor<9x2xf32>
      }
    }
    ```
    """

    name: ClassVar[str] = "interleave-concats"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name == _CONCAT and _is_interleaved(each)]:
            with ir.InsertionPoint(each), each.location:
                each.results[0].replace_all_uses_with(_interleaved(each))
            each.erase()
            state.count(self.name, "concatenations")


def _is_interleaved(op: ir.Operation) -> bool:
    """Whether the operands are columns along the last of several dimensions."""
    whole = ir.RankedTensorType(op.results[0].type)
    count = len(op.operands)
    return (
        ir.IntegerAttr(op.attributes["dim"]).value == whole.rank - 1
        and whole.rank > 1
        and 2 <= count <= _MOST
        and whole.shape[-1] == count
        and all(
            ir.RankedTensorType(each.type).shape == [*whole.shape[:-1], 1] for each in op.operands
        )
    )


def _interleaved(op: ir.Operation) -> ir.Value:
    type = ir.RankedTensorType(op.results[0].type)
    rank, element = type.rank, type.element_type
    groups = [[dim] for dim in range(rank - 2)] + [[rank - 2, rank - 1]]
    columns = [collapsed(op, each, groups) for each in op.operands]
    memory = empty(op, type, sizes_of(op, columns[0]))
    loops = ", ".join(f"d{dim}" for dim in range(rank))
    of_column = ", ".join(f"d{dim}" for dim in range(rank - 1))
    maps = [f"affine_map<({loops}) -> ({of_column})>"] * len(columns)
    maps.append(f"affine_map<({loops}) -> ({loops})>")
    kinds = ", ".join(['"parallel"'] * rank)
    count = len(columns)
    inputs = ", ".join(f"%a{index}" for index in range(count))
    types = ", ".join(str(each.type) for each in columns)
    arguments = ", ".join(f"%x{index}: {element}" for index in range(count))
    chosen = "".join(
        f"%c{index} = arith.constant {index} : index\n"
        f"%is{index} = arith.cmpi eq, %place, %c{index} : index\n"
        f"%v{index} = arith.select %is{index}, %x{index}, "
        f"{f'%v{index + 1}' if index < count - 2 else f'%x{count - 1}'} : {element}\n"
        for index in reversed(range(count - 1))
    )
    text = f"""linalg.generic {{indexing_maps = [{", ".join(maps)}], iterator_types = [{kinds}]}}
        ins({inputs} : {types}) outs(%a{count} : {type}) {{
      ^bb0({arguments}, %out: {element}):
        %place = linalg.index {rank - 1} : index
        {chosen}linalg.yield %v0 : {element}
      }} -> {type}"""
    return built(op, text, [*columns, memory], type)
