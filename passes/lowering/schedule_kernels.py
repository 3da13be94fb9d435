"""Tile, fuse and vectorise kernels, by the schedule of their kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.attention.loops import attention_loops
from torch_refine.passes.lowering.attention.pattern import attention_of
from torch_refine.passes.lowering.attention.schedule import attention_schedule
from torch_refine.passes.lowering.contractions.chain import chain_of
from torch_refine.passes.lowering.contractions.loops import ContractionLoops
from torch_refine.passes.lowering.contractions.schedule import ScheduleError, schedule_of
from torch_refine.passes.lowering.kernels.across import across, is_across
from torch_refine.passes.lowering.kernels.outlining import (
    KERNEL,
    ROWS,
    SCHEDULED,
    kernels,
    mark_root,
)
from torch_refine.passes.lowering.schedules import apply_schedule
from torch_refine.passes.lowering.targets.record import TargetError

# Elements of a block along each of its dimensions.
_BLOCK = 16
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
    """Tile, fuse and vectorise kernels, by the schedule of their kind.

    A schedule is a file of the transform dialect, named after the kind; what depends on the kernel
    is filled in. A kernel whose schedule does not apply stays as it is: the loops that it becomes
    are slower, not wrong.

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
      %c16 = arith.constant 16 : index
      %c16_1 = arith.constant 16 : index
      %0 = scf.for %arg2 = %c0 to %c32 step %c16 iter_args(%arg3 = %arg1) -> (tensor<32x64xf32>) {
        %1 = scf.for %arg4 = %c0_0 to %c64 step %c16_1 iter_args(%arg5 = %arg3) -> \
(tensor<32x64xf32>) {
          %extracted_slice = tensor.extract_slice %arg0[%arg4, %arg2] [16, 16] [1, 1] : \
tensor<64x32xf32> to tensor<16x16xf32>
          %extracted_slice_2 = tensor.extract_slice %arg5[%arg2, %arg4] [16, 16] [1, 1] : \
tensor<32x64xf32> to tensor<16x16xf32>
          %c16_3 = arith.constant 16 : index
          %c16_4 = arith.constant 16 : index
          %c0_5 = arith.constant 0 : index
          %2 = ub.poison : f32
          %3 = vector.transfer_read %extracted_slice[%c0_5, %c0_5], %2 {permutation_map = #map} \
: tensor<16x16xf32>, vector<16x16xf32>
          %4 = ub.poison : f32
          %5 = vector.transfer_read %extracted_slice_2[%c0_5, %c0_5], %4 : tensor<16x16xf32>, \
vector<16x16xf32>
          %c0_6 = arith.constant 0 : index
          %6 = vector.transfer_write %3, %extracted_slice_2[%c0_6, %c0_6] : vector<16x16xf32>, \
tensor<16x16xf32>
          %inserted_slice = tensor.insert_slice %6 into %arg5[%arg2, %arg4] [16, 16] [1, 1] : \
tensor<16x16xf32> into tensor<32x64xf32>
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
        for kind, kernel in kernels(op):
            kernel.attributes[KERNEL] = ir.StringAttr.get(SCHEDULED, op.context)
            if kind in _WRITERS:
                try:
                    done = _WRITERS[kind](kernel)
                except (ScheduleError, TargetError) as error:
                    state.diagnostics.error(mark_root(kernel).location, str(error))
                    raise PassFailure(self.name) from error
                state.count(self.name, f"kernels of kind {kind}", done)
                continue
            parameters = _parameters(kind, kernel)
            if parameters is None:
                continue
            done = apply_schedule(_FILES.get(kind, kind), kernel, parameters)
            state.count(self.name, f"kernels of kind {kind}{'' if done else ' left as loops'}")


def _write_loops(kernel: ir.Operation) -> int:
    """Write the loops of a kernel's contraction; 0 if it is none that can be written so."""
    chain = chain_of(mark_root(kernel))
    schedule = None if chain is None else schedule_of(chain.sums)
    if chain is None or schedule is None:
        return 0
    ContractionLoops(chain, schedule).write()
    return 1


def _write_attention(kernel: ir.Operation) -> int:
    """Write the loops of a kernel's attention; 0 if there is none."""
    attention = attention_of(mark_root(kernel))
    if attention is None:
        return 0
    scores, values = (schedule_of(each.sums) for each in (attention.scores, attention.values))
    assert scores is not None and values is not None, "a contraction has a schedule"
    attention_loops(attention, attention_schedule(attention), scores, values).write()
    return 1


_WRITERS = {"attention": _write_attention, "contraction": _write_loops}

# What reads and writes in different directions is computed in blocks, as a transpose is.
_FILES = {"loops": "transposes"}


def _parameters(kind: str, kernel: ir.Operation) -> dict[str, str] | None:
    """What a schedule wants to know of a kernel; None where there is none for it."""
    if kind == "loops" and not is_across(kernel):
        return None
    root = mark_root(kernel)
    rank = ir.RankedTensorType(root.results[0].type).rank
    if kind == "loops":
        return _blocks(root, next(across(root)))
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
        # The dimension of the result that lies together becomes the innermost loop.
        loops = list(range(_WINDOW_LOOPS[root.name])) if root.name in _WINDOW_LOOPS else None
        if loops is None:
            return None
        return {"ORDER": ", ".join(map(str, [*loops[:3], *loops[4:], 3]))}
    return {} if kind == "packing" else None


def _blocks(root: ir.Operation, read: int) -> dict[str, str] | None:
    """Blocks of the loop along which an operand is read, and of the one along which is written."""
    shape = ir.RankedTensorType(root.results[0].type).shape
    rank = len(shape)
    pair = (read, rank - 1)
    if pair[0] == pair[1]:
        return None
    blocks = [_BLOCK if place in pair else 1 for place in range(rank)]
    is_whole = all(shape[place] >= 0 and shape[place] % _BLOCK == 0 for place in pair)
    return {
        "TILES": ", ".join(map(str, blocks)),
        "LOOPS": str(rank),
        "LOOP_TYPES": ", ".join(["!transform.any_op"] * rank),
        "SIZES": "" if is_whole else f"vector_sizes {blocks}",
    }
