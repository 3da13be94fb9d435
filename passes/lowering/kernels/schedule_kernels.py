"""Tile, fuse and vectorize kernels by their schedules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.kernels.attention.loops import attention_loops
from torch_refine.passes.lowering.kernels.attention.pattern import attention_of
from torch_refine.passes.lowering.kernels.attention.schedule import attention_schedule
from torch_refine.passes.lowering.kernels.blocked_packing import BlockedPacking, blocked_packing_of
from torch_refine.passes.lowering.kernels.blocked_transposes import (
    BlockedTranspose,
    blocked_transpose_of,
)
from torch_refine.passes.lowering.kernels.contractions.chain import chain_of
from torch_refine.passes.lowering.kernels.contractions.loops import ContractionLoops
from torch_refine.passes.lowering.kernels.contractions.schedule import ScheduleError, schedule_of
from torch_refine.passes.lowering.kernels.grouped_packing import (
    GroupedPacking,
    grouped_packing_of,
)
from torch_refine.passes.lowering.kernels.outlining import (
    KERNEL,
    ROWS,
    SCHEDULED,
    kernels,
    mark_root,
)
from torch_refine.passes.lowering.kernels.schedules import Schedules
from torch_refine.passes.lowering.kernels.targets.record import TargetError, target_of
from torch_refine.passes.lowering.kernels.transposing import is_transposing, transposed_loops

# Blocks of transposes have a vector of elements of this width along both dimensions.
_BITS = 32
_WINDOW_LOOPS = {
    "linalg.conv_2d_nchw_fchw": 7,
    "linalg.conv_2d_nhwc_hwcf": 7,
    "linalg.depthwise_conv_2d_nhwc_hwc": 6,
    "linalg.pooling_nchw_max": 6,
    "linalg.pooling_nchw_sum": 6,
    "linalg.pooling_nhwc_max": 6,
    "linalg.pooling_nhwc_sum": 6,
}


@dataclass
class ScheduleKernels(Pass):
    """Tile, fuse and vectorize kernels by their schedules.

    A schedule is a file of the transform dialect, named after the kind, with parameters of the
    kernel filled in; the loops of contractions, of attention, of transposes of odd dimensions and
    of packing across them are written directly. A kernel to which its schedule does not apply stays
    as it is: it becomes plain loops, which are slower, not wrong. Statistics count the schedules
    that are applied and skipped, and kernels without a schedule; missed remarks have the reason.

    Before:

    ```mlir
    func.func private @kernel(%arg0: tensor<64x32xf32>, %arg1: tensor<32x64xf32>) -> \
tensor<32x64xf32> attributes {torch_refine.kernel = "transposes"} {
      %transposed = linalg.transpose ins(%arg0 : tensor<64x32xf32>) outs(%arg1 : \
tensor<32x64xf32>) permutation = [1, 0]
      return %transposed : tensor<32x64xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d1, d0)>
    func.func private @kernel(%arg0: tensor<64x32xf32>, %arg1: tensor<32x64xf32>) -> \
tensor<32x64xf32> attributes {torch_refine.kernel = "scheduled"} {
      %c0 = arith.constant 0 : index
      %c0_0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c8 = arith.constant 8 : index
      %c8_1 = arith.constant 8 : index
      %0 = scf.for %arg2 = %c0 to %c32 step %c8 iter_args(%arg3 = %arg1) -> (tensor<32x64xf32>) {
        %1 = scf.for %arg4 = %c0_0 to %c64 step %c8_1 iter_args(%arg5 = %arg3) -> \
(tensor<32x64xf32>) {
          %extracted_slice = tensor.extract_slice %arg0[%arg4, %arg2] [8, 8] [1, 1] : \
tensor<64x32xf32> to tensor<8x8xf32>
          %extracted_slice_2 = tensor.extract_slice %arg5[%arg2, %arg4] [8, 8] [1, 1] : \
tensor<32x64xf32> to tensor<8x8xf32>
          %c8_3 = arith.constant 8 : index
          %c8_4 = arith.constant 8 : index
          %c0_5 = arith.constant 0 : index
          %2 = ub.poison : f32
          %3 = vector.transfer_read %extracted_slice[%c0_5, %c0_5], %2 {permutation_map = #map} \
: tensor<8x8xf32>, vector<8x8xf32>
          %4 = ub.poison : f32
          %5 = vector.transfer_read %extracted_slice_2[%c0_5, %c0_5], %4 : tensor<8x8xf32>, \
vector<8x8xf32>
          %c0_6 = arith.constant 0 : index
          %6 = vector.transfer_write %3, %extracted_slice_2[%c0_6, %c0_6] : vector<8x8xf32>, \
tensor<8x8xf32>
          %inserted_slice = tensor.insert_slice %6 into %arg5[%arg2, %arg4] [8, 8] [1, 1] : \
tensor<8x8xf32> into tensor<32x64xf32>
          scf.yield %inserted_slice : tensor<32x64xf32>
        }
        scf.yield %1 : tensor<32x64xf32>
      }
      return %0 : tensor<32x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "schedule-kernels"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Schedule the kernels of a module."""
        schedules = Schedules(self.name, state)
        for kind, kernel in kernels(op):
            kernel.attributes[KERNEL] = ir.StringAttr.get(SCHEDULED, op.context)
            try:
                self._schedule(kind, kernel, schedules)
            except (ScheduleError, TargetError) as error:
                state.diagnostics.error(mark_root(kernel).location, str(error))
                raise PassFailure(self.name) from error

    def _schedule(self, kind: str, kernel: ir.Operation, schedules: Schedules) -> None:
        """Schedule a kernel; raises ScheduleError, TargetError."""
        if kind in _WRITERS and _WRITERS[kind](kernel):
            schedules.applied(kind, kernel)
            return
        if kind in _ALWAYS_WRITTEN:
            schedules.skipped(kind, kernel, f"no loops can be written for this {kind}")
            return
        parameters = _parameters(kind, kernel)
        if isinstance(parameters, str):
            schedules.state.count(self.name, f"kernels of kind {kind} without a schedule")
            schedules.state.missed(self.name, kind, kernel, f"no schedule: {parameters}")
            return
        schedules.apply(_FILES.get(kind, kind), kernel, parameters)


def _write_loops(kernel: ir.Operation) -> bool:
    """Emit the loops of a kernel's contraction; False if there is none that can be."""
    chain = chain_of(mark_root(kernel))
    schedule = None if chain is None else schedule_of(chain.sums)
    if chain is None or schedule is None:
        return False
    ContractionLoops(chain, schedule).write()
    return True


def _write_attention(kernel: ir.Operation) -> bool:
    """Emit the loops of a kernel's attention; False if there is none."""
    attention = attention_of(mark_root(kernel))
    if attention is None:
        return False
    scores, values = (schedule_of(each.sums) for each in (attention.scores, attention.values))
    assert scores is not None and values is not None, "a contraction must have a schedule"
    attention_loops(attention, attention_schedule(attention), scores, values).write()
    return True


def _write_squares(
    find: Callable[[ir.Operation], BlockedTranspose | BlockedPacking | GroupedPacking | None],
    kernel: ir.Operation,
) -> bool:
    """Emit the loops of a kernel that has squares; False if it has none."""
    found = find(mark_root(kernel))
    if found is None:
        return False
    found.write()
    return True


def _packing_of(op: ir.Operation) -> BlockedPacking | GroupedPacking | None:
    return blocked_packing_of(op) or grouped_packing_of(op)


_ALWAYS_WRITTEN = {"attention": _write_attention, "contraction": _write_loops}
_WRITERS: dict[str, Callable[[ir.Operation], bool]] = {
    **_ALWAYS_WRITTEN,
    "transposes": partial(_write_squares, blocked_transpose_of),
    "packing": partial(_write_squares, _packing_of),
}

# Kernels that read an operand transposed are computed in blocks, like a transpose.
_FILES = {"loops": "transposes"}


def _parameters(kind: str, kernel: ir.Operation) -> dict[str, str] | str:
    """The parameters of the schedule for a kernel, or the reason why there is none for it."""
    if kind == "loops" and not is_transposing(kernel):
        return "no operand of these loops is transposed, so LLVM vectorizes the innermost loop"
    root = mark_root(kernel)
    rank = ir.RankedTensorType(root.results[0].type).rank
    if kind == "loops":
        return _blocks(root, next(transposed_loops(root)))
    if kind == "rows":
        rows = ir.IntegerAttr(kernel.attributes[ROWS]).value
        del kernel.attributes[ROWS]
        tiles = [1] * rows + [0] * (rank - rows)
        return {
            "ROWS": str(rows),
            "TILES": ", ".join(map(str, tiles)),
            "LOOP_TYPES": ", ".join(["!transform.any_op"] * rows),
        }
    if kind == "transposes":
        order = list(ir.DenseI64ArrayAttr(root.attributes["permutation"]))
        return _blocks(root, order.index(rank - 1))
    if kind == "windows":
        # The contiguous dimension of the result becomes the innermost loop.
        loops = list(range(_WINDOW_LOOPS[root.name])) if root.name in _WINDOW_LOOPS else None
        if loops is None:
            return f"{root.name} has none, so its loops stay in their order"
        return {"ORDER": ", ".join(map(str, [*loops[:3], *loops[4:], 3]))}
    return {} if kind == "packing" else f"kernels of kind {kind} have none"


def _blocks(root: ir.Operation, read: int) -> dict[str, str] | str:
    """Tile sizes for the loop along which an operand is contiguous, and that of the result."""
    shape = ir.RankedTensorType(root.results[0].type).shape
    rank = len(shape)
    pair = (read, rank - 1)
    if pair[0] == pair[1]:
        return "operand and result are contiguous along the same loop"
    block = target_of(root).lanes(_BITS)
    if any(0 <= shape[place] <= block // 2 for place in pair):
        return "blocks of a vector along both dimensions would be mostly empty"
    blocks = [block if place in pair else 1 for place in range(rank)]
    is_whole = all(shape[place] >= 0 and shape[place] % block == 0 for place in pair)
    return {
        "TILES": ", ".join(map(str, blocks)),
        "LOOPS": str(rank),
        "LOOP_TYPES": ", ".join(["!transform.any_op"] * rank),
        "SIZES": "" if is_whole else f"vector_sizes {blocks}",
    }
