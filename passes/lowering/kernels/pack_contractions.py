"""Pack the right operands of contractions into panels for their register tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.structured_ops import defining_op, in_order, is_contraction
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.fusion.hoist_constant_expressions import constant_values
from torch_refine.passes.lowering.kernels.contractions.narrowing import narrow
from torch_refine.passes.lowering.kernels.contractions.packing import contraction
from torch_refine.passes.lowering.kernels.contractions.schedule import ScheduleError
from torch_refine.passes.lowering.kernels.targets.record import TargetError

_LOOPS = ("scf.for",)
# Without these, the packed tensor depends on the iteration; they access no memory.
_MOVED = ("linalg.pack", "linalg.transpose", "tensor.empty", "arith.constant")
# What is folded into the maps of a contraction.
_FOLDED = ("linalg.transpose", "tensor.collapse_shape")


@dataclass
class PackContractions(Pass):
    """Pack the right operands of contractions into panels for their register tiles.

    `linalg.matmul` and `linalg.batch_matmul` of floats become a `linalg.generic` that carries its
    schedule, chosen for the module's target. The right operand is packed into panels as wide as a
    tile, unless it is used for a few rows only; the columns of the result are unpacked. Transposed
    operands are read with their strides. Small matmuls do not change. A schedule that the op
    carries is kept.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<64x100xf32>, %arg1: tensor<100x64xf32>, %arg2: \
tensor<64x64xf32>) -> tensor<64x64xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %1 = linalg.matmul ins(%arg0, %arg1 : tensor<64x100xf32>, tensor<100x64xf32>) outs(%0 : \
tensor<64x64xf32>) -> tensor<64x64xf32>
      return %1 : tensor<64x64xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
    #map1 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
    #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
    func.func @main(%arg0: tensor<64x100xf32>, %arg1: tensor<100x64xf32>, %arg2: \
tensor<64x64xf32>) -> tensor<64x64xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %1 = tensor.empty() : tensor<4x100x16xf32>
      %pack = linalg.pack %arg1 padding_value(%cst_0 : f32) outer_dims_perm = [1, 0] \
inner_dims_pos = [1] inner_tiles = [16] into %1 : tensor<100x64xf32> -> tensor<4x100x16xf32>
      %cst_1 = arith.constant 0.000000e+00 : f32
      %2 = tensor.empty() : tensor<64x4x16xf32>
      %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<64x4x16xf32>) -> tensor<64x4x16xf32>
      %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", \
"parallel", "reduction", "parallel"]} ins(%arg0, %pack : tensor<64x100xf32>, \
tensor<4x100x16xf32>) outs(%3 : tensor<64x4x16xf32>) attrs =  {torch_refine.contraction = {block \
= 654 : i64, columns = 16 : i64, depth = 256 : i64, lines = 1 : i64, pack = false, rows = 6 : \
i64, threads = 1 : i64, unroll = 4 : i64}} {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %6 = arith.mulf %in, %in_2 : f32
        %7 = arith.addf %out, %6 : f32
        linalg.yield %7 : f32
      } -> tensor<64x4x16xf32>
      %5 = tensor.empty() : tensor<64x64xf32>
      %unpack = linalg.unpack %4 inner_dims_pos = [1] inner_tiles = [16] into %5 : \
tensor<64x4x16xf32> -> tensor<64x64xf32>
      return %unpack : tensor<64x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "pack-contractions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Pack in the functions of a module."""
        for function in list(operations(op.regions[0].blocks[0])):
            found = [each for each in walk(function) if is_contraction(each)]
            kept = constant_values(function) if found else set()
            for each in map(narrow, found):
                try:
                    result = contraction(each, each.operands[1] in kept)
                except (ScheduleError, TargetError) as error:
                    state.diagnostics.error(each.location, str(error))
                    raise PassFailure(self.name) from error
                if result is not None:
                    each.results[0].replace_all_uses_with(result)
                    left, right = each.operands[0], each.operands[1]
                    each.erase()
                    _erase_unused(left)
                    if left != right:
                        _erase_unused(right)
                    state.count(self.name, "contractions")
            for loop in [each for each in walk(function) if each.name in _LOOPS]:
                _hoist_packing(loop)


def _erase_unused(value: ir.Value) -> None:
    """Erase the transposes, and the reshapes of them, that a contraction no longer reads."""
    op = defining_op(value)
    while op is not None and op.name in _FOLDED and not any(True for _ in op.results[0].uses):
        source = op.operands[0]
        op.erase()
        op = defining_op(source)


def _hoist_packing(loop: ir.Operation) -> None:
    """Move the packing of operands that are the same in all iterations in front of a loop."""
    body = loop.regions[0].blocks[0]
    for pack in [each for each in operations(body) if each.name == "linalg.pack"]:
        moved = _slice_inside(pack, body)
        if moved is not None:
            for op in moved:
                op.move_before(loop)


def _slice_inside(pack: ir.Operation, body: ir.Block) -> list[ir.Operation] | None:
    """The ops of a loop's body that compute a packed operand, in order.

    None if others use their results, or if they depend on the iteration.
    """
    found: dict[ir.Operation, None] = {}
    pending = [pack]
    while pending:
        op = pending.pop()
        if op in found:
            continue
        if not op.name.startswith(_MOVED):
            return None
        found[op] = None
        for each in [op, *walk(op)]:
            for operand in each.operands:
                if operand in list(body.arguments):
                    return None
                producer = defining_op(operand)
                if producer is not None and producer.block == body:
                    pending.append(producer)
    return in_order(found)
